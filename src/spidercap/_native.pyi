"""Native core of spidercap."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def split_words(caption: str) -> list[str]:
    """The matches of [a-z0-9']+ in the lower-cased caption."""

def count_words(captions: Sequence[str]) -> dict[str, int]:
    """How often each word occurs in all the captions together."""

class WordIndex:
    """Words of a vocabulary to ids."""

    def __init__(self, words: Sequence[str], first_id: int, unknown_id: int) -> None: ...

    def encode(self, captions: Sequence[str]) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]:
        """
        All captions' word ids end to end, and the N + 1 positions where captions start and the last ends.
        """

class SpiceLexicon:
    """
    Lemmas and WordNet synsets, from the contents of the two shipped files.
    """

    def __init__(self, lemmas: bytes, synsets: bytes) -> None: ...

    def lemma(self, word: str, tag: str) -> str:
        """The lemma of a word with a Penn tag."""

    def synsets(self, text: str) -> list[int]:
        """Numbers of the synsets of a word or phrase."""

class ParsedCaptions:
    """Parses of captions: words, Penn tags, heads and labels."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def start_caption(self) -> None:
        """Begin the next caption."""

    def add_sentence(self, words: Sequence[str], tags: Sequence[str], heads: Sequence[int], labels: Sequence[str]) -> None:
        """
        Add a sentence to the caption begun last; heads count from 1, 0 is the root.
        """

    def tuples(self, caption: int, lexicon: SpiceLexicon) -> list[tuple[str, ...]]:
        """Raw SPICE tuples of a caption."""

    def graphs(self, caption: int, lexicon: SpiceLexicon, enhanced: bool) -> list[list[tuple[str, int, int, int, int]]]:
        """
        Edges (label, governor, copy, dependent, copy) of each sentence, collapsed or also enhanced.
        """

class SpiceReferences:
    """References of images, digested once, to score candidates against."""

    def __init__(self, lexicon: SpiceLexicon) -> None: ...

    def __len__(self) -> int: ...

    def add(self, tuples: Sequence[Sequence[str]]) -> int:
        """
        Add an image by the raw tuples of all its references in order; returns its number.
        """

    def add_parsed(self, captions: ParsedCaptions, first: int, last: int) -> int:
        """
        Add an image whose references are the parsed captions from first to last - 1; returns its number.
        """

    def score(self, images: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], captions: ParsedCaptions, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """F of each parsed caption against the image of the same place."""

    def details(self, image: int, tuples: Sequence[Sequence[str]]) -> tuple[dict[str, dict[str, float]], list[tuple[tuple[str, ...], bool]], list[tuple[tuple[str, ...], bool]]]:
        """
        Scores by category, and the merged tuples of candidate and references, each with whether it was matched.
        """
