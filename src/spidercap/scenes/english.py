"""Small English: articles, plurals, verb forms, number words."""

VOWELS = "aeiou"
PLURALS = {
    "man": "men", "woman": "women", "person": "people", "child": "children", "sheep": "sheep", "cattle": "cattle",
    "skis": "skis", "bunny": "bunnies", "kitty": "kitties", "puppy": "puppies", "lady": "ladies", "couch": "couches",
    "bench": "benches", "bus": "buses", "sandwich": "sandwiches", "bookshelf": "bookshelves", "snowman": "snowmen",
    "glass": "glasses", "lady's": "ladies'",
}  # fmt: skip
ING = {
    "be": "", "lie": "lying", "run": "running", "sit": "sitting", "swim": "swimming", "swing": "swinging",
    "pet": "petting",
    "strum": "strumming", "jog": "jogging", "hit": "hitting",
}  # fmt: skip
THIRD = {"be": "is", "go": "goes", "do": "does", "fly": "flies", "carry": "carries", "have": "has", "try": "tries"}
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}
ALWAYS_PLURAL = ("skis", "cattle")


def with_article(noun: str) -> str:
    """The noun phrase after "a" or "an"; plain where there is only a plural."""
    if noun.split()[-1] in ALWAYS_PLURAL:
        return noun
    return f"{'an' if noun[0].lower() in VOWELS else 'a'} {noun}"


def plural(noun: str) -> str:
    """The plural of a noun phrase; what follows "of" or "with" stays as it is."""
    for link in (" of ", " with "):
        if link in noun:
            head, rest = noun.split(link, 1)
            return f"{plural(head)}{link}{rest}"
    first, _, last = noun.rpartition(" ")
    word = PLURALS.get(last) or (f"{last}es" if last.endswith(("s", "sh", "ch", "x")) else f"{last}s")
    return f"{first} {word}".strip()


def ing(verb: str) -> str:
    """The form in -ing; empty for "be"."""
    if verb in ING:
        return ING[verb]
    return f"{verb[:-1]}ing" if verb.endswith("e") and not verb.endswith("ee") else f"{verb}ing"


def finite(verb: str, many: bool) -> str:
    """The present tense."""
    if many:
        return "are" if verb == "be" else verb
    return THIRD.get(verb) or (f"{verb}es" if verb.endswith(("s", "sh", "ch", "x")) else f"{verb}s")


def verb_phrase_ing(phrase: str) -> str:
    """A phrase that begins with a plain verb, as a participle: "ride a horse" becomes "riding a horse"."""
    verb, _, rest = phrase.partition(" ")
    return f"{ing(verb)} {rest}".strip()


def verb_phrase_finite(phrase: str, many: bool) -> str:
    """A phrase that begins with a plain verb, in the present tense; a second verb after "and" too."""
    verb, _, rest = phrase.partition(" ")
    return f"{finite(verb, many)} {rest}".strip()
