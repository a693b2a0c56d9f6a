"""The terms of words, tied: how the reference scores a tag over a word, as its fitted terms show.

* A word it never saw in training scores by its shape alone: hyphen, last letter (none for words of up to three
  letters); of words with digits, whether they hold letters too. All words of a shape share their terms.
* A word it saw c times scores a tag it never had by one term of the tag, plus log(c / (c + 0.4)).
* A tag the word did have has a term of its own. A word seen often has no other tags at all: of the words whose counts
  the terms give back, those above `OFTEN` never show a tag they were not seen with.
"""

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from treebank import Rule, is_word

SMOOTHING = 0.4
SHORT = 3
DIGITS = "0123456789"
CLOSE = 0.004
"""Two fitted terms this close are taken for equal: the fit gives them back to about 0.0003."""
SUPPORT = 3
MANY = 20
CERTAIN = 0.7
SEEN_TWICE = 0.1
FREQUENT = 2000
OFTEN = 200.0
"""Where words stop to take tags they were never seen with, in units of `count_of_offset`."""
LADDER = (2.5, 16.0)
"""Counts that offsets tell apart well enough to calibrate a tag by."""
CLOSED = -1e9
UNSEEN, SHAPE = "*unseen*", "*shape*"

Values = dict[str, dict[str, float]]
"""Word, then tag, then fitted term."""


def shape(word: str) -> str:
    """The shape that words unknown to the reference are scored by. The native parser builds the same."""
    hyphen = "-" if "-" in word else ""
    if any(letter in DIGITS for letter in word):
        return f"0{hyphen}a" if any(letter.isalpha() or not letter.isascii() for letter in word) else "0"
    return hyphen + "." + (word[-1] if len(word) > SHORT else "")


@dataclass(frozen=True)
class WordModel:
    """Which words are unknown to the reference, and the offset of the others' unseen tags."""

    unknown: frozenset[str] = frozenset()
    offsets: dict[str, float] = field(default_factory=dict)
    unseen: frozenset[tuple[str, str]] = frozenset()
    """(tag, word) pairs of known words that score as unseen."""
    guessed: frozenset[tuple[str, str]] = frozenset()
    """Those of them that are taken for unseen because no equation determines their own term."""

    def terms(self, rule: Rule) -> list[Rule]:
        """The term of a tag over a word."""
        tag, word = rule[0], rule[1]
        if word in self.unknown:
            return [(tag, SHAPE + shape(word), "")]
        return [(tag, UNSEEN, "")] if (tag, word) in self.unseen else [rule]

    def known_parts(self, rules: Iterable[Rule]) -> dict[Rule, float]:
        """Offsets of the rules that score as unseen tags of known words."""
        pairs = (rule for rule in rules if is_word(rule) and (rule[0], rule[1]) in self.unseen)
        return {rule: self.offsets[rule[1]] for rule in pairs}


def densest(values: list[float]) -> tuple[float, int]:
    """Middle and size of the largest group of nearly equal values."""
    ordered = sorted(values)
    best, middle, low = 0, 0.0, 0
    for high, value in enumerate(ordered):
        while value - ordered[low] > CLOSE:
            low += 1
        if high - low + 1 > best:
            best, middle = high - low + 1, (value + ordered[low]) / 2
    return middle, best


def values_by_word(weights: dict[Rule, float]) -> Values:
    """The fitted terms of (tag, word) pairs."""
    values: Values = defaultdict(dict)
    for term, weight in weights.items():
        if is_word(term):
            values[term[1]][term[0]] = weight
    return values


def shape_values(values: Values, words: Iterable[str]) -> dict[str, dict[str, tuple[float, int]]]:
    """For each shape and tag the value that most of the given words share, and how many share it."""
    groups: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for word in words:
        for tag, value in values[word].items():
            groups[shape(word)][tag].append(value)
    return {name: {tag: densest(group) for tag, group in tags.items()} for name, tags in groups.items()}


def typical_words(values: Values) -> list[str]:
    """Words that carry the commonest value of the two tags that words of their shape most often share.

    The other large group of equal values are words that the reference saw twice, which these two tags tell apart.
    Words with digits hardly ever show a second tag: one is enough for them.
    """
    typical: dict[str, dict[str, float]] = {}
    for name, tags in shape_values(values, values).items():
        best = sorted(tags, key=lambda tag: -tags[tag][1])[:2]
        typical[name] = {tag: tags[tag][0] for tag in best}
    return [
        word
        for word, tags in values.items()
        if (any if shape(word).startswith("0") else all)(
            abs(tags.get(tag, -math.inf) - value) < CLOSE for tag, value in typical[shape(word)].items()
        )
    ]


def is_unknown(tags: dict[str, float], counts: dict[str, float], reference: dict[str, float]) -> bool:
    """Whether nearly all uses of a word carry the terms of its shape (a term of a single use may be ill determined)."""
    uses = {tag: min(counts[tag], MANY) for tag in tags}
    agreeing = [tag for tag, value in tags.items() if tag in reference and abs(value - reference[tag]) < 2 * CLOSE]
    return sum(uses[tag] for tag in agreeing) > CERTAIN * sum(uses.values())


def offset_of_count(count: float) -> float:
    """What a word of this training count adds to the term of a tag it was not seen with."""
    return math.log(count / (count + SMOOTHING))


def count_of_offset(offset: float) -> float:
    """The training count that gives this offset."""
    return SMOOTHING / math.expm1(-offset) if offset < 0 else math.inf


LOWEST_OFFSET = offset_of_count(1) - CLOSE


def groups_of_equals(values: list[float]) -> list[tuple[float, int]]:
    """Middle and size of the groups of nearly equal values, from the lowest up."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][0] < 1.5 * CLOSE:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [((group[0] + group[-1]) / 2, len(group)) for group in groups]


def unseen_value(values: list[float]) -> float | None:
    """The term of a tag for words it was never seen with, from its terms for known words without their offsets.

    It is the lowest value that several words share. Values of pairs seen once, twice, ... also come in groups, but
    these stand log 2 apart: a lowest group that has others at that distance is the pairs seen once.
    """
    groups = groups_of_equals(values)
    enough = max(SUPPORT, 0.01 * max(size for _, size in groups))
    lowest = next(((middle, size) for middle, size in groups if size >= enough), None)
    if lowest is None:
        return None
    twice = sum(size for middle, size in groups if abs(middle - lowest[0] - math.log(2)) < 10 * CLOSE)
    return lowest[0] if twice < SEEN_TWICE * lowest[1] else None


def unseen_values(values: Values, offsets: dict[str, float]) -> dict[str, float]:
    """For each tag its term for words it was never seen with, where the data show it."""
    groups: dict[str, list[float]] = defaultdict(list)
    for word, offset in offsets.items():
        for tag, value in values[word].items():
            groups[tag].append(value - offset)
    found = {tag: unseen_value(group) for tag, group in groups.items()}
    return {tag: value for tag, value in found.items() if value is not None}


def word_offset(tags: dict[str, float], unseen: dict[str, float]) -> tuple[float, int]:
    """The offset on which most of a word's terms agree, and how many do."""
    gaps = [value - unseen[tag] for tag, value in tags.items() if tag in unseen]
    return densest([gap for gap in gaps if LOWEST_OFFSET <= gap <= CLOSE])


def first_offsets(values: Values, known: list[str]) -> dict[str, float]:
    """Offsets to start from, from the two tags that most words were tried with.

    The two terms of a word differ by the same number whatever its count, so that difference is found first; the
    zero of the offsets is the value that frequent words come near to.
    """
    first, second = "JJ^ADJP", "VBZ^VP"
    both = [word for word in known if first in values[word] and second in values[word]]
    difference, _ = densest([values[word][first] - values[word][second] for word in both])
    agreeing = [word for word in both if abs(values[word][first] - values[word][second] - difference) < CLOSE]
    # Words seen twice are the largest group of one count.
    at_two, _ = densest([values[word][first] for word in agreeing])
    top = at_two - offset_of_count(2)
    gaps = {word: values[word][first] - top for word in agreeing}
    return {word: gap for word, gap in gaps.items() if LOWEST_OFFSET <= gap <= CLOSE}


def reference_counts(values: Values, offsets: dict[str, float], shown: set[tuple[str, str]]) -> dict[str, float]:
    """How often the reference saw each word, as its terms tell.

    Words of one tag whose offset gives their count calibrate that tag: terms rise with the log of the count.
    """
    own = {
        word: {tag: value for tag, value in values[word].items() if (tag, word) not in shown}
        for word in sorted(offsets)
    }
    scales: dict[str, list[float]] = defaultdict(list)
    for word, tags in own.items():
        count = count_of_offset(offsets[word])
        if LADDER[0] < count < LADDER[1] and len(tags) == 1:
            scales[next(iter(tags))].append(next(iter(tags.values())) - math.log(count))
    middle = {tag: statistics.median(scale) for tag, scale in scales.items() if len(scale) >= SUPPORT}
    return {
        word: sum(math.exp(value - middle[tag]) for tag, value in tags.items() if tag in middle)
        for word, tags in own.items()
    }


def closed_words(
    values: Values, offsets: dict[str, float], shown: set[tuple[str, str]], uses: dict[str, float]
) -> set[str]:
    """Words that take only the tags they were seen with: none of the others ever won, and the reference saw them often.

    Function words, whose tags nothing calibrates, are told by thousands of chances in our own data.
    """
    counts = reference_counts(values, offsets, shown)
    open_words = {word for _, word in shown}
    return {word for word in offsets if word not in open_words and (counts[word] > OFTEN or uses[word] > FREQUENT)}


def analyse(weights: dict[Rule, float], uses: dict[Rule, float], determined: set[Rule], rounds: int = 3) -> WordModel:
    """Sort words into unknown and known, and pairs into seen and unseen, from freely fitted terms.

    A pair whose own term the data do not determine is taken for unseen.
    """
    everything = values_by_word(weights)
    values = values_by_word({term: weight for term, weight in weights.items() if term in determined})
    values.update({word: tags for word, tags in everything.items() if word not in values})
    shapes: dict[str, dict[str, float]] = defaultdict(dict)
    for name, tags in shape_values(values, typical_words(values)).items():
        shapes[name] = {tag: middle for tag, (middle, size) in tags.items() if size >= SUPPORT}
    counts = values_by_word(uses)
    unknown = {word for word, tags in values.items() if is_unknown(tags, counts[word], shapes[shape(word)])}
    known = [word for word in values if word not in unknown]
    offsets = first_offsets(values, known)
    unseen: dict[str, float] = {}
    for _ in range(rounds):
        unseen = unseen_values(values, offsets)
        found = {word: word_offset(values[word], unseen) for word in known}
        offsets = {word: offset for word, (offset, size) in found.items() if size >= 2}
    for word in [word for word in known if word not in offsets]:
        offset, size = word_offset(values[word], unseen)
        offsets[word] = offset if size else 0.0
    shown = {
        (tag, word)
        for word in known
        for tag, value in values[word].items()
        if tag in unseen and abs(value - unseen[tag] - offsets[word]) < 2 * CLOSE
    }
    closed = closed_words(values, offsets, shown, {word: sum(counts[word].values()) for word in known})
    guessed = {
        (tag, word)
        for word in known
        if word not in closed
        for tag in everything[word]
        if tag in unseen and (tag, word, "") not in determined
    }
    offsets = {word: CLOSED if word in closed else min(offsets[word], 0.0) for word in known}
    return WordModel(frozenset(unknown), offsets, frozenset(shown | guessed))
