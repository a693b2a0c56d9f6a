"""Which items a rater gets next: a random order of one's own, no picture twice in a row where that can be avoided."""

import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

QUEUE = 3
"""Items that a rater holds at once: the one on the screen, and two whose pictures are loaded meanwhile."""
LOOKAHEAD = 8
"""Items considered beyond those wanted, to put off a picture that was just seen."""


@lru_cache(maxsize=1024)
def order_of(seed: int, rater: int, items: int) -> Sequence[int]:
    """The items 1 … items in the order of one rater."""
    order = list(range(1, items + 1))
    random.Random(f"{seed}/{rater}").shuffle(order)
    return array("I", order)


def chunks(order: Sequence[int], size: int) -> Iterator[list[int]]:
    """An order in pieces."""
    return (list(order[first : first + size]) for first in range(0, len(order), size))


def choose(available: Iterable[tuple[int, int]], recent: int | None, wanted: int) -> list[int]:
    """The next items of a rater from (item, picture) pairs in their order; the picture seen last is put off."""
    waiting = list(islice(available, wanted + LOOKAHEAD))
    chosen: list[int] = []
    while waiting and len(chosen) < wanted:
        item, recent = next((pair for pair in waiting if pair[1] != recent), waiting[0])
        waiting.remove((item, recent))
        chosen.append(item)
    return chosen


def is_swapped(seed: int, rater: int, item: str) -> bool:
    """Whether a rater sees the two captions of an item in the other order."""
    return random.Random(f"{seed}/{rater}/{item}").random() < 0.5
