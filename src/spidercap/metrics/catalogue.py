"""All metrics: the one list that scoring, rewards, training, reports and the help read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from spidercap.metrics.bleu import BLEU
from spidercap.metrics.cider import CIDER, CIDER_ORIGINAL
from spidercap.metrics.meteor import METEOR
from spidercap.metrics.metric import Mean, Metric, Rows
from spidercap.metrics.rouge import ROUGE_L
from spidercap.metrics.settings import Settings
from spidercap.metrics.spice.spice import SPICE
from spidercap.metrics.spider import SPIDER

_LISTED: tuple[Metric, ...] = (
    BLEU,
    METEOR,
    ROUGE_L,
    CIDER,
    CIDER_ORIGINAL,
    SPICE,
)
METRICS = {metric.key: metric for metric in _LISTED}
"""By what their rows are called."""
MEANS: dict[str, Mean] = {mean.name: mean for mean in (SPIDER,)}
"""Means of these, by name."""
METRIC_OF = {name: metric for metric in METRICS.values() for name in metric.names}
Value = TypeVar("Value", float, NDArray[np.float64])


def parts_of(name: str) -> tuple[str, ...]:
    """The metrics that a name is the mean of: itself alone, unless it is that of a mean."""
    return MEANS[name].parts if name in MEANS else (name,)


def metrics_of(names: Iterable[str]) -> list[Metric]:
    """The metrics whose rows these names need."""
    return list(dict.fromkeys(METRIC_OF[part] for name in names for part in parts_of(name)))


def with_means(values: dict[str, Value]) -> dict[str, Value]:
    """Values by name, and those of the means whose parts are all there."""
    found = ((name, mean.parts) for name, mean in MEANS.items())
    return values | {name: (values[a] + values[b]) / 2 for name, (a, b) in found if a in values and b in values}


def per_image_scores(rows: Mapping[str, Rows], names: Sequence[str]) -> NDArray[np.float64]:
    """The score of each image under each name, (images, names)."""
    scored = {key: METRICS[key].scores(values) for key, values in rows.items()}
    columns = with_means({name: scored[key][:, i] for key in rows for i, name in enumerate(METRICS[key].names)})
    return np.stack([columns[name] for name in names], axis=1)


def signature(name: str, settings: Settings, images: int) -> str:
    """What must be equal for two scores to be comparable, in one line."""
    parts = [METRIC_OF[part].signature(settings, images) for part in parts_of(name)]
    return f"{name}|mean of " + " and ".join(parts) if name in MEANS else parts[0]
