"""METEOR 1.5: words aligned by form, stem, synonym and paraphrase, pooled over the corpus."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spidercap import _native
from spidercap.errors import DataError
from spidercap.files import new_file
from spidercap.metrics.meteor_data import meteor_resources
from spidercap.metrics.metric import Metric, Rows, whole
from spidercap.metrics.reference_digest import KeptDigest, ReferenceTexts, Statistics
from spidercap.metrics.settings import Settings


class MeteorDigest(KeptDigest):
    """The references of images 0, 1, 2, …, their words looked up."""

    name = "meteor"

    def __init__(self, references: _native.MeteorReferences) -> None:
        self._references = references

    @classmethod
    def of(cls, references: ReferenceTexts, settings: Settings) -> "MeteorDigest":
        """Digest the references."""
        return cls(_native.MeteorReferences(meteor_resources(settings.paraphrases), references.tokens))

    def statistics(
        self, images: NDArray[np.int64], tokens: Sequence[str], asked: Sequence[str], threads: int
    ) -> Mapping[str, Statistics]:
        """The 23 counts of each caption against the reference that gives it the best score."""
        try:
            found = self._references.statistics(images, tokens, threads)
        except ValueError as error:  # captions of thousands of words, whose alignment would take for ever
            raise DataError(f"METEOR cannot be computed: {error}") from None
        return dict.fromkeys(asked, found)

    @classmethod
    def facts(cls, settings: Settings) -> tuple[object, ...]:
        """Whether paraphrases are looked up."""
        return (settings.paraphrases,)

    def save(self, path: Path, key: str) -> None:
        """Write the digest to a new file, whose name alone says what it was made from."""
        with new_file(path, "wb") as file:
            file.write(self._references.save().data)

    @classmethod
    def load(cls, path: Path, key: str, settings: Settings) -> "MeteorDigest":
        """Map a saved digest into memory; OSError or ValueError if the file is missing or damaged."""
        mapped = np.memmap(path, dtype=np.uint8, mode="r")
        return cls(_native.MeteorReferences.load(meteor_resources(settings.paraphrases), mapped))


def meteor_scores(rows: Rows) -> Rows:
    """METEOR of rows of its 23 counts."""
    return _native.meteor_score(whole(rows))[:, None]


def meteor_summands(rows: Rows) -> Rows:
    """The counts as a corpus adds them: a perfect caption (all matched, one chunk) brings no chunk."""
    return _native.meteor_additive(whole(rows)).astype(np.float64)


def meteor_facts(settings: Settings, images: int) -> tuple[str, ...]:
    """By what words are matched."""
    return ("modules:exact+stem+synonym" + ("+paraphrase" if settings.paraphrases else ""),)


METEOR = Metric(
    key="meteor",
    names=("METEOR",),
    reads=MeteorDigest,
    asks="counts",
    variant="METEOR-1.5|en",
    width=23,
    scores=meteor_scores,
    pooled=True,
    summands=meteor_summands,
    facts=meteor_facts,
)
