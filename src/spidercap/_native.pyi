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

class CaptionParser:
    """The parser behind SPICE, with its grammar read from a model file."""

    def __init__(self, path: str, tag_beam: float = 9.5, label_beam: float = 11.0, remainder_beam: float = 12.0, neighbours: bool = True) -> None: ...

    def trees(self, captions: Sequence[str], marks: bool = False) -> list[tuple[str, float, bool]]:
        """
        For each caption its bracketed tree, log-probability, and whether the grammar covers it whole.
        """

    def dependencies(self, captions: Sequence[str]) -> list[tuple[list[str], list[str], list[int], list[str]]]:
        """
        For each caption its words, tags, heads (counted from 1, 0 is the root) and basic labels.
        """

    @property
    def hash(self) -> str:
        """SHA-256 of the model file's content."""
