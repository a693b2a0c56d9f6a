"""Fitted terms as the arrays of the model file: states, binary steps by pair of children, unary steps, words."""

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
from binarise import plain
from model_file import text_table
from numpy.typing import NDArray
from treebank import Rule, Treebank, is_word
from words import SHAPE, UNSEEN, WordModel

Arrays = dict[str, NDArray[np.generic]]

NO_NEED, NEED_LEFT, NEED_RIGHT = 0, 1, 2
ROOT = "ROOT"
IMPOSSIBLE = -1e9


@dataclass(frozen=True)
class States:
    """Tags first, then phrases, then what remains of phrases after children were peeled off (`@...`)."""

    names: list[str]
    ids: dict[str, int]
    tags: int
    labels: int


def number_states(terms: list[Rule]) -> States:
    """Number all states of the terms: each kind by name, so that the file does not depend on the order of the data."""
    tags = sorted({term[0] for term in terms if is_word(term)})
    others = {state for term in terms if not is_word(term) for state in term} - set(tags)
    phrases = sorted(state for state in others if not state.startswith("@"))
    remains = sorted(state for state in others if state.startswith("@"))
    names = tags + phrases + remains
    return States(names, {name: number for number, name in enumerate(names)}, len(tags), len(tags) + len(phrases))


def need_of(states: States, name: str) -> tuple[int, int]:
    """Side and label of the child peeled last from a remainder: it must stand right beside it."""
    if not name.startswith("@"):
        return NO_NEED, 0
    last = name.split(" ")[-1].lstrip("~")
    return (NEED_LEFT if last[0] == "<" else NEED_RIGHT), states.ids[last[1:]]


def starts_of(counts: list[int]) -> NDArray[np.uint32]:
    """Where each group starts when groups of these sizes follow each other, and where the last ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)


def plain_label(label: str) -> str:
    """The label as trees are printed: without marks, but temporal noun phrases keep theirs."""
    return "NP-TMP" if label.startswith("NP-TMP") else plain(label)


def label_arrays(states: States) -> Arrays:
    """Names of tags and phrases, with and without marks, and what each remainder must stand beside."""
    labels = states.names[: states.labels]
    text, starts = text_table(labels)
    plain_text, plain_starts = text_table([plain_label(label) for label in labels])
    needs = [need_of(states, name) for name in states.names]
    return {
        "counts": np.array([states.tags, states.labels, len(states.names), states.ids[ROOT]], np.uint32),
        "label_text": text,
        "label_starts": starts,
        "plain_text": plain_text,
        "plain_starts": plain_starts,
        "need_side": np.array([side for side, _ in needs], np.uint8),
        "need_label": np.array([label for _, label in needs], np.uint16),
    }


def pair_arrays(states: States, binary: dict[tuple[int, int], list[tuple[int, float]]]) -> Arrays:
    """Steps whose two children are both labels, by pair, the parents grouped by what they need beside them."""
    pairs = sorted(pair for pair in binary if max(pair) < states.labels)
    group_counts: list[int] = []
    groups: list[tuple[int, int]] = []
    rule_counts: list[int] = []
    rules: list[tuple[int, float]] = []
    for pair in pairs:
        by_need: dict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
        for parent, weight in sorted(binary[pair]):
            by_need[need_of(states, states.names[parent])].append((parent, weight))
        group_counts.append(len(by_need))
        for need, members in sorted(by_need.items()):
            groups.append(need)
            rule_counts.append(len(members))
            rules += members
    return {
        "pair_left": np.array([left for left, _ in pairs], np.uint16),
        "pair_right": np.array([right for _, right in pairs], np.uint16),
        "pair_groups": starts_of(group_counts),
        "group_side": np.array([side for side, _ in groups], np.uint8),
        "group_label": np.array([label for _, label in groups], np.uint16),
        "group_rules": starts_of(rule_counts),
        "rule_parent": np.array([parent for parent, _ in rules], np.uint16),
        "rule_weight": np.array([weight for _, weight in rules], np.float32),
    }


def remainder_arrays(states: States, binary: dict[tuple[int, int], list[tuple[int, float]]]) -> Arrays:
    """Steps that peel a child off a remainder, by remainder: the peeled child is the one it must stand beside."""
    steps: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for (left, right), parents in binary.items():
        if max(left, right) >= states.labels:
            steps[max(left, right)] += parents
    remainders = range(states.labels, len(states.names))
    rules = [rule for state in remainders for rule in sorted(steps[state])]
    return {
        "remainder_rules": starts_of([len(steps[state]) for state in remainders]),
        "remainder_parent": np.array([parent for parent, _ in rules], np.uint16),
        "remainder_weight": np.array([weight for _, weight in rules], np.float32),
    }


def unary_arrays(states: States, unary: dict[int, list[tuple[int, float]]]) -> Arrays:
    """Unary steps by child."""
    rules = [rule for child in range(states.labels) for rule in sorted(unary.get(child, []))]
    return {
        "unary_rules": starts_of([len(unary.get(child, [])) for child in range(states.labels)]),
        "unary_parent": np.array([parent for parent, _ in rules], np.uint16),
        "unary_weight": np.array([weight for _, weight in rules], np.float32),
    }


def without_gaining_loops(unary: dict[Rule, float], uses: Counter[Rule]) -> dict[Rule, float]:
    """Unary steps without those, rarest first, that would let a tree gain by going in a circle."""
    kept = dict(unary)
    for rule in sorted(unary, key=lambda rule: (uses[rule], rule)):
        if best_chain(kept, rule[0], rule[1]) + kept[rule] >= 0:
            del kept[rule]
    return kept


def best_chain(unary: dict[Rule, float], start: str, end: str) -> float:
    """Best sum of unary steps that lead from a child `start` up to a parent `end` (minus infinity if none do)."""
    best = {start: 0.0}
    for _ in range(8):
        for (parent, child), weight in unary.items():
            if child in best and best[child] + weight > best.get(parent, -np.inf):
                best[parent] = best[child] + weight
    return best.get(end, -np.inf)


def rule_arrays(states: States, weights: dict[Rule, float], uses: Counter[Rule]) -> Arrays:
    """All steps of the grammar."""
    binary: dict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
    unary: dict[int, list[tuple[int, float]]] = defaultdict(list)
    chains: dict[Rule, float] = {
        term: weight for term, weight in weights.items() if not is_word(term) and len(term) == 2
    }
    for rule, weight in without_gaining_loops(chains, uses).items():
        unary[states.ids[rule[1]]].append((states.ids[rule[0]], weight))
    for term, weight in weights.items():
        if len(term) == 3 and not is_word(term):
            parent_id, left, right = (states.ids[state] for state in term)
            binary[left, right].append((parent_id, weight))
    return pair_arrays(states, binary) | remainder_arrays(states, binary) | unary_arrays(states, unary)


def word_arrays(
    states: States, weights: dict[Rule, float], words: WordModel, rejected: frozenset[str] = frozenset()
) -> Arrays:
    """Terms of words: by shape, of unseen tags, and of the pairs that have their own.

    No word takes a rejected tag but those that surely scored so in training trees; they have it as a pair of their own.
    """
    unseen = np.full(states.tags, IMPOSSIBLE, np.float32)
    shapes: dict[str, NDArray[np.float32]] = {}
    pairs: dict[str, list[tuple[int, float]]] = {word: [] for word in sorted(words.offsets)}
    for term, weight in weights.items():
        if not is_word(term):
            continue
        tag, word = states.ids[term[0]], term[1]
        if word == UNSEEN and term[0] in rejected:
            sure = words.unseen - words.guessed
            for shown in sorted(shown for shown_tag, shown in sure if shown_tag == term[0]):
                pairs[shown].append((tag, weight + words.offsets[shown]))
        elif word == UNSEEN:
            unseen[tag] = weight
        elif word.startswith(SHAPE):
            vector = shapes.setdefault(word.removeprefix(SHAPE), np.full(states.tags, IMPOSSIBLE, np.float32))
            vector[tag] = weight
        else:
            pairs[word].append((tag, weight))
    text, starts = text_table(list(pairs))
    shape_text, shape_starts = text_table(sorted(shapes))
    entries = [entry for word in pairs for entry in sorted(pairs[word])]
    return {
        "word_text": text,
        "word_starts": starts,
        "word_offset": np.array([words.offsets[word] for word in pairs], np.float32),
        "word_entries": starts_of([len(pairs[word]) for word in pairs]),
        "entry_tag": np.array([tag for tag, _ in entries], np.uint16),
        "entry_weight": np.array([weight for _, weight in entries], np.float32),
        "unseen_weight": unseen,
        "shape_text": shape_text,
        "shape_starts": shape_starts,
        "shape_weight": np.stack([shapes[name] for name in sorted(shapes)]),
    }


def grammar_arrays(
    treebank: Treebank, words: WordModel, weights: dict[Rule, float], rejected: frozenset[str] = frozenset()
) -> tuple[States, Arrays]:
    """Everything the chart needs."""
    states = number_states(list(weights))
    counts = np.bincount(treebank.sequence, minlength=len(treebank.rules))
    uses: Counter[Rule] = Counter(dict(zip(treebank.rules, counts.tolist(), strict=True)))
    rules = rule_arrays(states, weights, uses)
    return states, label_arrays(states) | rules | word_arrays(states, weights, words, rejected)
