"""The leaderboard, as Table 1 of the paper: scores, intervals, change against maximum likelihood, and what is sure."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

import numpy as np

from spidercap.metrics.cider import CIDER
from spidercap.metrics.names import DEFAULT_METRICS
from spidercap.metrics.resampling import Comparison, Interval, compare, confidence_intervals
from spidercap.metrics.scores import Scores
from spidercap.report.training.published import COLUMNS, PAPER, SERVER

METRICS = (*COLUMNS, *(name for name in DEFAULT_METRICS if name not in COLUMNS))
"""The columns: those of the paper's table in its order, then the other default metrics."""
CATEGORIES = ("Object", "Attribute", "Relation", "Cardinality", "Color", "Size")
SURE = 0.05
"""A difference is marked where chance alone gives one as large less often than this."""


@dataclass(frozen=True)
class Cell:
    """A score; of a published one, only the value is known."""

    value: float
    best: bool = False
    interval: Interval | None = None
    change: float | None = None
    """Relative to the row that all are compared with; None in that row."""
    p: float | None = None

    @property
    def sure(self) -> bool:
        """Whether the difference is hardly chance."""
        return self.p is not None and self.p < SURE

    @property
    def mark(self) -> str:
        """`*` where the difference is hardly chance."""
        return "*" if self.sure else ""


@dataclass(frozen=True)
class Row:
    """A method and its cells by metric; what was not published has none."""

    name: str
    cells: Mapping[str, Cell]
    group: str = ""
    """Where a published row comes from; empty for our own."""


@dataclass(frozen=True)
class Pairs:
    """How well the images tell methods apart by CIDEr; methods that say the same of every image count as one."""

    count: int
    unsure: int
    """In how many the difference may be chance."""
    margin: float
    """Half of the 95 % bootstrap interval of a difference, in the median: smaller ones may be chance."""

    @property
    def images_are_few(self) -> bool:
        """Whether half of the pairs or more cannot be told apart."""
        return self.count > 0 and 2 * self.unsure >= self.count


@dataclass(frozen=True)
class Leaderboard:
    """All rows; `against` is the method that the others are compared with."""

    rows: Sequence[Row]
    against: str
    images: int
    pairs: Pairs = Pairs(0, 0, 0.0)

    @property
    def own(self) -> list[Row]:
        """The rows of our own runs."""
        return [row for row in self.rows if not row.group]

    @property
    def published(self) -> dict[str, list[Row]]:
        """The published rows by where they come from."""
        groups = dict.fromkeys(row.group for row in self.rows if row.group)
        return {group: [row for row in self.rows if row.group == group] for group in groups}


def highest(values: Sequence[float]) -> float | None:
    """The highest value; None where all are alike and none is the best. What is undefined does not count."""
    defined = [value for value in values if not math.isnan(value)]
    return max(defined) if defined and max(defined) > min(defined) else None


def leaderboard(names: Sequence[str], scores: Sequence[Scores], against: int, published: bool = False) -> Leaderboard:
    """The table of methods scored on the same images; `against` is the number of the one to compare with."""
    best = {metric: highest([each.corpus[metric] for each in scores]) for metric in METRICS}
    rows = []
    for number, (name, each) in enumerate(zip(names, scores, strict=True)):
        intervals = confidence_intervals(each.rows)
        compared = _compared(scores[against], each) if number != against else {}
        cells = {m: _cell(each.corpus[m], best[m], intervals[m], compared.get(m)) for m in METRICS}
        rows.append(Row(name, cells))
    rows += _published() if published else ()
    return Leaderboard(rows, names[against], len(scores[0].per_image), _pairs(scores))


def _pairs(scores: Sequence[Scores]) -> Pairs:
    different: list[Scores] = []
    for each in scores:
        if not any(_same(each, other) for other in different):
            different.append(each)
    rows = [{CIDER.key: each.rows[CIDER.key]} for each in different]
    found = [compare(first, second, ("", ""))[0] for first, second in combinations(rows, 2)]
    margins = [(each.interval.high - each.interval.low) / 2 for each in found]
    unsure = sum(each.randomisation_p >= SURE for each in found)
    return Pairs(len(found), unsure, median(margins) if margins else 0.0)


def _same(first: Scores, second: Scores) -> bool:
    """Whether two methods say the same of every image, as far as any metric sees."""
    return all(np.array_equal(first.rows[key], second.rows[key], equal_nan=True) for key in first.rows)


def _compared(first: Scores, second: Scores) -> dict[str, Comparison]:
    return {each.metric: each for each in compare(first.rows, second.rows, ("", ""))}


def _cell(value: float, best: float | None, interval: Interval, compared: Comparison | None) -> Cell:
    if compared is None:
        return Cell(value, value == best, interval)
    before = value - compared.difference
    change = compared.difference / before if before else None
    return Cell(value, value == best, interval, change, compared.randomisation_p)


def _published() -> Iterator[Row]:
    for group, table in (("Published: the paper, COCO test server", PAPER), ("Published: COCO test server", SERVER)):
        for name, values in table.items():
            yield Row(name, {metric: Cell(value) for metric, value in values.items()}, group)


def spice_parts(scores: Scores) -> dict[str, float]:
    """SPICE and its F by category, each the mean over the images whose references have something in it."""
    sums = {category: [0.0, 0] for category in CATEGORIES}
    for details in scores.details.values():
        for category in CATEGORIES:
            value = details["spice"].scores[category]["f"]
            if not math.isnan(value):
                sums[category][0] += value
                sums[category][1] += 1
    means = {category: total / count if count else math.nan for category, (total, count) in sums.items()}
    return {"SPICE": scores.corpus["SPICE"], **means}
