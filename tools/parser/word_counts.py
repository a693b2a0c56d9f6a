"""How often the reference saw each word with each tag in its own training, as the fitted terms tell:

    python tools/parser/word_counts.py [MODEL]

A tag that a word had n times, of c times in all, has by e^(the term less that of a tag never seen with it) = 1 + n · u,
where u is a number of the tag: 1 / (0.4 p) for the tag's share p among words seen for the first time. So all own terms
of a tag are multiples of one unit, and a word's counts add up to c, which its offset tells. Where they do not, the word
has a tag that no tree shows yet: tools/parser/ask.py counts asks for it.
"""

import argparse
import math
from collections import defaultdict
from importlib.resources import files
from pathlib import Path

import numpy as np
from lexicon import SMOOTHING, Lexicon, densest
from model_file import read, read_texts
from tree_score import stored_lexicon

SHIPPED = files("spidercap") / "metrics" / "data" / "spice_parser.bin"
MOST = 130
"""Uses of a word that its offset tells exactly."""
FACTORS = (1 / 2, 2, 1 / 3, 3, 1 / 4, 4)
LEAST_SHARE = 0.02
"""Of a tag's largest own term: what is smaller comes of another part of the training, which counts less."""
ROUNDS, EXACT, LEAST = 3, 0.1, 0.4

Shares = dict[str, dict[str, float]]
"""Word, then tag, then e^(own term less that of an unseen tag) - 1."""


def uses_of(lexicon: Lexicon) -> dict[str, int]:
    """How often the reference saw each open word."""
    counts = {
        word: SMOOTHING / math.expm1(-offset) if offset < 0 else math.inf
        for word, offset in lexicon.offsets.items()
        if word not in lexicon.closed
    }
    return {word: round(count) for word, count in counts.items() if count <= MOST}


def shares_of(lexicon: Lexicon) -> Shares:
    """What own terms add to those of unseen tags, where a tag has both."""
    return {
        word: {
            tag: math.expm1(term - lexicon.unseen[tag] - lexicon.offsets[word])
            for tag, term in lexicon.pairs[word].items()
            if tag in lexicon.unseen
        }
        for word in uses_of(lexicon)
    }


def counted(shares: dict[str, float], units: dict[str, float]) -> float:
    """How many of a word's uses its own tags explain."""
    found = [share / units[tag] for tag, share in shares.items() if tag in units]
    return sum(count for count in found if count > LEAST)


def exact_words(words: list[str], shares: Shares, uses: dict[str, int], units: dict[str, float]) -> int:
    """Of how many words the counts add up."""
    return sum(abs(uses[word] - counted(shares[word], units)) < EXACT for word in words)


def units_of(lexicon: Lexicon) -> dict[str, float]:
    """The unit of each tag: its commonest own term, or that fraction of it with which most words add up."""
    uses, shares = uses_of(lexicon), shares_of(lexicon)
    by_tag: dict[str, dict[str, float]] = defaultdict(dict)
    for word, tags in shares.items():
        for tag, share in tags.items():
            by_tag[tag][word] = share
    units: dict[str, float] = {}
    for tag, found in by_tag.items():
        large = [math.log(share) for share in found.values() if share > max(0.5, LEAST_SHARE * max(found.values()))]
        if large:
            units[tag] = math.exp(densest(large)[0])
    for _ in range(ROUNDS):
        for tag in units:
            words = list(by_tag[tag])
            found_exact = {
                factor: exact_words(words, shares, uses, units | {tag: units[tag] * factor}) for factor in (1, *FACTORS)
            }
            units[tag] *= max(found_exact, key=lambda factor: (found_exact[factor], factor == 1))
    return units


def incomplete_words(lexicon: Lexicon) -> list[str]:
    """Words of which not all uses are explained: a tag of theirs was not shown yet."""
    uses, shares, units = uses_of(lexicon), shares_of(lexicon), units_of(lexicon)
    return [word for word, count in uses.items() if counted(shares[word], units) < count - EXACT]


def lexicon_of_file(model: Path) -> Lexicon:
    """The lexicon of a model file."""
    sections = read(model)
    tags = int(np.frombuffer(sections["counts"].tobytes(), np.uint32)[0])
    return stored_lexicon(sections, read_texts(sections, "label")[:tags])


def main() -> None:
    """Print of how many words the counts add up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, nargs="?", default=SHIPPED, help="model file (default: the shipped one)")
    lexicon = lexicon_of_file(parser.parse_args().model)
    uses, shares, units = uses_of(lexicon), shares_of(lexicon), units_of(lexicon)
    left = [uses[word] - counted(shares[word], units) for word in uses]
    exact, fewer = sum(abs(count) < EXACT for count in left), sum(count >= EXACT for count in left)
    print(f"{len(left):,} words seen up to {MOST} times: the counts of {exact:,} add up, {fewer:,} lack a tag")


if __name__ == "__main__":
    main()
