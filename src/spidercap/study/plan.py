"""Which captions of which pictures are to be rated: a study before anything of it is on disk."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import inf

from spidercap.errors import DataError, UsageError
from spidercap.study.scales import GROUND_TRUTH, MISPLACED, PAIRWISE, SCALES

CONTROL_SOURCES = ("studied", "others")
MOST_RATERS = 1000


@dataclass(frozen=True)
class Wishes:
    """What the owner of a study decides.

    `control` ground-truth captions are mixed in for each studied picture (the paper: 505 for 492), of the studied
    pictures or of others. `patience` is how many minutes a caption waits for a rater who went away.
    """

    name: str = ""
    scale: str = "four-point"
    raters: int = 3
    count: int | None = None
    seed: int = 0
    control: float = 0.2
    control_from: str = "studied"
    allow_partial: bool = False
    patience: float = 30.0

    def __post_init__(self) -> None:
        if self.scale not in SCALES:
            raise UsageError(f"`scale` must be one of {', '.join(SCALES)}, got {self.scale!r}")
        if not 1 <= self.raters <= MOST_RATERS:
            raise UsageError(f"`raters` must be between 1 and {MOST_RATERS:,}, got {self.raters}")
        if self.count is not None and self.count < 1:
            raise UsageError(f"`count` must be at least 1, got {self.count}")
        if self.seed < 0:
            raise UsageError(f"`seed` must be 0 or more, got {self.seed}")
        if not 0 <= self.control < inf:
            raise UsageError(f"`control` must be 0 or more, got {self.control:g}")
        if self.control_from not in CONTROL_SOURCES:
            raise UsageError(f"`control_from` must be studied or others, got {self.control_from!r}")
        if not 0 < self.patience < inf:
            raise UsageError(f"`patience` must be more than 0 minutes, got {self.patience:g}")


@dataclass(frozen=True)
class Credit:
    """Whose caption an item shows; of two captions, also whose the second one is."""

    system: str
    against: str | None = None


@dataclass
class PlannedItem:
    """One thing to rate: a picture with a caption, or with two; the same for all systems that wrote it."""

    image: str
    caption: str
    other: str | None = None
    credits: list[Credit] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """The pictures of a study, its items in a random order, and each system's captions of the studied pictures."""

    studied: tuple[str, ...]
    items: tuple[PlannedItem, ...]
    captions: dict[str, dict[str, str]]
    references: dict[str, tuple[str, ...]]

    @property
    def images(self) -> list[str]:
        """All pictures that raters see."""
        return list(dict.fromkeys(item.image for item in self.items))


SystemCaptions = Mapping[str, Mapping[str, str]]
ReferencesByImage = Mapping[str, Sequence[str]]


def make_plan(systems: SystemCaptions, references: ReferencesByImage, pictures: Sequence[str], wishes: Wishes) -> Plan:
    """Choose pictures and captions; `pictures` are the ids that have a picture."""
    known = set(pictures)
    studied = _pick(_common_images(systems, known, wishes), wishes)
    captions = {name: {image: _plain(texts[image]) for image in studied} for name, texts in systems.items()}
    gathered = _Items()
    for image in studied:
        for shown, credit in _shown(image, captions, wishes):
            gathered.add(image, *shown, credit)
    for image, shown, credit in _controls(studied, references, known, wishes):
        gathered.add(image, *shown, credit)
    items = gathered.all()
    if not items:
        raise DataError("all systems wrote the same captions, so that there is nothing to compare; check the files")
    _dice(wishes, "order").shuffle(items)
    used = {item.image for item in items} | set(studied)
    kept = {image: tuple(texts) for image, texts in references.items() if image in used}
    return Plan(tuple(studied), tuple(items), captions, kept)


def _plain(caption: str) -> str:
    """The caption as raters see it: blanks make no difference."""
    return " ".join(caption.split())


def _dice(wishes: Wishes, purpose: str) -> random.Random:
    return random.Random(f"{wishes.seed}/{purpose}")


def _common_images(systems: SystemCaptions, pictures: set[str], wishes: Wishes) -> list[str]:
    """The images that every system captioned and that have a picture, in the order of the first system."""
    everything = list(dict.fromkeys(image for captions in systems.values() for image in captions))
    for name, captions in systems.items():
        lacking = [image for image in everything if image not in captions]
        if lacking and not wishes.allow_partial:
            raise DataError(
                f"the system {name} has no caption of {len(lacking):,} images that others captioned, the first is "
                f"{lacking[0]}; add them, or study the images that all systems captioned with `allow_partial`"
            )
    common = [image for image in everything if all(image in captions for captions in systems.values())]
    unseen = [image for image in common if image not in pictures]
    if unseen and not wishes.allow_partial:
        raise DataError(
            f"{len(unseen):,} of {len(common):,} captioned images have no picture in the folder `images`, the first is "
            f"{unseen[0]}; a picture's name is its image id, or leave such images out with `allow_partial`"
        )
    found = [image for image in common if image in pictures]
    if not found:
        raise DataError("no image has a picture and a caption of every system; check that the ids are the same")
    return found


def _pick(images: list[str], wishes: Wishes) -> list[str]:
    if wishes.count is None:
        return images
    if wishes.count > len(images):
        raise UsageError(f"`count` asks for {wishes.count:,} pictures, and there are {len(images):,}; ask for fewer")
    chosen = set(_dice(wishes, "pictures").sample(images, wishes.count))
    return [image for image in images if image in chosen]


Shown = tuple[str, str | None]


def _shown(image: str, captions: SystemCaptions, wishes: Wishes) -> Iterator[tuple[Shown, Credit]]:
    """What is shown of one studied picture, and whose it is."""
    if wishes.scale != PAIRWISE.name:
        for name, texts in captions.items():
            yield (texts[image], None), Credit(name)
        return
    if len(captions) < 2:
        raise UsageError("`scale` pairwise compares systems; give at least two with `systems`")
    for first, second in combinations(captions, 2):
        # Equal captions need no rater: the report counts them as no difference.
        if captions[first][image] != captions[second][image]:
            yield (captions[first][image], captions[second][image]), Credit(first, second)


def _controls(
    studied: Sequence[str], references: ReferencesByImage, pictures: set[str], wishes: Wishes
) -> Iterator[tuple[str, Shown, Credit]]:
    """Ground-truth captions, beside a caption of another picture where two are compared."""
    if not wishes.control:
        return
    wanted = max(1, round(wishes.control * len(studied)))
    chosen = set(studied)
    if wishes.control_from == "studied":
        usable = [image for image in studied if references.get(image)]
    else:
        usable = [image for image in references if image in pictures and image not in chosen and references[image]]
    if len(usable) < wanted:
        raise UsageError(
            f"`control` {wishes.control:g} asks for {wanted:,} ground-truth captions, and {len(usable):,} pictures "
            f"({wishes.control_from}) have references; give `references` of more, or a smaller `control`"
        )
    dice = _dice(wishes, "control")
    others = [image for image, texts in references.items() if texts]
    for image in dice.sample(usable, wanted):
        truth = _plain(dice.choice(references[image]))
        if wishes.scale != PAIRWISE.name:
            yield image, (truth, None), Credit(GROUND_TRUTH)
        elif wrong := [other for other in others if other != image]:
            yield image, (truth, _plain(references[dice.choice(wrong)][0])), Credit(GROUND_TRUTH, MISPLACED)


class _Items:
    """Items by what they show: captions that several systems wrote are rated once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, frozenset[str | None]], PlannedItem] = {}

    def add(self, image: str, caption: str, other: str | None, credit: Credit) -> None:
        """Credit what is shown; two captions in the other order are the same item."""
        item = self._found.setdefault((image, frozenset((caption, other))), PlannedItem(image, caption, other))
        turned = other is not None and item.caption != caption
        item.credits.append(Credit(str(credit.against), credit.system) if turned else credit)

    def all(self) -> list[PlannedItem]:
        """Every item once."""
        return list(self._found.values())
