"""How well scores follow people's ratings: Kendall τ_b and τ_c, Spearman, Pearson."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Correlation:
    """The agreement of one metric with ratings, over judgements (an item rated thrice counts thrice).

    A coefficient is None where it is undefined: all scores, or all ratings, are the same.
    """

    metric: str
    judgements: int
    kendall_b: float | None
    kendall_c: float | None
    spearman: float | None
    pearson: float | None


def correlate(metric: str, scores: Sequence[float], ratings: Sequence[float]) -> Correlation:
    """Correlate the score of each judged caption with its rating, one pair a judgement."""
    if len(set(scores)) < 2 or len(set(ratings)) < 2:
        return Correlation(metric, len(scores), None, None, None, None)
    from scipy import stats

    return Correlation(
        metric,
        len(scores),
        kendall_b=float(stats.kendalltau(scores, ratings, variant="b").statistic),
        kendall_c=float(stats.kendalltau(scores, ratings, variant="c").statistic),
        spearman=float(stats.spearmanr(scores, ratings).statistic),
        pearson=float(np.corrcoef(scores, ratings)[0, 1]),
    )
