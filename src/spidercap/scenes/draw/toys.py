"""What people play with and carry: boards, balls, kites, umbrellas, books, luggage."""

import math

from spidercap.scenes.draw.colour import DARK, METAL, WOOD, Colour, mix, shade
from spidercap.scenes.draw.pen import Pen, Point


def skateboard(pen: Pen, colour: Colour) -> None:
    """A skateboard on its wheels; its top is at 0.13."""
    pen.limb([(-0.45, 0.16), (-0.34, 0.11), (0.34, 0.11), (0.45, 0.16)], [0.035] * 4, colour)
    for x in (-0.28, 0.28):
        pen.disc(x, 0.05, 0.05, (240, 230, 200))
        pen.disc(x, 0.05, 0.02, DARK)


def surfboard(pen: Pen, colour: Colour, flat: bool) -> None:
    """A surfboard, lying or upright in the sand."""
    board = pen if flat else pen.at(0, 1.0, 1, 82)
    board.smooth([(-1.1, 0.02), (-0.6, 0.14), (0.5, 0.14), (1.2, 0.1), (0.6, -0.06), (-0.6, -0.07)] if flat else
                 [(-1.1, 0), (-0.5, 0.26), (0.5, 0.26), (1.15, 0), (0.5, -0.26), (-0.5, -0.26)], colour)  # fmt: skip
    board.line([(-1.0, 0.03), (1.1, 0.05 if flat else 0.0)], 0.045, mix(colour, (200, 60, 60), 0.7))


def skis(pen: Pen, colour: Colour) -> None:
    """A pair of skis."""
    for lift, dim in ((0.05, 0.75), (0.0, 1.0)):
        pen.limb(
            [(-0.85, lift + 0.02), (0.75, lift + 0.02), (0.95, lift + 0.12)], [0.05, 0.05, 0.03], shade(colour, dim)
        )


def snowboard(pen: Pen, colour: Colour) -> None:
    """A snowboard."""
    pen.limb([(-0.85, 0.1), (-0.65, 0.03), (0.65, 0.03), (0.85, 0.1)], [0.05, 0.075, 0.075, 0.05], colour)
    pen.line([(-0.4, 0.04), (0.4, 0.04)], 0.03, shade(colour, 1.5))


def ball(pen: Pen, colour: Colour, radius: float = 0.16) -> None:
    """A ball with a light band."""
    pen.disc(0, radius, radius, colour)
    pen.ellipse(0, radius, radius * 0.35, radius * 0.97, mix(colour, (255, 255, 255), 0.6), 25)
    pen.disc(-radius * 0.35, radius * 1.4, radius * 0.16, (255, 255, 255))


def soccer_ball(pen: Pen) -> None:
    """A white ball with dark patches."""
    pen.disc(0, 0.19, 0.19, (242, 242, 240))
    for angle, far, size in (
        (0.3, 0.0, 0.07),
        (0.3, 0.15, 0.05),
        (1.55, 0.15, 0.05),
        (2.8, 0.15, 0.05),
        (4.1, 0.15, 0.05),
        (5.4, 0.15, 0.05),
    ):
        x, y = math.cos(angle) * far, 0.19 + math.sin(angle) * far
        pen.polygon([(x + math.cos(angle + k * math.tau / 5) * size, y + math.sin(angle + k * math.tau / 5) * size)
                     for k in range(5)], DARK)  # fmt: skip


def frisbee(pen: Pen, colour: Colour) -> None:
    """A flying disc, tilted."""
    pen.ellipse(0, 0, 0.24, 0.085, shade(colour, 0.8), 14)
    pen.ellipse(0, 0.02, 0.22, 0.07, colour, 14)
    pen.ellipse(0.0, 0.025, 0.13, 0.035, shade(colour, 1.25), 14)


def kite(pen: Pen, colour: Colour, second: Colour) -> None:
    """A kite with a tail of bows; its string starts at the origin."""
    pen.polygon([(0, -0.9), (0.62, 0.2), (0, 0.75), (-0.62, 0.2)], colour)
    pen.polygon([(0, -0.9), (0.62, 0.2), (0, 0.2)], shade(colour, 0.8))
    pen.polygon([(0, 0.2), (0, 0.75), (-0.62, 0.2)], mix(colour, second, 0.5))
    tail = [(0.0, -0.9), (-0.18, -1.2), (0.08, -1.5), (-0.14, -1.8)]
    pen.line(tail, 0.03, shade(colour, 0.7))
    for x, y in tail[1:]:
        pen.polygon([(x, y), (x - 0.14, y + 0.09), (x - 0.14, y - 0.09)], second)
        pen.polygon([(x, y), (x + 0.14, y + 0.09), (x + 0.14, y - 0.09)], second)


def umbrella(pen: Pen, colour: Colour, grip: Point, top: Point, radius: float) -> None:
    """An open umbrella from its grip to its top."""
    pen.line([grip, top], 0.03, (120, 110, 104))
    x, y = top
    edge = [(x - radius + step * radius / 3, y - radius * 0.45) for step in range(7)]
    dome = [(x - radius, y - radius * 0.45), (x - radius * 0.72, y - radius * 0.05), (x, y + radius * 0.2),
            (x + radius * 0.72, y - radius * 0.05), (x + radius, y - radius * 0.45)]  # fmt: skip
    pen.smooth(
        [*dome, (x + radius * 0.5, y - radius * 0.33), (x, y - radius * 0.36), (x - radius * 0.5, y - radius * 0.33)],
        colour,
    )
    pen.polygon([(x, y + radius * 0.2), edge[2], (x, y - radius * 0.4), edge[4]], shade(colour, 0.84))
    pen.polygon(
        [(x, y + radius * 0.2), (x + radius * 0.12, y - radius * 0.38), (x - radius * 0.12, y - radius * 0.38)],
        shade(colour, 1.15),
    )
    pen.disc(x, y + radius * 0.2, 0.03, DARK)


def balloon(pen: Pen, colour: Colour, hand: Point, at: Point) -> None:
    """A toy balloon on a string."""
    pen.line([hand, ((hand[0] + at[0]) / 2 + 0.04, (hand[1] + at[1]) / 2), (at[0], at[1] - 0.3)], 0.012, (90, 90, 90))
    pen.ellipse(at[0], at[1], 0.24, 0.3, colour)
    pen.polygon([(at[0], at[1] - 0.28), (at[0] - 0.04, at[1] - 0.34), (at[0] + 0.04, at[1] - 0.34)], shade(colour, 0.8))
    pen.ellipse(at[0] - 0.08, at[1] + 0.1, 0.04, 0.08, shade(colour, 1.6), 25)


def racket(pen: Pen, hand: Point, turn: float) -> None:
    """A tennis racket held in the hand."""
    frame = pen.at(*hand, 1, turn)
    frame.line([(-0.05, 0), (0.28, 0)], 0.04, DARK)
    frame.ellipse(0.46, 0, 0.19, 0.14, (200, 60, 50))
    frame.ellipse(0.46, 0, 0.155, 0.11, (226, 228, 220))
    for step in (-0.06, 0, 0.06):
        frame.line([(0.33, step), (0.59, step)], 0.01, (150, 150, 150))
        frame.line([(0.46 + step, -0.1), (0.46 + step, 0.1)], 0.01, (150, 150, 150))


def guitar(pen: Pen, colour: Colour) -> None:
    """A guitar held slantwise."""
    body = pen.at(0, 0, 1, 24)
    body.line([(0.1, 0), (0.75, 0)], 0.055, shade(WOOD, 0.6))
    body.box(0.72, -0.05, 0.9, 0.05, shade(WOOD, 0.5))
    body.disc(-0.18, 0, 0.22, colour)
    body.disc(0.08, 0, 0.165, colour)
    body.disc(0.0, 0, 0.065, shade(colour, 0.3))
    body.line([(-0.26, 0), (0.8, 0)], 0.012, (236, 230, 214))


def book(pen: Pen, colour: Colour) -> None:
    """An open book, held up."""
    pen.polygon([(-0.2, 0.0), (0, -0.05), (0.2, 0.0), (0.2, 0.28), (0, 0.22), (-0.2, 0.28)], colour)
    pen.polygon([(-0.17, 0.02), (0, -0.02), (0, 0.23), (-0.17, 0.28)], (244, 240, 228))
    pen.polygon([(0.17, 0.02), (0, -0.02), (0, 0.23), (0.17, 0.28)], (228, 222, 208))


def laptop(pen: Pen) -> None:
    """An open laptop, half from the side."""
    pen.polygon([(-0.2, 0.0), (0.22, 0.0), (0.16, 0.03), (-0.24, 0.03)], shade(METAL, 0.8))
    pen.polygon([(0.16, 0.03), (-0.2, 0.03), (-0.14, 0.3), (0.24, 0.3)], shade(METAL, 0.7))
    pen.polygon([(0.14, 0.05), (-0.17, 0.05), (-0.12, 0.28), (0.21, 0.28)], (120, 186, 226))


def suitcase(pen: Pen, colour: Colour) -> None:
    """A suitcase on wheels, its handle out."""
    for x in (-0.08, 0.08):
        pen.line([(x, 0.6), (x, 0.98)], 0.025, METAL)
    pen.line([(-0.08, 0.98), (0.08, 0.98)], 0.04, DARK)
    for x in (-0.16, 0.16):
        pen.disc(x, 0.04, 0.045, DARK)
    pen.box(-0.24, 0.07, 0.24, 0.66, colour, 0.05)
    for x in (-0.12, 0, 0.12):
        pen.line([(x, 0.12), (x, 0.6)], 0.025, shade(colour, 0.8))
