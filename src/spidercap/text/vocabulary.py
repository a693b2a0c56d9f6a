"""The vocabulary of the captioner: words and symbols to numbers and back, in a plain text file.

Line n (from 0) of `vocabulary.txt` is the symbol with id n: BOS, EOS, UNK, then the words by falling count.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from spidercap._native import WordIndex
from spidercap.errors import DataError
from spidercap.files import new_file, read_lines
from spidercap.text.words import WORD

BOS, EOS, UNK = 0, 1, 2
SPECIALS = ("<bos>", "<eos>", "<unk>")
# More than 4 occurrences: the paper's 8,855 words on COCO train2014.
MINIMUM_COUNT = 5


def padded(symbols: int) -> int:
    """The next multiple of 8, which matrix kernels like."""
    return (symbols + 7) // 8 * 8


@dataclass(frozen=True)
class EncodedCaptions:
    """Word ids of N captions end to end, without BOS and EOS: caption i is `ids[starts[i]:starts[i + 1]]`.

    `cut[i]` is True where caption i had more words than the limit: its end is missing, EOS does not follow.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    cut: NDArray[np.bool_]
    unknown: int

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> NDArray[np.int32]:
        return self.ids[self.starts[index] : self.starts[index + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each caption."""
        return np.diff(self.starts)

    @property
    def cut_count(self) -> int:
        """How many captions were cut at the limit."""
        return int(self.cut.sum())


@dataclass(frozen=True)
class Vocabulary:
    """The words that the captioner knows, in the order of their ids (the first has id 3)."""

    words: tuple[str, ...]

    bos: ClassVar[int] = BOS
    eos: ClassVar[int] = EOS
    unk: ClassVar[int] = UNK

    def __deepcopy__(self, memo: object) -> "Vocabulary":
        """Itself: nothing of it ever changes."""
        return self

    @classmethod
    def from_counts(cls, counts: Mapping[str, int], minimum_count: int = MINIMUM_COUNT) -> "Vocabulary":
        """The words that occur at least `minimum_count` times, the most frequent first, ties in alphabetical order."""
        kept = [word for word, count in counts.items() if count >= minimum_count]
        return cls(tuple(sorted(kept, key=lambda word: (-counts[word], word))))

    @classmethod
    def load(cls, path: Path) -> "Vocabulary":
        """Read a vocabulary file and check every line."""
        lines = read_lines(path)
        if tuple(lines[: len(SPECIALS)]) != SPECIALS:
            raise DataError(f"{path}: the first three lines must be {', '.join(SPECIALS)}, found {lines[:3]}")
        seen: dict[str, int] = {}
        for number, word in enumerate(lines[len(SPECIALS) :], len(SPECIALS) + 1):
            _check_word(path, number, word, seen)
            seen[word] = number
        return cls(tuple(seen))

    def save(self, path: Path) -> None:
        """Write the symbols, one a line; the line number, counted from 0, is the id."""
        with new_file(path) as file:
            file.writelines(f"{symbol}\n" for symbol in self.symbols)

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """All symbols by id."""
        return SPECIALS + self.words

    @property
    def size(self) -> int:
        """The number of symbols, special ones included."""
        return len(self.symbols)

    @property
    def padded_size(self) -> int:
        """The width of the model's output."""
        return padded(self.size)

    @property
    def never_generated(self) -> NDArray[np.int64]:
        """The ids whose logit must be −∞: BOS and the padding."""
        return np.array([BOS, *range(self.size, self.padded_size)], dtype=np.int64)

    @cached_property
    def _index(self) -> WordIndex:
        return WordIndex(self.words, len(SPECIALS), UNK)

    def encode(self, captions: Sequence[str], max_length: int | None = None) -> EncodedCaptions:
        """The ids of the captions' words; unknown words become UNK, words beyond `max_length` are left out."""
        if max_length is not None and max_length < 1:
            raise DataError(f"`max_length` must be at least 1, got {max_length}")
        ids, starts = self._index.encode(captions)
        lengths = np.diff(starts)
        cut = np.zeros(len(captions), dtype=np.bool_) if max_length is None else lengths > max_length
        if max_length is not None and cut.any():
            positions = np.arange(len(ids)) - np.repeat(starts[:-1], lengths)
            ids = ids[positions < max_length]
            starts = np.concatenate([starts[:1], np.cumsum(np.minimum(lengths, max_length))])
        return EncodedCaptions(ids, starts, cut, int((ids == UNK).sum()))

    def decode(self, ids: Iterable[int]) -> str:
        """The words of the ids up to EOS, joined by blanks; BOS is passed over, UNK stays visible as `<unk>`."""
        words = []
        for identity in map(int, ids):
            if not 0 <= identity < self.size:
                raise DataError(f"id {identity} is not in the vocabulary; expected 0 to {self.size - 1}")
            if identity == EOS:
                break
            if identity != BOS:
                words.append(self.symbols[identity])
        return " ".join(words)

    def piece(self, identity: int) -> str:
        """The word or the name of the special symbol."""
        return self.symbols[identity]


def _check_word(path: Path, number: int, word: str, seen: Mapping[str, int]) -> None:
    if not word.strip():
        raise DataError(f"{path}, line {number} is blank; every line holds one word")
    if not WORD.fullmatch(word):
        raise DataError(f"{path}, line {number}: {word!r} is no word of captions; expected a-z, 0-9 and ' only")
    if word in seen:
        raise DataError(f"{path}, line {number}: {word} stands on line {seen[word]} already; words must be unique")
