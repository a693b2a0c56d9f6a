"""Plants, buildings and street furniture."""

import math

from spidercap.scenes.dice import Dice
from spidercap.scenes.draw.colour import DARK, METAL, WOOD, Colour, jitter, mix, shade
from spidercap.scenes.draw.pen import Pen

STONE: Colour = (142, 138, 134)


def tree(pen: Pen, colour: Colour, dice: Dice, flat: bool = False) -> None:
    """A leafy tree; flat ones are those of the savanna."""
    high = dice.between(4.2, 5.6)
    bark = jitter((108, 80, 58), dice)
    pen.limb([(0, 0), (0.05, high * 0.35), (0.0, high * 0.7)], [0.55, 0.36, 0.16], bark)
    for side in (-1, 1):
        pen.limb([(0.03, high * 0.36), (side * high * 0.2, high * 0.62)], [0.22, 0.1], bark)
    wide, tall = (high * 0.52, high * 0.13) if flat else (high * 0.34, high * 0.33)
    centre = high * (0.78 if flat else 0.7)
    for layer, dim in enumerate((0.68, 0.85, 1.0, 1.14)):
        for step in range(13):
            angle, far = step * 2.4 + layer, math.sqrt((step + 0.5) / 13)
            x = math.cos(angle) * far * wide * (1 - 0.12 * layer) - 0.06 * layer * wide
            y = centre + math.sin(angle) * far * tall * (1 - 0.16 * layer) + tall * 0.2 * layer
            pen.disc(x, y, high * (0.1 - 0.014 * layer) * dice.between(0.8, 1.15), jitter(shade(colour, dim), dice, 6))


def pine_tree(pen: Pen, dice: Dice, snow: bool) -> None:
    """A conifer, white on top in winter."""
    high = dice.between(4.5, 6.5)
    green = jitter((52, 96, 72), dice)
    pen.box(-0.16, 0, 0.16, high * 0.2, (96, 70, 52))
    for step in range(5):
        bottom = high * (0.12 + step * 0.165)
        half, top = high * 0.27 * (1 - step * 0.17), bottom + high * 0.27
        saw = [(-half + k * half / 3, bottom + (0.1 if k % 2 else 0)) for k in range(7)]
        pen.polygon([*saw, (0, top)], shade(green, 0.8 + step * 0.07))
        pen.polygon(
            [(half * 0.1, bottom + 0.1), (half * 0.9, bottom + 0.05), (0, top)], shade(green, 0.68 + step * 0.07)
        )
        if snow:
            pen.polygon([(-half * 0.55, bottom + high * 0.12), (-half * 0.2, bottom + high * 0.09),
                        (half * 0.05, bottom + high * 0.13),
                         (half * 0.4, bottom + high * 0.14), (0, top)], (242, 246, 250))  # fmt: skip


def palm_tree(pen: Pen, dice: Dice) -> None:
    """A palm, leaning."""
    lean = dice.between(-0.9, 0.9)
    stem = [(lean * (step / 6) ** 1.6, 4.4 * step / 6) for step in range(7)]
    pen.limb(stem, [0.36, 0.32, 0.28, 0.26, 0.24, 0.22, 0.2], (150, 116, 80))
    for x, y in stem[1:]:
        pen.line([(x - 0.1, y - 0.1), (x + 0.12, y - 0.06)], 0.04, (116, 88, 60))
    for step in range(9):
        angle = -20 + step * 27.5
        leaf = pen.at(lean, 4.4, 1, angle)
        droop = -0.5 if angle < 90 else 0.5
        leaf.smooth([(0, -0.05), (0.8, 0.28 + droop * 0.2), (1.7, droop * 0.9), (0.85, 0.0 + droop * 0.2)],
                    shade((74, 142, 76), 0.75 + 0.07 * (step * 3 % 5)))  # fmt: skip
    for x in (-0.12, 0.1):
        pen.disc(lean + x, 4.25, 0.14, (110, 76, 48))


def cactus(pen: Pen) -> None:
    """A cactus with two arms."""
    green = (84, 138, 88)
    for points, wide in (([(-0.1, 0.9), (-0.6, 1.0), (-0.62, 1.6)], 0.26), ([(0.1, 1.2), (0.58, 1.3),
                (0.6, 2.0)], 0.26),
                         ([(0, 0.1), (0, 2.4)], 0.46)):  # fmt: skip
        pen.line(points, wide, green)
        pen.line([(x - wide * 0.18, y) for x, y in points], wide * 0.12, shade(green, 0.75))
        pen.line([(x + wide * 0.18, y) for x, y in points], wide * 0.12, shade(green, 1.2))
    pen.disc(0, 2.66, 0.1, (236, 120, 150))


def bush(pen: Pen, dice: Dice, colour: Colour = (84, 142, 76)) -> None:
    """A low shrub."""
    tone = jitter(colour, dice)
    for dim, lift in ((0.72, 0.0), (0.9, 0.06), (1.08, 0.14)):
        for step in range(6):
            pen.disc(
                -0.5 + step * 0.2 + dice.between(-0.05, 0.05),
                0.2 + lift + dice.between(0, 0.16),
                dice.between(0.16, 0.25),
                shade(tone, dim),
            )


def bench(pen: Pen) -> None:
    """A park bench for three; the seat is at 0.46."""
    for x in (-0.75, 0.75):
        pen.line([(x, 0.0), (x, 0.45)], 0.07, DARK)
        pen.line([(x + 0.12, 0.08), (x + 0.12, 0.46)], 0.06, shade(DARK, 0.8))
        pen.line([(x, 0.42), (x - 0.03, 0.95)], 0.06, DARK)
    for y in (0.62, 0.76, 0.9):
        pen.slab(-0.95, y - 0.05, 0.95, y + 0.05, WOOD)
    pen.polygon([(-0.98, 0.42), (0.98, 0.42), (0.94, 0.5), (-0.94, 0.5)], shade(WOOD, 1.15))
    pen.box(-0.98, 0.38, 0.98, 0.43, shade(WOOD, 0.8))


def fire_hydrant(pen: Pen, colour: Colour) -> None:
    """A fire hydrant."""
    pen.box(-0.2, 0, 0.2, 0.07, shade(colour, 0.7), 0.02)
    pen.box(-0.14, 0.06, 0.14, 0.6, colour, 0.03)
    pen.box(-0.18, 0.55, 0.18, 0.63, shade(colour, 0.85), 0.03)
    pen.smooth([(-0.15, 0.62), (-0.1, 0.76), (0.1, 0.76), (0.15, 0.62)], colour)
    pen.box(-0.04, 0.75, 0.04, 0.83, shade(colour, 0.8))
    for side in (-1, 1):
        pen.box(side * 0.19 - 0.07, 0.36, side * 0.19 + 0.07, 0.5, shade(colour, 0.85), 0.03)
    pen.disc(0, 0.42, 0.085, shade(colour, 0.8))
    pen.disc(0, 0.42, 0.05, shade(METAL, 1.1))
    pen.line([(-0.09, 0.12), (-0.09, 0.55)], 0.03, shade(colour, 1.3))


def traffic_light(pen: Pen, dice: Dice) -> None:
    """A traffic light on a pole; one lamp is lit."""
    pen.line([(0, 0), (0, 2.6)], 0.11, (90, 94, 100))
    pen.box(-0.24, 2.2, 0.24, 3.3, (38, 42, 40), 0.08)
    lit = dice.whole(3)
    for step, tone in enumerate(((232, 52, 44), (248, 190, 50), (64, 196, 100))):
        pen.disc(0, 3.1 - step * 0.34, 0.13, tone if step == lit else shade(tone, 0.3))


def stop_sign(pen: Pen) -> None:
    """A stop sign; the bars stand for its letters."""
    pen.line([(0, 0), (0, 2.2)], 0.08, METAL)
    for size, tone in ((0.46, (246, 244, 240)), (0.41, (200, 36, 40))):
        pen.polygon(
            [
                (math.cos(math.radians(22.5 + 45 * k)) * size, 2.3 + math.sin(math.radians(22.5 + 45 * k)) * size)
                for k in range(8)
            ],
            tone,
        )
    white = (248, 246, 242)
    letters = (
        [(-0.2, 0.08), (-0.29, 0.08), (-0.29, 0), (-0.2, 0), (-0.2, -0.09), (-0.29, -0.09)],
        [(-0.15, 0.08), (-0.05, 0.08), (-0.1, 0.08), (-0.1, -0.09)],
        [(0.0, 0.08), (0.09, 0.08), (0.09, -0.09), (0.0, -0.09), (0.0, 0.08)],
        [(0.16, -0.09), (0.16, 0.08), (0.26, 0.08), (0.26, 0), (0.16, 0)],
    )
    for letter in letters:
        pen.line([(x, 2.3 + y) for x, y in letter], 0.032, white)


def street_lamp(pen: Pen) -> None:
    """A street lamp."""
    pen.box(-0.14, 0, 0.14, 0.2, (60, 64, 68))
    pen.limb([(0, 0.1), (0, 3.3)], [0.13, 0.08], (60, 64, 68))
    pen.polygon([(-0.16, 3.3), (0.16, 3.3), (0.24, 3.8), (-0.24, 3.8)], (255, 240, 190))
    pen.polygon([(-0.28, 3.8), (0.28, 3.8), (0, 4.02)], (60, 64, 68))


def house(pen: Pen, colour: Colour, dice: Dice, snow: bool = False) -> None:
    """A house with a pitched roof."""
    roof = (240, 244, 248) if snow else jitter(dice.pick(((150, 70, 56), (96, 84, 80), (120, 96, 76))), dice)
    pen.box(1.3, 3.6, 1.8, 5.3, (150, 90, 76))
    pen.box(-2.8, 0, 2.8, 3, colour)
    for y in (0.6, 1.2, 1.8, 2.4):
        pen.line([(-2.8, y), (2.8, y)], 0.03, shade(colour, 0.9))
    pen.polygon([(-3.3, 2.9), (3.3, 2.9), (2.2, 4.8), (-2.2, 4.8)], roof)
    pen.box(-3.3, 2.8, 3.3, 2.96, shade(roof, 0.75))
    pen.box(-0.45, 0, 0.45, 1.9, (120, 76, 54))
    pen.disc(0.3, 0.95, 0.06, (236, 200, 90))
    for x in (-1.75, 1.75):
        pen.box(x - 0.6, 1.0, x + 0.6, 2.1, (248, 246, 240))
        pen.box(x - 0.5, 1.1, x - 0.04, 2.0, (150, 186, 206))
        pen.box(x + 0.04, 1.1, x + 0.5, 2.0, (150, 186, 206))


def barn(pen: Pen, colour: Colour) -> None:
    """A barn with a big door."""
    pen.polygon([(-3, 0), (3, 0), (3, 3), (2.2, 4.6), (0, 5.6), (-2.2, 4.6), (-3, 3)], colour)
    for step in range(12):
        pen.line([(-2.8 + step * 0.5, 0), (-2.8 + step * 0.5, 3)], 0.03, shade(colour, 0.86))
    pen.line([(-3.3, 2.8), (-2.3, 4.7), (0, 5.75), (2.3, 4.7), (3.3, 2.8)], 0.3, (96, 90, 90))
    trim = (242, 238, 228)
    pen.box(-1.1, 0, 1.1, 2.3, trim)
    pen.box(-1.0, 0, 1.0, 2.2, shade(colour, 0.75))
    pen.line([(-1, 0.05), (1, 2.15)], 0.1, trim)
    pen.line([(1, 0.05), (-1, 2.15)], 0.1, trim)
    pen.box(-0.5, 3.3, 0.5, 4.3, trim)
    pen.box(-0.4, 3.4, 0.4, 4.2, (70, 54, 48))


def fence(pen: Pen, colour: Colour, wide: float = 7.0) -> None:
    """A wooden fence, long."""
    for y in (0.45, 0.85):
        pen.slab(-wide, y - 0.07, wide, y + 0.07, colour)
    for step in range(int(wide) + 1):
        x = -wide + step * 2
        pen.slab(x - 0.08, 0, x + 0.08, 1.12, shade(colour, 0.88))


def tent(pen: Pen, colour: Colour) -> None:
    """A tent, its door open."""
    pen.polygon([(-1.5, 0), (0.3, 1.5), (2.1, 0.05)], shade(colour, 0.75))
    pen.polygon([(-1.7, 0), (-0.35, 1.55), (0.9, 0)], colour)
    pen.polygon([(-0.35, 1.55), (0.3, 1.5), (2.1, 0.05), (0.9, 0)], shade(colour, 0.82))
    pen.polygon([(-0.75, 0), (-0.38, 1.15), (0.05, 0)], (56, 46, 44))
    pen.polygon([(-0.75, 0), (-0.38, 1.15), (-0.5, 0.3)], shade(colour, 1.3))
    pen.line([(-0.35, 1.55), (-0.35, 1.75)], 0.04, DARK)


def campfire(pen: Pen, dice: Dice) -> None:
    """A burning fire."""
    for turn in (-18, 18, 0):
        pen.at(0, 0.08, 1, turn).line([(-0.38, 0), (0.38, 0)], 0.1, (96, 66, 46))
    for size, tone in ((1.0, (232, 90, 36)), (0.7, (248, 160, 48)), (0.42, (255, 226, 120))):
        pen.smooth([(-0.28 * size, 0.1), (-0.2 * size, 0.35 * size), (-0.04, 0.85 * size * dice.between(0.9, 1.1)),
                    (0.08, 0.5 * size),
                    (0.22 * size, 0.45 * size), (0.26 * size, 0.1)], tone)  # fmt: skip


def snowman(pen: Pen, dice: Dice) -> None:
    """A snowman with a scarf and a carrot."""
    white = (240, 245, 250)
    for side in (-1, 1):
        pen.line([(side * 0.25, 0.98), (side * 0.62, 1.22)], 0.035, (96, 70, 50))
    for y, size in ((0.4, 0.44), (0.98, 0.32), (1.44, 0.22)):
        pen.disc(0, y, size, white)
        pen.disc(-size * 0.3, y + size * 0.3, size * 0.45, (252, 254, 255))
    scarf = jitter(dice.pick(((200, 50, 50), (60, 110, 180), (80, 150, 90))), dice)
    pen.line([(-0.2, 1.25), (0.2, 1.25)], 0.1, scarf)
    pen.line([(0.12, 1.24), (0.16, 0.9)], 0.09, shade(scarf, 0.85))
    for x in (-0.08, 0.08):
        pen.disc(x, 1.5, 0.025, DARK)
    for y in (0.85, 1.0, 1.12):
        pen.disc(0, y, 0.025, DARK)
    pen.polygon([(0, 1.46), (0.0, 1.4), (0.22, 1.41)], (238, 140, 50))
    pen.box(-0.26, 1.6, 0.26, 1.65, DARK)
    pen.box(-0.16, 1.63, 0.16, 1.9, DARK)


def beach_umbrella(pen: Pen, colour: Colour) -> None:
    """A parasol in the sand, with stripes."""
    pen.line([(0, 0), (0.2, 2.2)], 0.05, (226, 222, 214))
    dome = pen.at(0.2, 2.2, 1, -6)
    dome.smooth([(-1.25, -0.45), (-0.9, 0.05), (0, 0.35), (0.9, 0.05), (1.25, -0.45), (0, -0.36)], colour)
    for left, right in ((-0.82, -0.42), (0.02, 0.42), (0.84, 1.2)):
        dome.polygon([(0, 0.34), (left, -0.41), (right, -0.41)], (246, 242, 232))


def haystack(pen: Pen) -> None:
    """A round bale of hay."""
    straw = (216, 180, 92)
    pen.box(-0.2, 0.0, 0.9, 1.3, shade(straw, 0.8), 0.3)
    pen.disc(-0.2, 0.65, 0.65, straw)
    for radius in (0.5, 0.34, 0.18):
        pen.ring(-0.2, 0.65, radius, 0.035, shade(straw, 0.82))


def rock(pen: Pen, dice: Dice) -> None:
    """A boulder."""
    tone = jitter(STONE, dice)
    tops = [dice.between(0.75, 1.1) for _ in range(3)]
    pen.smooth(
        [(-0.95, 0), (-0.85, 0.45 * tops[0]), (-0.35, 0.85 * tops[1]), (0.25, 0.8 * tops[2]), (0.8, 0.4), (0.95, 0)],
        tone,
    )
    pen.polygon([(-0.3, 0.78 * tops[1]), (0.22, 0.74 * tops[2]), (0.1, 0.4), (-0.4, 0.36)], shade(tone, 1.18))
    pen.polygon([(0.3, 0.68), (0.76, 0.36), (0.85, 0.05), (0.3, 0.1)], shade(tone, 0.8))


def flowers(pen: Pen, dice: Dice) -> None:
    """A few flowers in the grass."""
    tone = mix(dice.pick(((236, 90, 100), (250, 214, 90), (250, 250, 246), (170, 120, 210))), (255, 255, 255), 0.1)
    for step in range(5):
        x, y = -0.25 + step * 0.125, dice.between(0.14, 0.3)
        pen.line([(x, 0), (x, y)], 0.018, (82, 138, 70))
        for turn in range(5):
            pen.at(x, y, 1, turn * 72).ellipse(0, 0.04, 0.028, 0.04, tone)
        pen.disc(x, y, 0.025, (238, 184, 60))


def grass_tuft(pen: Pen, dice: Dice, colour: Colour = (104, 150, 70)) -> None:
    """Blades of grass."""
    for step in range(9):
        x = -0.16 + step * 0.04
        pen.limb(
            [(x, 0), (x * 1.8 + dice.between(-0.04, 0.04), dice.between(0.16, 0.34))],
            [0.03, 0.006],
            shade(colour, 0.75 + 0.05 * (step % 7)),
        )
