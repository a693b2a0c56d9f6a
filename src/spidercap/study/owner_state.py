"""What the owner watches while raters work: who is how far, how sure the items are, and whether raters agree."""

from dataclasses import dataclass

from spidercap.study.stats import krippendorff_alpha
from spidercap.study.store import Store
from spidercap.study.stored import RaterProgress


@dataclass(frozen=True)
class SystemProgress:
    """How many answers the items of a system have, of how many."""

    name: str
    items: int
    answers: int
    wanted: int


@dataclass(frozen=True)
class OwnerState:
    """All that changes on the owner's page."""

    answers: int
    wanted: int
    items: int
    finished: int
    agreement: float | None
    systems: list[SystemProgress]
    raters: list[RaterProgress]


def owner_state(store: Store) -> OwnerState:
    """Where the study stands."""
    items = store.item_records()
    counted: dict[int, list[str]] = {item.number: [] for item in items}
    for answer in store.answers():
        if answer.counted:
            counted[answer.item].append(answer.choice)
    systems: dict[str, list[int]] = {}
    for item in items:
        for name in {name for credit in item.credits for name in (credit.system, credit.against) if name}:
            count = systems.setdefault(name, [0, 0, 0])
            for position, value in enumerate((1, len(counted[item.number]), item.needed)):
                count[position] += value
    values = store.settings.scale.values
    return OwnerState(
        answers=sum(map(len, counted.values())),
        wanted=sum(item.needed for item in items),
        items=len(items),
        finished=sum(len(counted[item.number]) == item.needed for item in items),
        agreement=krippendorff_alpha([[values[c] for c in choices] for choices in counted.values()], "ordinal"),
        systems=[SystemProgress(name, *systems[name]) for name in sorted(systems)],
        raters=store.rater_progress(),
    )
