"""What the store hands out."""

from dataclasses import dataclass

from spidercap.study.plan import Credit


@dataclass(frozen=True)
class Rater:
    """One rater."""

    number: int
    name: str
    paused: bool


@dataclass(frozen=True)
class GivenItem:
    """An item in a rater's hands; `turn` counts how often its answer was taken back, `choice` is the one taken back."""

    number: int
    code: str
    picture: str
    caption: str
    other: str | None
    turn: int
    choice: str | None


@dataclass(frozen=True)
class Desk:
    """What lies before a rater: items to rate, how many were rated, how many could still come.

    `last` is the code and turn of the answer that could be taken back.
    """

    queue: tuple[GivenItem, ...]
    rated: int
    left: int
    last: tuple[str, int] | None


@dataclass(frozen=True)
class RaterProgress:
    """What the owner sees of a rater; `seen` is the time of day of the last event."""

    number: int
    name: str
    paused: bool
    counted: int
    late: int
    open: int
    undone: int
    seen: str | None


@dataclass(frozen=True)
class ItemRecord:
    """An item with all that raters must not know."""

    number: int
    code: str
    image: str
    picture: str
    caption: str
    other: str | None
    needed: int
    credits: tuple[Credit, ...]


@dataclass(frozen=True)
class Answer:
    """One rater's answer to one item; not counted if it came when the item was full."""

    item: int
    rater: str
    choice: str
    milliseconds: int
    counted: bool
    at: str
    sequence: int


class PausedError(Exception):
    """The owner has paused this rater."""
