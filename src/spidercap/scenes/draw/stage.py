"""The stage: actors with their places in metres, before any camera looks at them."""

from dataclasses import dataclass, field

from spidercap.scenes.compose import Scene, Thing
from spidercap.scenes.dice import Dice
from spidercap.scenes.draw import people
from spidercap.scenes.draw.colour import Colour
from spidercap.scenes.draw.pen import Pen, Shape
from spidercap.scenes.draw.people import Person
from spidercap.scenes.draw.things import colour_of


@dataclass(frozen=True, slots=True)
class Actor:
    """Shapes that stand x metres right of the middle and z behind the main plane."""

    shapes: tuple[Shape, ...]
    x: float = 0.0
    z: float = 0.0
    lift: float = 0.0
    main: bool = True
    shadow: bool = True
    reflect: bool = False
    glow: bool = False
    mirrored: bool = False
    fixed: bool = False
    """Never mirrored, for the sake of letters."""


@dataclass(slots=True)
class Stage:
    """What a scene shows, filled in by the staging of its action.

    `view` is "ground", "road" (on the carriageway or the tracks), "water", "table" or "sky"; `fit` the width and
    height in metres that the camera must show, where it is not that of the main actors.
    """

    scene: Scene
    dice: Dice
    actors: list[Actor] = field(default_factory=list)
    view: str = "ground"
    fit: tuple[float, float] | None = None

    def add(self, pen: Pen, x: float = 0, z: float = 0, *, lift: float = 0, main: bool = True, shadow: bool = True,
            reflect: bool = False, glow: bool = False, mirrored: bool = False,
                        fixed: bool = False) -> None:  # fmt: skip
        """Puts what a pen has drawn on the stage."""
        self.actors.append(Actor(tuple(pen.shapes), x, z, lift, main, shadow, reflect, glow, mirrored, fixed))

    def colour(self, thing: Thing | None) -> Colour:
        """The colour of one more thing of this sort."""
        return colour_of(thing, self.dice) if thing else (128, 128, 128)

    def figure(self) -> Person:
        """One more of the people that the scene is about."""
        subject = self.scene.subject
        return people.figure(self.dice, subject.kind, self.colour(subject), subject.wears)

    def spots(self, gap: float, depth: float = 0.6) -> list[tuple[float, float]]:
        """Places beside one another for all of the subject, uneven, the far ones first."""
        count = self.scene.subject.count
        spots = []
        for step in range(count):
            x = (step - (count - 1) / 2) * gap * self.dice.between(0.9, 1.15)
            spots.append((x, self.dice.between(0, depth) if count > 1 else 0.0))
        return sorted(spots, key=lambda spot: -spot[1])
