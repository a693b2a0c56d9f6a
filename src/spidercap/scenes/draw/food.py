"""Food and crockery on a table, seen from above at a slant."""

import math

from spidercap.scenes.dice import Dice
from spidercap.scenes.draw.colour import Colour, jitter, mix, shade
from spidercap.scenes.draw.pen import Pen

PLATE: Colour = (246, 244, 238)
CRUST: Colour = (208, 154, 88)


def plate(pen: Pen, wide: float) -> None:
    """A white plate."""
    pen.ellipse(0, wide * 0.38, wide, wide * 0.4, shade(PLATE, 0.82))
    pen.ellipse(0, wide * 0.4, wide, wide * 0.4, PLATE)
    pen.ellipse(0, wide * 0.41, wide * 0.72, wide * 0.27, shade(PLATE, 0.93))


def pizza(pen: Pen, dice: Dice) -> None:
    """A whole pizza with toppings."""
    pen.ellipse(0, 0.075, 0.23, 0.095, shade(CRUST, 0.7))
    pen.ellipse(0, 0.09, 0.23, 0.095, CRUST)
    pen.ellipse(0, 0.093, 0.2, 0.08, (206, 76, 44))
    pen.ellipse(0, 0.095, 0.195, 0.076, (246, 204, 104))
    for step in range(16):
        far, angle = math.sqrt((step + 0.5) / 16) * 0.86, step * 2.4
        x, y = math.cos(angle) * far * 0.18, 0.096 + math.sin(angle) * far * 0.068
        if step % 3 == 0:
            pen.ellipse(x, y, 0.014, 0.006, (88, 140, 64), dice.between(0, 180))
        else:
            pen.ellipse(x, y, 0.028, 0.014, jitter((192, 54, 44), dice))
    for turn in (20, 80, 140):
        angle = math.radians(turn)
        pen.line([(-math.cos(angle) * 0.22, 0.09 - math.sin(angle) * 0.09),
                    (math.cos(angle) * 0.22, 0.09 + math.sin(angle) * 0.09)],
                 0.004, shade(CRUST, 0.6))  # fmt: skip


def cake(pen: Pen, colour: Colour, dice: Dice) -> None:
    """A round cake with candles."""
    pen.ellipse(0, 0.06, 0.24, 0.08, PLATE)
    pen.box(-0.18, 0.06, 0.18, 0.2, colour)
    pen.ellipse(0, 0.06, 0.18, 0.055, colour)
    pen.box(-0.18, 0.11, 0.18, 0.135, shade(colour, 0.75))
    icing = (252, 246, 240) if sum(colour) < 660 else (244, 190, 204)
    pen.ellipse(0, 0.2, 0.185, 0.058, icing)
    for step in range(9):
        x = -0.17 + step * 0.0425
        pen.limb([(x, 0.185), (x, 0.165 - 0.02 * (step % 3))], [0.045, 0.035], icing)
    for step in range(5):
        x, y = -0.1 + step * 0.05, 0.2 + 0.02 * math.cos(step * 2.1)
        pen.line([(x, y), (x, y + 0.07)], 0.012, dice.pick(((220, 80, 90), (90, 150, 210), (250, 210, 90))))
        pen.ellipse(x, y + 0.085, 0.008, 0.016, (255, 200, 70))


def sandwich(pen: Pen) -> None:
    """A sandwich on a plate."""
    plate(pen, 0.19)
    bread = (224, 180, 116)
    pen.smooth([(-0.13, 0.06), (0.14, 0.06), (0.14, 0.1), (-0.13, 0.1)], bread)
    for step in range(8):
        pen.ellipse(-0.12 + step * 0.035, 0.105 - 0.004 * (step % 2), 0.024, 0.014, (104, 164, 70))
    pen.box(-0.13, 0.108, 0.135, 0.122, (206, 72, 60))
    pen.box(-0.13, 0.12, 0.135, 0.132, (246, 208, 90))
    pen.smooth([(-0.14, 0.13), (0.145, 0.13), (0.13, 0.18), (0, 0.2), (-0.125, 0.18)], shade(bread, 0.95))


def donut(pen: Pen, colour: Colour, dice: Dice) -> None:
    """A ring of dough with icing and sprinkles."""
    pen.ellipse(0, 0.038, 0.085, 0.042, CRUST)
    pen.ellipse(0, 0.05, 0.083, 0.038, colour)
    for _ in range(14):
        angle = dice.between(0, math.tau)
        pen.ellipse(math.cos(angle) * 0.056, 0.052 + math.sin(angle) * 0.025, 0.007, 0.003,
                    dice.pick(((250, 220, 90), (110, 190, 220), (240, 90, 110), (250, 250, 250))),
                                dice.between(0, 180))  # fmt: skip
    pen.ellipse(0, 0.052, 0.026, 0.012, shade(CRUST, 0.5))


def apple(pen: Pen, colour: Colour) -> None:
    """An apple."""
    pen.smooth(
        [
            (0, 0.085),
            (0.035, 0.1),
            (0.055, 0.06),
            (0.035, 0.005),
            (0, 0.01),
            (-0.035, 0.005),
            (-0.055, 0.06),
            (-0.035, 0.1),
        ],
        colour,
    )
    pen.line([(0, 0.085), (0.008, 0.115)], 0.007, (96, 66, 42))
    pen.ellipse(0.025, 0.112, 0.022, 0.009, (104, 158, 74), 20)
    pen.ellipse(-0.026, 0.07, 0.009, 0.016, shade(colour, 1.5))


def banana(pen: Pen) -> None:
    """A banana, lying."""
    pen.limb([(-0.11, 0.08), (-0.06, 0.035), (0.03, 0.025), (0.1, 0.06)], [0.02, 0.05, 0.05, 0.022], (246, 212, 74))
    pen.limb([(-0.09, 0.05), (-0.04, 0.022), (0.04, 0.016)], [0.008, 0.014, 0.01], (220, 176, 52))
    pen.disc(0.105, 0.064, 0.011, (90, 66, 40))
    pen.disc(-0.113, 0.084, 0.009, (110, 96, 50))


def orange(pen: Pen) -> None:
    """An orange."""
    pen.disc(0, 0.055, 0.055, (242, 146, 42))
    pen.disc(-0.018, 0.075, 0.012, (252, 190, 110))
    pen.ellipse(0.005, 0.108, 0.012, 0.005, (90, 130, 60))


def cup(pen: Pen, colour: Colour) -> None:
    """A mug of coffee."""
    pen.ring(0.065, 0.06, 0.03, 0.014, shade(colour, 0.85))
    pen.box(-0.05, 0.012, 0.05, 0.1, colour)
    pen.ellipse(0, 0.014, 0.05, 0.017, colour)
    pen.ellipse(0, 0.1, 0.05, 0.019, shade(colour, 1.2))
    pen.ellipse(0, 0.098, 0.042, 0.014, (92, 58, 38))
    pen.box(-0.035, 0.03, -0.025, 0.085, shade(colour, 1.4))


def wine_glass(pen: Pen) -> None:
    """A glass of red wine."""
    glass = (214, 226, 230)
    pen.ellipse(0, 0.012, 0.042, 0.013, glass)
    pen.line([(0, 0.012), (0, 0.1)], 0.009, glass)
    pen.smooth([(-0.035, 0.22), (-0.05, 0.15), (0, 0.095), (0.05, 0.15), (0.035, 0.22)], glass)
    pen.smooth([(-0.046, 0.17), (-0.046, 0.145), (0, 0.1), (0.046, 0.145), (0.046, 0.17)], (132, 26, 48))
    pen.ellipse(0, 0.17, 0.046, 0.01, (164, 46, 66))


def bowl(pen: Pen, colour: Colour, dice: Dice) -> None:
    """A bowl of fruit."""
    fruit = [(apple, (206, 46, 44)), (apple, (118, 170, 70))]
    pen.ellipse(0, 0.12, 0.17, 0.05, shade(colour, 0.6))
    for x, y in ((-0.09, 0.1), (0.09, 0.1), (0.0, 0.13)):
        kind = dice.whole(3)
        if kind < 2:
            apple(pen.at(x, y, 1.1), jitter(fruit[kind][1], dice))
        else:
            orange(pen.at(x, y, 1.1))
    banana(pen.at(0.02, 0.13, 1.1, 8))
    pen.smooth(
        [
            (-0.19, 0.135),
            (-0.1, 0.11),
            (0.1, 0.11),
            (0.19, 0.135),
            (0.15, 0.05),
            (0.07, 0.0),
            (-0.07, 0.0),
            (-0.15, 0.05),
        ],
        colour,
    )
    pen.line([(-0.15, 0.08), (0.15, 0.08)], 0.012, mix(colour, (255, 255, 255), 0.5))
