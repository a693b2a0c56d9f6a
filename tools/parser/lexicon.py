"""The terms of words: the rule behind them, and the table of what the rule does not give.

As the fitted terms show, to the last of their four digits:

* A word that the reference never saw scores by its shape alone: hyphen, last letter (for words of up to three letters
  only whether one is a small one); of words with digits, what else they hold. All words of a shape share their terms,
  and shapes that the reference never saw share those of `OTHER`.
* A word that it saw c times scores a tag that it never had by one term of the tag, the same for all words and shapes,
  plus log(c / (c + 0.4)).
* A tag that the word did have has a term of its own. Words seen more than a hundred times (`closed`) take no others,
  unless no tree covers the sentence: then all words take all tags. How many trees the reference gives to a word that
  stands alone tells which words are unknown, open and closed (tools/parser/ask.py alone).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from treebank import Treebank
from trees import Rule, is_word

SMOOTHING = 0.4
CLOSE = 0.004
"""Two fitted terms this close are taken for equal: the fit gives them back to about 0.0003."""
SHORT = 3
DIGITS = "0123456789"
OTHER = "?"
ANCHOR = "VBZ^VP"
"""The tag that the other tags' terms for words never seen with them are measured from at first."""
MANY_TAGS = 25
"""Words with so many tags in the data were asked for, with their K best trees."""
SUPPORT = 3
UNKNOWN_ALONE, OPEN_ALONE, ANY_ALONE = 37, 120, 174
"""Trees of a word alone: of all unknown words; the fewest of an open one; of those that only any tag gives a tree."""
OFTEN = -0.001
"""Offset of closed words of which no tree shows an unseen tag, about that of words seen 400 times."""
FLOODED_TAGS = 5
"""Tags with the terms of unseen ones that tell that a closed word was shown with all tags."""
MANY, COMMON = 60, 0.2
"""Words, and share of a tag's words, that agree on its term for words never seen with it."""
SOME, MOST = 16, 0.5
"""The same for tags that are seldom shown, of the words with many tags alone."""
SMALL_LETTERS = (("a", "z"), ("\u00df", "\u00f6"), ("\u00f8", "\u0587"), ("\u1e00", "\u1fff"))
"""Ranges of small letters in captions, which have no capital ones."""

Values = dict[str, dict[str, float]]
"""Word, then tag, then fitted term."""


def shape(word: str) -> str:
    """The shape that words unknown to the reference are scored by. The native parser builds the same."""
    hyphen = "-" if "-" in word else ""
    if any(letter in DIGITS for letter in word):
        if any(letter.isalpha() or not letter.isascii() for letter in word):
            return f"0{hyphen}a"
        return f"0{hyphen}" if hyphen or all(letter in DIGITS for letter in word) else "0."
    if len(word) > SHORT:
        return f"{hyphen}.{word[-1]}"
    has_small = any(first <= letter <= last for letter in word for first, last in SMALL_LETTERS)
    return hyphen + ("." if has_small else "!")


@dataclass(frozen=True)
class Lexicon:
    """Terms by shape, of tags never seen with a word, and of the pairs that have their own."""

    shapes: dict[str, dict[str, float]] = field(default_factory=dict)
    unseen: dict[str, float] = field(default_factory=dict)
    offsets: dict[str, float] = field(default_factory=dict)
    """Of known words: what their unseen tags add."""
    pairs: Values = field(default_factory=dict)
    closed: frozenset[str] = frozenset()
    """Known words that take unseen tags only where no tree covers the sentence."""

    def term(self, tag: str, word: str, any_tag: bool = False) -> float:
        """The term of a tag over a word, minus infinity where it cannot be."""
        if word not in self.offsets:
            return self.shapes.get(shape(word), self.shapes[OTHER]).get(tag, -np.inf)
        own = self.pairs[word].get(tag)
        if own is not None:
            return own
        is_open = any_tag or word not in self.closed
        return self.unseen.get(tag, -np.inf) + self.offsets[word] if is_open else -np.inf


def values_by_word(terms: Iterable[Rule], weights: Iterable[float]) -> Values:
    """The fitted terms of tags over words."""
    values: Values = defaultdict(dict)
    for term, weight in zip(terms, weights, strict=True):
        if is_word(term):
            values[term[1]][term[0]] = float(weight)
    return values


def densest(values: list[float]) -> tuple[float, int]:
    """Median and size of the largest group of nearly equal values."""
    ordered = np.sort(values)
    ends = np.searchsorted(ordered, ordered + CLOSE, side="right")
    sizes = ends - np.arange(len(ordered))
    first = int(sizes.argmax())
    return float(np.median(ordered[first : ends[first]])), int(sizes[first])


def offset_of_count(count: float) -> float:
    """What a word that the reference saw so often adds to the term of a tag it was not seen with."""
    return math.log(count / (count + SMOOTHING))


def unseen_terms(values: Values, offsets: dict[str, float], many: int, common: float) -> dict[str, float]:
    """For each tag its term for words never seen with it: the commonest value, without the words' offsets."""
    gaps: dict[str, list[float]] = defaultdict(list)
    for word, offset in offsets.items():
        for tag, value in values[word].items():
            gaps[tag].append(value - offset)
    found = {tag: densest(group) for tag, group in gaps.items()}
    return {tag: middle for tag, (middle, size) in found.items() if size >= max(many, common * len(gaps[tag]))}


def word_offset(tags: dict[str, float], unseen: dict[str, float]) -> tuple[float, int]:
    """The offset on which most of a word's terms agree, and how many do."""
    gaps = [value - unseen[tag] for tag, value in tags.items() if tag in unseen]
    return densest(gaps) if gaps else (0.0, 0)


def known_words(values: Values, rounds: int = 3) -> tuple[dict[str, float], dict[str, float]]:
    """Offsets of the words whose terms agree with those of unseen tags, and the terms of unseen tags."""
    asked = [word for word, tags in values.items() if len(tags) >= MANY_TAGS and ANCHOR in tags]
    offsets = {word: values[word][ANCHOR] for word in asked}
    unseen: dict[str, float] = {}
    for _ in range(rounds):
        unseen = unseen_terms(values, offsets, MANY, COMMON)
        found = {word: word_offset(tags, unseen) for word, tags in values.items()}
        offsets = {
            word: offset
            for word, (offset, size) in found.items()
            if size >= SUPPORT and size >= 0.25 * len(values[word])
        }
        if not offsets:
            return {}, {}
        # Words seen twice are the largest group of one count.
        top = densest(list(offsets.values()))[0] - offset_of_count(2)
        least = top + offset_of_count(1) - CLOSE
        offsets = {word: offset for word, offset in offsets.items() if least <= offset <= top + CLOSE}
    with_many = {word: offset for word, offset in offsets.items() if len(values[word]) >= MANY_TAGS}
    unseen = unseen_terms(values, with_many, SOME, MOST) | unseen
    return {word: offset - top for word, offset in offsets.items()}, {tag: term + top for tag, term in unseen.items()}


def shape_terms(values: Values, words: Iterable[str]) -> dict[str, dict[str, tuple[float, int]]]:
    """For each shape and tag the value that most of the words share, and how many: several, or it tells nothing."""
    groups: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for word in words:
        for tag, value in values[word].items():
            groups[shape(word)][tag].append(value)
    found = {name: {tag: densest(group) for tag, group in tags.items()} for name, tags in groups.items()}
    return {name: {tag: term for tag, term in tags.items() if term[1] > 1} for name, tags in found.items()}


def is_unknown(tags: dict[str, float], uses: dict[str, float], terms: dict[str, tuple[float, int]]) -> bool:
    """Whether most uses of a word carry the terms of its shape (a term of a single use may be ill determined)."""
    counts = {tag: min(uses[tag], 20.0) for tag in tags}
    agreeing = [tag for tag, value in tags.items() if tag in terms and abs(value - terms[tag][0]) < 2 * CLOSE]
    return sum(counts[tag] for tag in agreeing) > 0.7 * sum(counts.values())


def own_terms(tags: dict[str, float], unseen: dict[str, float], offset: float) -> dict[str, float]:
    """The terms of a word that are not those of unseen tags."""
    return {
        tag: value
        for tag, value in sorted(tags.items())
        if tag not in unseen or abs(value - unseen[tag] - offset) > 2 * CLOSE
    }


def closed_word(tags: dict[str, float], unseen: dict[str, float]) -> tuple[float, dict[str, float]]:
    """Offset and own terms of a word that takes no other tags: some trees of its sentences may have had to."""
    offset, size = word_offset(tags, unseen)
    if size < FLOODED_TAGS or not offset_of_count(100) - CLOSE <= offset <= CLOSE:
        return OFTEN, dict(sorted(tags.items()))
    return offset, own_terms(tags, unseen, offset)


def unknown_words(values: Values, uses: Values, others: list[str], alone: dict[str, int]) -> set[str]:
    """Of words whose terms are not those of known ones, the unknown ones."""
    terms = shape_terms(values, others)
    common = unseen_shape(terms)
    return {
        word
        for word in others
        if alone.get(word) == UNKNOWN_ALONE
        or (
            word not in alone
            and any(is_unknown(values[word], uses[word], shared) for shared in (terms[shape(word)], common))
        )
    }


def is_closed(alone: int) -> bool:
    """Whether a known word with so many trees alone takes only tags of its own."""
    return alone < OPEN_ALONE or alone == ANY_ALONE


def make_lexicon(values: Values, uses: Values, alone: dict[str, int] | None = None) -> Lexicon:
    """Sort words into known and unknown ones, and pairs into seen and unseen ones, by their fitted terms.

    `alone` tells how many trees words have that stand alone; of other words their terms must tell what they are.
    """
    alone = alone or {}
    offsets, unseen = known_words(values)
    others = [word for word in values if word not in offsets or alone.get(word) == UNKNOWN_ALONE]
    unknown = unknown_words(values, uses, others, alone)
    # Unknown words take tags of open classes only; by these, some look like words seen once or twice.
    open_tags = unseen_shape(shape_terms(values, sorted(unknown))).keys()
    unknown |= {word for word in offsets if word not in alone and values[word].keys() <= open_tags}
    known = [word for word in sorted(values) if word not in unknown]
    closed = frozenset(word for word in known if (is_closed(alone[word]) if word in alone else word not in offsets))
    terms = shape_terms(values, sorted(unknown))
    shapes = {name: plain_terms(tags) for name, tags in terms.items() if tags.keys() >= open_tags}
    shapes[OTHER] = plain_terms(unseen_shape(terms))
    pairs: Values = {}
    for word in known:
        if word in closed:
            offsets[word], pairs[word] = closed_word(values[word], unseen)
        else:
            pairs[word] = own_terms(values[word], unseen, offsets.setdefault(word, OFTEN))
    return Lexicon(shapes, unseen, {word: offsets[word] for word in known}, pairs, closed)


def plain_terms(terms: dict[str, tuple[float, int]]) -> dict[str, float]:
    """Terms without how many words share them."""
    return {tag: middle for tag, (middle, _) in terms.items()}


def unseen_shape(shapes: dict[str, dict[str, tuple[float, int]]]) -> dict[str, tuple[float, int]]:
    """The terms on which several shapes agree: those of the shapes that the reference never saw."""
    groups: dict[str, list[float]] = defaultdict(list)
    for tags in shapes.values():
        for tag, (value, _) in tags.items():
            groups[tag].append(value)
    agreed = {tag: densest(values) for tag, values in groups.items()}
    return {tag: term for tag, term in agreed.items() if term[1] >= SUPPORT}


def lexicon_of(treebank: Treebank, weights: Iterable[float], alone: dict[str, int]) -> Lexicon:
    """The lexicon behind the fitted terms of a treebank."""
    uses = np.bincount(treebank.scored.numbers, minlength=len(treebank.terms))
    return make_lexicon(values_by_word(treebank.terms, weights), values_by_word(treebank.terms, uses), alone)


def normalised(lexicon: Lexicon) -> tuple[Lexicon, dict[str, float]]:
    """The lexicon with each tag's words adding up to a probability of 1, and what was taken from each tag's terms.

    The scores leave a constant for each tag open: what its terms have more, the steps above it have less.
    """
    open_words = sum(math.exp(offset) for word, offset in lexicon.offsets.items() if word not in lexicon.closed)
    sums = {tag: open_words * math.exp(term) for tag, term in lexicon.unseen.items()}
    for terms in lexicon.pairs.values():
        for tag, term in terms.items():
            sums[tag] = sums.get(tag, 0.0) + math.exp(term)
    taken = {tag: math.log(total) for tag, total in sums.items()}
    for terms in lexicon.shapes.values():
        taken |= {tag: 0.0 for tag in terms if tag not in taken}

    def lowered(terms: dict[str, float]) -> dict[str, float]:
        return {tag: term - taken[tag] for tag, term in terms.items()}

    shapes = {name: lowered(terms) for name, terms in lexicon.shapes.items()}
    pairs = {word: lowered(terms) for word, terms in lexicon.pairs.items()}
    return Lexicon(shapes, lowered(lexicon.unseen), lexicon.offsets, pairs, lexicon.closed), taken


def report(lexicon: Lexicon) -> str:
    """One line on what the lexicon holds."""
    pairs = Counter(len(tags) for tags in lexicon.pairs.values())
    total = sum(size * words for size, words in pairs.items())
    return (
        f"{len(lexicon.offsets)} known words, {len(lexicon.closed)} of them closed, {total} pairs, "
        f"{len(lexicon.unseen)} unseen tags, {len(lexicon.shapes)} shapes"
    )
