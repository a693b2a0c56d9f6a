"""Furniture and what hangs on walls, seen from the front."""

from spidercap.scenes.dice import Dice
from spidercap.scenes.draw.colour import DARK, METAL, WOOD, Colour, jitter, mix, shade
from spidercap.scenes.draw.pen import Pen


def sofa(pen: Pen, colour: Colour, dice: Dice) -> None:
    """A couch for three."""
    for x in (-0.95, 0.95):
        pen.box(x - 0.05, 0, x + 0.05, 0.14, shade(WOOD, 0.6))
    pen.box(-1.1, 0.3, 1.1, 0.98, shade(colour, 0.86), 0.14)
    for step in range(3):
        pen.box(-0.95 + step * 0.64, 0.44, -0.33 + step * 0.64, 0.94, shade(colour, 0.96), 0.1)
    pen.box(-1.1, 0.1, 1.1, 0.4, shade(colour, 0.8), 0.06)
    for step in range(2):
        pen.box(-0.95 + step * 0.96, 0.32, -0.01 + step * 0.96, 0.5, shade(colour, 1.08), 0.07)
    for x in (-1.1, 1.1):
        pen.box(x - 0.16, 0.1, x + 0.16, 0.66, colour, 0.12)
        pen.ellipse(x, 0.58, 0.13, 0.09, shade(colour, 1.15))
    if dice.chance(0.5):
        pillow = jitter(dice.pick(((240, 220, 170), (120, 160, 180), (200, 100, 80), (240, 240, 236))), dice)
        pen.at(0.72, 0.66, 1, 12).box(-0.19, -0.18, 0.19, 0.18, pillow, 0.07)


def chair(pen: Pen, colour: Colour) -> None:
    """A chair turned half to the right."""
    for x, dim in ((-0.22, 0.7), (0.24, 0.7)):
        pen.box(x + 0.04, 0.06, x + 0.1, 0.45, shade(colour, dim))
    pen.box(-0.3, 0.4, -0.22, 1.0, shade(colour, 0.9), 0.02)
    for y in (0.62, 0.76, 0.9):
        pen.line([(-0.26, y), (-0.14, y + 0.02)], 0.06, shade(colour, 0.85))
    pen.box(-0.19, 0.42, -0.13, 1.02, shade(colour, 0.75), 0.02)
    pen.polygon([(-0.3, 0.43), (0.28, 0.43), (0.36, 0.5), (-0.18, 0.5)], shade(colour, 1.12))
    pen.box(-0.3, 0.39, 0.28, 0.44, colour)
    for x in (-0.3, 0.22):
        pen.box(x, 0, x + 0.07, 0.42, colour)


def armchair(pen: Pen, colour: Colour) -> None:
    """A soft chair seen from the front, wide enough for a pet."""
    pen.box(-0.5, 0.2, 0.5, 1.05, shade(colour, 0.85), 0.16)
    pen.box(-0.36, 0.4, 0.36, 0.98, shade(colour, 0.97), 0.12)
    pen.box(-0.42, 0.3, 0.42, 0.48, shade(colour, 1.1), 0.07)
    for x in (-0.48, 0.48):
        pen.box(x - 0.12, 0.08, x + 0.12, 0.66, colour, 0.1)
    pen.box(-0.4, 0.08, 0.4, 0.32, shade(colour, 0.78), 0.03)


def table(pen: Pen, wide: float = 1.4) -> None:
    """A wooden table."""
    half = wide / 2
    for x, dim in ((-half + 0.16, 0.6), (half - 0.24, 0.6)):
        pen.box(x, 0.08, x + 0.07, 0.7, shade(WOOD, dim))
    pen.polygon([(-half, 0.73), (half, 0.73), (half - 0.12, 0.82), (-half + 0.12, 0.82)], shade(WOOD, 1.2))
    pen.box(-half, 0.67, half, 0.74, shade(WOOD, 0.9))
    for x in (-half + 0.02, half - 0.1):
        pen.box(x, 0, x + 0.08, 0.68, shade(WOOD, 0.8))


def bed(pen: Pen, colour: Colour) -> None:
    """A bed from its long side, the pillow on the left."""
    pen.box(-1.1, 0.1, -1.0, 1.05, shade(WOOD, 0.75), 0.04)
    pen.box(1.0, 0.1, 1.08, 0.7, shade(WOOD, 0.75), 0.03)
    pen.box(-1.05, 0.12, 1.05, 0.32, WOOD)
    pen.box(-1.02, 0.28, 1.02, 0.52, (236, 232, 224), 0.05)
    pen.smooth([(-0.95, 0.5), (-0.9, 0.66), (-0.6, 0.7), (-0.42, 0.52)], (250, 248, 244))
    pen.smooth(
        [(-0.45, 0.5), (-0.35, 0.6), (0.3, 0.6), (1.0, 0.56), (1.06, 0.4), (1.04, 0.22), (0.2, 0.2), (-0.42, 0.24)],
        colour,
    )
    pen.smooth([(-0.46, 0.5), (-0.36, 0.61), (-0.2, 0.6), (-0.26, 0.24), (-0.42, 0.24)], shade(colour, 1.35))


def lamp(pen: Pen, colour: Colour) -> None:
    """A floor lamp, lit."""
    pen.ellipse(0, 0.03, 0.17, 0.04, DARK)
    pen.line([(0, 0.03), (0, 1.25)], 0.035, METAL)
    pen.polygon([(-0.26, 1.2), (0.26, 1.2), (0.15, 1.58), (-0.15, 1.58)], mix(colour, (255, 236, 170), 0.4))
    pen.polygon([(-0.1, 1.2), (0.1, 1.2), (0.06, 1.58), (-0.06, 1.58)], mix(colour, (255, 248, 214), 0.75))


def television(pen: Pen, dice: Dice) -> None:
    """A television on a low board."""
    pen.slab(-0.75, 0, 0.75, 0.42, shade(WOOD, 0.8))
    for x in (-0.35, 0.35):
        pen.box(x - 0.3, 0.06, x + 0.3, 0.34, shade(WOOD, 0.95))
    pen.box(-0.1, 0.42, 0.1, 0.5, DARK)
    pen.box(-0.68, 0.48, 0.68, 1.28, (30, 30, 34), 0.03)
    screen = dice.pick(((96, 160, 210), (120, 180, 120), (200, 150, 110)))
    pen.box(-0.63, 0.53, 0.63, 1.23, screen)
    pen.smooth([(-0.63, 0.55), (-0.2, 0.85), (0.2, 0.7), (0.63, 0.9), (0.62, 0.54)], shade(screen, 0.7))
    pen.disc(0.35, 1.05, 0.08, shade(screen, 1.6))


def bookshelf(pen: Pen, dice: Dice) -> None:
    """A shelf full of books."""
    pen.box(-0.55, 0, 0.55, 1.95, shade(WOOD, 0.8))
    for shelf in range(5):
        bottom = 0.08 + shelf * 0.37
        pen.box(-0.49, bottom, 0.49, bottom + 0.32, shade(WOOD, 0.42))
        x = -0.48
        while x < 0.36:
            wide, high = dice.between(0.05, 0.11), dice.between(0.2, 0.3)
            if dice.chance(0.85):
                tone = dice.pick(
                    ((170, 60, 54), (60, 96, 140), (80, 130, 90), (214, 180, 90), (120, 84, 130), (226, 220, 206))
                )
                pen.box(x, bottom, x + wide - 0.008, bottom + high, jitter(tone, dice))
            x += wide


def refrigerator(pen: Pen, colour: Colour) -> None:
    """A tall fridge with two doors."""
    pen.box(-0.42, 0.02, 0.42, 1.85, shade(colour, 0.9), 0.05)
    pen.box(-0.39, 0.06, 0.39, 1.18, colour, 0.04)
    pen.box(-0.39, 1.22, 0.39, 1.82, colour, 0.04)
    for low, high in ((0.75, 1.1), (1.28, 1.5)):
        pen.line([(-0.31, low), (-0.31, high)], 0.035, shade(METAL, 0.8))
    for x, y, tone in ((0.1, 1.55, (236, 190, 80)), (0.22, 1.44, (120, 170, 210))):
        pen.box(x - 0.05, y - 0.06, x + 0.05, y + 0.06, tone)


def stove(pen: Pen, colour: Colour, dice: Dice) -> None:
    """A kitchen stove with a pot on it."""
    pen.box(-0.4, 0, 0.4, 0.88, shade(colour, 0.95), 0.02)
    pen.box(-0.4, 0.86, 0.4, 1.06, shade(colour, 0.8), 0.02)
    for step in range(4):
        pen.disc(-0.27 + step * 0.18, 0.96, 0.035, DARK)
    pen.box(-0.3, 0.2, 0.3, 0.6, (40, 42, 48), 0.03)
    pen.box(-0.24, 0.26, 0.24, 0.54, (96, 74, 60), 0.02)
    pen.line([(-0.28, 0.68), (0.28, 0.68)], 0.035, METAL)
    pot = dice.pick(((190, 60, 50), METAL, (60, 90, 130)))
    pen.box(-0.18, 0.9, 0.14, 1.12, pot, 0.03)
    pen.line([(-0.2, 1.1), (0.16, 1.1)], 0.03, shade(pot, 1.3))
    pen.line([(0.14, 1.06), (0.36, 1.1)], 0.03, DARK)


def clock(pen: Pen, dice: Dice) -> None:
    """A round wall clock."""
    pen.disc(0, 0, 0.24, shade(WOOD, 0.6))
    pen.disc(0, 0, 0.2, (248, 246, 238))
    for hour in range(12):
        pen.at(0, 0, 1, hour * 30).line([(0, 0.155), (0, 0.18)], 0.016, DARK)
    for length, turn in ((0.1, dice.between(0, 360)), (0.15, dice.between(0, 360))):
        pen.at(0, 0, 1, turn).line([(0, 0), (0, length)], 0.02, DARK)


def plant(pen: Pen, dice: Dice) -> None:
    """A plant in a pot."""
    green = jitter((70, 136, 74), dice)
    for step in range(11):
        angle = -75 + step * 15 + dice.between(-6, 6)
        leaf = pen.at(0, 0.3, 1, angle)
        leaf.smooth(
            [(0, 0), (-0.07, 0.28), (0, 0.62 * dice.between(0.75, 1.1)), (0.07, 0.28)],
            shade(green, 0.75 + 0.04 * (step * 5 % 11)),
        )
    pot = jitter(dice.pick(((190, 104, 70), (230, 226, 216), (96, 126, 150))), dice)
    pen.polygon([(-0.14, 0), (0.14, 0), (0.2, 0.34), (-0.2, 0.34)], pot)
    pen.box(-0.22, 0.3, 0.22, 0.38, shade(pot, 1.12))


def vase(pen: Pen, dice: Dice) -> None:
    """A vase with flowers."""
    for step in range(7):
        x, y = -0.2 + step * 0.067, 0.42 + 0.1 * ((step * 3) % 4) / 2
        pen.line([(0, 0.2), (x, y)], 0.014, (84, 132, 76))
        tone = jitter(dice.pick(((226, 80, 90), (246, 200, 80), (240, 160, 190), (250, 246, 240))), dice)
        for turn in range(5):
            petal = pen.at(x, y, 1, turn * 72)
            petal.ellipse(0, 0.04, 0.028, 0.042, tone)
        pen.disc(x, y, 0.024, (240, 190, 70))
    glass = jitter(dice.pick(((110, 160, 190), (226, 222, 212), (176, 90, 80))), dice)
    pen.smooth([(-0.09, 0), (-0.14, 0.14), (-0.06, 0.27), (0.06, 0.27), (0.14, 0.14), (0.09, 0)], glass)
    pen.ellipse(-0.06, 0.13, 0.02, 0.06, shade(glass, 1.5))


def picture(pen: Pen, dice: Dice) -> None:
    """A framed landscape."""
    pen.box(-0.4, -0.28, 0.4, 0.28, shade(WOOD, dice.pick((0.5, 0.8, 1.3))))
    sky = jitter(dice.pick(((170, 206, 226), (240, 200, 150), (190, 190, 220))), dice)
    pen.box(-0.35, -0.23, 0.35, 0.23, sky)
    pen.smooth([(-0.35, -0.22), (-0.2, 0.02), (0.05, -0.08), (0.35, 0.06), (0.34, -0.22)], mix(sky, (60, 110, 80), 0.7))
    pen.disc(0.16, 0.12, 0.05, (250, 240, 200))


def window(pen: Pen, outside: Colour, dice: Dice) -> None:
    """A window with curtains."""
    pen.box(-0.62, -0.7, 0.62, 0.7, (246, 244, 238))
    pen.box(-0.56, -0.64, 0.56, 0.64, outside)
    pen.smooth(
        [(-0.56, -0.62), (-0.3, -0.2), (0.1, -0.34), (0.55, -0.1), (0.55, -0.62)], mix(outside, (70, 120, 80), 0.55)
    )
    pen.box(-0.03, -0.64, 0.03, 0.64, (246, 244, 238))
    pen.box(-0.56, 0.0, 0.56, 0.05, (246, 244, 238))
    cloth = jitter(dice.pick(((220, 120, 100), (240, 226, 196), (120, 150, 170), (200, 180, 120))), dice)
    for side in (-1, 1):
        pen.smooth(
            [(side * 0.8, 0.78), (side * 0.3, 0.78), (side * 0.42, 0.1), (side * 0.62, -0.8), (side * 0.84, -0.8)],
            cloth,
        )
        pen.line([(side * 0.62, 0.7), (side * 0.72, -0.75)], 0.03, shade(cloth, 0.85))
    pen.line([(-0.9, 0.78), (0.9, 0.78)], 0.05, shade(WOOD, 0.7))
