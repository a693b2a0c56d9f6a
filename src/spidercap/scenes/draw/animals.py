"""Animals: four-legged ones from one plan with their own heads, necks and coats; sitting and sleeping pets."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from spidercap.scenes.dice import Dice
from spidercap.scenes.draw.colour import DARK, Colour, mix, shade
from spidercap.scenes.draw.pen import Pen, Point, joint

BLACK: Colour = (34, 32, 34)
STEPS: dict[str, tuple[tuple[float, float], ...]] = {
    "stand": ((0.02, 0), (-0.03, 0), (0.03, 0), (-0.02, 0)),
    "walk": ((0.14, 0.0), (-0.12, 0.03), (0.12, 0.02), (-0.14, 0)),
    "run": ((0.5, 0.28), (0.32, 0.36), (-0.42, 0.2), (-0.6, 0.14)),
    "leap": ((0.45, 0.5), (0.3, 0.4), (-0.5, 0.05), (-0.62, 0.0)),
}
"""Where the feet are (near fore, far fore, near hind, far hind) beside the hips, in leg lengths."""


@dataclass(frozen=True, slots=True)
class BodyPlan:
    """The build of a four-legged animal, in metres; `neck` and `head` point from the shoulder to the poll."""

    long: float
    deep: float
    leg: float
    leg_width: float
    neck: Point
    neck_width: float
    head: float
    head_drop: float = 0.35
    graze: Point | None = None


PLANS = {
    "dog": BodyPlan(0.62, 0.26, 0.34, 0.075, (0.16, 0.2), 0.16, 0.15),
    "cat": BodyPlan(0.42, 0.17, 0.2, 0.05, (0.08, 0.12), 0.1, 0.1),
    "horse": BodyPlan(1.5, 0.58, 0.85, 0.14, (0.42, 0.62), 0.3, 0.27, 0.6, (0.55, -0.55)),
    "zebra": BodyPlan(1.4, 0.56, 0.75, 0.13, (0.38, 0.5), 0.3, 0.25, 0.6, (0.5, -0.5)),
    "cow": BodyPlan(1.55, 0.7, 0.68, 0.15, (0.3, 0.12), 0.38, 0.26, 0.5, (0.4, -0.5)),
    "sheep": BodyPlan(0.85, 0.48, 0.36, 0.08, (0.2, 0.14), 0.2, 0.15, 0.4, (0.24, -0.28)),
    "pig": BodyPlan(0.95, 0.46, 0.28, 0.11, (0.12, 0.02), 0.32, 0.2, 0.2),
    "elephant": BodyPlan(2.6, 1.45, 1.25, 0.42, (0.45, 0.25), 0.8, 0.62, 0.3),
    "giraffe": BodyPlan(1.6, 0.75, 1.7, 0.16, (0.75, 1.75), 0.32, 0.3, 0.4),
    "bear": BodyPlan(1.35, 0.72, 0.5, 0.24, (0.22, 0.08), 0.46, 0.27, 0.25),
}


def quadruped(pen: Pen, kind: str, colour: Colour, step: str, dice: Dice) -> None:
    """A four-legged animal that faces right; `step` is stand, walk, run, leap or graze."""
    plan = PLANS[kind]
    grazing = step == "graze" and plan.graze is not None
    feet = STEPS["stand" if step == "graze" else step]
    back = plan.leg + plan.deep * 0.5
    fore, hind = plan.long * 0.38, -plan.long * 0.4
    legs = _leg_colour(kind, colour)
    _tail(pen, kind, colour, (-plan.long * 0.5, back + plan.deep * 0.22), dice)
    for hip, foot, far in ((fore, feet[1], True), (hind, feet[3], True)):
        _leg(pen, plan, (hip, plan.leg + plan.deep * 0.2), foot, shade(legs, 0.72 if far else 1), hip > 0, kind)
    body = _body(pen, plan, back, kind, colour)
    _coat(pen, kind, colour, plan, body, dice)
    for hip, foot in ((fore, feet[0]), (hind, feet[2])):
        _leg(pen, plan, (hip, plan.leg + plan.deep * 0.25), foot, legs, hip > 0, kind)
    neck = plan.graze if grazing and plan.graze else plan.neck
    shoulder = (fore, back + plan.deep * 0.1)
    poll = (shoulder[0] + neck[0], shoulder[1] + neck[1])
    _neck(pen, kind, colour, plan, shoulder, poll)
    HEADS[kind](pen.at(poll[0], poll[1], plan.head, -40 if grazing else 0), colour)


def _leg_colour(kind: str, colour: Colour) -> Colour:
    return {"sheep": (70, 62, 60), "zebra": (226, 224, 220), "giraffe": shade(colour, 1.15)}.get(kind, colour)


def _leg(
    pen: Pen, plan: BodyPlan, hip: Point, foot: tuple[float, float], colour: Colour, fore: bool, kind: str
) -> None:
    tip = (hip[0] + foot[0] * plan.leg, foot[1] * plan.leg + plan.leg_width * 0.3)
    bone = hip[1] * 0.52
    knee = joint(hip, tip, bone, bone, (1 if fore else -1) * 0.9)
    thick = plan.leg_width
    top = 1.5 if kind in ("elephant", "bear", "pig") else 1.9 if not fore else 1.5
    low = 0.95 if kind in ("elephant", "bear") else 0.72
    pen.limb([hip, knee, tip], [thick * top, thick, thick * low], colour)
    hoof = BLACK if kind in ("horse", "cow", "zebra", "giraffe", "sheep") else shade(colour, 0.82)
    pen.smooth([(tip[0] - thick * 0.45, tip[1] - thick * 0.3), (tip[0] + thick * 0.75, tip[1] - thick * 0.3),
                (tip[0] + thick * 0.5, tip[1] + thick * 0.25),
                (tip[0] - thick * 0.4, tip[1] + thick * 0.25)], hoof)  # fmt: skip
    if kind == "zebra":
        for part in (0.25, 0.45, 0.65, 0.85):
            y = tip[1] + (hip[1] - tip[1]) * part * 0.7
            x = tip[0] + (knee[0] - tip[0]) * min(1, part * 1.4)
            pen.line([(x - thick * 0.4, y), (x + thick * 0.4, y + 0.02)], 0.035, BLACK)


def _body(pen: Pen, plan: BodyPlan, back: float, kind: str, colour: Colour) -> tuple[float, float]:
    """Draws the trunk and returns its half axes."""
    long, deep = plan.long * 0.56, plan.deep * 0.5
    belly = 0.82 if kind in ("dog", "horse", "cat", "zebra", "giraffe") else 1.0
    rise = 0.22 * deep if kind == "giraffe" else 0.0
    main = _leg_colour(kind, colour) if kind in ("zebra", "giraffe") else colour
    pen.smooth([(-long, back + deep * 0.35), (-long * 0.65, back + deep * 1.0), (0, back + deep * 0.86),
                (long * 0.6, back + deep * 1.02 + rise), (long, back + deep * 0.4 + rise),
                (long * 0.85, back - deep * 0.7),
                (long * 0.3, back - deep * 1.0), (-long * 0.4, back - deep * belly), (-long * 0.9, back - deep * 0.6)],
               main)  # fmt: skip
    return long, deep


def _coat(pen: Pen, kind: str, colour: Colour, plan: BodyPlan, body: tuple[float, float], dice: Dice) -> None:
    """Stripes, patches, spots or wool."""
    long, deep = body
    back = plan.leg + deep
    if kind == "zebra":
        for step in range(9):
            x = -long * 0.85 + step * long * 0.21
            half = deep * math.sqrt(max(0.05, 1 - (x / long) ** 2)) * 0.9
            pen.limb(
                [(x - 0.05, back + half), (x + 0.03, back), (x - 0.02, back - half * 0.75)], [0.075, 0.06, 0.02], BLACK
            )
    elif kind == "giraffe":
        for _ in range(26):
            x, y = dice.between(-0.85, 0.85), dice.between(-0.7, 0.8)
            if x * x + y * y < 0.95:
                pen.polygon(_patch(dice, x * long, back + y * deep, 0.1), shade(colour, 0.62))
    elif kind == "cow":
        spot = (238, 234, 228) if sum(colour) < 520 else (50, 44, 42)
        for x, y, size in ((-0.5, 0.3, 0.3), (0.15, -0.05, 0.34), (0.62, 0.4, 0.2)):
            pen.smooth(_patch(dice, x * long, back + y * deep, size), spot)
    elif kind == "sheep":
        for step in range(26):
            angle = step * 2.4
            far = math.sqrt(step / 26)
            pen.disc(math.cos(angle) * far * long * 0.95, back + 0.02 + math.sin(angle) * far * deep * 0.9, 0.13,
                     shade(colour, 0.93 + 0.06 * (step % 3)))  # fmt: skip
    elif kind == "dog" and dice.chance(0.4):
        pen.ellipse(-0.08, back + deep * 0.4, long * 0.4, deep * 0.5, mix(colour, (90, 60, 40), 0.35))


def _patch(dice: Dice, x: float, y: float, size: float) -> list[Point]:
    """A rough spot with six corners."""
    return [(x + math.cos(step * math.tau / 6) * size * dice.between(0.6, 1.1),
             y + math.sin(step * math.tau / 6) * size * dice.between(0.5, 0.95)) for step in range(6)]  # fmt: skip


def _neck(pen: Pen, kind: str, colour: Colour, plan: BodyPlan, shoulder: Point, poll: Point) -> None:
    main = _leg_colour(kind, colour) if kind in ("zebra", "giraffe") else colour
    start = (shoulder[0] - plan.neck_width * 0.3, shoulder[1] - plan.neck_width * 0.1)
    pen.limb([start, poll], [plan.neck_width * 1.6, plan.neck_width * 0.72], main)
    steps = [part / 7 for part in range(1, 8)]
    along = [(start[0] + (poll[0] - start[0]) * t, start[1] + (poll[1] - start[1]) * t) for t in steps]
    half = [plan.neck_width * (0.8 - 0.42 * t) for t in steps]
    if kind == "zebra":
        for (x, y), wide in zip(along, half, strict=True):
            pen.limb([(x - wide * 0.7, y + wide * 0.6), (x + wide * 0.7, y - wide * 0.5)], [0.05, 0.03], BLACK)
    if kind == "giraffe":
        for (x, y), wide in zip(along, half, strict=True):
            pen.ellipse(x - wide * 0.3, y, wide * 0.45, 0.08, shade(colour, 0.62))
            pen.ellipse(x + wide * 0.45, y + 0.1, wide * 0.35, 0.06, shade(colour, 0.62))
    if kind in ("horse", "zebra"):
        mane = BLACK if kind == "zebra" or sum(colour) > 300 else shade(colour, 0.55)
        reach = math.hypot(poll[0] - start[0], poll[1] - start[1])
        u, v = (poll[0] - start[0]) / reach, (poll[1] - start[1]) / reach
        crest = [(x - v * wide * 0.95, y + u * wide * 0.95) for (x, y), wide in zip(along, half, strict=True)]
        pen.limb(crest, [0.09, 0.11, 0.12, 0.12, 0.11, 0.1, 0.09], mane)
        pen.limb([crest[-1], (poll[0] + u * 0.08, poll[1] + v * 0.08)], [0.1, 0.05], mane)


def _tail(pen: Pen, kind: str, colour: Colour, root: Point, dice: Dice) -> None:
    x, y = root
    swing = dice.between(-0.5, 0.5)
    if kind in ("horse",):
        pen.limb(
            [(x, y), (x - 0.22, y - 0.2), (x - 0.26 + swing * 0.2, y - 0.75)], [0.1, 0.16, 0.03], shade(colour, 0.55)
        )
    elif kind in ("dog", "cat"):
        size = 0.3 if kind == "dog" else 0.34
        pen.limb([(x + 0.04, y), (x - size * 0.5, y + size * 0.35), (x - size * 0.7 + swing * 0.1, y + size)],
                 [0.06, 0.05, 0.035], colour)  # fmt: skip
    elif kind in ("cow", "zebra", "giraffe", "elephant"):
        drop = 0.75 if kind != "elephant" else 0.9
        pen.limb(
            [(x, y), (x - 0.1, y - drop * 0.4), (x - 0.1 + swing * 0.15, y - drop)],
            [0.07, 0.045, 0.04],
            shade(colour, 0.85),
        )
        pen.ellipse(x - 0.1 + swing * 0.15, y - drop - 0.06, 0.05, 0.11, BLACK)
    elif kind == "pig":
        pen.ring(x - 0.05, y, 0.05, 0.025, shade(colour, 0.85))


def _eye(head: Pen, x: float, y: float, size: float = 0.1) -> None:
    head.disc(x, y, size, BLACK)
    head.disc(x + size * 0.3, y + size * 0.35, size * 0.35, (250, 250, 250))


def _dog_head(head: Pen, colour: Colour) -> None:
    head.ellipse(0.1, 0.1, 0.72, 0.62, colour)
    head.smooth([(0.3, 0.4), (1.1, 0.12), (1.3, -0.1), (1.15, -0.35), (0.3, -0.5)], mix(colour, (255, 240, 220), 0.25))
    head.ellipse(1.22, 0.0, 0.17, 0.14, BLACK)
    head.smooth([(-0.4, 0.62), (-0.05, 0.66), (-0.08, -0.35), (-0.4, -0.55), (-0.62, -0.1)], shade(colour, 0.62))
    _eye(head, 0.42, 0.26)
    head.line([(0.6, -0.3), (1.05, -0.26)], 0.06, shade(colour, 0.45))


def _cat_head(head: Pen, colour: Colour) -> None:
    for side in (-1, 1):
        head.polygon(
            [(0.1 + side * 0.75, 0.3), (0.1 + side * 0.68, 1.15), (0.1 + side * 0.12, 0.7)], shade(colour, 0.85)
        )
        head.polygon([(0.1 + side * 0.62, 0.45), (0.1 + side * 0.6, 0.92), (0.1 + side * 0.3, 0.65)], (232, 170, 160))
    head.ellipse(0.1, 0.1, 0.92, 0.78, colour)
    head.ellipse(0.1, -0.25, 0.5, 0.34, mix(colour, (255, 250, 240), 0.55))
    for side in (-1, 1):
        head.ellipse(0.1 + side * 0.38, 0.2, 0.17, 0.2, (190, 200, 90))
        head.ellipse(0.1 + side * 0.38, 0.2, 0.07, 0.18, BLACK)
        for drop in (0.0, -0.14):
            head.line(
                [(0.1 + side * 0.3, -0.2 + drop * 0.4), (0.1 + side * 1.15, -0.12 + drop)], 0.035, (225, 225, 225)
            )
    head.polygon([(-0.02, -0.06), (0.22, -0.06), (0.1, -0.2)], (214, 120, 120))


def _horse_head(head: Pen, colour: Colour) -> None:
    main = colour
    head.polygon([(-0.3, 0.3), (-0.12, 0.95), (0.08, 0.35)], shade(main, 0.85))
    head.smooth([(-0.45, 0.35), (0.1, 0.5), (0.75, -0.05), (1.35, -0.75), (1.3, -1.15), (0.9, -1.15), (0.35, -0.65),
                 (-0.35, -0.5)], main)  # fmt: skip
    head.smooth([(1.05, -0.6), (1.4, -0.8), (1.32, -1.15), (0.92, -1.15)], shade(main, 0.55))
    head.smooth([(0.2, 0.4), (0.45, 0.25), (1.0, -0.45), (0.9, -0.5)], mix(main, (255, 255, 255), 0.6))
    _eye(head, 0.28, 0.06, 0.09)


def _zebra_head(head: Pen, colour: Colour) -> None:
    _horse_head(head, (226, 224, 220))
    for step in range(4):
        head.limb(
            [(-0.1 + step * 0.27, 0.32 - step * 0.24), (0.02 + step * 0.2, -0.3 - step * 0.16)], [0.1, 0.04], BLACK
        )
    head.smooth([(1.05, -0.6), (1.4, -0.8), (1.32, -1.15), (0.92, -1.15)], BLACK)


def _cow_head(head: Pen, colour: Colour) -> None:
    head.smooth([(-0.1, 0.6), (0.2, 1.05), (0.32, 0.95), (0.15, 0.5)], (226, 214, 190))
    head.ellipse(-0.5, 0.3, 0.42, 0.2, shade(colour, 0.8), 20)
    head.smooth(
        [(-0.4, 0.4), (0.2, 0.62), (0.75, 0.1), (1.2, -0.6), (0.95, -0.95), (0.4, -0.75), (-0.3, -0.35)], colour
    )
    head.ellipse(1.0, -0.7, 0.38, 0.3, (232, 186, 176), -30)
    head.disc(1.12, -0.62, 0.07, (150, 90, 90))
    _eye(head, 0.32, 0.12)


def _sheep_head(head: Pen, colour: Colour) -> None:
    face = (72, 64, 62)
    head.ellipse(-0.45, 0.1, 0.5, 0.2, shade(face, 0.8), 15)
    head.smooth([(-0.4, 0.5), (0.3, 0.5), (1.15, -0.45), (0.85, -0.8), (-0.2, -0.45)], face)
    for x, y in ((-0.4, 0.45), (0.0, 0.62), (-0.15, 0.3)):
        head.disc(x, y, 0.38, colour)
    _eye(head, 0.42, 0.05, 0.12)


def _pig_head(head: Pen, colour: Colour) -> None:
    head.ellipse(0.1, 0, 0.95, 0.88, colour)
    head.polygon([(-0.35, 0.5), (0.0, 1.2), (0.4, 0.65)], shade(colour, 0.82))
    head.ellipse(0.98, -0.2, 0.26, 0.38, shade(colour, 0.85))
    for y in (-0.1, -0.3):
        head.disc(1.04, y, 0.06, shade(colour, 0.45))
    _eye(head, 0.5, 0.22)


def _elephant_head(head: Pen, colour: Colour) -> None:
    head.limb([(0.75, -0.1), (1.05, -0.9), (0.98, -1.8), (1.2, -2.35)], [0.75, 0.5, 0.34, 0.24], colour)
    head.limb([(0.7, -0.65), (1.25, -0.95), (1.6, -0.8)], [0.2, 0.16, 0.06], (244, 238, 222))
    head.ellipse(0.25, 0.05, 0.95, 0.92, colour)
    head.smooth(
        [(-0.15, 0.75), (-1.0, 0.95), (-1.45, 0.1), (-1.0, -0.95), (-0.35, -1.05), (0.05, -0.2)], shade(colour, 0.82)
    )
    head.smooth([(-0.25, 0.5), (-0.9, 0.65), (-1.2, 0.05), (-0.85, -0.7), (-0.4, -0.75), (-0.15, -0.1)],
                mix(shade(colour, 0.88), (210, 150, 150), 0.2))  # fmt: skip
    _eye(head, 0.55, 0.2, 0.08)


def _giraffe_head(head: Pen, colour: Colour) -> None:
    tone = shade(colour, 1.15)
    for x in (-0.15, 0.12):
        head.line([(x, 0.3), (x - 0.05, 0.85)], 0.1, tone)
        head.disc(x - 0.05, 0.88, 0.1, shade(colour, 0.5))
    head.ellipse(-0.5, 0.3, 0.34, 0.13, tone, 25)
    head.smooth([(-0.45, 0.35), (0.15, 0.42), (0.9, -0.1), (1.2, -0.4), (1.0, -0.7), (0.4, -0.55), (-0.35, -0.4)], tone)
    head.ellipse(1.05, -0.45, 0.22, 0.2, shade(colour, 0.7))
    _eye(head, 0.25, 0.1, 0.1)


def _bear_head(head: Pen, colour: Colour) -> None:
    for x in (-0.45, 0.3):
        head.disc(x, 0.75, 0.3, shade(colour, 0.8))
    head.ellipse(0.1, 0.1, 0.95, 0.82, colour)
    head.ellipse(0.85, -0.2, 0.5, 0.36, mix(colour, (220, 180, 130), 0.35))
    head.ellipse(1.25, -0.08, 0.16, 0.13, BLACK)
    _eye(head, 0.48, 0.28, 0.09)


HEADS: dict[str, Callable[[Pen, Colour], None]] = {
    "dog": _dog_head, "cat": _cat_head, "horse": _horse_head, "zebra": _zebra_head, "cow": _cow_head,
    "sheep": _sheep_head, "pig": _pig_head, "elephant": _elephant_head, "giraffe": _giraffe_head, "bear": _bear_head,
}  # fmt: skip


def sitting_pet(pen: Pen, kind: str, colour: Colour) -> None:
    """A dog or cat that sits upright."""
    size = 1.0 if kind == "dog" else 0.72
    body = pen.at(0, 0, size)
    body.limb([(-0.18, 0.06), (-0.36, 0.06), (-0.46, 0.2)], [0.08, 0.07, 0.05], shade(colour, 0.85))
    body.smooth([(-0.26, 0.0), (-0.28, 0.22), (-0.08, 0.5), (0.1, 0.56), (0.18, 0.3), (0.14, 0.0)], colour)
    body.ellipse(-0.12, 0.12, 0.17, 0.13, shade(colour, 0.9))
    for x, dim in ((0.15, 0.75), (0.08, 1.0)):
        body.limb([(x - 0.02, 0.36), (x + 0.02, 0.04)], [0.12, 0.08], shade(colour, dim))
        body.ellipse(x + 0.05, 0.03, 0.08, 0.04, shade(colour, dim * 1.05))
    body.ellipse(0.1, 0.4, 0.09, 0.13, mix(colour, (255, 250, 240), 0.5))
    HEADS[kind](body.at(0.06, 0.66, 0.16 if kind == "dog" else 0.165), colour)


def sleeping_pet(pen: Pen, kind: str, colour: Colour) -> None:
    """A dog or cat curled up."""
    size = 1.0 if kind == "dog" else 0.78
    body = pen.at(0, 0, size)
    body.smooth([(-0.38, 0.02), (-0.4, 0.16), (-0.2, 0.3), (0.1, 0.27), (0.34, 0.14), (0.36, 0.02)], colour)
    body.ellipse(-0.18, 0.11, 0.19, 0.12, shade(colour, 0.9))
    body.limb([(-0.34, 0.05), (-0.1, 0.03), (0.14, 0.05)], [0.08, 0.08, 0.05], shade(colour, 0.78))
    head = body.at(0.28, 0.12, 0.145)
    if kind == "cat":
        for x in (-0.5, 0.55):
            head.polygon([(x - 0.35, 0.4), (x + 0.05, 1.1), (x + 0.3, 0.4)], shade(colour, 0.8))
    else:
        head.smooth([(-0.7, 0.6), (-0.2, 0.5), (-0.3, -0.7), (-0.75, -0.6)], shade(colour, 0.62))
    head.ellipse(0.1, 0, 0.95, 0.76, colour)
    head.ellipse(0.55, -0.25, 0.45, 0.34, mix(colour, (255, 250, 240), 0.4))
    for x in (0.1, 0.7):
        head.line([(x - 0.15, 0.16), (x, 0.1), (x + 0.15, 0.16)], 0.06, DARK)
    head.ellipse(0.6, -0.05, 0.12, 0.08, (200, 110, 110) if kind == "cat" else BLACK)
