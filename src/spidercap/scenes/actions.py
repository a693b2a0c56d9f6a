"""What happens in a scene: who does what to what, where, and the phrases that captions say it with."""

from dataclasses import dataclass

from spidercap.scenes.kinds import ADULTS, CHILDREN, PEOPLE


@dataclass(frozen=True, slots=True)
class Action:
    """Something that goes on.

    Subjects, objects, places and counts are listed commonest first. A phrase begins with a verb in its plain form
    ("be" for none); `{o}` stands for the object; after a phrase that ends in ">" the place is one to move along,
    after "^" one to fly over, after "!" none is named. Where `each`, every subject has an object of its own.
    `hides` are things that the drawing has already, so that another would confuse.
    `inverse` phrases have the object for their subject and `{s}` for the other.
    """

    subjects: tuple[str, ...]
    places: tuple[str, ...]
    phrases: tuple[str, ...]
    objects: tuple[str, ...] = ()
    counts: tuple[int, ...] = (1,)
    each: bool = False
    inverse: tuple[str, ...] = ()
    weight: float = 1.0
    times: tuple[str, ...] = ()
    weathers: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    hats: str = "hat"
    skirts: bool = True


MEADOWS = ("field", "farm")
OPEN = ("park", "beach", "field")
FOOD = (
    "pizza",
    "cake",
    "sandwich",
    "donut",
    "bowl",
    "cup",
    "apple",
    "banana",
    "orange",
    "wine glass",
    "vase",
    "laptop",
)

ACTIONS: dict[str, Action] = {
    "ride bicycle": Action(
        PEOPLE,
        ("street", "park", "field", "beach"),
        ("ride {o} >", "ride {o}", "be on {o}", "pedal {o} >", "ride on {o} >"),
        ("bicycle",),
        (1, 2),
        True,
        weight=4,
        hats="helmet",
    ),
    "ride horse": Action(
        ("woman", "man", "girl"),
        ("field", "beach", "farm", "forest", "desert"),
        ("ride {o} >", "ride {o}", "ride on the back of {o}", "be on {o}", "ride on {o} >"),
        ("horse",),
        (1, 2),
        True,
        ("carry {s} on its back", "carry {s} >"),
        weight=3.5,
        hats="helmet",
    ),
    "ride motorcycle": Action(
        ADULTS,
        ("street", "desert", "field"),
        ("ride {o} >", "ride {o}", "be on {o}", "drive {o} >", "sit on {o}"),
        ("motorcycle",),
        (1, 2),
        True,
        weight=3,
        hats="helmet",
    ),
    "ride skateboard": Action(
        ("boy", "man", "girl", "woman"),
        ("street", "park"),
        ("ride {o} >", "ride {o}", "skate on {o}", "be on {o}", "skateboard >"),
        ("skateboard",),
        (1, 2),
        True,
        weight=3,
        hats="helmet",
    ),
    "jump skateboard": Action(
        ("boy", "man", "girl"),
        ("street", "park"),
        ("jump in the air on {o}", "do a trick on {o}", "perform a jump on {o}", "fly through the air on {o}"),
        ("skateboard",),
        weight=2,
        hats="helmet",
    ),
    "surf": Action(
        ("man", "woman", "boy"),
        ("ocean",),
        ("ride a wave on {o}", "surf on {o}", "ride {o} on a wave", "ride {o}", "surf a wave on {o} !"),
        ("surfboard",),
        weight=3,
        hats="",
        skirts=False,
    ),
    "ski": Action(
        PEOPLE,
        ("snow slope",),
        ("ski >", "ski >", "ride {o} >", "be on {o}", "go >"),
        ("skis",),
        (1, 1, 2, 3),
        True,
        weight=3,
        hats="helmet",
    ),
    "snowboard": Action(
        PEOPLE,
        ("snow slope",),
        ("ride {o} >", "snowboard >", "be on {o}", "go > on {o}"),
        ("snowboard",),
        (1, 2),
        True,
        weight=1.7,
        hats="helmet",
    ),
    "fly kite": Action(
        ("boy", "man", "girl", "woman"),
        OPEN,
        ("fly {o}", "fly {o} in the sky", "hold the string of {o}", "play with {o}"),
        ("kite",),
        weight=3,
        weathers=("clear", "cloudy"),
    ),
    "hold umbrella": Action(
        ("woman", "man", "girl", "boy"),
        ("street", "park", "beach", "train station", "lake"),
        ("hold {o}", "stand under {o}", "be under {o}", "carry {o}", "stand with {o}"),
        ("umbrella",),
        (1, 1, 1, 2),
        True,
        weight=2.4,
        weathers=("rain", "clear", "cloudy"),
        hats="",
    ),
    "walk umbrella": Action(
        ("woman", "man", "girl"),
        ("street", "park", "beach"),
        ("walk > with {o}", "walk with {o}", "walk under {o}", "carry {o} >"),
        ("umbrella",),
        (1, 1, 2),
        True,
        weight=1.2,
        weathers=("rain", "clear", "cloudy"),
        hats="",
    ),
    "throw frisbee": Action(
        ("man", "woman", "boy", "girl"),
        OPEN,
        ("throw {o}", "toss {o}", "play frisbee !", "play with {o}"),
        ("frisbee",),
        weight=2,
    ),
    "catch frisbee": Action(
        ("dog",),
        OPEN,
        ("jump to catch {o}", "jump for {o}", "leap in the air to catch {o}", "try to catch {o}"),
        ("frisbee",),
        weight=2,
    ),
    "kick ball": Action(
        ("boy", "girl", "man", "woman"),
        OPEN,
        ("kick {o}", "kick {o} >", "play with {o}", "run after {o}"),
        ("soccer ball", "ball"),
        weight=2.5,
    ),
    "walk dog": Action(
        ADULTS,
        ("street", "park", "beach", "forest"),
        ("walk {o} >", "walk {o}", "walk {o} on a leash", "walk with {o} >", "take {o} for a walk"),
        ("dog",),
        weight=2.5,
    ),
    "sit bench": Action(
        PEOPLE,
        ("park", "lake", "street", "train station", "forest"),
        ("sit on {o}", "be on {o}", "rest on {o}", "sit down on {o}"),
        ("bench",),
        (1, 1, 2, 3),
        weight=3,
    ),
    "play tennis": Action(
        ("woman", "man", "boy", "girl"),
        ("tennis court",),
        ("swing {o}", "play tennis", "hit a ball with {o}", "hold {o}", "swing {o} at a ball"),
        ("tennis racket",),
        weight=3,
    ),
    "read": Action(
        PEOPLE,
        ("living room", "park", "bedroom"),
        ("read {o}", "sit and read {o}", "look at {o}", "hold {o}", "sit with {o}"),
        ("book",),
        weight=1.5,
        hides=("bench", "chair"),
    ),
    "use laptop": Action(
        ADULTS,
        ("living room", "bedroom", "kitchen"),
        ("use {o}", "work on {o}", "sit with {o}", "type on {o}"),
        ("laptop",),
        weight=1.5,
        hides=("chair",),
        hats="",
    ),
    "play guitar": Action(
        ("man", "woman", "boy"),
        ("living room", "park", "street", "beach"),
        ("play {o}", "hold {o}", "sit and play {o}", "strum {o}"),
        ("guitar",),
        weight=0.8,
        hides=("bench", "chair"),
    ),
    "sleep": Action(
        ("cat", "dog"),
        ("living room", "bedroom"),
        ("sleep on {o}", "lie on {o}", "be asleep on {o}", "take a nap on {o}", "be curled up on {o}", "rest on {o}"),
        ("sofa", "bed", "chair"),
        weight=3.5,
    ),
    "sit furniture": Action(
        ("cat", "dog", "teddy bear"),
        ("living room", "bedroom", "kitchen"),
        ("sit on {o}", "be on {o}", "sit on top of {o}"),
        ("chair", "sofa", "bed", "table"),
        weight=2.5,
    ),
    "eat": Action(
        PEOPLE,
        ("kitchen", "living room"),
        ("eat {o}", "sit at a table with {o}", "eat {o} at a table", "sit in front of {o}", "have {o} at a table"),
        ("pizza", "cake", "sandwich", "donut", "apple", "banana"),
        weight=2.5,
        hides=("table", "chair"),
        hats="",
    ),
    "cook": Action(
        ADULTS,
        ("kitchen",),
        ("cook food on {o}", "stand at {o}", "cook on {o}", "stand in front of {o}", "prepare a meal on {o}"),
        ("stove",),
        weight=1.3,
        hats="",
    ),
    "graze": Action(
        ("sheep", "cow", "horse"),
        MEADOWS,
        ("graze", "eat grass", "graze on grass", "feed on the grass"),
        counts=(1, 3, 2, 4, 5),
        weight=4,
    ),
    "stand animal": Action(
        ("cow", "horse", "sheep", "pig", "dog"),
        ("field", "farm", "lake"),
        ("stand", "be", "stand around", "stand together"),
        counts=(1, 2, 3),
        weight=2,
    ),
    "wild walk": Action(
        ("elephant", "zebra", "giraffe"),
        ("savanna",),
        ("walk >", "stand", "walk", "be", "walk together >"),
        counts=(1, 2, 3, 4),
        weight=4,
    ),
    "eat leaves": Action(
        ("giraffe", "elephant"),
        ("savanna",),
        ("eat leaves from {o}", "reach for the leaves of {o}", "eat from {o}"),
        ("tree",),
        weight=1.5,
    ),
    "bear walk": Action(
        ("bear",), ("forest", "field", "lake"), ("walk >", "walk", "be", "wander >"), counts=(1, 1, 2), weight=1.5
    ),
    "rabbit sit": Action(
        ("rabbit",),
        ("park", "field", "forest"),
        ("sit", "be", "sit still", "sit together"),
        counts=(1, 1, 2, 3),
        weight=0.8,
    ),
    "penguin stand": Action(
        ("penguin",),
        ("snow slope",),
        ("stand", "be", "stand together", "stand around"),
        counts=(3, 2, 1, 4, 5),
        weight=1,
    ),
    "dog run": Action(
        ("dog",),
        ("beach", "park", "field", "snow slope", "street"),
        ("run >", "run", "run around", "run fast >"),
        counts=(1, 1, 2, 3),
        weight=2.5,
    ),
    "chase ball": Action(
        ("dog", "cat"),
        ("park", "beach", "field", "living room"),
        ("chase {o}", "run after {o}", "play with {o}", "chase {o} >"),
        ("ball",),
        (1, 1, 2),
        weight=2.5,
    ),
    "horse run": Action(
        ("horse",),
        ("field", "beach", "farm"),
        ("run >", "gallop >", "run", "run together >"),
        counts=(1, 2, 3),
        weight=1.1,
    ),
    "zebra run": Action(
        ("zebra",), ("savanna",), ("run >", "gallop >", "run", "run together >"), counts=(1, 2, 3), weight=0.6
    ),
    "fly": Action(
        ("bird",),
        ("lake", "ocean", "beach", "street", "field"),
        ("fly ^", "be in the air ^", "soar ^", "fly in the sky ^"),
        counts=(3, 2, 1, 4, 5),
        weight=2.5,
    ),
    "swim": Action(
        ("duck",),
        ("lake",),
        ("swim in a lake !", "swim on the water", "float on the water", "swim on a calm lake !", "swim in the water"),
        counts=(2, 1, 3, 4, 5),
        weight=2.5,
        companions=("rock",),
    ),
    "sail": Action(
        ("sailboat",),
        ("lake", "ocean"),
        ("sail on the water", "be on the water", "float on the water", "sail on the water"),
        counts=(1, 2, 3),
        weight=3,
        companions=("rock",),
    ),
    "paddle": Action(
        PEOPLE,
        ("lake", "ocean"),
        ("paddle {o}", "sit in {o}", "be in {o}", "row {o}", "paddle {o} on the water"),
        ("canoe",),
        (1, 1, 2),
        weight=1.5,
        companions=("rock",),
    ),
    "drive": Action(
        ("bus", "car", "truck"),
        ("street",),
        ("drive >", "be", "travel >", "drive >", "go >"),
        counts=(1, 1, 2),
        weight=4,
    ),
    "park vehicle": Action(
        ("car", "truck", "motorcycle", "bicycle", "bus"),
        ("street", "field", "beach", "farm"),
        ("be parked", "sit", "be parked", "be", "stand"),
        counts=(1, 1, 2),
        weight=2.5,
    ),
    "train": Action(
        ("train",),
        ("train station", "field"),
        ("travel down the tracks", "be on the tracks", "go down the tracks", "sit on the tracks", "be"),
        weight=2.5,
    ),
    "tractor": Action(("tractor",), MEADOWS, ("drive >", "be", "be parked", "sit"), weight=0.8),
    "airplane": Action(
        ("airplane",),
        ("field", "ocean", "street", "snow slope", "lake"),
        ("fly ^", "fly in the sky ^", "be in the air ^", "fly high ^"),
        counts=(1, 1, 1, 2),
        weight=2,
    ),
    "balloon ride": Action(
        ("hot air balloon",),
        ("field", "desert", "lake", "snow slope"),
        ("float ^", "fly ^", "float in the sky ^", "rise ^"),
        counts=(1, 3, 2, 4),
        weight=1.5,
    ),
    "still life": Action(
        FOOD,
        ("kitchen", "living room"),
        ("sit on a table", "be on a table", "sit on top of a table", "be on top of a table"),
        counts=(1, 1, 2, 3),
        weight=4,
        companions=FOOD,
    ),
    "room": Action(
        ("sofa", "bed", "refrigerator", "stove", "chair", "television"),
        ("living room", "bedroom", "kitchen"),
        ("be", "stand", "sit"),
        weight=2.5,
    ),
    "sign": Action(
        ("stop sign", "fire hydrant", "traffic light"),
        ("street",),
        ("stand", "be", "sit", "stand next to a road !", "be on the side of a road !"),
        weight=2.5,
    ),
    "camp": Action(
        ("tent",),
        ("forest", "lake", "desert", "field"),
        ("be set up", "sit", "stand", "be"),
        counts=(1, 1, 2, 3),
        weight=1.2,
        companions=("campfire", "tree", "rock"),
    ),
    "campfire": Action(
        PEOPLE,
        ("forest", "lake", "beach"),
        ("sit by {o}", "sit next to {o}", "sit around {o}", "sit in front of {o}"),
        ("campfire",),
        (1, 2, 3),
        weight=1,
        times=("night", "sunset"),
        weathers=("clear",),
    ),
    "hold balloon": Action(
        CHILDREN,
        ("park", "street", "field", "living room"),
        ("hold {o}", "stand with {o}", "play with {o}", "carry {o}"),
        ("balloon",),
        weight=1.5,
    ),
    "snowman": Action(
        ("girl", "boy", "man", "woman"),
        ("snow slope",),
        ("stand next to {o}", "build {o}", "stand beside {o}", "play with {o}"),
        ("snowman",),
        (1, 2),
        weight=1.5,
    ),
    "walk": Action(
        PEOPLE,
        ("street", "beach", "park", "forest", "train station", "field", "snow slope"),
        ("walk >", "walk", "take a walk >", "walk together >"),
        counts=(1, 2, 3),
        weight=3,
    ),
    "run": Action(
        PEOPLE,
        ("beach", "park", "street", "field"),
        ("run >", "jog >", "run", "go for a run >"),
        counts=(1, 2),
        weight=1.5,
    ),
    "wait": Action(
        PEOPLE,
        ("train station", "street"),
        ("stand", "wait", "stand and wait", "stand around", "stand together"),
        counts=(1, 3, 2, 4),
        weight=1.5,
    ),
    "luggage": Action(
        ADULTS,
        ("train station", "street"),
        ("pull {o} >", "walk with {o}", "pull {o}", "roll {o} >", "pull {o} behind them"),
        ("suitcase",),
        weight=1.3,
    ),
    "pet": Action(
        PEOPLE,
        ("park", "farm", "field", "living room"),
        ("pet {o}", "stand next to {o}", "stroke {o}", "be with {o}"),
        ("dog", "horse", "cow", "sheep"),
        weight=2,
    ),
    "feed ducks": Action(
        PEOPLE, ("lake",), ("feed {o}", "stand next to {o}", "throw bread to {o}", "look at {o}"), ("duck",), weight=1
    ),
    "watch television": Action(
        ("man", "woman", "cat", "boy", "dog"),
        ("living room",),
        ("watch {o}", "sit in front of {o}", "look at {o}", "sit and watch {o}"),
        ("television",),
        weight=1.3,
        hides=("chair",),
        hats="",
    ),
    "dog skateboard": Action(
        ("dog", "cat"),
        ("street", "park"),
        ("ride {o} >", "stand on {o}", "be on {o}", "ride {o}"),
        ("skateboard",),
        weight=0.35,
    ),
    "bird bench": Action(
        ("bird", "cat"),
        ("park", "lake", "street"),
        ("sit on {o}", "be on {o}", "stand on {o}", "rest on {o}"),
        ("bench",),
        (1, 2, 3),
        weight=0.8,
    ),
    "cat car": Action(
        ("cat",), ("street",), ("sit on top of {o}", "sit on the roof of {o}", "be on top of {o}"), ("car",), weight=0.6
    ),
    "elephant bath": Action(
        ("elephant",),
        ("lake",),
        ("stand in the water", "bathe in a lake !", "stand in a lake !", "play in the water"),
        counts=(1, 2),
        weight=0.5,
        companions=("rock",),
    ),
}
