"""How often the reference saw each word with each tag in its own training, as the fitted terms tell:

    python tools/parser/word_counts.py [MODEL]

A tag that a word had n times, of c times in all, has by e^(the term less that of a tag never seen with it) = 1 + n · u,
where u is a number of the tag: 1 / (0.4 p) for the tag's share p among words seen for the first time. So all own terms
of a tag are multiples of one unit, and a word's counts add up to c, which its offset tells. Where they do not, the word
has a tag that no tree shows yet: tools/parser/ask.py counts asks for it.
"""

import argparse
import math
from collections import defaultdict
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
from lexicon import SMOOTHING, Lexicon, densest
from model_file import read, read_texts
from numpy.typing import NDArray
from tree_score import stored_lexicon

SHIPPED = files("spidercap") / "metrics" / "data" / "spice_parser.bin"
MOST = 130
"""Uses of a word that its offset tells exactly."""
FACTORS = (1, 1 / 2, 2, 1 / 3, 3, 1 / 4, 4)
LEAST_SHARE = 0.02
"""Of a tag's largest own term: what is smaller comes of another part of the training, which counts less."""
ROUNDS, EXACT, LEAST = 3, 0.1, 0.4

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Words:
    """Open words that the offset tells exactly how often the reference saw, and their own terms by tag."""

    names: list[str]
    uses: Floats
    shares: dict[str, tuple[NDArray[np.int64], Floats]]
    """Numbers of words, and e^(own term less that of an unseen tag) - 1 for each."""

    @classmethod
    def of(cls, lexicon: Lexicon) -> "Words":
        """Those of a lexicon."""
        open_words = ((word, offset) for word, offset in lexicon.offsets.items() if word not in lexicon.closed)
        uses = {
            word: round(SMOOTHING / math.expm1(-offset)) for word, offset in open_words if offset < -SMOOTHING / MOST
        }
        own: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, word in enumerate(uses):
            for tag, term in lexicon.pairs[word].items():
                if tag in lexicon.unseen:
                    own[tag].append((number, math.expm1(term - lexicon.unseen[tag] - lexicon.offsets[word])))
        columns = {
            tag: (np.array([number for number, _ in rows]), np.array([share for _, share in rows]))
            for tag, rows in own.items()
        }
        return cls(list(uses), np.array(list(uses.values()), np.float64), columns)

    def unexplained(self, units: dict[str, float]) -> Floats:
        """How many of each word's uses its own tags do not explain."""
        left = self.uses.copy()
        for tag, unit in units.items():
            numbers, shares = self.shares[tag]
            left[numbers] -= counted(shares, unit)
        return left


def counted(shares: Floats, unit: float) -> Floats:
    """How often words had a tag with this unit."""
    counts = shares / unit
    return np.where(counts > LEAST, counts, 0.0)


def units_of(words: Words) -> dict[str, float]:
    """The unit of each tag: its commonest own term, or that fraction of it with which most words add up."""
    units: dict[str, float] = {}
    for tag, (_, shares) in words.shares.items():
        large = shares[shares > max(0.5, LEAST_SHARE * shares.max())]
        if len(large):
            units[tag] = math.exp(densest(np.log(large).tolist())[0])
    for _ in range(ROUNDS):
        for tag, unit in units.items():
            numbers, shares = words.shares[tag]
            left = words.unexplained(units)[numbers] + counted(shares, unit)
            exact = [int((np.abs(left - counted(shares, unit * factor)) < EXACT).sum()) for factor in FACTORS]
            units[tag] = unit * FACTORS[int(np.argmax(exact))]
    return units


def incomplete_words(lexicon: Lexicon) -> list[str]:
    """Words of which not all uses are explained: a tag of theirs was not shown yet."""
    words = Words.of(lexicon)
    left = words.unexplained(units_of(words))
    return [word for word, count in zip(words.names, left.tolist(), strict=True) if count >= EXACT]


def lexicon_of_file(model: Path) -> Lexicon:
    """The lexicon of a model file."""
    sections = read(model)
    tags = int(np.frombuffer(sections["counts"].tobytes(), np.uint32)[0])
    return stored_lexicon(sections, read_texts(sections, "label")[:tags])


def main() -> None:
    """Print of how many words the counts add up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, nargs="?", default=SHIPPED, help="model file (default: the shipped one)")
    words = Words.of(lexicon_of_file(parser.parse_args().model))
    left = words.unexplained(units_of(words))
    exact, fewer = int((np.abs(left) < EXACT).sum()), int((left >= EXACT).sum())
    print(f"{len(left):,} words seen up to {MOST} times: the counts of {exact:,} add up, {fewer:,} lack a tag")


if __name__ == "__main__":
    main()
