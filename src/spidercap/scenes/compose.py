"""A random scene: who does what where. It depends on the seed and the index alone."""

import hashlib
import json
from dataclasses import dataclass, replace

from spidercap.scenes.actions import ACTIONS, FOOD, Action
from spidercap.scenes.dice import Dice
from spidercap.scenes.kinds import HEIGHTS, KINDS, PEOPLE, PLACES, Place

CLUTTER_KINDS = {
    "bird on ground": "bird",
    "distant sail": "sailboat",
    "books": "book",
    "cups": "cup",
    "tennis balls": "ball",
    "cushion": "sofa",
}
"""Clutter that would make a count or a name untrue beside things of this kind."""

ROOM_OF = {
    "sofa": "living room",
    "television": "living room",
    "bed": "bedroom",
    "refrigerator": "kitchen",
    "stove": "kitchen",
}
"""Furniture that belongs in one room."""

IN_WATER = ("swim", "sail", "paddle", "elephant bath", "fly", "airplane", "balloon ride")
"""Actions on water or in the air, where nothing lies about."""

NEVER_SMALL = ("elephant", "bus", "train", "bear", "barn")

KEEPS_STILL = {"still life", "room", "sign", "camp", "sleep", "sit furniture", "park vehicle", "stand animal"}
"""Actions that are seen from close by now and then."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing of a scene, or several alike; the colour of people is that of their clothes; "" where it varies."""

    kind: str
    colour: str = ""
    count: int = 1
    size: str = ""
    wears: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that captions may say of a picture, and the clutter that they keep silent about."""

    seed: int
    index: int
    place: str
    time: str
    weather: str
    action: str
    subject: Thing
    object: Thing | None
    companion: Thing | None
    beside: bool
    """Whether the companion stands next to the subject; otherwise behind it."""
    clutter: tuple[str, ...]
    close: bool
    """Whether the subject fills the picture."""

    @property
    def id(self) -> str:
        """The image id."""
        return picture_file(self.index).removesuffix(".jpg")

    @property
    def file(self) -> str:
        """The name of the picture's file."""
        return picture_file(self.index)

    def composition(self) -> str:
        """The facts that make two scenes the same picture to a reader, as text."""
        things = [
            (thing.kind, thing.colour, thing.count) if thing else None
            for thing in (self.subject, self.object, self.companion)
        ]
        return json.dumps([self.place, self.action, things])

    def split(self) -> str:
        """train, val or test, about 8 : 1 : 1; scenes of the same composition always share it."""
        tenth = hashlib.sha256(self.composition().encode()).digest()[0] * 10 // 256
        return {8: "val", 9: "test"}.get(tenth, "train")


def picture_file(index: int) -> str:
    """The file name of a scene's picture."""
    return f"scene-{index:06d}.jpg"


def compose(index: int, seed: int) -> Scene:
    """The scene of this index."""
    dice = Dice("scene", seed, index)
    name = dice.weighted(tuple(ACTIONS), [action.weight for action in ACTIONS.values()])
    action = ACTIONS[name]
    subject, thing = _actors(dice, action)
    place_name = _place(dice, action, subject, thing)
    place = PLACES[place_name]
    time = dice.weighted(*_times(action, place))
    weather = dice.early([kind for kind in place.weathers if kind in (action.weathers or place.weathers)], 1.5)
    companion = _companion(dice, action, place, subject, thing)
    return Scene(
        seed=seed,
        index=index,
        place=place_name,
        time=time,
        weather=weather,
        action=name,
        subject=subject,
        object=thing,
        companion=companion,
        beside=_beside(dice, name, subject, thing, companion),
        clutter=_clutter(dice, name, place, (subject, thing, companion)),
        close=name in KEEPS_STILL and companion is None and dice.chance(0.45),
    )


def _actors(dice: Dice, action: Action) -> tuple[Thing, Thing | None]:
    kind = dice.early(action.subjects, 0.9)
    count = dice.early(action.counts, 0.8)
    if kind in FOOD and kind not in ("donut", "apple", "banana", "orange", "cup", "sandwich"):
        count = 1
    subject = _thing(dice, kind, count)
    if kind in PEOPLE and count == 1:
        subject = replace(subject, wears=_wears(dice, action, kind))
    if not action.objects:
        return subject, None
    return subject, _thing(dice, dice.early(action.objects, 0.7), count if action.each else 1)


def _wears(dice: Dice, action: Action, kind: str) -> str:
    """A hat or helmet, a dress, or nothing worth a word."""
    if kind in ("woman", "girl") and action.hats != "helmet" and action.skirts and dice.chance(0.4):
        return "dress"
    return action.hats if dice.chance(0.3) else ""


def _thing(dice: Dice, kind: str, count: int) -> Thing:
    """A thing of this kind; clothes and paint differ within a group, coats of animals do not."""
    known = KINDS[kind]
    varied = count > 1 and kind not in ("sheep", "cow", "horse", "elephant", "pig", "duck", "bird", "donut", "banana")
    colour = "" if varied or not known.colours else dice.early(known.colours, 0.7)
    small = 0 if kind in NEVER_SMALL else 2
    size = dice.weighted(("", "large", "small"), (6, 2, small)) if known.size_words and count == 1 else ""
    return Thing(kind, colour, count, size)


def _place(dice: Dice, action: Action, subject: Thing, thing: Thing | None) -> str:
    for kind in (subject.kind, thing.kind if thing else ""):
        if ROOM_OF.get(kind) in action.places:
            return ROOM_OF[kind]
    outdoors = [name for name in action.places if not PLACES[name].indoors]
    if thing and thing.kind in ("horse", "cow", "sheep") and outdoors:
        return dice.early([name for name in outdoors if name not in ("street", "park")] or outdoors, 0.7)
    return dice.early(action.places, 0.7)


def _times(action: Action, place: Place) -> tuple[tuple[str, ...], list[float]]:
    times = tuple(time for time in place.times if not action.times or time in action.times)
    return times, [{"day": 7.0, "sunset": 1.5, "night": 1.0}[time] for time in times]


def _companion(dice: Dice, action: Action, place: Place, subject: Thing, thing: Thing | None) -> Thing | None:
    taken = {subject.kind, thing.kind if thing else "", *action.hides}
    alike = {"ball": "soccer ball", "soccer ball": "ball", "umbrella": "beach umbrella", "sofa": "chair"}
    taken |= {alike.get(kind, "") for kind in taken}
    choices = [kind for kind in action.companions or place.companions if kind not in taken]
    airborne = subject.kind in ("airplane", "hot air balloon") or any("^" in phrase for phrase in action.phrases)
    if airborne or not choices or not dice.chance(0.5):
        return None
    return _thing(dice, dice.early(choices, 0.7), 1)


def _beside(dice: Dice, action: str, subject: Thing, thing: Thing | None, companion: Thing | None) -> bool:
    """Whether the companion stands beside: always where it would be hidden behind the others."""
    if companion is None or action == "still life":
        return True
    tallest = max(HEIGHTS.get(actor.kind, 0.4) for actor in (subject, thing) if actor)
    share = HEIGHTS.get(companion.kind, 0.4) / tallest
    return share < 1.3 or (share < 3 and dice.chance(0.6))


def _clutter(dice: Dice, action: str, place: Place, things: tuple[Thing | None, ...]) -> tuple[str, ...]:
    taken = {thing.kind for thing in things if thing}
    allowed = [item for item in place.clutter if CLUTTER_KINDS.get(item, item) not in taken]
    if action in IN_WATER:
        allowed = [item for item in allowed if item in ("distant sail", "buoy")]
    if action in ("ski", "surf") or not allowed:
        return ()
    return tuple(dice.early(allowed, 0.5) for _ in range(dice.whole(6)))
