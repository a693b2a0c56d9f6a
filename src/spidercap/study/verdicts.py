"""From answers to verdicts: what the majority says of each item, each system and each pair of systems."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from spidercap.study.scales import GROUND_TRUTH, MISPLACED
from spidercap.study.stats import holm, majority, sign_test
from spidercap.study.store import Store
from spidercap.study.stored import Answer, ItemRecord

BAD = "bad"


@dataclass(frozen=True)
class Verdict:
    """What raters said of an item: `choice` of the majority; None with all answers in is "unknown", else "pending"."""

    item: ItemRecord
    choices: tuple[str, ...]
    choice: str | None

    @property
    def state(self) -> str:
        """decided, unknown or pending."""
        if self.choice is not None:
            return "decided"
        return "unknown" if len(self.choices) >= self.item.needed else "pending"


@dataclass(frozen=True)
class SignTest:
    """The images on which one system beats another, and the sign test of that; `corrected` is Holm's p."""

    better: str
    worse: str
    wins: int
    losses: int
    ties: int
    left_out: int
    p: float
    corrected: float


@dataclass(frozen=True)
class Ratings:
    """All that a report is made of."""

    items: tuple[ItemRecord, ...]
    answers: tuple[Answer, ...]
    verdicts: tuple[Verdict, ...]

    def choices(self) -> list[tuple[str, ...]]:
        """The counted answers of each item."""
        return [verdict.choices for verdict in self.verdicts]


def collect(store: Store, without: Iterable[str] = ()) -> Ratings:
    """The answers of a study and their majority, without those of some raters."""
    left_out = set(without)
    items = store.item_records()
    answers = [answer for answer in store.answers() if answer.rater not in left_out]
    given: dict[int, list[str]] = {item.number: [] for item in items}
    for answer in answers:
        if answer.counted:
            given[answer.item].append(answer.choice)
    verdicts = [Verdict(i, tuple(given[i.number]), majority(given[i.number], i.needed)) for i in items]
    return Ratings(tuple(items), tuple(answers), tuple(verdicts))


def by_system(verdicts: Iterable[Verdict]) -> dict[str, dict[str, Verdict]]:
    """Each system's verdicts by image; a caption that several wrote is credited to each of them."""
    found: dict[str, dict[str, Verdict]] = {}
    for verdict in verdicts:
        for credit in verdict.item.credits:
            found.setdefault(credit.system, {})[verdict.item.image] = verdict
    return found


Outcomes = dict[str, int | None]
"""By image: 1 won, −1 lost, 0 equal, None unknown or pending."""


def outcomes_of_classes(
    first: Mapping[str, Verdict], second: Mapping[str, Verdict], values: Mapping[str, int], four_classes: bool
) -> Outcomes:
    """One system against another on the images of both: "not bad" against "bad", or by all four classes."""

    def grade(choice: str) -> int:
        return values[choice] if four_classes else int(choice != BAD)

    found: Outcomes = {}
    for image in (image for image in first if image in second):
        a, b = first[image].choice, second[image].choice
        found[image] = None if a is None or b is None else _sign(grade(a) - grade(b))
    return found


def outcomes_of_pairs(
    first: str, second: str, verdicts: Iterable[Verdict], captions: Mapping[str, Mapping[str, str]]
) -> Outcomes:
    """One system against another where raters compared the two captions; equal captions are equal."""
    one, other = captions.get(first, {}), captions.get(second, {})
    found: Outcomes = {image: 0 for image in one if one[image] == other.get(image)}
    signs = {"first": 1, "same": 0, "second": -1}
    for verdict in verdicts:
        for credit in verdict.item.credits:
            if {credit.system, credit.against} == {first, second}:
                sign = None if verdict.choice is None else signs[verdict.choice]
                turned = sign is not None and credit.system == second
                found[verdict.item.image] = -sign if turned and sign is not None else sign
    return found


def compare_all(systems: Sequence[str], outcomes: Mapping[tuple[str, str], Outcomes]) -> list[SignTest]:
    """The sign test of every system against every other, the surest first; Holm's correction over all of them."""
    rows = []
    for better, worse in permutations(systems, 2):
        values = list(outcomes[better, worse].values())
        rows.append((better, worse, values.count(1), values.count(-1), values.count(0), values.count(None)))
    p_values = [sign_test(wins, losses) for _, _, wins, losses, _, _ in rows]
    made = [SignTest(*row, p, q) for row, p, q in zip(rows, p_values, holm(p_values), strict=True)]
    return sorted(made, key=lambda comparison: comparison.p)


def all_outcomes(
    systems: Sequence[str], ratings: Ratings, store: Store, four_classes: bool
) -> dict[tuple[str, str], Outcomes]:
    """The outcomes of every ordered pair of systems."""
    if store.settings.scale_name == "pairwise":
        captions = store.captions()
        return {pair: outcomes_of_pairs(*pair, ratings.verdicts, captions) for pair in permutations(systems, 2)}
    graded, values = by_system(ratings.verdicts), store.settings.scale.values
    return {
        (a, b): outcomes_of_classes(graded.get(a, {}), graded.get(b, {}), values, four_classes)
        for a, b in permutations(systems, 2)
    }


def is_control(item: ItemRecord) -> bool:
    """Whether an item shows ground truth."""
    return any(credit.system in (GROUND_TRUTH, MISPLACED) for credit in item.credits)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
