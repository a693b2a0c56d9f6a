"""What a model file makes of a given tree: its best score among those that print alike, or what is missing for it."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from grammar import IMPOSSIBLE
from lexicon import Lexicon, Values
from model_file import read, read_texts
from numpy.typing import NDArray
from trees import ROOT, Rule, is_word

Cell = dict[int, float]
"""States over a span, with their scores."""
Sections = dict[str, NDArray[np.generic]]


class MissingWordError(LookupError):
    """A word that cannot have its tag."""


class MissingStepError(LookupError):
    """A phrase that cannot be made of its children."""


def numbers(sections: Sections, name: str, kind: type[np.generic]) -> list[float]:
    """A section as a list."""
    return [float(number) for number in np.frombuffer(sections[name].tobytes(), kind)]


def grouped(sections: Sections, starts: str, stem: str) -> Iterator[list[tuple[int, float]]]:
    """Numbers with their weights, group by group."""
    number = "tag" if stem == "entry" else "parent"
    pairs = zip(
        numbers(sections, f"{stem}_{number}", np.uint16), numbers(sections, f"{stem}_weight", np.float32), strict=True
    )
    entries = [(int(number), weight) for number, weight in pairs]
    return (entries[int(first) : int(end)] for first, end in pairwise(numbers(sections, starts, np.uint32)))


def stored_lexicon(sections: Sections, tags: list[str]) -> Lexicon:
    """The lexicon of a model file."""
    words, shapes = read_texts(sections, "word"), read_texts(sections, "shape")

    def possible(terms: list[float]) -> dict[str, float]:
        return {tag: term for tag, term in zip(tags, terms, strict=True) if term > IMPOSSIBLE / 2}

    rows = np.reshape(numbers(sections, "shape_weight", np.float32), (len(shapes), len(tags)))
    offsets = dict(zip(words, numbers(sections, "word_offset", np.float32), strict=True))
    entries = grouped(sections, "word_entries", "entry")
    pairs: Values = {word: {tags[tag]: term for tag, term in own} for word, own in zip(words, entries, strict=True)}
    by_shape = {shape: possible(row) for shape, row in zip(shapes, rows.tolist(), strict=True)}
    is_closed = numbers(sections, "word_closed", np.uint8)
    closed = frozenset(word for word, flag in zip(words, is_closed, strict=True) if flag)
    return Lexicon(by_shape, possible(numbers(sections, "unseen_weight", np.float32)), offsets, pairs, closed)


class TreeScore:
    """The grammar of a model file, to score trees with or without marks."""

    def __init__(self, model: Path) -> None:
        sections = read(model)
        tags, self.labels = (int(count) for count in numbers(sections, "counts", np.uint32)[:2])
        self.names = read_texts(sections, "label")
        self.lexicon = stored_lexicon(sections, self.names[:tags])
        self.states: dict[tuple[bool, str], list[int]] = defaultdict(list)
        for marked, names in ((True, self.names), (False, read_texts(sections, "plain"))):
            for state, name in enumerate(names):
                self.states[marked, name].append(state)
        lefts, rights = numbers(sections, "pair_left", np.uint16), numbers(sections, "pair_right", np.uint16)
        steps = grouped(sections, "pair_steps", "step")
        self.binary = {(int(left), int(right)): own for left, right, own in zip(lefts, rights, steps, strict=True)}
        self.unary = list(grouped(sections, "unary_steps", "unary"))

    def score(self, rules: list[Rule], marked: bool) -> float:
        """The score of a tree, given as its rules, parents before children."""
        for rule in rules:
            if is_word(rule):
                self.tags(rule, marked)
        top = self.phrase(iter(rules), marked)
        return max(score for state, score in top.items() if self.names[state] == ROOT)

    def tags(self, rule: Rule, marked: bool) -> Cell:
        """The tags that a word may have."""
        tag, word, _ = rule
        terms = {state: self.lexicon.term(self.names[state], word) for state in self.states[marked, tag]}
        possible = {state: term for state, term in terms.items() if term > IMPOSSIBLE / 2}
        if not possible:
            raise MissingWordError(f"{tag} {word}")
        return possible

    def phrase(self, rules: Iterator[Rule], marked: bool) -> Cell:
        """The states of the next node, all below it read."""
        rule = next(rules)
        if is_word(rule):
            return self.tags(rule, marked)
        children = [self.phrase(rules, marked) for _ in rule[1:]]
        made = self.unary_parents(children[0]) if len(children) == 1 else self.joined(children)
        wanted = {state: made[state] for state in self.states[marked, rule[0]] if state in made}
        if not wanted:
            raise MissingStepError(" ".join(rule))
        return wanted

    def unary_parents(self, child: Cell) -> Cell:
        """What one step leads to from a single child."""
        above: Cell = {}
        for state, below in child.items():
            keep_best(above, [(parent, below + weight) for parent, weight in self.unary[state]])
        return above

    def joined(self, children: list[Cell]) -> Cell:
        """What several children make, through unfinished states alone."""
        cells = {(place, place + 1): child for place, child in enumerate(children)}
        for size in range(2, len(children) + 1):
            for first in range(len(children) - size + 1):
                end = first + size
                cell: Cell = {}
                for middle in range(first + 1, end):
                    self.join(cells[first, middle], cells[middle, end], cell)
                whole = size == len(children)
                cells[first, end] = {state: score for state, score in cell.items() if (state < self.labels) == whole}
        return cells[0, len(children)]

    def join(self, lefts: Cell, rights: Cell, cell: Cell) -> None:
        """All steps over two neighbours."""
        for left, left_score in lefts.items():
            for right, right_score in rights.items():
                steps = self.binary.get((left, right), ())
                keep_best(cell, [(parent, left_score + right_score + weight) for parent, weight in steps])


def keep_best(cell: Cell, scored: list[tuple[int, float]]) -> None:
    """Raise the scores of states to better ones."""
    for state, score in scored:
        if score > cell.get(state, -np.inf):
            cell[state] = score
