"""Sums of statistics that are exact: the same for any order, any chunks, any number of processes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spidercap.errors import DataError
from spidercap.metrics.families import FAMILIES, Rows, with_derived

# Scores are added as whole multiples of 2⁻⁵⁸: a score below 16 is then an integer of 62 bits, and integers add exactly.
_UNIT_BITS = 58
_LOW_BITS = 32


class Sums:
    """What a corpus score needs to know of any number of captions."""

    def __init__(self, families: Sequence[str]) -> None:
        self.images = 0
        self.totals = {name: [0] * _columns(name) for name in families}

    def add(self, rows: Mapping[str, Rows]) -> None:
        """Add the statistics of more captions."""
        for name, totals in self.totals.items():
            added = FAMILIES[name].additive(rows[name])
            units = np.rint(added if FAMILIES[name].pooled else np.ldexp(added, _UNIT_BITS)).astype(np.int64)
            self.totals[name] = [total + more for total, more in zip(totals, _exact_sums(units), strict=True)]
        self.images += len(next(iter(rows.values())))

    def merge(self, other: "Sums") -> None:
        """Add all that another object has added up."""
        if self.totals.keys() != other.totals.keys():
            raise DataError(f"cannot merge sums of {', '.join(other.totals)} into sums of {', '.join(self.totals)}")
        for name, totals in other.totals.items():
            self.totals[name] = [ours + theirs for ours, theirs in zip(self.totals[name], totals, strict=True)]
        self.images += other.images

    def corpus(self, metrics: Sequence[str]) -> dict[str, float]:
        """The corpus value of each metric."""
        if self.images == 0:
            raise DataError("there is nothing to score: no captions were given")
        found: dict[str, float] = {}
        for name, totals in self.totals.items():
            family = FAMILIES[name]
            if family.pooled:
                values = family.scores(np.array([totals], dtype=np.float64))[0].tolist()
            else:
                values = [total / (self.images << _UNIT_BITS) for total in totals]
            found |= dict(zip(family.metrics, values, strict=True))
        found = with_derived(found)
        return {metric: found[metric] for metric in metrics}

    def as_json(self) -> dict[str, Any]:
        """The state as plain JSON values."""
        return {"images": self.images, "totals": self.totals}

    @classmethod
    def from_json(cls, state: Mapping[str, Any]) -> "Sums":
        """The state that `as_json` gave."""
        sums = cls(list(state["totals"]))
        sums.images, sums.totals = (
            int(state["images"]),
            {name: list(map(int, t)) for name, t in state["totals"].items()},
        )
        return sums


def _columns(family: str) -> int:
    return FAMILIES[family].width if FAMILIES[family].pooled else len(FAMILIES[family].metrics)


def _exact_sums(units: NDArray[np.int64]) -> list[int]:
    """Column sums without overflow: high and low halves apart."""
    high, low = (units >> _LOW_BITS).sum(axis=0), (units & ((1 << _LOW_BITS) - 1)).sum(axis=0)
    return [(int(h) << _LOW_BITS) + int(part) for h, part in zip(high, low, strict=True)]
