"""Short made-up sentences whose parses would teach the parser most: flat phrases in all their places, and word shapes.

    python tools/parser/wanted.py dev/wanted_captions.txt

What is missing is mostly coverage: steps of flat rules that no caption has shown, tags of shapes of words, and tags of
frequent words outside their usual places. Every line is built from a few words whose tags are certain, so that its
score has at most one unknown term.
"""

import argparse
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

SLOTS = {
    "DT": "the",
    "JJ": "red",
    "NN": "dog",
    "NNS": "dogs",
    "CC": "and",
    "CD": "two",
    "PRP$": "his",
    "VBG": "running",
    "VBN": "broken",
    "RB": "very",
    "JJR": "bigger",
}
PLACES = ("{}", "{} runs", "he sees {}", "a man with {}", "he is {}", "there is {} in a room", "he gives her {}")
VERB_PHRASES = {
    "V": "eats",
    "VG": "eating",
    "NP": "a dog",
    "PP": "in a room",
    "ADVP": "quickly",
    "PRT": "up",
    "S": "to run",
    "SG": "watching a man",
    "SBAR": "while he sits",
    "ADJP": "happy",
    "CC": "and",
}
SHAPE_FRAMES = (
    "the {}", "a {} man", "they {} it", "it is {}", "very {}", "to {} it", "two {}", "a {} and a dog", "he runs {}",
    "the {} of a dog", "a very {} dog", "{} dogs run", "he is {} it", "{}", "dogs with {}", "it is {} by him",
    "{} and red", "the man {}", "a man {} a dog", "in {}", "{} the dog", "dogs {}", "some {} dogs", "he has {} it",
)  # fmt: skip
STEMS = ("blorf", "zint", "grav", "plom")


def flat_phrases(longest: int) -> Iterator[str]:
    """Sequences of tags of a noun phrase, as words, in every place a noun phrase can have."""
    for length in range(2, longest + 1):
        for slots in itertools.product(SLOTS, repeat=length):
            if slots[-1] in ("NN", "NNS", "CD", "JJ", "VBG") and slots[0] != "CC":
                phrase = " ".join(SLOTS[slot] for slot in slots)
                yield from (place.format(phrase) for place in PLACES)


def verb_phrases(longest: int) -> Iterator[str]:
    """Sequences of what can follow a verb, after finite and other verbs."""
    for length in range(1, longest + 1):
        for slots in itertools.product(VERB_PHRASES, repeat=length):
            rest = " ".join(VERB_PHRASES[slot] for slot in slots)
            yield from (f"a man eats {rest}", f"a man eating {rest}", f"he is {rest}", f"dogs {rest}")


def shapes() -> Iterator[str]:
    """Words that no parser has seen, of every shape, in frames that bring out their tags."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,!'é"
    words = [stem + letter for stem in STEMS[:2] for letter in letters]
    words += [f"{stem}-{stem}{letter}" for stem in STEMS[2:3] for letter in letters]
    words += [f"{number}{letter}" for number in ("1", "25", "1990") for letter in ("", *"abcdsthm%:.-+")]
    yield from (frame.format(word) for word in words for frame in SHAPE_FRAMES)


def main() -> None:
    """Write the lines, those of each kind in random but fixed order."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--most", type=int, default=12000, help="lines of each kind")
    arguments = parser.parse_args()
    lines: dict[str, None] = {}
    for kind in (shapes(), flat_phrases(4), verb_phrases(4)):
        found = sorted(set(kind))
        random.Random(0).shuffle(found)
        lines.update(dict.fromkeys(found[: arguments.most]))
    arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
