"""What a digest of references is: made once from the references of images, it gives rows of statistics of captions.

Metrics that read the same digest (BLEU, ROUGE-L and CIDEr read n-grams) are computed by one native call.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from spidercap.metrics.settings import Settings, tokenize_references

Statistics = NDArray[Any]


class ReferenceTexts:
    """The references of images 0, 1, 2, …, and what else a metric may need of each image.

    `inputs[name]` holds one value an image (a list of objects, a vector); with `tokenised` the texts are token strings
    already.
    """

    def __init__(
        self,
        texts: Sequence[Sequence[str]],
        settings: Settings,
        *,
        tokenised: bool = False,
        inputs: Mapping[str, Sequence[Any]] | None = None,
    ) -> None:
        self.texts = texts
        self.inputs = inputs or {}
        self._settings = settings
        self._tokenised = tokenised

    @cached_property
    def tokens(self) -> Sequence[Sequence[str]]:
        """The token strings of each image's references; made once, when the first digest needs them."""
        return self.texts if self._tokenised else tokenize_references(self.texts, self._settings)


class ReferenceDigest(ABC):
    """The references of images 0, 1, 2, …, in the form that some metrics read."""

    name: ClassVar[str]
    """What it is called in the names of kept files and in `Scores.details`."""
    needs: ClassVar[tuple[str, ...]] = ()
    """The names of further inputs that it needs of each image."""

    @classmethod
    @abstractmethod
    def of(cls, references: ReferenceTexts, settings: Settings) -> Self:
        """Digest the references."""

    @abstractmethod
    def statistics(
        self, images: NDArray[np.int64], tokens: Sequence[str], asked: Sequence[str], threads: int
    ) -> Mapping[str, Statistics]:
        """What the metrics ask for, of tokenised captions of the images with these indices: one row a caption."""


class KeptDigest(ReferenceDigest):
    """A digest that can be written to a file and read again, quicker than it is made."""

    @classmethod
    @abstractmethod
    def facts(cls, settings: Settings) -> tuple[object, ...]:
        """What decides its content, apart from the references and the tokenizer."""

    @abstractmethod
    def save(self, path: Path, key: str) -> None:
        """Write the digest to a new file; `key` names what it was made from."""

    @classmethod
    @abstractmethod
    def load(cls, path: Path, key: str, settings: Settings) -> Self:
        """Read a saved digest; OSError or ValueError if the file is missing, damaged or of another key."""


class ImageDetails(Protocol):
    """What a metric tells of one caption beyond a number."""

    def as_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        ...


class DetailedDigest(ReferenceDigest):
    """A digest that can say more of a caption than its statistics."""

    @abstractmethod
    def details(self, image: int, tokens: str) -> ImageDetails:
        """What it finds of a tokenised caption of the image with this index."""
