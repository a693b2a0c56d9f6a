"""Settings with explanations and rules: what the sections of a recipe are made of."""

import math
from dataclasses import field
from typing import Any

from spidercap.errors import UsageError

AUTOMATIC = -1
"""A number that stands for "what fits the size of the data"."""
LARGEST = 10**12
"""Far beyond any training: what is larger overflows somewhere, and nobody could tell which setting it was."""


def option(default: Any, text: str) -> Any:
    """A field with its explanation, which the help and the documentation show."""
    return field(default=default, metadata={"help": text})


def decided(asked: int, earlier: int, fitting: int) -> int:
    """A number: the one asked for; if automatic, that of the earlier run; if there was none, the fitting one."""
    return next(value for value in (asked, earlier, fitting) if value != AUTOMATIC)


def check(name: str, holds: bool, rule: str, value: object) -> None:
    """Raise unless a setting keeps its rule."""
    if not holds:
        raise UsageError(f"{name} must be {rule}, got {value}")


def at_least(section: str, config: object, low: int, *names: str) -> None:
    """Raise unless these settings are numbers from `low` to the largest that makes sense."""
    for name in names:
        value = getattr(config, name)
        check(f"{section}.{name}", value >= low, f"at least {low}", value)
        check(f"{section}.{name}", value <= LARGEST, f"at most {LARGEST:,}", value)


def share(section: str, config: object, *names: str) -> None:
    """Raise unless these settings are shares of a whole, but not all of it."""
    for name in names:
        value = getattr(config, name)
        check(f"{section}.{name}", 0 <= value < 1, "in [0, 1)", value)


def positive(section: str, config: object, *names: str) -> None:
    """Raise unless these settings are positive numbers."""
    for name in names:
        value = getattr(config, name)
        check(f"{section}.{name}", value > 0 and math.isfinite(value), "a positive number", value)
