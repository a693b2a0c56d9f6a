"""Birds and other small creatures."""

from spidercap.scenes.draw.colour import Colour, mix, shade
from spidercap.scenes.draw.pen import Pen

BLACK: Colour = (34, 32, 34)


def bird_flying(pen: Pen, colour: Colour, flap: float) -> None:
    """A bird on the wing; `flap` from -1 (wings down) to 1 (up)."""
    dark = shade(colour, 0.72)
    tip = 0.34 * flap + 0.12
    pen.smooth([(0.02, 0.05), (-0.12, 0.2 * flap + 0.12), (-0.38, tip + 0.06), (-0.22, 0.06 * flap), (-0.1, 0.0)], dark)
    pen.polygon([(-0.2, 0.0), (-0.42, 0.06), (-0.4, -0.05)], dark)
    pen.ellipse(0, 0, 0.24, 0.085, colour, 6)
    pen.disc(0.22, 0.05, 0.075, colour)
    pen.polygon([(0.28, 0.07), (0.38, 0.03), (0.28, 0.01)], (236, 150, 40))
    pen.disc(0.24, 0.07, 0.016, BLACK)
    pen.smooth(
        [(0.1, 0.03), (0.02, 0.24 * flap + 0.14), (-0.16, tip * 1.35 + 0.1), (-0.1, 0.1 * flap), (-0.08, 0.0)],
        shade(colour, 0.9),
    )
    pen.ellipse(-0.13, tip * 1.25 + 0.08, 0.06, 0.03, BLACK, 40 * flap)


def bird_standing(pen: Pen, colour: Colour) -> None:
    """A small bird on the ground or a perch."""
    for x in (-0.02, 0.04):
        pen.line([(x, 0.1), (x + 0.01, 0)], 0.015, (214, 130, 50))
    pen.polygon([(-0.1, 0.14), (-0.32, 0.1), (-0.3, 0.2)], shade(colour, 0.7))
    pen.ellipse(0, 0.17, 0.16, 0.1, colour, 18)
    pen.ellipse(-0.05, 0.17, 0.12, 0.06, shade(colour, 0.75), 14)
    pen.disc(0.13, 0.27, 0.075, colour)
    pen.polygon([(0.19, 0.29), (0.28, 0.26), (0.19, 0.24)], (236, 150, 40))
    pen.disc(0.15, 0.29, 0.016, BLACK)


def duck(pen: Pen, colour: Colour, legs: bool) -> None:
    """A duck, on the water or on its feet."""
    lift = 0.12 if legs else -0.03
    if legs:
        for x in (-0.03, 0.08):
            pen.line([(x, 0.16), (x, 0.02), (x + 0.07, 0.01)], 0.025, (226, 130, 40))
    body = pen.at(0, lift)
    body.smooth(
        [(-0.36, 0.22), (-0.24, 0.12), (-0.2, 0.03), (0.15, 0.02), (0.27, 0.12), (0.2, 0.24), (0, 0.24), (-0.2, 0.2)],
        colour,
    )
    body.ellipse(-0.05, 0.16, 0.17, 0.08, shade(colour, 0.8), 10)
    body.limb([(0.17, 0.18), (0.22, 0.36)], [0.13, 0.1], colour)
    head = (54, 104, 74) if sum(colour) < 420 else colour
    body.ellipse(0.24, 0.4, 0.09, 0.08, head)
    body.smooth([(0.3, 0.42), (0.43, 0.37), (0.42, 0.34), (0.3, 0.35)], (240, 160, 40))
    body.disc(0.27, 0.43, 0.016, BLACK)


def penguin(pen: Pen) -> None:
    """A penguin, seen from before."""
    for x in (-0.1, 0.1):
        pen.ellipse(x, 0.025, 0.1, 0.035, (240, 160, 50))
    for side in (-1, 1):
        pen.limb([(side * 0.2, 0.58), (side * 0.31, 0.3)], [0.1, 0.05], (40, 42, 52))
    pen.smooth([(-0.22, 0.05), (-0.26, 0.4), (-0.14, 0.72), (0.14, 0.72), (0.26, 0.4), (0.22, 0.05)], (40, 42, 52))
    pen.smooth([(-0.14, 0.06), (-0.18, 0.36), (-0.06, 0.62), (0.06, 0.62), (0.18, 0.36), (0.14, 0.06)], (244, 244, 240))
    pen.disc(0, 0.8, 0.15, (40, 42, 52))
    for side in (-1, 1):
        pen.ellipse(side * 0.07, 0.8, 0.06, 0.08, (244, 244, 240))
        pen.disc(side * 0.06, 0.82, 0.022, BLACK)
    pen.polygon([(-0.05, 0.78), (0.05, 0.78), (0, 0.7)], (240, 160, 50))
    pen.ellipse(0, 0.64, 0.1, 0.03, (244, 200, 90))


def rabbit(pen: Pen, colour: Colour) -> None:
    """A sitting rabbit."""
    pen.disc(-0.2, 0.1, 0.06, (246, 244, 240))
    pen.smooth([(-0.2, 0.0), (-0.2, 0.18), (-0.04, 0.26), (0.1, 0.2), (0.14, 0.0)], colour)
    pen.ellipse(-0.08, 0.08, 0.11, 0.08, shade(colour, 0.9))
    pen.limb([(0.1, 0.14), (0.13, 0.02)], [0.06, 0.05], shade(colour, 0.95))
    for x, dim in ((0.06, 0.8), (0.12, 1.0)):
        pen.ellipse(x, 0.47, 0.035, 0.13, shade(colour, dim), 10)
        pen.ellipse(x, 0.46, 0.016, 0.09, (236, 180, 180), 10)
    pen.ellipse(0.13, 0.28, 0.11, 0.1, colour)
    pen.disc(0.17, 0.3, 0.018, BLACK)
    pen.ellipse(0.235, 0.27, 0.018, 0.013, (220, 130, 140))


def teddy_bear(pen: Pen, colour: Colour) -> None:
    """A stuffed bear, sitting."""
    pale = mix(colour, (255, 240, 215), 0.5)
    for side in (-1, 1):
        pen.limb([(side * 0.13, 0.34), (side * 0.25, 0.2)], [0.11, 0.1], shade(colour, 0.9))
        pen.disc(side * 0.11, 0.68, 0.07, colour)
        pen.disc(side * 0.11, 0.68, 0.04, pale)
    pen.ellipse(0, 0.22, 0.18, 0.2, colour)
    pen.ellipse(0, 0.2, 0.11, 0.13, pale)
    for side in (-1, 1):
        pen.ellipse(side * 0.16, 0.07, 0.1, 0.08, shade(colour, 0.92))
        pen.ellipse(side * 0.17, 0.07, 0.055, 0.05, pale)
    pen.disc(0, 0.54, 0.17, colour)
    pen.ellipse(0, 0.5, 0.08, 0.065, pale)
    pen.ellipse(0, 0.53, 0.03, 0.022, BLACK)
    for side in (-1, 1):
        pen.disc(side * 0.07, 0.58, 0.02, BLACK)
