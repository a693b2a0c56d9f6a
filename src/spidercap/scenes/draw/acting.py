"""People at what they do: riding, sitting, holding, throwing."""

from collections.abc import Callable
from dataclasses import replace

from spidercap.scenes.draw import animals, birds, food, furniture, outdoors, toys, vehicles
from spidercap.scenes.draw.colour import Colour
from spidercap.scenes.draw.pen import Pen
from spidercap.scenes.draw.people import KNEEL, RUN, SIT, STAND, WALK, Person, Pose, draw_person
from spidercap.scenes.draw.riding import (
    jump_skateboard,
    ride_bicycle,
    ride_horse,
    ride_motorcycle,
    ride_skateboard,
    seated,
    ski,
    smallness,
    snowboard,
    surf,
)
from spidercap.scenes.draw.stage import Stage
from spidercap.scenes.draw.things import draw_thing


def fly_kite(stage: Stage) -> None:
    """A kite in the sky on a string."""
    pen, who = Pen(), stage.figure()
    hand = (0.24 * who.height, 0.78 * who.height)
    up = (stage.dice.between(1.4, 2.2) * smallness(who), stage.dice.between(2.9, 3.3) * smallness(who))
    string = Pen()
    string.line([hand, (up[0] * 0.55, up[1] * 0.58), up], 0.016, (230, 230, 226))
    big = {"small": 0.55, "large": 1.05}.get(stage.scene.object.size if stage.scene.object else "", 0.8)
    toys.kite(
        string.at(up[0], up[1] + 0.3, big * smallness(who), -24), stage.colour(stage.scene.object), (250, 214, 90)
    )
    draw_person(pen, who, replace(STAND, front=False, hands=((0.24, 0.78), (0.2, 0.74)), lean=-0.03))
    stage.add(string, 0, 0, shadow=False)
    stage.add(pen, 0, 0)


def hold_umbrella(stage: Stage) -> None:
    """People who stand or walk under open umbrellas."""
    walking = stage.scene.action == "walk umbrella"
    for x, z in stage.spots(1.25):
        pen, who = Pen(), stage.figure()
        high = who.height
        toys.umbrella(
            pen, stage.colour(stage.scene.object), (0.14 * high, 0.68 * high), (0.08 * high, 1.22 * high), 0.36 * high
        )
        base = WALK if walking else replace(STAND, front=stage.dice.chance(0.6))
        draw_person(pen, who, replace(base, hands=((0.14, 0.7), base.hands[1])))
        stage.add(pen, x, z)


def throw_frisbee(stage: Stage) -> None:
    """Someone who has just let a disc go."""
    pen, who = Pen(), stage.figure()
    draw_person(pen, who, Pose(feet=((0.2, 0), (-0.16, 0)), hands=((0.34, 0.76), (-0.2, 0.6)), lean=0.06))
    stage.add(pen)
    disc = Pen()
    toys.frisbee(disc.at(0, 0, 1.25), stage.colour(stage.scene.object))
    stage.add(disc, stage.dice.between(0.9, 1.5) * smallness(who), 0, lift=who.height * stage.dice.between(0.75, 1.1))


def kick_ball(stage: Stage) -> None:
    """Someone kicking a ball."""
    pen, who = Pen(), stage.figure()
    draw_person(pen, who, Pose(feet=((0.3, 0.14), (-0.1, 0)), hands=((-0.2, 0.6), (0.22, 0.66)), lean=-0.04))
    stage.add(pen)
    ball = Pen()
    if stage.scene.object:
        draw_thing(ball.at(0, 0, 0.85), stage.scene.object, stage.dice)
    stage.add(ball, who.height * stage.dice.between(0.5, 0.75), 0, lift=stage.dice.between(0, 0.3))


def walk_dog(stage: Stage) -> None:
    """Someone with a dog on a leash."""
    pen, who = Pen(), stage.figure()
    hand = (0.2 * who.height, 0.52 * who.height)
    pen.line([hand, (0.7, 0.62), (1.02, 0.62)], 0.02, (170, 50, 46))
    draw_person(pen, who, replace(WALK, hands=((0.2, 0.52), (-0.12, 0.5))))
    stage.add(pen)
    dog = Pen()
    size = {"small": 0.8, "large": 1.25}.get(stage.scene.object.size if stage.scene.object else "", 1.0)
    animals.quadruped(dog.at(0, 0, size), "dog", stage.colour(stage.scene.object), "walk", stage.dice)
    stage.add(dog, 0.85, -0.1)


def sit_bench(stage: Stage) -> None:
    """People side by side on a bench."""
    pen = Pen()
    outdoors.bench(pen.at(0, 0, 1.0))
    count = stage.scene.subject.count
    for step in range(count):
        who = stage.figure()
        x = (step - (count - 1) / 2) * 0.6 + stage.dice.between(-0.06, 0.06)
        sit_front(pen.at(x, 0), who, 0.5)
    stage.add(pen)


def sit_front(pen: Pen, who: Person, seat: float) -> None:
    """Sitting, turned half to the viewer."""
    high = who.height
    feet = max(0.0, seat - 0.27 * high)
    seated(
        pen,
        who,
        (0, seat + 0.04),
        ((0.2 * high, feet), (0.13 * high, feet)),
        ((0.2 * high, seat + 0.1 * high), (0.14 * high, seat + 0.1 * high)),
    )


def play_tennis(stage: Stage) -> None:
    """A swing at the ball."""
    pen, who = Pen(), stage.figure()
    high = who.height
    hand, turn = stage.dice.pick((((0.32, 0.7), 30), ((0.26, 0.9), 70), ((0.3, 0.5), -15)))
    draw_person(pen, who, Pose(hip=(0, 0.48), feet=((0.22, 0), (-0.2, 0)), hands=(hand, (-0.2, 0.66)), lean=0.06))
    toys.racket(pen, (hand[0] * high, hand[1] * high), turn)
    stage.add(pen)
    ball = Pen()
    ball.disc(0, 0, 0.07, (216, 232, 70))
    stage.add(ball, high * 0.85, 0, lift=high * stage.dice.between(0.6, 1.1))


def sit_with(stage: Stage, hold: Callable[[Pen, Colour], None], lift: float) -> None:
    """Someone on a seat that suits the place, with something in the hands."""
    pen, who = Pen(), stage.figure()
    place = stage.scene.place
    seat = 0.46
    if place in ("park", "street", "train station"):
        outdoors.bench(pen)
    elif place == "beach":
        seat = 0.12
    elif place == "bedroom":
        furniture.bed(pen, (126, 150, 180))
        seat = 0.56
    elif place == "kitchen":
        furniture.chair(pen, (150, 104, 66))
    else:
        furniture.sofa(pen, stage.dice.pick(((150, 92, 74), (110, 126, 140), (178, 160, 130))), stage.dice)
    high = who.height
    feet = 0.0 if place != "beach" else 0.02
    hands = ((0.24 * high, seat + 0.2 * high), (0.2 * high, seat + 0.18 * high))
    seated(pen, who, (0, seat + 0.04), ((0.27 * high, feet), (0.2 * high, feet)), hands)
    hold(pen.at(0.26 * high, seat + lift * high), stage.colour(stage.scene.object))
    stage.add(pen)


def read(stage: Stage) -> None:
    """Someone with an open book."""
    sit_with(stage, toys.book, 0.16)


def use_laptop(stage: Stage) -> None:
    """Someone with a laptop on the knees."""
    sit_with(stage, lambda pen, colour: toys.laptop(pen.at(0.02, 0, 1.2, 0, True)), 0.12)


def play_guitar(stage: Stage) -> None:
    """Someone with a guitar."""
    sit_with(stage, lambda pen, colour: toys.guitar(pen.at(-0.08, 0.02), colour), 0.16)


def eat(stage: Stage) -> None:
    """Someone at a table with food before them."""
    pen, who = Pen(), stage.figure()
    furniture.chair(pen.at(-0.42, 0), (150, 104, 66))
    high, seat = who.height, 0.5
    seated(
        pen,
        who,
        (-0.35, seat + (0.15 if high < 1.4 else 0)),
        ((0.1, 0.02), (0.02, 0.02)),
        ((0.12, 0.95), (0.05, 0.9)),
        0.04,
    )
    furniture.table(pen.at(0.55, 0), 1.3)
    meal = stage.scene.object
    if meal:
        if meal.kind in ("donut", "apple", "banana", "pizza"):
            food.plate(pen.at(0.5, 0.76), 0.22 if meal.kind == "pizza" else 0.16)
        draw_thing(pen.at(0.5, 0.8, 1.35), meal, stage.dice)
    stage.add(pen)


def cook(stage: Stage) -> None:
    """Someone at the stove."""
    pen, who = Pen(), stage.figure()
    if stage.scene.object:
        draw_thing(pen.at(0.62, 0), stage.scene.object, stage.dice)
    draw_person(pen, who, Pose(hands=((0.26, 0.62), (0.2, 0.58)), lean=0.02))
    for step in range(5):
        pen.disc(0.6 + 0.05 * (step % 2), 1.2 + step * 0.09, 0.05 - 0.005 * step, (236, 236, 236))
    stage.add(pen)


def paddle(stage: Stage) -> None:
    """People in a canoe."""
    stage.view = "water"
    pen = Pen()
    count = stage.scene.subject.count
    for step in range(count):
        who = stage.figure()
        x = (step - (count - 1) / 2) * 1.3
        seated(pen, who, (x, 0.34), ((x + 0.5, 0.2), (x + 0.45, 0.2)), ((x + 0.42, 0.75), (x + 0.3, 0.95)), 0.04)
        pen.line([(x + 0.22, 1.15), (x + 0.62, 0.0)], 0.05, (170, 120, 70))
        pen.ellipse(x + 0.66, -0.08, 0.09, 0.2, (170, 120, 70), 20)
    vehicles.canoe(pen, stage.colour(stage.scene.object))
    stage.add(pen, reflect=True, shadow=False)


def campfire(stage: Stage) -> None:
    """People around a fire."""
    fire = Pen()
    outdoors.campfire(fire.at(0, 0, 1.15), stage.dice)
    stage.add(fire, 0, -0.2, glow=True, shadow=False)
    for step in range(stage.scene.subject.count):
        pen, who = Pen(), stage.figure()
        pen.limb([(-0.35, 0.15), (0.35, 0.15)], [0.3, 0.3], (104, 78, 56))
        draw_person(pen, who, replace(SIT, hip=(0, 0.34 / who.height + 0.02), hands=((0.3, 0.45), (0.26, 0.42))))
        side, z = ((-1, 0.0), (1, 0.0), (-0.2, 0.9))[step]
        stage.add(pen, side * 1.05, z, mirrored=side > 0)


def hold_balloon(stage: Stage) -> None:
    """A child with a balloon."""
    pen, who = Pen(), stage.figure()
    high = who.height
    toys.balloon(
        pen, stage.colour(stage.scene.object), (0.22 * high, 0.66 * high), (stage.dice.between(0.2, 0.5), high * 1.25)
    )
    draw_person(pen, who, replace(STAND, front=True, hands=((0.22, 0.68), (-0.17, 0.47))))
    stage.add(pen)


def snowman(stage: Stage) -> None:
    """People beside a snowman."""
    pen = Pen()
    if stage.scene.object:
        draw_thing(pen, stage.scene.object, stage.dice)
    stage.add(pen, 0, 0)
    for step in range(stage.scene.subject.count):
        person, who = Pen(), stage.figure()
        draw_person(person, who, replace(STAND, front=False, hands=((0.28, 0.6), (0.2, 0.55))))
        side = (-1, 1)[step]
        stage.add(person, side * 0.95, stage.dice.between(-0.2, 0.2), mirrored=side > 0)


def people_in(pose: Pose, gap: float) -> Callable[[Stage], None]:
    """The staging of people who do the same, each with a small difference."""

    def staging(stage: Stage) -> None:
        for x, z in stage.spots(gap, 0.9):
            pen = Pen()
            nudge = stage.dice.between(-0.03, 0.03)
            own = replace(
                pose, lean=pose.lean + nudge / 2, hands=((pose.hands[0][0] + nudge, pose.hands[0][1]), pose.hands[1])
            )
            draw_person(pen, stage.figure(), own)
            stage.add(pen, x, z)

    return staging


def luggage(stage: Stage) -> None:
    """Someone who pulls a suitcase."""
    pen, who = Pen(), stage.figure()
    toys.suitcase(pen.at(-0.62, 0, 1, -14), stage.colour(stage.scene.object))
    draw_person(pen, who, replace(WALK, hands=((-0.2, 0.54), (0.14, 0.5))))
    stage.add(pen)


def pet(stage: Stage) -> None:
    """A hand on an animal's neck."""
    animal, thing = Pen(), stage.scene.object
    if thing is None:
        return
    animals.quadruped(animal, thing.kind, stage.colour(thing), "stand", stage.dice)
    plan = animals.PLANS[thing.kind]
    stage.add(animal, 0, 0, mirrored=True)
    pen, who = Pen(), stage.figure()
    low = thing.kind in ("dog", "sheep") and who.height > 1.4
    draw_person(
        pen,
        who,
        KNEEL
        if low
        else replace(STAND, front=False, hands=((0.3, 0.7 if thing.kind in ("horse", "cow") else 0.5), (0.1, 0.5))),
    )
    stage.add(pen, -(plan.long * 0.5 + plan.neck[0] + plan.head + who.height * (0.3 if low else 0.2)), -0.05)


def feed_ducks(stage: Stage) -> None:
    """Someone who holds out bread to a duck."""
    pen, who = Pen(), stage.figure()
    draw_person(
        pen,
        who,
        replace(KNEEL, hands=((0.36, 0.26), (0.1, 0.3)))
        if who.height > 1.4
        else replace(STAND, front=False, hands=((0.3, 0.45), (0.1, 0.4))),
    )
    stage.add(pen)
    duck = Pen()
    birds.duck(duck.at(0, 0, 1.2), stage.colour(stage.scene.object), True)
    stage.add(duck, 1.05, -0.1, mirrored=True)


ACTING: dict[str, Callable[[Stage], None]] = {
    "ride bicycle": ride_bicycle, "ride horse": ride_horse, "ride motorcycle": ride_motorcycle,
    "ride skateboard": ride_skateboard, "jump skateboard": jump_skateboard, "surf": surf, "ski": ski,
    "snowboard": snowboard, "fly kite": fly_kite, "hold umbrella": hold_umbrella, "walk umbrella": hold_umbrella,
    "throw frisbee": throw_frisbee,
    "kick ball": kick_ball, "walk dog": walk_dog, "sit bench": sit_bench, "play tennis": play_tennis, "read": read,
    "use laptop": use_laptop, "play guitar": play_guitar, "eat": eat, "cook": cook, "paddle": paddle,
    "campfire": campfire, "hold balloon": hold_balloon, "snowman": snowman, "walk": people_in(WALK, 0.95),
    "run": people_in(RUN, 1.3), "wait": people_in(STAND, 0.8), "luggage": luggage, "pet": pet, "feed ducks": feed_ducks,
}  # fmt: skip
