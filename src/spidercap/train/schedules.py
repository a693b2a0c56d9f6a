"""The learning rate as a function of the step, as a share of its highest value."""

import math
from collections.abc import Callable

from spidercap.config import TrainConfig

SHAPES: dict[str, Callable[[float], float]] = {
    "constant": lambda done: 1.0,
    "linear": lambda done: 1 - done,
    "cosine": lambda done: (1 + math.cos(math.pi * done)) / 2,
}


def learning_rate_share(config: TrainConfig, step: int, steps: int) -> float:
    """Rises evenly over the warm-up, then falls from 1 to the last value, which is reached with the last step."""
    if step < config.warmup_steps:
        return (step + 1) / (config.warmup_steps + 1)
    done = (step - config.warmup_steps) / max(1, steps - config.warmup_steps)
    if config.schedule == "exponential":
        return float(config.last_learning_rate**done)
    return config.last_learning_rate + (1 - config.last_learning_rate) * SHAPES[config.schedule](min(1.0, done))
