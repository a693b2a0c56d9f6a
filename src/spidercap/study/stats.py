"""The statistics of a rating study: majority, sign test, Holm's correction, agreement, intervals. Pure functions."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from spidercap.metrics.resampling import Interval

LEVEL = 0.95
RESAMPLES = 2000


def majority(choices: Sequence[str], raters: int) -> str | None:
    """The answer that more than half of the `raters` gave; None if there is none (yet)."""
    if not choices:
        return None
    choice, votes = Counter(choices).most_common(1)[0]
    return choice if 2 * votes > raters else None


def sign_test(wins: int, losses: int) -> float:
    """p(X ≥ wins) for X ~ Binomial(wins + losses, ½): the one-sided exact sign test, ties left out."""
    from scipy.stats import binomtest

    return float(binomtest(wins, wins + losses, 0.5, alternative="greater").pvalue) if wins + losses else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: p₍ᵢ₎ · (m − i + 1), never falling, at most 1; in the order given."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for step, index in enumerate(order):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - step)))
        corrected[index] = highest
    return corrected


def wilson(successes: int, trials: int, level: float = LEVEL) -> Interval | None:
    """Wilson's score interval of a share; None without trials."""
    if not trials:
        return None
    from scipy.stats import binomtest

    found = binomtest(successes, trials).proportion_ci(level, method="wilson")
    return Interval(float(found.low), float(found.high))


def difference_interval(
    first: Mapping[str, float], second: Mapping[str, float], seed: int = 0, level: float = LEVEL
) -> Interval | None:
    """Bootstrap interval of mean(second) − mean(first), images resampled together; None where one has no image."""
    images = list(dict.fromkeys((*first, *second)))
    if not first or not second:
        return None
    generator = np.random.default_rng([seed, 3])
    weights = generator.multinomial(len(images), np.full(len(images), 1 / len(images)), size=RESAMPLES)
    means = [_weighted_means(values, images, weights) for values in (first, second)]
    differences = means[1] - means[0]
    low, high = np.quantile(differences[np.isfinite(differences)], [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def _weighted_means(
    values: Mapping[str, float], images: Sequence[str], weights: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The mean over the images that have a value, in each resample."""
    filled = np.array([values.get(image, 0.0) for image in images])
    known = np.array([image in values for image in images], dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        means: NDArray[np.float64] = (weights @ filled) / (weights @ known)
    return means


Distance = Callable[[Mapping[int, float], int, int], float]


def _nominal(totals: Mapping[int, float], c: int, k: int) -> float:
    return float(c != k)


def _ordinal(totals: Mapping[int, float], c: int, k: int) -> float:
    """δ²_ck = (Σ_{g=c..k} n_g − (n_c + n_k) / 2)²."""
    between = sum(count for value, count in totals.items() if min(c, k) <= value <= max(c, k))
    return (between - (totals[c] + totals[k]) / 2) ** 2


_DISTANCES: dict[str, Distance] = {"nominal": _nominal, "ordinal": _ordinal}


def krippendorff_alpha(units: Sequence[Sequence[int]], level: str = "nominal") -> float | None:
    """Krippendorff's α = 1 − D_o / D_e; each unit holds the values that raters gave, any number of them.

    None where it is undefined: nothing was rated twice, or all values are the same.
    """
    coincidences: defaultdict[tuple[int, int], float] = defaultdict(float)
    totals: defaultdict[int, float] = defaultdict(float)
    for values in (values for values in units if len(values) > 1):
        counts = Counter(values)
        for (c, n_c), (k, n_k) in product(counts.items(), repeat=2):
            coincidences[c, k] += n_c * (n_k - (c == k)) / (len(values) - 1)
        for c, n_c in counts.items():
            totals[c] += n_c
    n = sum(totals.values())
    distance = _DISTANCES[level]
    observed = sum(count * distance(totals, c, k) for (c, k), count in coincidences.items())
    expected = sum(totals[c] * totals[k] * distance(totals, c, k) for c, k in product(totals, repeat=2))
    return 1 - (n - 1) * observed / expected if expected else None


def fleiss_kappa(units: Sequence[Sequence[int]], raters: int) -> float | None:
    """Fleiss' κ = (P̄ − P̄_e) / (1 − P̄_e) over the units that exactly `raters` rated; None where it is undefined."""
    complete = [Counter(values) for values in units if len(values) == raters]
    if not complete or raters < 2:
        return None
    agreement = [(sum(v * v for v in counts.values()) - raters) / (raters * (raters - 1)) for counts in complete]
    totals = sum(complete, Counter[int]())
    shares = [count / (len(complete) * raters) for count in totals.values()]
    expected = sum(share * share for share in shares)
    return None if expected == 1 else (sum(agreement) / len(complete) - expected) / (1 - expected)
