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
