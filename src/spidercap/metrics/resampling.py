"""How sure a score is: bootstrap intervals, paired bootstrap and approximate randomisation, from additive rows."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spidercap.errors import UsageError
from spidercap.metrics.catalogue import METRICS, with_means
from spidercap.metrics.metric import Rows

RESAMPLES = 1000
_BLOCK = 64


@dataclass(frozen=True)
class Interval:
    """A percentile interval of a corpus score."""

    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """Two systems on one metric: the difference (second − first) and how surely it is not chance.

    `bootstrap_p`: share of paired resamples in which the difference has the other sign or is null, doubled (two-sided).
    `randomisation_p`: share of random exchanges of the two systems' captions with a difference as large.
    """

    metric: str
    first: str
    second: str
    difference: float
    interval: Interval
    bootstrap_p: float
    randomisation_p: float


def confidence_intervals(
    rows: Mapping[str, Rows], level: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Interval]:
    """Percentile bootstrap intervals of every metric of `rows` (images resampled with replacement)."""
    _check(level, resamples, seed)
    images = len(next(iter(rows.values())))
    samples = _resample(rows, images, resamples, seed)
    return {metric: _interval(values, level) for metric, values in samples.items()}


def compare(
    first: Mapping[str, Rows],
    second: Mapping[str, Rows],
    names: tuple[str, str],
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Comparison]:
    """Every metric of two systems on the same images, in the same order."""
    _check(level, resamples, seed)
    images = len(next(iter(first.values())))
    observed = _differences(_corpus(first), _corpus(second))
    bootstrap = _differences(_resample(first, images, resamples, seed), _resample(second, images, resamples, seed))
    exchanged = _exchange(first, second, images, resamples, seed)
    return [
        Comparison(
            metric,
            *names,
            difference=float(observed[metric][0]),
            interval=_interval(bootstrap[metric], level),
            bootstrap_p=_two_sided(bootstrap[metric], float(observed[metric][0])),
            randomisation_p=_at_least(exchanged[metric], float(observed[metric][0])),
        )
        for metric in observed
    ]


def _check(level: float, resamples: int, seed: int) -> None:
    if not 0 < level < 1:
        raise UsageError(f"`level` must be between 0 and 1, got {level:g}")
    if resamples < 1:
        raise UsageError(f"`resamples` must be at least 1, got {resamples}")
    if seed < 0:
        raise UsageError(f"`seed` must be 0 or more, got {seed}")


def _weights(images: int, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """How often each resample holds each image, some resamples at a time: (block, images)."""
    generator = np.random.default_rng([seed, 1])
    for begin in range(0, resamples, _BLOCK):
        count = min(_BLOCK, resamples - begin)
        drawn = generator.integers(0, images, size=(count, images)) + images * np.arange(count)[:, None]
        yield np.bincount(drawn.ravel(), minlength=count * images).reshape(count, images).astype(np.float64)


def _resample(rows: Mapping[str, Rows], images: int, resamples: int, seed: int) -> dict[str, NDArray[np.float64]]:
    additive = {name: METRICS[name].additive(values) for name, values in rows.items()}
    blocks = [
        _by_metric({name: weights @ values for name, values in additive.items()}, images)
        for weights in _weights(images, resamples, seed)
    ]
    return _joined(blocks)


def _exchange(
    first: Mapping[str, Rows], second: Mapping[str, Rows], images: int, resamples: int, seed: int
) -> dict[str, NDArray[np.float64]]:
    generator = np.random.default_rng([seed, 2])
    additive = {n: (METRICS[n].additive(first[n]), METRICS[n].additive(second[n])) for n in first}
    blocks = []
    for begin in range(0, resamples, _BLOCK):
        swap = generator.integers(0, 2, size=(min(_BLOCK, resamples - begin), images)).astype(np.float64)
        moved = {name: swap @ (b - a) for name, (a, b) in additive.items()}
        left = {name: a.sum(axis=0) + moved[name] for name, (a, _) in additive.items()}
        right = {name: b.sum(axis=0) - moved[name] for name, (_, b) in additive.items()}
        blocks.append(_differences(_by_metric(left, images), _by_metric(right, images)))
    return _joined(blocks)


def _corpus(rows: Mapping[str, Rows]) -> dict[str, NDArray[np.float64]]:
    images = len(next(iter(rows.values())))
    return _by_metric({n: METRICS[n].additive(r).sum(axis=0, keepdims=True) for n, r in rows.items()}, images)


def _by_metric(sums: Mapping[str, Rows], images: int) -> dict[str, NDArray[np.float64]]:
    scored = {name: METRICS[name].corpus(values, images) for name, values in sums.items()}
    return with_means({m: scored[name][:, i] for name in sums for i, m in enumerate(METRICS[name].names)})


def _differences(
    first: Mapping[str, NDArray[np.float64]], second: Mapping[str, NDArray[np.float64]]
) -> dict[str, NDArray[np.float64]]:
    return {metric: second[metric] - first[metric] for metric in first}


def _joined(blocks: list[dict[str, NDArray[np.float64]]]) -> dict[str, NDArray[np.float64]]:
    return {metric: np.concatenate([block[metric] for block in blocks]) for metric in blocks[0]}


def _defined(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Without the resamples in which no image has a score."""
    return values[~np.isnan(values)]


def _interval(values: NDArray[np.float64], level: float) -> Interval:
    found = _defined(values)
    if not len(found):
        return Interval(math.nan, math.nan)
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def _two_sided(differences: NDArray[np.float64], observed: float) -> float:
    found = _defined(differences)
    other_sign = np.count_nonzero(found * np.sign(observed) <= 0)
    return min(1.0, 2 * (other_sign + 1) / (len(found) + 1))


def _at_least(differences: NDArray[np.float64], observed: float) -> float:
    found = _defined(differences)
    as_large = np.count_nonzero(np.abs(found) >= abs(observed) - 1e-12)
    return float((as_large + 1) / (len(found) + 1))
