"""A pen that collects filled outlines in metres: x to the right, y up from the ground."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spidercap.scenes.draw.colour import Colour, shade

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled outline."""

    points: tuple[Point, ...]
    colour: Colour


class Pen:
    """Adds shapes to a list, moved, turned, scaled and mirrored as the pen is."""

    def __init__(self, shapes: list[Shape] | None = None, matrix: tuple[float, ...] = (1, 0, 0, 0, 1, 0)) -> None:
        self.shapes: list[Shape] = [] if shapes is None else shapes
        self.matrix = matrix

    def at(self, x: float, y: float = 0, scale: float = 1, turn: float = 0, mirror: bool = False) -> "Pen":
        """A pen on the same sheet whose origin is (x, y) of this one, turned by degrees against the clock."""
        cosine, sine = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
        flip = -1 if mirror else 1
        a, b, c, d, e, f = self.matrix
        inner = (cosine * flip, -sine, x, sine * flip, cosine, y)
        g, h, i, j, k, m = inner
        return Pen(self.shapes, (a * g + b * j, a * h + b * k, a * i + b * m + c,
                                 d * g + e * j, d * h + e * k, d * i + e * m + f))  # fmt: skip

    def polygon(self, points: Iterable[Point], colour: Colour) -> None:
        """A filled polygon."""
        a, b, c, d, e, f = self.matrix
        self.shapes.append(Shape(tuple((a * x + b * y + c, d * x + e * y + f) for x, y in points), colour))

    def smooth(self, points: Sequence[Point], colour: Colour) -> None:
        """A filled closed curve through the points (Catmull-Rom)."""
        curve: list[Point] = []
        count = len(points)
        for here in range(count):
            four = [points[(here + step) % count] for step in (-1, 0, 1, 2)]
            curve.extend(_catmull_rom(four, part / 6) for part in range(6))
        self.polygon(curve, colour)

    def ellipse(self, x: float, y: float, wide: float, high: float, colour: Colour, turn: float = 0) -> None:
        """An ellipse by its centre and half axes."""
        cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        circle = [(math.cos(step * math.tau / 28) * wide, math.sin(step * math.tau / 28) * high) for step in range(28)]
        self.polygon([(x + u * cosine - v * sine, y + u * sine + v * cosine) for u, v in circle], colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A circle."""
        self.ellipse(x, y, radius, radius, colour)

    def ring(self, x: float, y: float, radius: float, width: float, colour: Colour) -> None:
        """A circle's line, as short capsules so that what is behind shows through."""
        circle = [(x + math.cos(step * math.tau / 24) * radius, y + math.sin(step * math.tau / 24) * radius)
                  for step in range(25)]  # fmt: skip
        self.line(circle, width, colour)

    def box(self, left: float, bottom: float, right: float, top: float, colour: Colour, corner: float = 0) -> None:
        """A rectangle, its corners cut round."""
        if corner <= 0:
            self.polygon([(left, bottom), (right, bottom), (right, top), (left, top)], colour)
            return
        corners = ((right, top, 0), (left, top, 90), (left, bottom, 180), (right, bottom, 270))
        points = []
        for x, y, start in corners:
            centre = (
                x - math.copysign(corner, x - (left + right) / 2),
                y - math.copysign(corner, y - (bottom + top) / 2),
            )
            for step in range(5):
                angle = math.radians(start + step * 22.5)
                points.append((centre[0] + math.cos(angle) * corner, centre[1] + math.sin(angle) * corner))
        self.polygon(points, colour)

    def limb(self, points: Sequence[Point], widths: Sequence[float], colour: Colour) -> None:
        """A rounded stroke whose width changes from point to point."""
        for (x0, y0), (x1, y1), w0, w1 in zip(points, points[1:], widths, widths[1:], strict=False):
            length = math.hypot(x1 - x0, y1 - y0) or 1e-9
            across_x, across_y = -(y1 - y0) / length / 2, (x1 - x0) / length / 2
            self.polygon([(x0 + across_x * w0, y0 + across_y * w0), (x1 + across_x * w1, y1 + across_y * w1),
                          (x1 - across_x * w1, y1 - across_y * w1), (x0 - across_x * w0, y0 - across_y * w0)],
                         colour)  # fmt: skip
        for (x, y), width in zip(points, widths, strict=True):
            self.ellipse(x, y, width / 2, width / 2, colour)

    def line(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        """A stroke of one width."""
        self.limb(points, [width] * len(points), colour)

    def slab(self, left: float, bottom: float, right: float, top: float, colour: Colour, corner: float = 0) -> None:
        """A box with a lit upper edge."""
        self.box(left, bottom, right, top, colour, corner)
        rim = (top - bottom) * 0.12
        self.box(left + corner, top - rim, right - corner, top, shade(colour, 1.25))


def bounds(shapes: Iterable[Shape]) -> tuple[float, float, float, float]:
    """Left, bottom, right, top of all shapes."""
    points = [point for shape in shapes for point in shape.points]
    across, up = [x for x, _ in points], [y for _, y in points]
    return min(across), min(up), max(across), max(up)


def joint(root: Point, tip: Point, first: float, second: float, bend: float) -> Point:
    """The knee or elbow between two bones that lead from root towards tip; `bend` +1 or -1 is its side."""
    across, up = tip[0] - root[0], tip[1] - root[1]
    reach = min(math.hypot(across, up), (first + second) * 0.999) or 1e-9
    along = (first**2 - second**2 + reach**2) / (2 * reach)
    aside = math.sqrt(max(0.0, first**2 - along**2)) * bend
    scale = math.hypot(across, up) or 1e-9
    u, v = across / scale, up / scale
    return root[0] + u * along - v * aside, root[1] + v * along + u * aside


def _catmull_rom(four: Sequence[Point], t: float) -> Point:
    weights = (-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, -(t**2) + t**3)
    return (sum(w * p[0] for w, p in zip(weights, four, strict=True)) / 2,
            sum(w * p[1] for w, p in zip(weights, four, strict=True)) / 2)  # fmt: skip
