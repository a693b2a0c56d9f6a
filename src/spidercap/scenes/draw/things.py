"""Any thing by the name of its kind."""

from collections.abc import Callable

from spidercap.scenes.compose import Thing
from spidercap.scenes.dice import Dice
from spidercap.scenes.draw import animals, birds, food, furniture, outdoors, people, toys, vehicles
from spidercap.scenes.draw.colour import COATS, WORDS, Colour, jitter
from spidercap.scenes.draw.pen import Pen
from spidercap.scenes.kinds import KINDS, PEOPLE

COATED = ("dog", "cat", "horse", "cow", "sheep", "bear", "rabbit", "bird", "duck", "teddy bear", "elephant")
OWN: dict[str, Colour] = {
    "giraffe": (222, 176, 106), "zebra": (226, 224, 220), "elephant": (136, 134, 140), "pig": (240, 176, 172),
    "bear": (110, 76, 52),
}  # fmt: skip
LEAVES: dict[str, Colour] = {"green": (88, 142, 70), "orange": (216, 136, 56)}
SIZES = {"": 1.0, "small": 0.72, "large": 1.3}


def colour_of(thing: Thing, dice: Dice) -> Colour:
    """The colour that a thing is drawn in, a near shade of its word; any that fits where it has no word."""
    word = thing.colour
    choices = KINDS[thing.kind].colours
    if not word and choices:
        word = dice.pick(choices)
    if thing.kind == "tree":
        return jitter(LEAVES[word], dice)
    if thing.kind in OWN and not (thing.kind == "bear" and word == "black"):
        return jitter(OWN[thing.kind], dice, 10)
    if thing.kind in COATED and word in COATS:
        return jitter(COATS[word], dice, 10)
    return jitter(WORDS.get(word, (170, 120, 80)), dice, 10)


DrawThing = Callable[[Pen, Colour, Dice], None]

DRAW: dict[str, DrawThing] = {
    "penguin": lambda pen, colour, dice: birds.penguin(pen),
    "rabbit": lambda pen, colour, dice: birds.rabbit(pen, colour),
    "bird": lambda pen, colour, dice: birds.bird_standing(pen, colour),
    "duck": lambda pen, colour, dice: birds.duck(pen, colour, True),
    "teddy bear": lambda pen, colour, dice: birds.teddy_bear(pen, colour),
    "car": vehicles.car,
    "bus": vehicles.bus,
    "truck": vehicles.truck,
    "train": vehicles.train,
    "tractor": lambda pen, colour, dice: vehicles.tractor(pen, colour),
    "bicycle": lambda pen, colour, dice: vehicles.bicycle(pen, colour),
    "motorcycle": lambda pen, colour, dice: vehicles.motorcycle(pen, colour),
    "sailboat": vehicles.sailboat,
    "canoe": lambda pen, colour, dice: vehicles.canoe(pen, colour),
    "airplane": lambda pen, colour, dice: vehicles.airplane(pen, colour),
    "hot air balloon": vehicles.hot_air_balloon,
    "skateboard": lambda pen, colour, dice: toys.skateboard(pen, colour),
    "surfboard": lambda pen, colour, dice: toys.surfboard(pen, colour, False),
    "ball": lambda pen, colour, dice: toys.ball(pen, colour),
    "soccer ball": lambda pen, colour, dice: toys.soccer_ball(pen),
    "suitcase": lambda pen, colour, dice: toys.suitcase(pen, colour),
    "sofa": furniture.sofa,
    "chair": lambda pen, colour, dice: furniture.chair(pen, colour),
    "table": lambda pen, colour, dice: furniture.table(pen),
    "bed": lambda pen, colour, dice: furniture.bed(pen, colour),
    "lamp": lambda pen, colour, dice: furniture.lamp(pen, colour),
    "television": lambda pen, colour, dice: furniture.television(pen, dice),
    "bookshelf": lambda pen, colour, dice: furniture.bookshelf(pen, dice),
    "refrigerator": lambda pen, colour, dice: furniture.refrigerator(pen, colour),
    "stove": furniture.stove,
    "clock": lambda pen, colour, dice: furniture.clock(pen, dice),
    "plant": lambda pen, colour, dice: furniture.plant(pen, dice),
    "vase": lambda pen, colour, dice: furniture.vase(pen, dice),
    "laptop": lambda pen, colour, dice: toys.laptop(pen),
    "pizza": lambda pen, colour, dice: food.pizza(pen, dice),
    "cake": food.cake,
    "sandwich": lambda pen, colour, dice: food.sandwich(pen),
    "donut": food.donut,
    "apple": lambda pen, colour, dice: food.apple(pen, colour),
    "banana": lambda pen, colour, dice: food.banana(pen),
    "orange": lambda pen, colour, dice: food.orange(pen),
    "cup": lambda pen, colour, dice: food.cup(pen, colour),
    "wine glass": lambda pen, colour, dice: food.wine_glass(pen),
    "bowl": food.bowl,
    "tree": outdoors.tree,
    "palm tree": lambda pen, colour, dice: outdoors.palm_tree(pen, dice),
    "pine tree": lambda pen, colour, dice: outdoors.pine_tree(pen, dice, False),
    "cactus": lambda pen, colour, dice: outdoors.cactus(pen),
    "bench": lambda pen, colour, dice: outdoors.bench(pen),
    "fire hydrant": lambda pen, colour, dice: outdoors.fire_hydrant(pen, colour),
    "traffic light": lambda pen, colour, dice: outdoors.traffic_light(pen, dice),
    "stop sign": lambda pen, colour, dice: outdoors.stop_sign(pen),
    "street lamp": lambda pen, colour, dice: outdoors.street_lamp(pen),
    "house": outdoors.house,
    "barn": lambda pen, colour, dice: outdoors.barn(pen, colour),
    "fence": lambda pen, colour, dice: outdoors.fence(pen, colour),
    "tent": lambda pen, colour, dice: outdoors.tent(pen, colour),
    "campfire": lambda pen, colour, dice: outdoors.campfire(pen, dice),
    "snowman": lambda pen, colour, dice: outdoors.snowman(pen, dice),
    "beach umbrella": lambda pen, colour, dice: outdoors.beach_umbrella(pen, colour),
    "haystack": lambda pen, colour, dice: outdoors.haystack(pen),
    "rock": lambda pen, colour, dice: outdoors.rock(pen, dice),
}


def draw_thing(pen: Pen, thing: Thing, dice: Dice, place: str = "") -> None:
    """A thing at the pen's origin, standing still; it has the size that captions say."""
    pen = pen.at(0, 0, SIZES[thing.size])
    colour = colour_of(thing, dice)
    if thing.kind in PEOPLE:
        people.draw_person(pen, people.figure(dice, thing.kind, colour, thing.wears), people.STAND)
    elif thing.kind in animals.PLANS:
        animals.quadruped(pen, thing.kind, colour, "stand", dice)
    elif thing.kind == "pine tree":
        outdoors.pine_tree(pen, dice, place == "snow slope")
    elif thing.kind == "house":
        outdoors.house(pen, colour, dice, place == "snow slope")
    elif thing.kind == "tree":
        outdoors.tree(pen, colour, dice, place == "savanna")
    else:
        DRAW[thing.kind](pen, colour, dice)
