"""People: a jointed figure whose hands and feet are told where to be."""

from dataclasses import dataclass

from spidercap.scenes.dice import Dice
from spidercap.scenes.draw.colour import DARK, HAIR, SKIN, Colour, jitter, mix, shade
from spidercap.scenes.draw.pen import Pen, Point, joint

HEIGHTS = {"man": 1.78, "woman": 1.68, "boy": 1.2, "girl": 1.16}


@dataclass(frozen=True, slots=True)
class Person:
    """How one person looks: build, skin, hair, clothes."""

    kind: str
    height: float
    skin: Colour
    hair: Colour
    shirt: Colour
    trousers: Colour
    dress: bool
    hat: str
    hat_colour: Colour


@dataclass(frozen=True, slots=True)
class Pose:
    """Where hip, feet and hands are, in shares of the height; `lean` is how far the shoulders are before the hip."""

    hip: Point = (0, 0.5)
    feet: tuple[Point, Point] = ((0.06, 0), (-0.06, 0))
    hands: tuple[Point, Point] = ((0.14, 0.46), (-0.14, 0.46))
    lean: float = 0.0
    front: bool = False


STAND = Pose(front=True, feet=((0.07, 0), (-0.07, 0)), hands=((0.17, 0.47), (-0.17, 0.47)))
WALK = Pose(feet=((0.17, 0.0), (-0.19, 0.03)), hands=((-0.13, 0.5), (0.15, 0.52)), lean=0.02)
RUN = Pose(hip=(0, 0.52), feet=((0.2, 0.08), (-0.34, 0.2)), hands=((-0.14, 0.6), (0.2, 0.66)), lean=0.08)
SIT = Pose(hip=(0, 0.28), feet=((0.26, 0.0), (0.2, 0.0)), hands=((0.2, 0.36), (0.16, 0.34)), lean=-0.02)
KNEEL = Pose(hip=(0, 0.3), feet=((0.2, 0.0), (-0.22, 0.02)), hands=((0.32, 0.4), (0.28, 0.36)), lean=0.1)


def figure(dice: Dice, kind: str, shirt: Colour, wears: str = "") -> Person:
    """A person of this kind with the given clothes; the rest as the dice fall."""
    trousers = jitter(dice.pick(((52, 66, 104), (60, 58, 62), (120, 98, 70), (90, 92, 98), (40, 44, 60))), dice)
    return Person(
        kind=kind,
        height=HEIGHTS[kind] * dice.between(0.95, 1.05),
        skin=jitter(dice.early(SKIN, 0.6), dice, 8),
        hair=jitter(dice.early(HAIR[: 5 if kind in ("boy", "girl") else 6], 0.5), dice, 8),
        shirt=jitter(shirt, dice, 8),
        trousers=trousers,
        dress=wears == "dress",
        hat=wears if wears in ("hat", "helmet") else "",
        hat_colour=jitter(
            dice.pick(((200, 60, 50), (60, 80, 150), (210, 180, 120), (60, 60, 64), (240, 236, 230))), dice
        ),
    )


def draw_person(pen: Pen, who: Person, pose: Pose) -> None:
    """The figure in a pose; it faces right, or the viewer where the pose says front."""
    high = who.height
    hip = (pose.hip[0] * high, pose.hip[1] * high)
    neck = (hip[0] + pose.lean * high, hip[1] + 0.3 * high)
    feet = [(x * high, y * high) for x, y in pose.feet]
    hands = [(x * high, y * high) for x, y in pose.hands]
    wide = 0.085 if pose.front else 0.02
    _leg(pen, who, (hip[0] - wide * high * 0.5, hip[1]), feet[1], pose, far=True)
    _arm(pen, who, (neck[0] - wide * high, neck[1] - 0.03 * high), hands[1], pose, far=True)
    _leg(pen, who, (hip[0] + wide * high * 0.5, hip[1]), feet[0], pose, far=False)
    _torso(pen, who, hip, neck, pose)
    _head(pen, who, (neck[0] + pose.lean * high * 0.25, neck[1]), pose)
    _arm(pen, who, (neck[0] + wide * high, neck[1] - 0.03 * high), hands[0], pose, far=False)


def _leg(pen: Pen, who: Person, hip: Point, foot: Point, pose: Pose, far: bool) -> None:
    high = who.height
    bend = -1.0 if not pose.front else (1 if far else -1) * -0.06
    knee = joint(hip, (foot[0], foot[1] + 0.03 * high), 0.255 * high, 0.245 * high, -bend)
    dim = 0.78 if far else 1.0
    cloth = shade(who.skin if who.dress else who.trousers, dim)
    pen.limb([hip, knee, (foot[0], foot[1] + 0.035 * high)], [0.1 * high, 0.078 * high, 0.055 * high], cloth)
    toe = 0 if pose.front else 0.045 * high
    pen.smooth([(foot[0] - 0.035 * high, foot[1]), (foot[0] + 0.04 * high + toe, foot[1]),
                (foot[0] + 0.03 * high + toe, foot[1] + 0.035 * high), (foot[0] - 0.03 * high, foot[1] + 0.05 * high)],
               shade(DARK if who.kind != "girl" else (150, 50, 60), dim + 0.1 * (not far)))  # fmt: skip


def _arm(pen: Pen, who: Person, shoulder: Point, hand: Point, pose: Pose, far: bool) -> None:
    high = who.height
    side = (1 if far else -1) if pose.front else -1
    elbow = joint(shoulder, hand, 0.17 * high, 0.16 * high, side)
    reach = ((hand[0] - shoulder[0]) ** 2 + (hand[1] - shoulder[1]) ** 2) ** 0.5
    if reach > 0.33 * high:
        part = 0.33 * high / reach
        hand = (shoulder[0] + (hand[0] - shoulder[0]) * part, shoulder[1] + (hand[1] - shoulder[1]) * part)
    dim = 0.78 if far else 1.08
    middle = ((elbow[0] + hand[0]) / 2, (elbow[1] + hand[1]) / 2)
    pen.limb([elbow, hand], [0.045 * high, 0.038 * high], shade(who.skin, min(dim, 1)))
    pen.disc(hand[0], hand[1], 0.026 * high, shade(who.skin, min(dim, 1)))
    sleeve = middle if who.trousers[0] % 2 else elbow
    pen.limb([shoulder, elbow, sleeve], [0.075 * high, 0.058 * high, 0.055 * high], shade(who.shirt, dim))


def _torso(pen: Pen, who: Person, hip: Point, neck: Point, pose: Pose) -> None:
    high = who.height
    wide = (0.105 if pose.front else 0.078) * high * (1 if who.kind != "woman" else 0.92)
    x0, y0, x1, y1 = *hip, *neck
    pen.limb([(x1, y1 - 0.02 * high), (x1, y1 + 0.05 * high)], [0.055 * high] * 2, shade(who.skin, 0.85))
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    pen.smooth([(x0 - wide * 0.85, y0 - 0.02 * high), (middle[0] - wide * 0.92, middle[1]),
                (x1 - wide, y1 - 0.04 * high),
                (x1 - wide * 0.45, y1 + 0.01 * high), (x1 + wide * 0.45, y1 + 0.01 * high),
                (x1 + wide, y1 - 0.04 * high),
                (middle[0] + wide * 0.92, middle[1]), (x0 + wide * 0.85, y0 - 0.02 * high)], who.shirt)  # fmt: skip
    if who.dress:
        sitting = pose.hip[1] < 0.4
        hem = 0.05 if sitting else -0.17
        ahead = 0.2 * high if sitting else 0
        pen.smooth([(x0 - wide * 0.8, y0 + 0.06 * high), (x0 + wide * 0.8, y0 + 0.06 * high),
                    (x0 + wide * 1.5 + ahead, y0 + hem * high * 0.9), (x0 - wide * 1.5, y0 + min(hem, -0.03) * high)],
                   shade(who.shirt, 0.94))  # fmt: skip
    else:
        pen.limb(
            [(x0 - wide * 0.35, y0 - 0.01 * high), (x0 + wide * 0.35, y0 - 0.01 * high)],
            [wide * 1.15] * 2,
            who.trousers,
        )


def _head(pen: Pen, who: Person, neck: Point, pose: Pose) -> None:
    child = who.kind in ("boy", "girl")
    size = who.height * (0.098 if child else 0.076)
    head = pen.at(neck[0] + (0 if pose.front else size * 0.2), neck[1] + 0.035 * who.height + size * 0.85, size)
    long = who.kind in ("woman", "girl")
    ahead = 0.0 if pose.front else 0.34
    if long:
        head.smooth([(-0.95, 0.7), (-1.1, -0.6), (-0.95 - ahead * 0.4, -1.5), (0.1 - ahead, -1.6),
                    (1.0 - ahead * 2.2, -1.2),
                     (1.05 - ahead * 1.2, 0.5), (0, 1.2)], who.hair)  # fmt: skip
    head.ellipse(0, 0, 0.88, 1.02, who.skin)
    if not pose.front:
        head.smooth([(0.8, 0.1), (1.06, -0.16), (0.8, -0.25)], who.skin)
    _face(head, who, ahead)
    if not pose.front:
        head.ellipse(-0.22, -0.08, 0.15, 0.2, shade(who.skin, 0.85))
    head.smooth([(-0.95, -0.2), (-1.0, 0.55), (-0.5, 1.15), (0.45, 1.15), (0.98, 0.55), (0.88 - ahead * 0.2, 0.3),
                 (0.4, 0.66), (-0.4 - ahead * 0.4, 0.5), (-0.6 - ahead * 0.3, -0.1)], who.hair)  # fmt: skip
    if who.hat:
        _hat(head, who, pose.front)


def _face(head: Pen, who: Person, ahead: float) -> None:
    eye = shade(DARK, 0.8)
    for x in (-0.34, 0.34) if not ahead else (0.2, 0.62):
        head.ellipse(x, 0.02, 0.1, 0.14, eye)
    head.ellipse(0.0 + ahead * 1.2, -0.5, 0.24, 0.08, mix(who.skin, (170, 50, 50), 0.6))
    head.ellipse(-0.1 + ahead * 0.6, -0.3, 0.14, 0.1, mix(who.skin, (220, 110, 100), 0.25))


def _hat(head: Pen, who: Person, front: bool) -> None:
    colour = who.hat_colour
    if who.hat == "helmet":
        head.smooth([(-1.1, 0.2), (-1.0, 0.95), (0, 1.4), (1.0, 0.95), (1.12, 0.3), (0, 0.46)], colour)
        head.line([(-0.5, 1.1), (0.5, 1.1)], 0.14, shade(colour, 1.3))
        return
    brim = (-1.35, 1.35) if front else (-1.1, 1.75)
    head.smooth([(-0.85, 0.45), (-0.72, 1.35), (0.72, 1.35), (0.85, 0.45)], colour)
    head.box(-0.86, 0.45, 0.86, 0.7, shade(colour, 0.7))
    head.limb([(brim[0], 0.45), (brim[1], 0.45)], [0.2, 0.2], shade(colour, 0.92))
