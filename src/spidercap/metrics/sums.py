"""Sums of statistics that are exact: the same for any order, any chunks, any number of processes."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spidercap.errors import DataError
from spidercap.metrics.catalogue import METRICS, with_means
from spidercap.metrics.metric import Metric, Rows

# Scores are added as whole multiples of 2⁻⁵⁸: a score below 16 is then an integer of 62 bits, and integers add exactly.
_UNIT_BITS = 58
_LOW_BITS = 32


class Sums:
    """What a corpus score needs to know of any number of captions; rows and totals go by the keys of metrics."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.images = 0
        self.totals = {key: [0] * METRICS[key].columns for key in keys}

    def add(self, rows: Mapping[str, Rows]) -> None:
        """Add the statistics of more captions."""
        for key, totals in self.totals.items():
            added = METRICS[key].additive(rows[key])
            units = np.rint(added if METRICS[key].pooled else np.ldexp(added, _UNIT_BITS)).astype(np.int64)
            self.totals[key] = [total + more for total, more in zip(totals, _exact_sums(units), strict=True)]
        self.images += len(next(iter(rows.values())))

    def merge(self, other: "Sums") -> None:
        """Add all that another object has added up."""
        if self.totals.keys() != other.totals.keys():
            raise DataError(f"cannot merge sums of {', '.join(other.totals)} into sums of {', '.join(self.totals)}")
        for key, totals in other.totals.items():
            self.totals[key] = [ours + theirs for ours, theirs in zip(self.totals[key], totals, strict=True)]
        self.images += other.images

    def corpus(self, names: Sequence[str]) -> dict[str, float]:
        """The corpus value under each name."""
        if self.images == 0:
            raise DataError("there is nothing to score: no captions were given")
        found: dict[str, float] = {}
        for key, totals in self.totals.items():
            metric = METRICS[key]
            values = _pooled(metric, totals) if metric.pooled else _means(metric, totals, self.images)
            found |= dict(zip(metric.names, values, strict=True))
        found = with_means(found)
        return {name: found[name] for name in names}

    def as_json(self) -> dict[str, Any]:
        """The state as plain JSON values."""
        return {"images": self.images, "totals": self.totals}

    @classmethod
    def from_json(cls, state: Mapping[str, Any]) -> "Sums":
        """The state that `as_json` gave."""
        sums = cls(state["totals"])
        sums.images = int(state["images"])
        sums.totals = {key: list(map(int, totals)) for key, totals in state["totals"].items()}
        return sums


def corpus_scores(rows: Mapping[str, Rows], names: Sequence[str]) -> dict[str, float]:
    """The corpus value under each name, from the rows of its metric."""
    sums = Sums(rows)
    sums.add(rows)
    return sums.corpus(names)


def _pooled(metric: Metric, totals: Sequence[int]) -> list[float]:
    scores: list[float] = metric.scores(np.array([totals], dtype=np.float64))[0].tolist()
    return scores


def _means(metric: Metric, totals: Sequence[int], images: int) -> list[float]:
    """Totals divided by how many images have a score: all of them, or as many as were counted beside the totals."""
    columns = len(metric.names)
    counts = totals[columns:] or [images << _UNIT_BITS] * columns
    return [total / count if count else math.nan for total, count in zip(totals[:columns], counts, strict=True)]


def _exact_sums(units: NDArray[np.int64]) -> list[int]:
    """Column sums without overflow: high and low halves apart."""
    high, low = (units >> _LOW_BITS).sum(axis=0), (units & ((1 << _LOW_BITS) - 1)).sum(axis=0)
    return [(int(h) << _LOW_BITS) + int(part) for h, part in zip(high, low, strict=True)]
