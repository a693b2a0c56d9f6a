"""SPICE of captions: references parsed and merged once, rows of statistics, and what was matched, tuple by tuple."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spidercap import _native
from spidercap.files import new_path
from spidercap.metrics.reference_digest import DetailedDigest, KeptDigest, ReferenceTexts, Statistics
from spidercap.metrics.settings import Settings
from spidercap.metrics.spice.lexicon import lexicon_hash, load_lexicon
from spidercap.metrics.spice_parser import caption_parser

SpiceTuple = tuple[str, ...]
Listing = Sequence[tuple[SpiceTuple, bool]]


@dataclass(frozen=True)
class SpiceDetails:
    """What SPICE found of one caption.

    `scores[category]` holds pr, re, f, tp, fp and fn of All, Object, Attribute, Relation, Cardinality, Color and Size
    (pr, re and f are NaN in a category but All in which the references have nothing); `candidate` and `references` list
    the merged tuples, (object), (object, attribute) or (subject, relation, object), each with whether it was matched.
    """

    scores: dict[str, dict[str, float]]
    candidate: Listing
    references: Listing

    def as_json(self) -> dict[str, Any]:
        """Plain JSON values; what is not a number is null."""
        return {
            "scores": {
                category: {name: None if math.isnan(value) else value for name, value in values.items()}
                for category, values in self.scores.items()
            },
            "candidate": _listing_json(self.candidate),
            "references": _listing_json(self.references),
        }


def _listing_json(listing: Listing) -> list[dict[str, Any]]:
    return [{"tuple": list(elements), "matched": matched} for elements, matched in listing]


class SpiceDigest(KeptDigest, DetailedDigest):
    """The references of images 0, 1, 2, … as scene graphs."""

    name = "spice"

    def __init__(self, references: _native.SpiceReferences) -> None:
        self._references = references

    @classmethod
    def of(cls, references: ReferenceTexts, settings: Settings) -> "SpiceDigest":
        """Parse the references and merge the graphs of each image."""
        texts = [text for image in references.tokens for text in image]
        parses = caption_parser().parse(texts, settings.threads)
        digest = _native.SpiceReferences(load_lexicon())
        first = 0
        for image in references.tokens:
            digest.add_parsed(parses, first, first + len(image))
            first += len(image)
        return cls(digest)

    def statistics(
        self, images: NDArray[np.int64], tokens: Sequence[str], asked: Sequence[str], threads: int
    ) -> Mapping[str, Statistics]:
        """Of each caption its score, the number of its raw tuples, and how many of them repeat an earlier one."""
        parses = caption_parser().parse(tokens, threads)
        return dict.fromkeys(asked, self._references.score(images, parses, threads or os.cpu_count() or 1))

    def details(self, image: int, tokens: str) -> SpiceDetails:
        """Scores by category and both listings of tuples."""
        return SpiceDetails(*self._references.details(image, raw_tuples(tokens)))

    @classmethod
    def facts(cls, settings: Settings) -> tuple[object, ...]:
        """The parser and the lexicon."""
        return (caption_parser().hash, lexicon_hash())

    def save(self, path: Path, key: str) -> None:
        """Write the digest to a new file; `key` names what it was made from."""
        with new_path(path) as temporary:
            self._references.save(temporary, key)

    @classmethod
    def load(cls, path: Path, key: str, settings: Settings) -> "SpiceDigest":
        """Read a saved digest; OSError if the file is missing, damaged or of another key."""
        return cls(_native.SpiceReferences.load(load_lexicon(), path, key))


def raw_tuples(tokens: str) -> list[SpiceTuple]:
    """The tuples of one caption before merging: (object), (object, attribute) or (subject, object, relation)."""
    return caption_parser().parse([tokens], 1).tuples(0, load_lexicon())
