"""Random choices that depend on a key alone: the same in every process, on every machine and Python version."""

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Dice:
    """A keyed stream of choices.

    Only `Random.random()` is used: its sequence for a text seed is promised to stay, that of `choice` is not.
    """

    def __init__(self, *key: object) -> None:
        self._random = random.Random(":".join(map(str, key))).random

    def between(self, low: float, high: float) -> float:
        """A number, uniform in [low, high)."""
        return low + (high - low) * self._random()

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self._random() < probability

    def whole(self, count: int) -> int:
        """A whole number from 0 to count - 1."""
        return int(self._random() * count)

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items, all equally likely."""
        return items[self.whole(len(items))]

    def early(self, items: Sequence[Item], steepness: float = 1.0) -> Item:
        """One of the items by Zipf's law: the n-th has a weight of 1 / n ** steepness."""
        return self.weighted(items, [1.0 / (rank + 1) ** steepness for rank in range(len(items))])

    def weighted(self, items: Sequence[Item], weights: Sequence[float]) -> Item:
        """One of the items, likely as its weight."""
        left = self._random() * sum(weights)
        for item, weight in zip(items, weights, strict=True):
            left -= weight
            if left < 0:
                return item
        return items[-1]
