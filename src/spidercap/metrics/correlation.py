"""How well scores follow people's ratings: Kendall τ_b and τ_c, Spearman, Pearson."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spidercap.errors import DataError


@dataclass(frozen=True)
class Correlation:
    """The agreement of one metric with ratings, over judgements (an item rated thrice counts thrice)."""

    metric: str
    judgements: int
    kendall_b: float
    kendall_c: float
    spearman: float
    pearson: float


def correlate(metric: str, scores: Sequence[float], ratings: Sequence[float]) -> Correlation:
    """Correlate the score of each judged caption with its rating, one pair a judgement."""
    if len(scores) < 2 or len(set(scores)) < 2 or len(set(ratings)) < 2:
        raise DataError(
            f"{metric}: a correlation needs at least two judgements that differ in score and in rating, "
            f"got {len(scores)} judgements"
        )
    from scipy import stats

    return Correlation(
        metric,
        len(scores),
        kendall_b=float(stats.kendalltau(scores, ratings, variant="b").statistic),
        kendall_c=float(stats.kendalltau(scores, ratings, variant="c").statistic),
        spearman=float(stats.spearmanr(scores, ratings).statistic),
        pearson=float(np.corrcoef(scores, ratings)[0, 1]),
    )
