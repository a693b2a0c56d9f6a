"""Animals, vehicles and still things on the stage."""

from collections.abc import Callable
from dataclasses import replace

from spidercap.scenes.draw import animals, birds, furniture, outdoors, toys, vehicles
from spidercap.scenes.draw.acting import sit_front
from spidercap.scenes.draw.pen import Pen
from spidercap.scenes.draw.stage import Stage
from spidercap.scenes.draw.things import SIZES, draw_thing
from spidercap.scenes.kinds import PEOPLE


def herd(step: str) -> Callable[[Stage], None]:
    """The staging of four-legged animals that all do the same."""

    def staging(stage: Stage) -> None:
        subject = stage.scene.subject
        plan = animals.PLANS[subject.kind]
        size = SIZES[subject.size]
        for x, z in stage.spots(plan.long * 1.2 * size, plan.long * 2.2):
            pen = Pen()
            pose = step if stage.scene.subject.count == 1 or stage.dice.chance(0.75) or step == "run" else "stand"
            scale = size * stage.dice.between(0.92, 1.08)
            animals.quadruped(pen.at(0, 0, scale), subject.kind, stage.colour(subject), pose, stage.dice)
            stage.add(pen, x, z, mirrored=step != "run" and stage.dice.chance(0.3))

    return staging


def eat_leaves(stage: Stage) -> None:
    """A tall animal at a tree."""
    subject = stage.scene.subject
    tree = Pen()
    outdoors.tree(tree.at(0, 0, 0.95), stage.colour(stage.scene.object), stage.dice)
    plan = animals.PLANS[subject.kind]
    pen = Pen()
    animals.quadruped(pen.at(0, 0, SIZES[subject.size]), subject.kind, stage.colour(subject), "stand", stage.dice)
    stage.add(tree, plan.long * 0.5 + plan.neck[0] + plan.head + 1.1, 0.3)
    stage.add(pen, 0, 0)


def simple(gap: float, depth: float = 0.6) -> Callable[[Stage], None]:
    """The staging of things that stand side by side."""

    def staging(stage: Stage) -> None:
        one = replace(stage.scene.subject, count=1)
        for x, z in stage.spots(gap, depth):
            pen = Pen()
            draw_thing(pen, one, stage.dice, stage.scene.place)
            stage.add(pen, x, z, mirrored=stage.dice.chance(0.4))

    return staging


def catch_frisbee(stage: Stage) -> None:
    """A dog in the air before a disc."""
    pen = Pen()
    size = SIZES[stage.scene.subject.size]
    animals.quadruped(pen.at(0, 0, size, 24), "dog", stage.colour(stage.scene.subject), "leap", stage.dice)
    stage.add(pen, 0, 0, lift=0.25)
    disc = Pen()
    toys.frisbee(disc, stage.colour(stage.scene.object))
    stage.add(disc, 0.8 * size, 0, lift=0.25 + 0.95 * size)


def chase_ball(stage: Stage) -> None:
    """Pets running after a ball."""
    subject = stage.scene.subject
    size = SIZES[subject.size]
    for x, z in stage.spots(1.1, 0.5):
        pen = Pen()
        animals.quadruped(pen.at(0, 0, size), subject.kind, stage.colour(subject), "run", stage.dice)
        stage.add(pen, x, z)
    ball = Pen()
    toys.ball(ball, stage.colour(stage.scene.object), 0.14)
    stage.add(
        ball,
        0.55 * (subject.count - 1) + (0.95 if subject.kind == "dog" else 0.7) * max(1, size),
        -0.05,
        lift=stage.dice.between(0, 0.12),
    )


def fly(stage: Stage) -> None:
    """Birds in the air."""
    stage.view = "sky"
    for x, z in stage.spots(0.95, 0.6):
        pen = Pen()
        birds.bird_flying(
            pen.at(0, 0, stage.dice.between(0.85, 1.15), stage.dice.between(-8, 12)),
            stage.colour(stage.scene.subject),
            stage.dice.between(-0.5, 1),
        )
        stage.add(pen, x, z, lift=stage.dice.between(0.0, 0.9), shadow=False)


def in_sky(gap: float, rise: float) -> Callable[[Stage], None]:
    """The staging of aircraft."""

    def staging(stage: Stage) -> None:
        stage.view = "sky"
        one = replace(stage.scene.subject, count=1)
        for step, (x, z) in enumerate(stage.spots(gap, gap)):
            pen = Pen()
            draw_thing(pen.at(0, 0, 1, stage.dice.between(-3, 8) if one.kind == "airplane" else 0), one, stage.dice)
            stage.add(pen, x, z + step * gap * 0.2, lift=stage.dice.between(0, rise) * (one.count + step), shadow=False)

    return staging


def on_water(gap: float) -> Callable[[Stage], None]:
    """The staging of what swims."""

    def staging(stage: Stage) -> None:
        stage.view = "water"
        one = replace(stage.scene.subject, count=1)
        for x, z in stage.spots(gap, gap * 0.9):
            pen = Pen()
            if one.kind == "duck":
                birds.duck(pen, stage.colour(one), False)
            elif one.kind == "elephant":
                animals.quadruped(pen.at(0, -0.7), "elephant", stage.colour(one), "stand", stage.dice)
                pen.shapes[:] = [
                    replace(shape, points=tuple((x, max(y, 0.0)) for x, y in shape.points)) for shape in pen.shapes
                ]
            else:
                draw_thing(pen, one, stage.dice)
            stage.add(pen, x, z, reflect=True, shadow=False, mirrored=stage.dice.chance(0.3))

    return staging


def drive(stage: Stage) -> None:
    """Vehicles on the road."""
    stage.view = "road"
    long = {"bus": 10.5, "car": 5.0, "truck": 8.0, "motorcycle": 2.6, "bicycle": 2.2}[stage.scene.subject.kind]
    simple(long, 0.2)(stage)


def park_vehicle(stage: Stage) -> None:
    """Parked vehicles."""
    drive(stage)


def train(stage: Stage) -> None:
    """A train that comes from the left."""
    stage.view = "road"
    if stage.scene.place == "field":
        rails = Pen()
        rails.box(-40, -0.12, 40, 0.02, (124, 112, 100))
        for step in range(60):
            rails.box(-40 + step * 1.35, -0.16, -39.5 + step * 1.35, -0.04, (92, 74, 60))
        stage.add(rails, 0, 0.1, main=False, shadow=False)
    pen = Pen()
    draw_thing(pen, replace(stage.scene.subject, size=""), stage.dice)
    stage.add(pen, 3.5 * stage.dice.between(-0.6, 0.3) - 2.0, 0)
    stage.fit = (11.5, 4.6)


def on_furniture(pose: str) -> Callable[[Stage], None]:
    """The staging of a pet that sleeps or sits on furniture."""

    def staging(stage: Stage) -> None:
        subject, seat = stage.scene.subject, stage.scene.object
        if seat is None:
            return
        pen = Pen()
        if seat.kind == "chair":
            furniture.armchair(pen, stage.colour(seat))
        else:
            draw_thing(pen, replace(seat, size=""), stage.dice)
        high = {"sofa": 0.48, "chair": 0.45, "bed": 0.56, "table": 0.78}[seat.kind]
        x = 0.0 if seat.kind == "chair" else stage.dice.between(-0.3, 0.45)
        spot = pen.at(x, high, 1.25 * {"small": 0.8, "large": 1.2}.get(subject.size, 1), 0, stage.dice.chance(0.5))
        if subject.kind == "teddy bear":
            birds.teddy_bear(spot.at(0, 0, 0.85), stage.colour(subject))
        elif pose == "sleep":
            animals.sleeping_pet(
                spot.at(0, 0, 1.0 if seat.kind != "chair" else 0.85), subject.kind, stage.colour(subject)
            )
        else:
            animals.sitting_pet(spot.at(0, 0, 0.9), subject.kind, stage.colour(subject))
        stage.add(pen)

    return staging


def bird_bench(stage: Stage) -> None:
    """Birds or a cat on a bench."""
    pen = Pen()
    outdoors.bench(pen)
    count = stage.scene.subject.count
    for step in range(count):
        x = (step - (count - 1) / 2) * 0.5
        if stage.scene.subject.kind == "bird":
            birds.bird_standing(pen.at(x, 0.95, 1.5, 0, stage.dice.chance(0.5)), stage.colour(stage.scene.subject))
        else:
            animals.sitting_pet(
                pen.at(x, 0.48, 1.2, 0, stage.dice.chance(0.5)), "cat", stage.colour(stage.scene.subject)
            )
    stage.add(pen)


def cat_car(stage: Stage) -> None:
    """A cat on the roof of a car."""
    pen = Pen()
    vehicles.car(pen, stage.colour(stage.scene.object), stage.dice)
    animals.sitting_pet(pen.at(-0.3, 1.47, 1.7), "cat", stage.colour(stage.scene.subject))
    stage.add(pen)


def dog_skateboard(stage: Stage) -> None:
    """A pet on a skateboard."""
    pen = Pen()
    toys.skateboard(pen.at(0, 0, 0.95), (200, 90, 60))
    animals.quadruped(
        pen.at(0, 0.13, 0.85), stage.scene.subject.kind, stage.colour(stage.scene.subject), "stand", stage.dice
    )
    stage.add(pen)


def watch_television(stage: Stage) -> None:
    """Someone before a television."""
    screen = Pen()
    furniture.television(screen, stage.dice)
    stage.add(screen, 0.75, 0.5)
    pen, subject = Pen(), stage.scene.subject
    if subject.kind in PEOPLE:
        furniture.armchair(pen, (150, 110, 90))
        sit_front(pen, stage.figure(), 0.48)
    else:
        animals.sitting_pet(pen.at(0, 0, 1.1), subject.kind, stage.colour(subject))
    stage.add(pen, -0.8, 0)


def still_life(stage: Stage) -> None:
    """Food and other things on a table top."""
    stage.view = "table"
    one = replace(stage.scene.subject, count=1)
    wide = {"pizza": 0.5, "cake": 0.46, "laptop": 0.6, "bowl": 0.42, "vase": 0.36, "sandwich": 0.42}.get(one.kind, 0.2)
    for x, z in stage.spots(wide, 0.1):
        pen = Pen()
        draw_thing(pen.at(0, 0, 1.3 if one.kind == "laptop" else 1), one, stage.dice)
        stage.add(pen, x, z)


def room(stage: Stage) -> None:
    """A piece of furniture."""
    pen = Pen()
    draw_thing(pen, stage.scene.subject, stage.dice)
    stage.add(pen)
    stage.fit = (2.8, 2.0) if not stage.scene.close else None


def sign(stage: Stage) -> None:
    """A sign, a light or a hydrant by the road."""
    pen = Pen()
    draw_thing(pen, stage.scene.subject, stage.dice)
    stage.add(pen, fixed=True)


def camp(stage: Stage) -> None:
    """Tents."""
    simple(3.4, 1.5)(stage)


SHOWING: dict[str, Callable[[Stage], None]] = {
    "graze": herd("graze"), "stand animal": herd("stand"), "wild walk": herd("walk"), "bear walk": herd("walk"),
    "dog run": herd("run"), "horse run": herd("run"), "zebra run": herd("run"), "eat leaves": eat_leaves,
    "rabbit sit": simple(0.5),
    "penguin stand": simple(0.75, 0.7), "catch frisbee": catch_frisbee, "chase ball": chase_ball, "fly": fly,
    "swim": on_water(0.85), "sail": on_water(4.6), "elephant bath": on_water(3.4), "drive": drive,
    "park vehicle": park_vehicle, "train": train, "tractor": simple(4), "airplane": in_sky(10.5, 2.5),
    "balloon ride": in_sky(9.0, 2.4), "sleep": on_furniture("sleep"), "sit furniture": on_furniture("sit"),
    "bird bench": bird_bench, "cat car": cat_car, "dog skateboard": dog_skateboard,
    "watch television": watch_television,
    "still life": still_life, "room": room, "sign": sign, "camp": camp,
}  # fmt: skip
