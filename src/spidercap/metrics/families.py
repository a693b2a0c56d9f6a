"""From statistics to scores: metrics that share statistics are one family, and statistics of captions add up.

A caption's statistics are one row of numbers. Pooled families (BLEU, METEOR) score a corpus by the sum of its rows,
the others by the mean of the captions' scores; both need only sums, so bootstrap and merging shards are free.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from spidercap import _native
from spidercap.metrics.names import BLEU

Rows = NDArray[np.float64]


def bleu_scores(rows: Rows) -> Rows:
    """BLEU-1..4 of rows (correct₁..₄, guessed₁..₄, candidate length, closest reference length)."""
    return _native.bleu_from_statistics(_whole(rows))


def meteor_scores(rows: Rows) -> Rows:
    """METEOR of rows of its 23 counts."""
    return _native.meteor_score(_whole(rows))[:, None]


def meteor_summands(rows: Rows) -> Rows:
    """The counts as a corpus adds them: a perfect caption (all matched, one chunk) brings no chunk."""
    return _native.meteor_additive(_whole(rows)).astype(np.float64)


def _whole(rows: Rows) -> NDArray[np.int64]:
    return np.ascontiguousarray(np.rint(rows), dtype=np.int64)


def unchanged(rows: Rows) -> Rows:
    """Rows that are scores already."""
    return rows


def first_column(rows: Rows) -> Rows:
    """Rows whose first number is the score."""
    return rows[:, :1]


@dataclass(frozen=True)
class Family:
    """Metrics that come from the same rows of statistics."""

    metrics: tuple[str, ...]
    width: int
    scores: Callable[[Rows], Rows] = unchanged
    pooled: bool = False
    summands: Callable[[Rows], Rows] = unchanged

    def additive(self, rows: Rows) -> Rows:
        """What a corpus adds up: the counts, or the scores themselves."""
        return self.summands(rows) if self.pooled else self.scores(rows)

    def corpus(self, sums: Rows, images: int) -> Rows:
        """Corpus scores (n, metrics) of n sums of additive rows over `images` captions each."""
        return self.scores(sums) if self.pooled else sums / images


FAMILIES = {
    "bleu": Family(BLEU, 10, bleu_scores, pooled=True),
    "meteor": Family(("METEOR",), 23, meteor_scores, pooled=True, summands=meteor_summands),
    "rouge": Family(("ROUGE_L",), 1),
    "cider": Family(("CIDEr",), 1),
    "cider_original": Family(("CIDEr_original",), 1),
    "spice": Family(("SPICE",), 3, first_column),
}
FAMILY_OF = {metric: name for name, family in FAMILIES.items() for metric in family.metrics}
# Means of other metrics that have a name of their own.
DERIVED = {"SPIDEr": ("SPICE", "CIDEr")}
Value = TypeVar("Value", float, NDArray[np.float64])


def families_of(metrics: Iterable[str]) -> list[str]:
    """The families whose statistics these metrics need."""
    parts = (part for metric in metrics for part in DERIVED.get(metric, (metric,)))
    return list(dict.fromkeys(FAMILY_OF[part] for part in parts))


def with_derived(values: dict[str, Value]) -> dict[str, Value]:
    """Values by metric, and those of the derived metrics whose parts are all there."""
    means = {name: (values[a] + values[b]) / 2 for name, (a, b) in DERIVED.items() if a in values and b in values}
    return values | means
