"""Native core of spidercap."""

from collections.abc import Sequence
from typing import Annotated, Final

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

def meteor_tokens(caption: str) -> list[str]:
    """The lower-case tokens that METEOR sees in a caption."""

def meteor_stem(word: str) -> str:
    """The stem of a lower-case word: Snowball English before 3.0."""

def meteor_score(statistics: Annotated[NDArray[numpy.int64], dict(shape=(None, 23), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The score of each row of 23 statistics."""

def meteor_additive(statistics: Annotated[NDArray[numpy.int64], dict(shape=(None, 23), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None, 23))]:
    """
    The statistics in the form whose sum over captions has the corpus score as its score: perfect captions count no chunk.
    """

class ParaphraseCompiler:
    """Compiles the text of METEOR's paraphrase table."""

    def __init__(self) -> None: ...

    def feed(self, text: bytes) -> None:
        """The next piece of the table, cut anywhere."""

    def finish(self, source_sha256: bytes) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The content of the index file; the compiler is spent afterwards."""

    @property
    def records(self) -> int:
        """How many records were read so far."""

    version: Final[int] = ...
    """The version of the index file."""

class MeteorResources:
    """WordNet synsets and, if given, the paraphrase index."""

    def __init__(self, wordnet: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], paraphrases: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

    @property
    def paraphrase_source(self) -> bytes | None:
        """
        SHA-256 of the table that the paraphrase index was made from; None without paraphrases.
        """

class MeteorReferences:
    """The references of images, digested for METEOR."""

    def __init__(self, resources: MeteorResources, references: Sequence[Sequence[str]]) -> None: ...

    @property
    def images(self) -> int: ...

    def statistics(self, images: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], captions: Sequence[str], threads: int = 1) -> Annotated[NDArray[numpy.int32], dict(shape=(None, 23))]:
        """The 23 statistics of each caption against the references of its image."""

    def score(self, images: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], captions: Sequence[str], threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The score of each caption against the references of its image."""

    def save(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The digest as bytes."""

    @staticmethod
    def load(resources: MeteorResources, digest: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> MeteorReferences:
        """The digest that `save` gave."""
