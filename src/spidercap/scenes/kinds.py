"""What can be in a scene: kinds of things with their names and colours, and places with their words and furnishing."""

from dataclasses import dataclass

PEOPLE = ("man", "woman", "boy", "girl")
ADULTS = ("man", "woman")
CHILDREN = ("boy", "girl")


@dataclass(frozen=True, slots=True)
class ThingKind:
    """A kind of thing: its names (commonest first), its colours (commonest first), the noun for many of it."""

    names: tuple[str, ...]
    colours: tuple[str, ...] = ()
    flock: str = "group"
    size_words: bool = False


CLOTHES = ("blue", "red", "white", "black", "green", "yellow", "pink", "orange", "purple", "gray")
PAINT = ("red", "white", "blue", "black", "yellow", "green", "gray", "orange")
TOYS = ("red", "blue", "yellow", "green", "orange", "pink", "purple")

KINDS: dict[str, ThingKind] = {
    "man": ThingKind(("man", "man", "man", "guy", "person"), CLOTHES),
    "woman": ThingKind(("woman", "woman", "woman", "lady", "person"), CLOTHES),
    "boy": ThingKind(("boy", "boy", "little boy", "young boy", "child", "kid"), CLOTHES),
    "girl": ThingKind(
        ("girl", "girl", "little girl", "young girl", "child", "kid"),
        ("pink", "red", "yellow", *CLOTHES[:1], "purple", "white"),
    ),
    "dog": ThingKind(("dog", "dog", "dog", "puppy"), ("brown", "black", "white", "tan", "gray"), "pack", True),
    "cat": ThingKind(("cat", "cat", "cat", "kitty"), ("orange", "black", "gray", "white", "brown"), size_words=True),
    "horse": ThingKind(("horse",), ("brown", "white", "black", "gray"), "herd"),
    "cow": ThingKind(("cow",), ("brown", "black", "white"), "herd"),
    "sheep": ThingKind(("sheep",), ("white", "black"), "flock"),
    "elephant": ThingKind(("elephant",), ("gray",), "herd", True),
    "giraffe": ThingKind(("giraffe",), (), "group"),
    "zebra": ThingKind(("zebra",), (), "herd"),
    "bear": ThingKind(("bear",), ("brown", "black"), "group", True),
    "pig": ThingKind(("pig",), ("pink",), "group"),
    "rabbit": ThingKind(("rabbit", "bunny"), ("white", "brown", "gray"), "group", True),
    "bird": ThingKind(("bird",), ("white", "black", "gray"), "flock"),
    "duck": ThingKind(("duck",), ("white", "brown", "yellow"), "group"),
    "penguin": ThingKind(("penguin",), (), "group"),
    "bicycle": ThingKind(("bike", "bicycle"), ("red", "blue", "black", "green", "yellow", "white")),
    "motorcycle": ThingKind(("motorcycle", "motorbike", "motor bike"), ("black", "red", "blue", "green")),
    "car": ThingKind(("car", "car", "vehicle"), PAINT),
    "bus": ThingKind(("bus", "city bus"), ("red", "yellow", "blue", "white", "green"), size_words=True),
    "truck": ThingKind(("truck",), ("white", "red", "blue", "green", "yellow"), size_words=True),
    "train": ThingKind(("train", "passenger train"), ("red", "blue", "green", "yellow", "gray"), size_words=True),
    "tractor": ThingKind(("tractor",), ("green", "red", "blue")),
    "sailboat": ThingKind(("sailboat", "boat", "sail boat"), ("white", "red", "blue", "yellow"), size_words=True),
    "canoe": ThingKind(("canoe", "boat"), ("red", "green", "yellow", "brown")),
    "airplane": ThingKind(("airplane", "plane", "jet"), ("white", "blue", "red"), size_words=True),
    "hot air balloon": ThingKind(("hot air balloon",), ("red", "yellow", "blue", "orange", "purple")),
    "skateboard": ThingKind(("skateboard", "skate board"), ()),
    "surfboard": ThingKind(("surfboard", "surf board", "board"), ("white", "yellow", "blue", "red")),
    "skis": ThingKind(("skis",), ()),
    "snowboard": ThingKind(("snowboard", "snow board"), ()),
    "frisbee": ThingKind(("frisbee",), ("white", "red", "yellow", "blue", "orange")),
    "ball": ThingKind(("ball",), ("red", "yellow", "white", "blue", "orange")),
    "soccer ball": ThingKind(("soccer ball", "ball"), ()),
    "kite": ThingKind(("kite",), TOYS, size_words=True),
    "umbrella": ThingKind(("umbrella",), ("red", "black", "blue", "yellow", "pink", "green", "purple")),
    "balloon": ThingKind(("balloon",), TOYS),
    "tennis racket": ThingKind(("tennis racket", "racket", "tennis racquet"), ()),
    "guitar": ThingKind(("guitar",), ("brown", "red", "black")),
    "sofa": ThingKind(("couch", "sofa"), ("red", "brown", "blue", "gray", "green", "white", "yellow"), size_words=True),
    "chair": ThingKind(("chair",), ("brown", "white", "red", "blue", "green")),
    "table": ThingKind(("table", "wooden table"), ()),
    "bed": ThingKind(("bed",), ("white", "blue", "red", "green", "gray", "pink"), size_words=True),
    "lamp": ThingKind(("lamp",), ("white", "yellow", "red"), size_words=True),
    "television": ThingKind(("tv", "television"), (), size_words=True),
    "bookshelf": ThingKind(("bookshelf", "book shelf", "book case"), ()),
    "refrigerator": ThingKind(("refrigerator", "fridge"), ("white", "gray", "red", "blue")),
    "stove": ThingKind(("stove", "oven"), ("white", "black", "gray")),
    "clock": ThingKind(("clock",), ()),
    "plant": ThingKind(("potted plant", "plant", "house plant"), (), size_words=True),
    "vase": ThingKind(("vase of flowers", "vase with flowers"), ()),
    "teddy bear": ThingKind(("teddy bear", "stuffed bear"), ("brown", "white", "pink")),
    "laptop": ThingKind(("laptop", "laptop computer", "computer"), ()),
    "book": ThingKind(("book",), ("red", "blue", "green")),
    "suitcase": ThingKind(("suitcase", "piece of luggage"), ("red", "black", "blue", "brown")),
    "pizza": ThingKind(("pizza", "whole pizza"), (), size_words=True),
    "cake": ThingKind(("cake", "birthday cake"), ("pink", "white", "brown"), size_words=True),
    "sandwich": ThingKind(("sandwich",), ()),
    "donut": ThingKind(("donut", "doughnut"), ("pink", "brown", "white")),
    "apple": ThingKind(("apple",), ("red", "green", "yellow")),
    "banana": ThingKind(("banana",), ("yellow",)),
    "orange": ThingKind(("orange",), ()),
    "cup": ThingKind(("cup of coffee", "cup", "mug"), ("white", "blue", "red", "green")),
    "wine glass": ThingKind(("glass of wine", "wine glass"), ()),
    "bowl": ThingKind(("bowl of fruit",), ("blue", "white", "green")),
    "tree": ThingKind(("tree",), ("green", "orange"), size_words=True),
    "palm tree": ThingKind(("palm tree",), (), size_words=True),
    "pine tree": ThingKind(("pine tree", "tree"), (), size_words=True),
    "cactus": ThingKind(("cactus",), ("green",), size_words=True),
    "bench": ThingKind(("bench", "wooden bench", "park bench"), ()),
    "fire hydrant": ThingKind(("fire hydrant", "hydrant"), ("red", "yellow", "white", "blue")),
    "traffic light": ThingKind(("traffic light", "stop light", "traffic signal"), ()),
    "stop sign": ThingKind(("stop sign",), ("red",)),
    "street lamp": ThingKind(("street lamp", "lamp post", "street light"), ()),
    "house": ThingKind(("house",), ("white", "red", "yellow", "blue"), size_words=True),
    "barn": ThingKind(("barn",), ("red", "brown", "white"), size_words=True),
    "fence": ThingKind(("wooden fence", "fence"), ("white", "brown")),
    "tent": ThingKind(("tent",), ("orange", "blue", "green", "red", "yellow"), size_words=True),
    "campfire": ThingKind(("campfire", "fire", "camp fire"), ()),
    "snowman": ThingKind(("snowman", "snow man"), (), size_words=True),
    "beach umbrella": ThingKind(("beach umbrella", "umbrella"), ("red", "blue", "yellow", "green")),
    "haystack": ThingKind(("hay bale", "bale of hay"), ()),
    "rock": ThingKind(("rock", "boulder"), (), size_words=True),
}

HEIGHTS: dict[str, float] = {
    "man": 1.8, "woman": 1.7, "boy": 1.2, "girl": 1.2, "dog": 0.8, "cat": 0.45, "horse": 2.1, "cow": 1.5, "sheep": 0.95,
    "elephant": 3.2, "giraffe": 4.4, "zebra": 1.9, "bear": 1.4, "pig": 0.8, "rabbit": 0.5, "penguin": 0.9,
    "bicycle": 1.0,
    "motorcycle": 1.1, "car": 1.5, "bus": 3.0, "truck": 3.1, "train": 3.7, "tractor": 2.3, "sailboat": 6.0, "kite": 3.0,
    "umbrella": 2.1, "balloon": 1.8, "sofa": 1.0, "chair": 1.0, "table": 0.8, "bed": 1.0, "lamp": 1.6,
    "television": 1.3,
    "bookshelf": 2.0, "refrigerator": 1.9, "stove": 1.1, "plant": 0.9, "tree": 5.0, "palm tree": 5.0, "pine tree": 5.5,
    "cactus": 2.7, "bench": 1.0, "fire hydrant": 0.8, "traffic light": 3.3, "stop sign": 2.7, "street lamp": 4.0,
    "house": 5.0, "barn": 5.7, "fence": 1.1, "tent": 1.6, "campfire": 1.0, "snowman": 1.9, "beach umbrella": 2.5,
    "haystack": 1.3, "rock": 0.8, "surfboard": 2.1,
}  # fmt: skip
"""How tall things are in metres, where it decides what can be seen behind what; others are low."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place: how captions name it, and what stands about in it.

    `at` says where a thing is, `along` where it moves, `over` where it flies, `nouns` the place itself.
    """

    at: tuple[str, ...]
    nouns: tuple[str, ...]
    companions: tuple[str, ...]
    clutter: tuple[str, ...]
    along: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    times: tuple[str, ...] = ("day", "sunset", "night")
    weathers: tuple[str, ...] = ("clear", "cloudy", "fog", "rain")
    indoors: bool = False


PLACES: dict[str, Place] = {
    "street": Place(
        ("on a city street", "on the street", "in the city", "on the side of the street", "on a street"),
        ("a city street", "a street"),
        (
            "car",
            "tree",
            "traffic light",
            "fire hydrant",
            "street lamp",
            "bus",
            "bench",
            "stop sign",
            "bicycle",
            "truck",
        ),
        ("litter bin", "bollard", "puddle", "leaves", "cat", "bird on ground", "flower pot", "manhole"),
        ("down the street", "down a city street", "along a city street", "through the city", "down the road"),
        ("over the city", "over a city street"),
    ),
    "park": Place(
        ("in a park", "in the park", "on the grass", "at a park", "in a grassy park"),
        ("a park", "a green park", "a grassy park"),
        ("tree", "bench", "street lamp", "bicycle", "fence", "rabbit"),
        ("flowers", "bush", "leaves", "bird on ground", "grass tuft", "mushrooms", "litter bin"),
        ("through a park", "through the park", "across the grass", "in the park"),
        ("over a park",),
    ),
    "beach": Place(
        ("on the beach", "at the beach", "on a sandy beach", "on a beach", "near the ocean", "on the sand"),
        ("a beach", "a sandy beach", "the beach"),
        ("beach umbrella", "palm tree", "surfboard", "rock", "ball"),
        ("shell", "starfish", "pebbles", "towel", "bird on ground", "sand castle", "distant sail"),
        ("along the beach", "down the beach", "across the sand", "on the beach", "along the shore"),
        ("over the beach", "over the ocean"),
        weathers=("clear", "cloudy", "fog"),
    ),
    "field": Place(
        ("in a field", "in a grassy field", "in a green field", "in a large field", "in a meadow"),
        ("a field", "a grassy field", "a green meadow"),
        ("tree", "fence", "house", "rock", "haystack"),
        ("flowers", "grass tuft", "bush", "pebbles", "mushrooms"),
        ("through a field", "across a field", "through a grassy field", "across a green meadow"),
        ("over a field", "over green hills", "over a green field"),
    ),
    "living room": Place(
        ("in a living room", "in the living room", "in a room", "inside a house"),
        ("a living room", "a room"),
        ("lamp", "plant", "television", "bookshelf", "table", "chair", "clock"),
        ("rug", "cushion", "books", "toy blocks", "basket"),
        ("through a living room", "across the living room"),
        weathers=("clear",),
        indoors=True,
    ),
    "lake": Place(
        ("by a lake", "near a lake", "next to a lake", "at the lake", "by the water"),
        ("a lake", "a calm lake", "a lake with mountains behind it"),
        ("tree", "rock", "bench", "tent", "pine tree"),
        ("reeds", "pebbles", "flowers", "grass tuft", "bird on ground"),
        ("along the shore of a lake", "along a lake", "next to a lake"),
        ("over a lake", "over the water", "above a lake", "over a calm lake"),
    ),
    "kitchen": Place(
        ("in a kitchen", "in the kitchen", "inside a kitchen"),
        ("a kitchen", "a small kitchen"),
        ("refrigerator", "stove", "table", "plant", "clock", "chair"),
        ("basket", "rug", "cups", "bucket"),
        ("across the kitchen", "through a kitchen"),
        weathers=("clear",),
        indoors=True,
    ),
    "snow slope": Place(
        ("in the snow", "on a snowy hill", "on a snowy slope", "on a snow covered mountain", "on the snow"),
        ("a snowy slope", "a snowy mountain", "a snow covered hill"),
        ("pine tree", "house", "rock", "snowman"),
        ("snow pile", "slope flag", "bush", "pebbles"),
        ("down a snowy slope", "down a hill", "through the snow", "down a snow covered slope", "down a mountain"),
        ("over a snowy mountain", "over the mountains"),
        weathers=("clear", "snow", "cloudy", "fog"),
    ),
    "ocean": Place(
        ("in the ocean", "in the water", "on the ocean", "out at sea"),
        ("the ocean", "the sea"),
        ("rock",),
        ("distant sail", "buoy", "foam"),
        ("across the ocean", "through the water", "on the water"),
        ("over the ocean", "over the water", "above the sea"),
        weathers=("clear", "cloudy", "fog"),
    ),
    "farm": Place(
        ("on a farm", "at a farm", "in a farm yard", "on the farm"),
        ("a farm",),
        ("barn", "fence", "tree", "tractor", "haystack"),
        ("flowers", "grass tuft", "bush", "puddle", "bucket"),
        ("through a farm", "across a farm", "past a farm"),
        ("over a farm",),
    ),
    "savanna": Place(
        ("in the wild", "on the dry grass", "in a dry grassy field", "on a grassy plain", "in the savanna"),
        ("a dry grassy plain", "a grassy plain", "the savanna"),
        ("tree", "rock"),
        ("grass tuft", "pebbles", "bush", "bones"),
        ("across a grassy plain", "through the dry grass", "across the savanna"),
        ("over a grassy plain",),
        weathers=("clear", "cloudy", "fog"),
    ),
    "forest": Place(
        ("in a forest", "in the woods", "in the forest", "near some trees", "among the trees"),
        ("a forest", "the woods"),
        ("rock", "tent", "bench", "pine tree"),
        ("mushrooms", "fern", "log", "leaves", "flowers", "grass tuft"),
        ("through a forest", "through the woods", "through the forest"),
        ("over a forest",),
        times=("day", "sunset", "night"),
        weathers=("clear", "fog", "rain", "cloudy"),
    ),
    "train station": Place(
        ("at a train station", "at the station", "on a train platform", "on a platform", "in a train station"),
        ("a train station", "a train platform"),
        ("bench", "suitcase", "clock", "street lamp"),
        ("litter bin", "bollard", "bird on ground", "flower pot", "puddle"),
        ("through a train station", "along a train platform"),
        weathers=("clear", "cloudy", "rain", "fog"),
    ),
    "bedroom": Place(
        ("in a bedroom", "in the bedroom", "in a room"),
        ("a bedroom", "a small bedroom"),
        ("lamp", "plant", "bookshelf", "chair", "clock", "teddy bear"),
        ("rug", "books", "toy blocks", "basket", "cushion"),
        weathers=("clear",),
        indoors=True,
    ),
    "desert": Place(
        ("in the desert", "in a desert", "on the sand in the desert"),
        ("a desert", "the desert"),
        ("cactus", "rock", "tent"),
        ("pebbles", "bones", "grass tuft"),
        ("through the desert", "across the desert", "across the sand"),
        ("over the desert", "over a desert"),
        weathers=("clear", "cloudy"),
    ),
    "tennis court": Place(
        ("on a tennis court", "on the court", "on a court"),
        ("a tennis court",),
        ("bench",),
        ("tennis balls", "leaves", "bottle"),
        ("across a tennis court",),
        times=("day", "sunset"),
        weathers=("clear", "cloudy"),
    ),
}
