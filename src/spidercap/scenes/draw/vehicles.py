"""Vehicles, seen from the side: they drive to the right."""

from spidercap.scenes.dice import Dice
from spidercap.scenes.draw.colour import DARK, METAL, Colour, mix, shade
from spidercap.scenes.draw.pen import Pen

GLASS: Colour = (164, 200, 216)
TYRE: Colour = (38, 38, 42)
LAMP: Colour = (255, 238, 170)


def wheel(pen: Pen, x: float, radius: float, y: float | None = None) -> None:
    """A car wheel that stands on the ground."""
    centre = radius if y is None else y
    pen.disc(x, centre, radius, TYRE)
    pen.disc(x, centre, radius * 0.58, METAL)
    pen.disc(x, centre, radius * 0.36, shade(METAL, 0.7))


def _pane(pen: Pen, left: float, bottom: float, right: float, top: float) -> None:
    pen.box(left, bottom, right, top, GLASS, min(0.06, (right - left) / 4))
    pen.polygon([(left + (right - left) * 0.2, bottom), (left + (right - left) * 0.45, bottom),
                 (left + (right - left) * 0.75, top),
                 (left + (right - left) * 0.5, top)], shade(GLASS, 1.4))  # fmt: skip


def car(pen: Pen, colour: Colour, dice: Dice) -> None:
    """A car; some are saloons, some are hatchbacks."""
    tail = dice.pick((-1.75, -1.3))
    pen.smooth([(tail, 0.85), (tail + 0.5, 1.4), (-0.4, 1.52), (0.5, 1.45), (1.1, 0.9)], shade(colour, 0.92))
    pen.smooth([(tail + 0.35, 0.92), (tail + 0.72, 1.3), (-0.22, 1.4), (-0.2, 0.92)], GLASS)
    pen.smooth([(-0.1, 0.92), (-0.1, 1.4), (0.42, 1.34), (0.86, 0.92)], GLASS)
    pen.polygon([(0.1, 0.92), (0.3, 0.92), (0.3, 1.3), (0.16, 1.34)], shade(GLASS, 1.4))
    pen.smooth(
        [(-2.05, 0.4), (-2.1, 0.75), (-1.9, 0.95), (0.9, 0.98), (1.8, 0.86), (2.08, 0.6), (2.05, 0.36), (0, 0.3)],
        colour,
    )
    pen.box(-2.0, 0.32, 2.02, 0.42, shade(colour, 0.55))
    pen.line([(-0.16, 0.9), (-0.16, 0.45)], 0.02, shade(colour, 0.7))
    pen.line([(-0.05, 0.78), (0.1, 0.78)], 0.035, shade(colour, 0.6))
    pen.line([(-1.9, 0.72), (1.8, 0.7)], 0.02, shade(colour, 1.3))
    pen.ellipse(1.95, 0.68, 0.13, 0.09, LAMP)
    pen.ellipse(-2.04, 0.76, 0.07, 0.1, (214, 40, 40))
    for x in (-1.25, 1.25):
        pen.disc(x, 0.36, 0.43, shade(colour, 0.4))
        wheel(pen, x, 0.35)


def bus(pen: Pen, colour: Colour, dice: Dice) -> None:
    """A city bus, with one or two decks."""
    double = dice.chance(0.25)
    top = 4.1 if double else 2.95
    pen.box(-4.6, 0.4, 4.6, top, colour, 0.25)
    pen.box(-4.5, top - 0.2, 4.5, top - 0.08, shade(colour, 1.3))
    pen.box(-4.6, 0.95, 4.6, 1.15, shade(colour, 1.6) if sum(colour) < 600 else (60, 110, 180))
    pen.box(-4.6, 0.4, 4.6, 0.6, shade(colour, 0.5))
    for floor in ((1.45, 2.5), (2.8, 3.75))[: 1 + double]:
        for step in range(6):
            _pane(pen, -4.3 + step * 1.25, floor[0], -3.2 + step * 1.25, floor[1])
    pen.box(3.3, 0.6, 4.1, 2.55, shade(colour, 0.6))
    _pane(pen, 3.37, 0.75, 4.02, 2.45)
    _pane(pen, 4.2, 1.2, 4.58, 2.5)
    pen.ellipse(4.5, 0.78, 0.12, 0.14, LAMP)
    pen.ellipse(-4.55, 0.8, 0.07, 0.16, (214, 40, 40))
    for x in (-2.9, 2.5):
        pen.disc(x, 0.5, 0.62, shade(colour, 0.35))
        wheel(pen, x, 0.5)


def truck(pen: Pen, colour: Colour, dice: Dice) -> None:
    """A lorry with a box, or an open bed with crates."""
    pen.box(-3.4, 0.55, 3.1, 0.8, DARK)
    if dice.chance(0.7):
        load = dice.pick(((236, 236, 232), (214, 206, 190), shade(colour, 1.15)))
        pen.box(-3.5, 0.8, 1.0, 3.1, load, 0.08)
        for step in range(8):
            pen.line([(-3.2 + step * 0.55, 0.95), (-3.2 + step * 0.55, 2.95)], 0.03, shade(load, 0.86))
        pen.box(-3.5, 1.6, 1.0, 2.1, colour)
    else:
        for x, high in ((-2.9, 0.8), (-1.9, 1.1), (-0.8, 0.7), (0.2, 0.9)):
            pen.slab(x - 0.45, 1.0, x + 0.45, 1.0 + high, (176, 130, 80))
        pen.box(-3.5, 0.8, 1.0, 1.35, shade(colour, 0.8), 0.05)
    pen.smooth([(1.15, 0.6), (1.15, 2.3), (1.5, 2.5), (2.4, 2.4), (2.75, 1.6), (3.15, 1.4), (3.2, 0.6)], colour)
    pen.smooth([(1.75, 1.5), (1.75, 2.2), (2.3, 2.18), (2.6, 1.5)], GLASS)
    pen.ellipse(3.1, 1.0, 0.1, 0.13, LAMP)
    for x in (-2.6, -1.5, 2.3):
        wheel(pen, x, 0.48)


def train(pen: Pen, colour: Colour, dice: Dice) -> None:
    """A train that runs out of the picture on the left."""
    pen.box(-26, 0.1, 9, 0.2, (96, 90, 86))
    for car_left in (-25.5, -14.2, -2.9):
        right = car_left + 11
        pen.box(car_left, 0.55, right, 3.6, colour, 0.3)
        pen.box(car_left + 0.2, 3.4, right - 0.2, 3.62, shade(METAL, 0.8), 0.1)
        pen.box(car_left, 1.0, right, 1.4, shade(colour, 1.75) if sum(colour) < 560 else (200, 60, 50))
        for step in range(6):
            _pane(pen, car_left + 0.7 + step * 1.6, 1.9, car_left + 1.9 + step * 1.6, 2.9)
        for x in (car_left + 1.6, car_left + 3.2, right - 3.2, right - 1.6):
            wheel(pen, x, 0.42)
        pen.box(car_left, 0.5, right, 0.72, DARK)
    pen.smooth([(7.2, 0.5), (7.2, 3.6), (8.2, 3.5), (9.0, 2.4), (9.3, 1.2), (9.2, 0.5)], colour)
    pen.smooth([(7.7, 2.0), (7.7, 3.1), (8.3, 3.05), (8.85, 2.0)], GLASS)
    pen.disc(9.0, 1.3, 0.16, LAMP)


def tractor(pen: Pen, colour: Colour) -> None:
    """A farm tractor."""
    pen.box(-0.9, 2.2, 0.5, 2.35, shade(colour, 0.7), 0.05)
    for x in (-0.8, 0.4):
        pen.line([(x, 1.2), (x, 2.25)], 0.07, DARK)
    pen.polygon([(-0.75, 1.2), (0.35, 1.2), (0.35, 2.2), (-0.75, 2.2)], GLASS)
    pen.box(0.3, 0.75, 1.9, 1.45, colour, 0.12)
    pen.box(-0.9, 0.75, 0.5, 1.3, shade(colour, 0.9), 0.1)
    pen.line([(1.5, 1.4), (1.5, 2.1)], 0.1, DARK)
    for step in range(4):
        pen.line([(1.0 + step * 0.2, 0.95), (1.0 + step * 0.2, 1.25)], 0.05, shade(colour, 0.5))
    wheel(pen, -0.65, 0.85)
    pen.disc(-0.65, 0.85, 0.45, (236, 200, 70))
    wheel(pen, 1.45, 0.48)


def bicycle(pen: Pen, colour: Colour) -> None:
    """A bicycle; saddle at (-0.2, 0.92), bars at (0.42, 1.02), pedals about (0, 0.3)."""
    for x in (-0.52, 0.55):
        pen.ring(x, 0.34, 0.32, 0.05, TYRE)
        for turn in range(4):
            pen.at(x, 0.34, 1, turn * 45).line([(-0.3, 0), (0.3, 0)], 0.012, (170, 172, 176))
        pen.disc(x, 0.34, 0.04, METAL)
    frame = [(-0.52, 0.34), (-0.02, 0.32), (0.4, 0.78), (-0.17, 0.78), (-0.52, 0.34)]
    pen.line(frame, 0.045, colour)
    pen.line([(-0.02, 0.32), (-0.2, 0.9)], 0.045, colour)
    pen.line([(0.55, 0.34), (0.38, 0.98)], 0.045, shade(colour, 0.8))
    pen.limb([(-0.32, 0.92), (-0.08, 0.93)], [0.09, 0.05], DARK)
    pen.line([(0.34, 1.02), (0.5, 1.02), (0.54, 0.96)], 0.04, DARK)
    pen.disc(-0.02, 0.32, 0.08, METAL)


def motorcycle(pen: Pen, colour: Colour) -> None:
    """A motorcycle; seat at (-0.3, 0.82), bars at (0.42, 1.08)."""
    for x in (-0.75, 0.78):
        pen.disc(x, 0.33, 0.33, TYRE)
        pen.disc(x, 0.33, 0.2, METAL)
        pen.disc(x, 0.33, 0.08, DARK)
    pen.line([(0.78, 0.33), (0.48, 1.02)], 0.07, METAL)
    pen.line([(-0.75, 0.33), (0.0, 0.4)], 0.1, shade(METAL, 0.6))
    pen.box(-0.3, 0.25, 0.32, 0.62, (84, 86, 92), 0.08)
    pen.line([(-1.05, 0.26), (-0.1, 0.24)], 0.09, shade(METAL, 1.2))
    pen.smooth([(-0.15, 0.66), (-0.05, 0.92), (0.3, 0.98), (0.5, 0.8), (0.3, 0.62)], colour)
    pen.smooth([(-0.95, 0.78), (-0.85, 0.9), (-0.3, 0.78), (-0.1, 0.8), (-0.12, 0.68), (-0.7, 0.66)], DARK)
    pen.smooth([(-1.1, 0.6), (-0.85, 0.76), (-0.5, 0.72), (-0.62, 0.6)], shade(colour, 0.85))
    pen.disc(0.62, 0.88, 0.11, LAMP)
    pen.line([(0.38, 1.08), (0.5, 1.02)], 0.05, DARK)
    pen.smooth([(0.5, 0.6), (0.8, 0.72), (1.1, 0.55), (0.8, 0.64)], colour)


def sailboat(pen: Pen, colour: Colour, dice: Dice) -> None:
    """A sailing boat; the colour is that of the sails."""
    hull = dice.pick((shade(colour, 0.82), (240, 238, 232)))
    pen.line([(0.1, 0.5), (0.1, 6.0)], 0.12, (120, 92, 66))
    pen.smooth([(0.0, 5.7), (-0.9, 3.4), (-2.0, 1.2), (0.0, 1.15)], colour)
    pen.smooth([(0.25, 5.3), (1.2, 3.0), (2.2, 1.1), (0.28, 1.15)], shade(colour, 0.85))
    for y in (2.2, 3.3, 4.3):
        pen.line([(-1.6 * (5.7 - y) / 4.4, y), (-0.05, y)], 0.03, shade(colour, 0.8))
    pen.smooth([(-2.5, 0.85), (2.9, 0.95), (2.2, 0.1), (1.6, -0.15), (-1.8, -0.15), (-2.3, 0.1)], hull)
    pen.line([(-2.35, 0.66), (2.6, 0.74)], 0.1, shade(hull, 0.6))


def canoe(pen: Pen, colour: Colour) -> None:
    """A long open boat."""
    pen.smooth(
        [(-2.2, 0.55), (-1.4, 0.32), (1.4, 0.32), (2.2, 0.55), (1.9, 0.0), (1.2, -0.12), (-1.2, -0.12), (-1.9, 0.0)],
        colour,
    )
    pen.line([(-2.1, 0.52), (-1.3, 0.34), (1.3, 0.34), (2.1, 0.52)], 0.06, mix(colour, (240, 220, 180), 0.5))


def airplane(pen: Pen, colour: Colour) -> None:
    """A jet in the air."""
    dark = shade(colour, 0.75)
    pen.polygon([(-3.6, 0.3), (-4.9, 2.1), (-4.1, 2.1), (-2.6, 0.4)], (58, 96, 170) if sum(colour) > 500 else dark)
    pen.polygon([(0.6, 0.2), (-1.2, 1.5), (-1.8, 1.5), (-0.9, 0.2)], dark)
    pen.smooth(
        [(-4.6, 0.45), (-3.0, 0.62), (3.2, 0.65), (4.4, 0.2), (4.7, -0.1), (3.6, -0.45), (-2.5, -0.4), (-4.4, 0.2)],
        colour,
    )
    for step in range(12):
        pen.disc(-2.4 + step * 0.45, 0.22, 0.1, (70, 92, 120))
    pen.smooth([(3.6, 0.3), (4.1, 0.28), (4.3, 0.1), (3.7, 0.1)], (60, 80, 104))
    pen.line([(-3.4, -0.12), (4.2, -0.14)], 0.1, (200, 70, 60) if sum(colour) > 500 else (240, 240, 240))
    pen.polygon([(0.9, -0.15), (-2.4, -1.9), (-3.1, -1.9), (-1.2, -0.15)], shade(colour, 0.88))
    pen.limb([(-0.9, -0.85), (0.1, -0.85)], [0.5, 0.56], (120, 126, 136))
    pen.polygon([(-3.4, 0.2), (-4.9, -0.5), (-5.2, -0.5), (-4.3, 0.3)], shade(colour, 0.85))


def hot_air_balloon(pen: Pen, colour: Colour, dice: Dice) -> None:
    """A balloon with stripes and a basket."""
    second = dice.pick(((246, 236, 214), (250, 206, 80), (232, 110, 70), (90, 150, 200)))
    for x in (-0.9, 0.9):
        pen.line([(x, 3.2), (x * 0.6, 1.3)], 0.06, (90, 74, 60))
    outline = [
        (0, 12.4),
        (3.2, 11.4),
        (4.6, 8.6),
        (3.6, 5.6),
        (1.2, 3.2),
        (-1.2, 3.2),
        (-3.6, 5.6),
        (-4.6, 8.6),
        (-3.2, 11.4),
    ]
    pen.smooth(outline, colour)
    for share, tone in ((0.74, second), (0.48, colour), (0.2, second)):
        pen.smooth([(x * share, y) for x, y in outline], tone)
    pen.slab(-0.75, 0.2, 0.75, 1.4, (150, 104, 62), 0.1)
