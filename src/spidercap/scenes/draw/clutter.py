"""Small things that lie about and that captions do not mention."""

from collections.abc import Callable

from spidercap.scenes.dice import Dice
from spidercap.scenes.draw import animals, birds, food, outdoors
from spidercap.scenes.draw.colour import DARK, METAL, jitter, mix, shade
from spidercap.scenes.draw.pen import Pen

DrawClutter = Callable[[Pen, Dice], None]
FLAT = {"puddle", "leaves", "manhole", "rug", "towel", "foam", "pebbles", "starfish", "shell"}
"""Clutter that lies on the ground and throws no shadow."""

LOW = {"flowers", "grass tuft", "mushrooms", "bones", "tennis balls", "books", "toy blocks", "fern"}
"""Clutter low enough to stand in front."""


def _bin(pen: Pen, dice: Dice) -> None:
    tone = jitter((84, 110, 92), dice)
    pen.polygon([(-0.2, 0), (0.2, 0), (0.25, 0.75), (-0.25, 0.75)], tone)
    pen.box(-0.27, 0.73, 0.27, 0.82, shade(tone, 0.7), 0.03)


def _bollard(pen: Pen, dice: Dice) -> None:
    pen.box(-0.07, 0, 0.07, 0.8, (78, 80, 86), 0.04)
    pen.box(-0.075, 0.58, 0.075, 0.68, (236, 220, 120))


def _puddle(pen: Pen, dice: Dice) -> None:
    pen.ellipse(0, 0, 0.7, 0.09, (150, 172, 190))
    pen.ellipse(-0.15, 0.02, 0.35, 0.035, (196, 212, 222))


def _leaves(pen: Pen, dice: Dice) -> None:
    for _ in range(7):
        tone = dice.pick(((206, 120, 50), (226, 170, 60), (150, 90, 50), (120, 130, 60)))
        pen.ellipse(dice.between(-0.8, 0.8), dice.between(-0.06, 0.06), 0.07, 0.03, tone, dice.between(0, 180))


def _flower_pot(pen: Pen, dice: Dice) -> None:
    outdoors.flowers(pen.at(0, 0.25), dice)
    pen.polygon([(-0.15, 0), (0.15, 0), (0.22, 0.3), (-0.22, 0.3)], (186, 104, 72))


def _manhole(pen: Pen, dice: Dice) -> None:
    pen.ellipse(0, 0, 0.42, 0.08, (74, 74, 78))
    pen.ellipse(0, 0.005, 0.36, 0.06, (92, 92, 96))


def _mushrooms(pen: Pen, dice: Dice) -> None:
    for x, size in ((-0.12, 0.8), (0.05, 1.1), (0.18, 0.6)):
        pen.limb([(x, 0), (x, 0.12 * size)], [0.06 * size, 0.05 * size], (240, 232, 214))
        pen.smooth([(x - 0.12 * size, 0.11 * size), (x, 0.24 * size), (x + 0.12 * size, 0.11 * size)], (196, 66, 52))
        pen.disc(x - 0.03 * size, 0.17 * size, 0.018 * size, (248, 244, 236))


def _shell(pen: Pen, dice: Dice) -> None:
    tone = jitter((240, 206, 190), dice)
    pen.smooth([(-0.1, 0.05), (0, 0.13), (0.1, 0.05), (0, 0)], tone)
    for x in (-0.05, 0, 0.05):
        pen.line([(0, 0.0), (x, 0.1)], 0.01, shade(tone, 0.75))


def _starfish(pen: Pen, dice: Dice) -> None:
    for turn in range(5):
        pen.at(0, 0.06, 1, turn * 72).polygon([(-0.035, 0), (0, 0.13), (0.035, 0)], (236, 130, 84))


def _pebbles(pen: Pen, dice: Dice) -> None:
    for _ in range(5):
        tone = jitter((150, 144, 138), dice, 22)
        pen.ellipse(
            dice.between(-0.35, 0.35), dice.between(0.02, 0.05), dice.between(0.04, 0.1), dice.between(0.03, 0.06), tone
        )


def _towel(pen: Pen, dice: Dice) -> None:
    tone = dice.pick(((90, 150, 190), (236, 130, 120), (246, 206, 110)))
    pen.polygon([(-0.8, -0.08), (0.6, -0.08), (0.9, 0.12), (-0.5, 0.12)], tone)
    for step in range(3):
        x = -0.5 + step * 0.4
        pen.polygon([(x, -0.08), (x + 0.12, -0.08), (x + 0.42, 0.12), (x + 0.3, 0.12)], (248, 246, 240))


def _castle(pen: Pen, dice: Dice) -> None:
    sand = (214, 178, 120)
    pen.polygon([(-0.4, 0), (0.4, 0), (0.32, 0.2), (-0.32, 0.2)], sand)
    for x, top in ((-0.25, 0.36), (0.25, 0.36), (0, 0.46)):
        pen.box(x - 0.09, 0.15, x + 0.09, top, shade(sand, 0.94))
        pen.polygon([(x - 0.1, top), (x + 0.1, top), (x, top + 0.12)], shade(sand, 0.84))


def _distant_sail(pen: Pen, dice: Dice) -> None:
    pen.polygon([(-0.9, 0.1), (0.1, 0.1), (0.1, 2.2)], (248, 246, 240))
    pen.polygon([(-1.0, 0), (1.0, 0), (0.7, -0.2), (-0.8, -0.2)], (120, 80, 60))


def _rug(pen: Pen, dice: Dice) -> None:
    tone = jitter(dice.pick(((176, 70, 66), (80, 110, 150), (200, 170, 110), (110, 140, 120))), dice)
    for size, colour in (
        (1.0, tone),
        (0.86, mix(tone, (250, 240, 220), 0.6)),
        (0.8, shade(tone, 0.9)),
        (0.4, mix(tone, (250, 240, 220), 0.4)),
    ):
        pen.ellipse(0, 0, 1.1 * size, 0.14 * size, colour)


def _books(pen: Pen, dice: Dice) -> None:
    for step in range(3):
        tone = jitter(dice.pick(((170, 60, 54), (60, 96, 140), (80, 130, 90), (214, 180, 90))), dice)
        pen.box(-0.16 + dice.between(-0.03, 0.03), step * 0.06, 0.16, step * 0.06 + 0.055, tone)


def _blocks(pen: Pen, dice: Dice) -> None:
    for x, y, tone in ((-0.15, 0, (210, 70, 60)), (0.02, 0, (70, 120, 190)), (-0.06, 0.15, (240, 200, 80))):
        pen.slab(x - 0.07, y, x + 0.07, y + 0.14, tone)


def _basket(pen: Pen, dice: Dice) -> None:
    pen.polygon([(-0.2, 0), (0.2, 0), (0.26, 0.3), (-0.26, 0.3)], (190, 146, 90))
    for y in (0.08, 0.16, 0.24):
        pen.line([(-0.2 - y * 0.15, y), (0.2 + y * 0.15, y)], 0.025, (160, 116, 66))


def _cushion(pen: Pen, dice: Dice) -> None:
    tone = jitter(dice.pick(((220, 120, 90), (120, 160, 180), (230, 200, 120))), dice)
    pen.smooth([(-0.26, 0), (-0.24, 0.2), (0.24, 0.2), (0.26, 0)], tone)


def _bucket(pen: Pen, dice: Dice) -> None:
    pen.polygon([(-0.14, 0), (0.14, 0), (0.19, 0.3), (-0.19, 0.3)], METAL)
    pen.ellipse(0, 0.3, 0.19, 0.05, shade(METAL, 0.7))


def _reeds(pen: Pen, dice: Dice) -> None:
    for step in range(7):
        x = -0.3 + step * 0.1
        top = dice.between(0.7, 1.2)
        pen.limb([(x, 0), (x + dice.between(-0.1, 0.1), top)], [0.03, 0.012], (112, 136, 72))
        if step % 2:
            pen.ellipse(x, top, 0.035, 0.11, (120, 80, 50))


def _log(pen: Pen, dice: Dice) -> None:
    pen.limb([(-0.6, 0.16), (0.6, 0.16)], [0.32, 0.3], (110, 84, 60))
    pen.ellipse(0.62, 0.16, 0.1, 0.15, (206, 170, 120))
    pen.ellipse(0.62, 0.16, 0.05, 0.08, (170, 130, 86))


def _fern(pen: Pen, dice: Dice) -> None:
    for step in range(7):
        leaf = pen.at(0, 0, 1, -66 + step * 22)
        leaf.smooth([(0, 0), (-0.06, 0.25), (0, 0.5), (0.06, 0.25)], shade((78, 128, 70), 0.8 + 0.05 * step))


def _snow_pile(pen: Pen, dice: Dice) -> None:
    pen.smooth([(-0.7, 0), (-0.4, 0.22), (0.1, 0.3), (0.5, 0.18), (0.75, 0)], (238, 243, 250))


def _slope_flag(pen: Pen, dice: Dice) -> None:
    pen.line([(0, 0), (0, 1.3)], 0.04, (90, 90, 96))
    pen.polygon([(0, 1.3), (0.45, 1.15), (0, 0.95)], dice.pick(((210, 50, 50), (50, 90, 190))))


def _buoy(pen: Pen, dice: Dice) -> None:
    pen.polygon([(-0.3, 0), (0.3, 0), (0.12, 0.8), (-0.12, 0.8)], (214, 64, 50))
    pen.box(-0.2, 0.3, 0.2, 0.45, (246, 244, 240))


def _foam(pen: Pen, dice: Dice) -> None:
    pen.ellipse(0, 0, 0.9, 0.05, (240, 246, 248))


def _bones(pen: Pen, dice: Dice) -> None:
    pen.line([(-0.25, 0.05), (0.25, 0.09)], 0.06, (240, 234, 216))
    for x in (-0.26, 0.26):
        pen.disc(x, 0.09, 0.05, (240, 234, 216))


def _tennis_balls(pen: Pen, dice: Dice) -> None:
    for x in (-0.2, 0.0, 0.24):
        pen.disc(x, 0.06, 0.06, (210, 226, 80))


def _bottle(pen: Pen, dice: Dice) -> None:
    pen.box(-0.05, 0, 0.05, 0.22, (110, 170, 210), 0.02)
    pen.box(-0.02, 0.22, 0.02, 0.28, DARK)


def _cups(pen: Pen, dice: Dice) -> None:
    for x in (-0.1, 0.08):
        food.cup(pen.at(x, 0), jitter((220, 214, 204), dice))


def _street_cat(pen: Pen, dice: Dice) -> None:
    animals.sitting_pet(pen, "cat", jitter((120, 110, 104), dice))


CLUTTER: dict[str, DrawClutter] = {
    "litter bin": _bin, "bollard": _bollard, "puddle": _puddle, "leaves": _leaves, "flower pot": _flower_pot,
    "manhole": _manhole, "cat": _street_cat, "flowers": outdoors.flowers, "bush": outdoors.bush,
    "mushrooms": _mushrooms,
    "bird on ground": lambda pen, dice: birds.bird_standing(pen, jitter((150, 150, 156), dice)),
    "grass tuft": outdoors.grass_tuft, "shell": _shell, "starfish": _starfish, "pebbles": _pebbles, "towel": _towel,
    "sand castle": _castle, "distant sail": _distant_sail, "rug": _rug, "books": _books,
    "toy blocks": _blocks, "basket": _basket, "cushion": _cushion,
    "cups": _cups, "bucket": _bucket, "reeds": _reeds, "log": _log, "fern": _fern, "snow pile": _snow_pile,
    "slope flag": _slope_flag, "buoy": _buoy, "foam": _foam, "bones": _bones, "tennis balls": _tennis_balls,
    "bottle": _bottle,
}  # fmt: skip
