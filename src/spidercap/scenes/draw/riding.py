"""People on horses, bicycles, boards and skis."""

from spidercap.scenes.draw import animals, toys, vehicles
from spidercap.scenes.draw.colour import shade
from spidercap.scenes.draw.pen import Pen
from spidercap.scenes.draw.people import Person, Pose, draw_person
from spidercap.scenes.draw.stage import Stage

Points = tuple[tuple[float, float], tuple[float, float]]


def seated(pen: Pen, who: Person, hip: tuple[float, float], feet: Points, hands: Points, lean: float = 0.0) -> None:
    """A figure whose hip, feet and hands are given in metres."""
    high = who.height
    pose = Pose(
        hip=(hip[0] / high, hip[1] / high),
        feet=((feet[0][0] / high, feet[0][1] / high), (feet[1][0] / high, feet[1][1] / high)),
        hands=((hands[0][0] / high, hands[0][1] / high), (hands[1][0] / high, hands[1][1] / high)),
        lean=lean,
    )
    draw_person(pen, who, pose)


def smallness(who: Person) -> float:
    """The height of a person as a share of an adult's."""
    return who.height / 1.72


def ride_bicycle(stage: Stage) -> None:
    """Cyclists, one behind the other."""
    stage.view = "road"
    for x, z in stage.spots(1.7, 1.2):
        pen, who = Pen(), stage.figure()
        size = smallness(who) if who.height < 1.4 else 1.0
        bike = pen.at(0, 0, size)
        vehicles.bicycle(bike, stage.colour(stage.scene.object))
        seated(pen, who, (-0.2 * size, 0.97 * size), ((0.06 * size, 0.2 * size), (-0.08 * size, 0.42 * size)),
               ((0.44 * size, 1.04 * size), (0.42 * size, 1.02 * size)), 0.12)  # fmt: skip
        stage.add(pen, x, z)


def ride_motorcycle(stage: Stage) -> None:
    """Riders on motorcycles."""
    stage.view = "road"
    for x, z in stage.spots(2.6, 1.2):
        pen = Pen()
        vehicles.motorcycle(pen, stage.colour(stage.scene.object))
        seated(pen, stage.figure(), (-0.38, 0.9), ((0.1, 0.32), (0.06, 0.34)), ((0.44, 1.1), (0.42, 1.08)), 0.1)
        stage.add(pen, x, z)


def ride_horse(stage: Stage) -> None:
    """Riders on horses, walking or galloping."""
    step = stage.dice.pick(("walk", "run", "stand"))
    for x, z in stage.spots(2.2, 1.8):
        pen, who = Pen(), stage.figure()
        animals.quadruped(pen, "horse", stage.colour(stage.scene.object), step, stage.dice)
        pen.smooth([(-0.35, 1.4), (-0.3, 1.5), (0.25, 1.48), (0.3, 1.32), (0.1, 1.1), (-0.2, 1.1)], (110, 60, 44))
        seated(pen, who, (-0.02, 1.52), ((0.14, 0.88), (0.1, 0.95)), ((0.42, 1.72), (0.4, 1.7)), 0.02)
        pen.line([(0.42, 1.72), (0.95, 1.75)], 0.025, (80, 50, 40))
        stage.add(pen, x, z)


def ride_skateboard(stage: Stage) -> None:
    """Skaters with bent knees."""
    _skate(
        stage,
        0.0,
        Pose(hip=(0, 0.5), feet=((0.15, 0.08), (-0.15, 0.08)), hands=((0.26, 0.62), (-0.24, 0.6)), lean=0.03),
    )


def jump_skateboard(stage: Stage) -> None:
    """A skater in the air."""
    _skate(
        stage,
        0.55,
        Pose(hip=(-0.02, 0.42), feet=((0.17, 0.1), (-0.16, 0.08)), hands=((0.3, 0.74), (-0.26, 0.7)), lean=0.06),
    )


def _skate(stage: Stage, lift: float, pose: Pose) -> None:
    for x, z in stage.spots(1.2):
        pen = Pen().at(0, lift)
        who = stage.figure()
        board = pen.at(0, -0.02 if not lift else 0.0, max(0.8, smallness(who)), 12 if lift else 0)
        toys.skateboard(board, shade(who.hat_colour, 0.9))
        draw_person(pen, who, pose)
        stage.add(pen, x, z)


def surf(stage: Stage) -> None:
    """A surfer before a breaking wave."""
    stage.view = "water"
    wave = Pen()
    wave.smooth(
        [(-4.5, -0.1), (-3.5, 0.5), (-2.2, 1.6), (-0.9, 1.9), (-0.1, 1.5), (0.5, 0.6), (2.5, 0.15), (4.5, -0.1)],
        (64, 140, 164),
    )
    wave.smooth(
        [(-3.6, -0.05), (-2.6, 0.5), (-1.6, 1.25), (-0.7, 1.5), (0.0, 1.1), (0.6, 0.35), (2.0, -0.05)], (92, 172, 188)
    )
    for step in range(44):
        part = step / 43
        wave.disc(
            -3.4 + part * 3.7,
            0.55 + 1.3 * (1 - abs(part - 0.7) * 1.4) + 0.08 * (step % 3),
            stage.dice.between(0.1, 0.22),
            (244, 250, 250),
        )
    stage.add(wave, -0.4, 0.9, main=False, shadow=False)
    pen, who = Pen(), stage.figure()
    board = pen.at(0, 0.16, 1, 7)
    toys.surfboard(board, stage.colour(stage.scene.object), True)
    pose = Pose(hip=(-0.06, 0.42), feet=((0.18, 0.02), (-0.18, -0.01)), hands=((0.34, 0.66), (-0.34, 0.66)), lean=0.1)
    draw_person(pen.at(0, 0.24), who, pose)
    for step in range(30):
        x = -1.35 + step * 0.095
        pen.ellipse(
            x,
            stage.dice.between(-0.05, 0.05),
            stage.dice.between(0.1, 0.2),
            stage.dice.between(0.05, 0.1),
            (240, 248, 250),
        )
    stage.add(pen, 0.3, 0, shadow=False)


def ski(stage: Stage) -> None:
    """Skiers on a slope, poles in their hands."""
    for x, z in stage.spots(1.9, 2.0):
        pen, who = Pen().at(0, 0.25, 1, -14), stage.figure()
        high = who.height
        toys.skis(pen.at(0, 0, smallness(who)), shade(who.hat_colour, 0.8))
        for hand in ((0.3, 0.52), (0.22, 0.5)):
            pen.line(
                [(hand[0] * high, hand[1] * high), (hand[0] * high - 0.55 * smallness(who), 0.06)], 0.025, (70, 70, 76)
            )
        draw_person(
            pen,
            who,
            Pose(hip=(-0.08, 0.42), feet=((0.06, 0.03), (-0.04, 0.05)), hands=((0.3, 0.52), (0.22, 0.5)), lean=0.16),
        )
        stage.add(pen, x, z)


def snowboard(stage: Stage) -> None:
    """Snowboarders."""
    for x, z in stage.spots(1.9, 1.5):
        pen, who = Pen().at(0, 0.25, 1, -16), stage.figure()
        toys.snowboard(pen.at(0, 0, smallness(who)), shade(who.hat_colour, 0.8))
        draw_person(
            pen,
            who,
            Pose(hip=(-0.02, 0.42), feet=((0.17, 0.04), (-0.17, 0.04)), hands=((0.34, 0.62), (-0.32, 0.66)), lean=0.07),
        )
        stage.add(pen, x, z)
