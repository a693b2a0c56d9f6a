"""Simulated raters: for the demo, the load benchmark and the tests. They judge by words shared with the references."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from spidercap.study.scales import PAIRWISE, RatingScale
from spidercap.study.store import Store
from spidercap.study.stored import GivenItem, Rater

# A caption that shares this much with a reference is at least okay, good, excellent.
THRESHOLDS = ((0.72, "excellent"), (0.55, "good"), (0.42, "okay"))
DRAW = 0.12


def likeness(caption: str, references: Sequence[str]) -> float:
    """The best F1 of the words of a caption and of one reference."""
    words = set(caption.lower().split())
    best = 0.0
    for reference in references:
        others = set(reference.lower().split())
        if words and others:
            best = max(best, 2 * len(words & others) / (len(words) + len(others)))
    return best


@dataclass(frozen=True)
class SimulatedRater:
    """A rater with some noise in judgement, a pace, and perhaps the habit of always giving one answer."""

    name: str
    seed: int = 0
    noise: float = 0.1
    seconds: float = 6.0
    habit: str | None = None

    def choice(self, scale: RatingScale, item: str, likenesses: Sequence[float]) -> str:
        """The answer to an item, always the same for the same item."""
        if self.habit:
            return self.habit
        dice = random.Random(f"{self.seed}/{self.name}/{item}")
        perceived = [value + dice.gauss(0, self.noise) for value in likenesses]
        if scale.name == PAIRWISE.name:
            gap = perceived[0] - perceived[1]
            return "same" if abs(gap) < DRAW else "first" if gap > 0 else "second"
        return next((name for least, name in THRESHOLDS if perceived[0] >= least), "bad")

    def milliseconds(self, item: str) -> int:
        """How long this rater looks at an item."""
        return round(1000 * self.seconds * random.Random(f"{self.name}/{item}/time").uniform(0.6, 1.6))


class SimulatedClock:
    """A steady clock that goes on when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def rate_share(
    store: Store, raters: Sequence[tuple[SimulatedRater, Rater]], clock: SimulatedClock, share: float, seed: int = 0
) -> int:
    """Let raters answer, in turns at random, until a share of all answers is there; returns how many were given."""
    dice = random.Random(seed)
    truths, images = store.references(), {item.code: item.image for item in store.item_records()}
    wanted = round(share * sum(item.needed for item in store.item_records()))
    active, given = list(raters), 0
    while active and given < wanted:
        simulated, rater = dice.choice(active)
        queue = store.desk(rater).queue
        if not queue:
            active.remove((simulated, rater))
            continue
        likenesses = [likeness(text, truths.get(images[queue[0].code], ())) for text in _texts(queue[0])]
        looked = simulated.milliseconds(queue[0].code)
        clock.now += looked / 1000
        choice = simulated.choice(store.settings.scale, queue[0].code, likenesses)
        store.answer(rater, queue[0].code, queue[0].turn, choice, looked)
        given += 1
    return given


def _texts(item: GivenItem) -> list[str]:
    return [item.caption] if item.other is None else [item.caption, item.other]


class Reply(Protocol):
    """What a client's request returns; that of httpx will do."""

    status_code: int

    def json(self) -> Any:
        """The object in it."""


class Client(Protocol):
    """What sends requests with one rater's cookie."""

    async def post(self, url: str, *, json: Any) -> Any:
        """Send an object."""


async def answer_next(
    client: Client, simulated: SimulatedRater, scale: RatingScale, desk: Mapping[str, Any], times: int = 1
) -> Any:
    """Answer the first item of a desk over HTTP (`times` times, as double clicks do); the last reply."""
    item = desk["queue"][0]
    likenesses = [len(text) % 100 / 100 for text in item["captions"]]
    body = {
        "item": item["item"],
        "turn": item["turn"],
        "choice": simulated.choice(scale, item["item"], likenesses),
        "milliseconds": simulated.milliseconds(item["item"]),
    }
    reply = None
    for _ in range(times):
        reply = await client.post("/rate/answer", json=body)
    return reply


MakeUp = Callable[[random.Random, Sequence[str], Sequence[str]], str]


def _right(dice: random.Random, own: Sequence[str], others: Sequence[str]) -> str:
    return own[0]


def _cut(dice: random.Random, own: Sequence[str], others: Sequence[str]) -> str:
    words = own[0].split()
    return " ".join(words[: max(3, len(words) // 2)])


def _wrong(dice: random.Random, own: Sequence[str], others: Sequence[str]) -> str:
    return dice.choice(others)


def simulated_captions(captions: Mapping[str, Sequence[str]], right: float, cut: float, seed: int) -> dict[str, str]:
    """A caption of each image by a made-up system: right, cut short, or another image's."""
    dice = random.Random(f"{seed}/{right}/{cut}")
    others = [texts[0] for texts in captions.values()]
    weights = (right, cut, 1 - right - cut)
    made: dict[str, str] = {}
    for image, own in captions.items():
        kind: MakeUp = dice.choices((_right, _cut, _wrong), weights)[0]
        made[image] = kind(dice, own, others)
    return made
