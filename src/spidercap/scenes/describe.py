"""Captions: five authors look at a scene, and each says some of what is true of it in a manner of their own."""

import re
from dataclasses import dataclass

from spidercap.scenes.actions import ACTIONS
from spidercap.scenes.compose import Scene, Thing
from spidercap.scenes.dice import Dice
from spidercap.scenes.english import (
    ALWAYS_PLURAL,
    NUMBERS,
    plural,
    verb_phrase_finite,
    verb_phrase_ing,
    with_article,
)
from spidercap.scenes.kinds import ADULTS, KINDS, PEOPLE, PLACES

CAPTIONS = 5
WORDS = range(6, 19)
FRAMES = {
    "plain": 5.0,
    "is": 3.0,
    "finite": 3.0,
    "there": 1.3,
    "that": 1.0,
    "view": 0.6,
    "place first": 1.2,
    "inverse": 2.0,
    "pair": 1.5,
}
"""How sentences are built, and how often."""
AIRBORNE = ("fly", "airplane", "balloon ride")
ON_ROAD = ("drive", "ride bicycle", "ride motorcycle")
VIEWS = ("a picture of", "a view of", "an image of", "a photo of")
CLOSE_VIEWS = ("a close up of", "a close up view of", "a close up picture of")
COATS = {
    ("cow", "brown"): ("brown", "brown and white"),
    ("cow", "black"): ("black and white",),
    ("cow", "white"): ("black and white", "white"),
}
"""What is said of patched coats."""
YOUNG = ("puppy", "kitty")
AND_WORDS = (" and read ", " and play ", " and wait", " and watch ")


@dataclass(frozen=True, slots=True)
class Author:
    """How much one author tells, and how they write."""

    colours: bool
    sizes: bool
    clothes: bool
    place: bool
    companion: bool
    moment: bool
    capital: bool
    stop: bool


def captions_of(scene: Scene) -> tuple[str, ...]:
    """Five captions, all different."""
    dice = Dice("captions", scene.seed, scene.index)
    captions: list[str] = []
    said: set[str] = set()
    while len(captions) < CAPTIONS:
        author = _author(dice)
        text = _sentence(scene, author, dice)
        if text in said or len(text.split()) not in WORDS:
            continue
        said.add(text)
        captions.append(_written(text, author))
    return tuple(captions)


def _author(dice: Dice) -> Author:
    neat = dice.chance(0.62)
    return Author(
        colours=dice.chance(0.5),
        sizes=dice.chance(0.5),
        clothes=dice.chance(0.3),
        place=dice.chance(0.8),
        companion=dice.chance(0.4),
        moment=dice.chance(0.22),
        capital=neat or dice.chance(0.3),
        stop=neat or dice.chance(0.25),
    )


def _written(text: str, author: Author) -> str:
    return (text[0].upper() + text[1:] if author.capital else text) + ("." if author.stop else "")


def _sentence(scene: Scene, author: Author, dice: Dice) -> str:
    """One caption in lower case without a stop."""
    action = ACTIONS[scene.action]
    frame = dice.weighted(tuple(FRAMES), tuple(FRAMES.values()))
    subject = noun_phrase(scene.subject, author, dice)
    many = scene.subject.count > 1
    if frame == "inverse" and action.inverse and scene.object and not many:
        phrase = dice.pick(action.inverse).replace("{s}", subject)
        return _framed("plain", noun_phrase(scene.object, author, dice), phrase, False, False, scene, author, dice)
    if frame == "pair" and scene.companion and scene.beside and scene.companion.kind != "clock" and not action.objects:
        other = noun_phrase(scene.companion, author, dice)
        where = "on a table" if scene.action == "still life" else dice.pick(PLACES[scene.place].at)
        return f"{subject} and {other} {where}"
    phrase = dice.early(_phrases(scene), 0.6)
    if scene.object:
        phrase = phrase.replace("{o}", _object_phrase(scene.object, author, dice))
    return _framed(frame, subject, phrase, many, scene.subject.kind in PEOPLE, scene, author, dice)


def _phrases(scene: Scene) -> list[str]:
    """The phrases that are true of this scene."""
    many = scene.subject.count > 1
    phrases = [text for text in ACTIONS[scene.action].phrases if many or " together" not in text]
    if scene.subject.kind in ADULTS:
        own = {"man": "behind him", "woman": "behind her"}[scene.subject.kind]
        phrases = [text.replace("behind them", own) for text in phrases]
    if not many and scene.action in ("wait", "stand animal", "penguin stand", "campfire"):
        phrases = [text for text in phrases if " around" not in text]
    if scene.action == "sign" and scene.subject.kind != "fire hydrant":
        phrases.remove("sit")
    if scene.action == "campfire" and scene.subject.count < 3:
        phrases = [text for text in phrases if " around" not in text]
    low = scene.object is not None and scene.object.kind in ("dog", "sheep", "duck")
    if scene.action in ("pet", "feed ducks") and low and scene.subject.kind in ADULTS:
        phrases = [text.replace("stand", "kneel") for text in phrases]
    return phrases


def _framed(
    frame: str, subject: str, phrase: str, many: bool, person: bool, scene: Scene, author: Author, dice: Dice
) -> str:
    """The subject and its verb phrase in a sentence frame, with place, companion and moment."""
    phrase, where = _with_place(phrase, scene, author, dice)
    rest = " ".join(part for part in (where, *_asides(scene, author, dice)) if part)
    participle = verb_phrase_ing(phrase)
    are = "are" if many else "is"
    if frame == "place first" and where and scene.place != "ocean" and scene.action not in AIRBORNE:
        start = dice.pick(PLACES[scene.place].nouns)
        return _joined(start, "with", subject, participle, *_asides(scene, author, dice))
    if frame == "finite":
        return _joined(subject, verb_phrase_finite(_paired(phrase, many), many), rest)
    participle = _participles(participle)
    if frame == "is":
        return _joined(subject, are, participle, rest)
    if frame == "there":
        return _joined("there", are, subject, participle, rest)
    if frame == "that":
        return _joined(subject, dice.pick(("who", "that")) if person else "that", are, participle, rest)
    if frame == "view":
        view = dice.pick(CLOSE_VIEWS if scene.close else VIEWS)
        return _joined(view, subject, participle, rest)
    return _joined(subject, participle, rest)


def _paired(phrase: str, many: bool) -> str:
    """A second verb after "and" in the present tense."""
    for link in AND_WORDS:
        if link in phrase and not many:
            word = link.split()[1]
            phrase = phrase.replace(link, link.replace(word, f"{word}es" if word.endswith("ch") else f"{word}s"))
    return phrase


def _participles(phrase: str) -> str:
    """A second verb after "and" as a participle."""
    for link in AND_WORDS:
        if link in phrase:
            word = link.split()[1]
            phrase = phrase.replace(link, link.replace(word, f"{word}ing"))
    return phrase


def _with_place(phrase: str, scene: Scene, author: Author, dice: Dice) -> tuple[str, str]:
    """The phrase without its mark, and the words for the place that go with it."""
    place = PLACES[scene.place]
    if phrase.endswith("!"):
        return phrase[:-1].strip(), ""
    for mark, words in ((">", place.along), ("^", place.over)):
        if mark in phrase:
            where = dice.early(words or place.at, 0.6)
            head, _, tail = phrase.partition(mark)
            return head.strip(), f"{where} {tail.strip()}".strip()
    if scene.action == "still life":
        return phrase, dice.pick(place.at) if author.place and dice.chance(0.25) else ""
    if "on the water" in phrase or "in the water" in phrase:
        return phrase, ""
    if scene.action == "paddle" and scene.place == "lake":
        return phrase, dice.pick(("on a lake", "on a calm lake", "across a lake"))
    words = tuple(text for text in place.at if scene.action not in ON_ROAD or "side of" not in text)
    return phrase, dice.early(words, 0.6) if author.place or " " not in phrase else ""


def _asides(scene: Scene, author: Author, dice: Dice) -> list[str]:
    """The companion, the weather or the hour, where the author mentions them."""
    asides = []
    if author.companion and scene.companion:
        other = noun_phrase(scene.companion, author, dice)
        if scene.companion.kind == "clock" and PLACES[scene.place].indoors:
            asides.append(f"with {other} on the wall")
        elif scene.beside:
            asides.append(f"{dice.early(('next to', 'near', 'beside', 'by'), 0.7)} {other}")
        else:
            asides.append(dice.early((f"with {other} in the background", f"in front of {other}", f"near {other}"), 0.6))
    if author.moment:
        asides.append(dice.pick(_moments(scene)))
    return asides


def _moments(scene: Scene) -> tuple[str, ...]:
    """What may be said of hour and weather."""
    if PLACES[scene.place].indoors:
        return ("",)
    weathers = {
        "clear": {"day": ("on a sunny day", "under a blue sky", "on a clear day"), "sunset": (), "night": ()},
        "cloudy": {"day": ("on a cloudy day", "under a cloudy sky"), "sunset": ("under a cloudy sky",), "night": ()},
        "rain": {"day": ("in the rain", "on a rainy day"), "sunset": ("in the rain",), "night": ("in the rain",)},
        "fog": {"day": ("on a foggy day", "in the fog"), "sunset": ("in the fog",), "night": ("in the fog",)},
        "snow": {
            "day": ("on a snowy day", "while it is snowing"),
            "sunset": ("while it is snowing",),
            "night": ("while it is snowing",),
        },
    }
    times = {
        "day": (),
        "sunset": ("at sunset", "in the evening", "as the sun sets"),
        "night": ("at night", "in the dark"),
    }
    return (*weathers[scene.weather][scene.time], *times[scene.time]) or ("",)


def noun_phrase(thing: Thing, author: Author, dice: Dice) -> str:
    """A thing with its article or number, some of its qualities and its clothes."""
    noun = dice.pick([name for name in KINDS[thing.kind].names if thing.size != "large" or name not in YOUNG])
    person = thing.kind in PEOPLE
    words = []
    if author.sizes and thing.size:
        words.append(dice.pick({"large": ("large", "big"), "small": ("small", "little")}[thing.size]))
    if author.colours and thing.colour and not person and not noun.startswith(("wooden", "glass of")):
        words.append(dice.pick(COATS.get((thing.kind, thing.colour), (thing.colour,))))
    clothes = f" {_clothes(thing, dice)}" if person and thing.count == 1 and author.clothes else ""
    return _counted(" ".join([*words, noun]), thing, dice) + clothes


def _object_phrase(thing: Thing, author: Author, dice: Dice) -> str:
    """The object of a verb; where everyone has one of their own, mostly a plain plural."""
    if thing.count > 1 and dice.chance(0.8):
        return plural(dice.pick(KINDS[thing.kind].names))
    return noun_phrase(thing, author, dice)


def _clothes(thing: Thing, dice: Dice) -> str:
    top = with_article(f"{thing.colour} {'dress' if thing.wears == 'dress' else 'shirt'}")
    if thing.wears in ("hat", "helmet") and dice.chance(0.6):
        return dice.pick((f"wearing {with_article(thing.wears)}", f"in {with_article(thing.wears)}"))
    return dice.early((f"in {top}", f"wearing {top}", f"dressed in {thing.colour}", f"in {thing.colour}"), 0.8)


def _counted(noun: str, thing: Thing, dice: Dice) -> str:
    if thing.count == 1:
        return with_article(noun) if noun.split()[-1] not in ALWAYS_PLURAL else noun
    many = plural(noun)
    exact = [NUMBERS[thing.count]] * 4
    loose = {2: ["a couple of", "a pair of"], 3: ["a few", f"a {KINDS[thing.kind].flock} of"]}.get(
        thing.count, ["several", f"a {KINDS[thing.kind].flock} of", "a bunch of"]
    )
    return f"{dice.pick([*exact, *loose])} {many}"


def _joined(*parts: str) -> str:
    return re.sub(r" +", " ", " ".join(part for part in parts if part)).strip()
