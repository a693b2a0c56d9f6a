"""References as n-grams: what BLEU, ROUGE-L and CIDEr read."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spidercap import _native
from spidercap.files import new_path
from spidercap.metrics.reference_digest import KeptDigest, ReferenceTexts, Statistics
from spidercap.metrics.settings import Settings

# What the native core calls the row of what it is asked for, where that has another name.
_RESULTS = {"bleu": "bleu_statistics"}


class NgramDigest(KeptDigest):
    """The references of images 0, 1, 2, … as n-grams with their document frequencies."""

    name = "ngram"

    def __init__(self, references: _native.NgramReferences) -> None:
        self._references = references

    @classmethod
    def of(cls, references: ReferenceTexts, settings: Settings) -> "NgramDigest":
        """Digest the references; document frequencies are counted in them where the settings have none."""
        table = settings.frequencies
        return cls(_native.NgramReferences(references.tokens, table.table if table else None, None, settings.threads))

    def statistics(
        self, images: NDArray[np.int64], tokens: Sequence[str], asked: Sequence[str], threads: int
    ) -> Mapping[str, Statistics]:
        """`bleu` (ten counts a caption), `rouge_l`, `cider_d` and `cider`, in one pass over the captions."""
        results = self._references.score(images, tokens, asked, threads)
        return {each: results[_RESULTS.get(each, each)] for each in asked}

    @classmethod
    def facts(cls, settings: Settings) -> tuple[object, ...]:
        """The document frequencies."""
        return (settings.frequencies.fingerprint if settings.frequencies else "corpus",)

    def save(self, path: Path, key: str) -> None:
        """Write the digest to a new file; `key` names what it was made from."""
        with new_path(path) as temporary:
            self._references.save(temporary, key)

    @classmethod
    def load(cls, path: Path, key: str, settings: Settings) -> "NgramDigest":
        """Read a saved digest; OSError if the file is missing, damaged or of another key."""
        return cls(_native.NgramReferences.load(path, key))
