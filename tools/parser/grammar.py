"""Fitted terms as the arrays of the model file: states, binary steps by pair of children, unary steps, words.

The reference's steps are folded before they are written: the state of a head alone is the head child itself, and the
last step of a phrase leads to the phrase, so that only states between the two remain (active edges).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from lexicon import OTHER, Lexicon
from model_file import text_table
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import lsqr
from trees import ROOT, Rule, is_active, is_word

Arrays = dict[str, NDArray[np.generic]]
Weights = dict[Rule, float]

IMPOSSIBLE = -1e9


@dataclass(frozen=True)
class Grammar:
    """Folded steps: (parent, left, right) and (parent, child), actives only as parts of larger phrases."""

    binary: Weights
    unary: Weights
    phrase_of: dict[str, str]
    """The phrase that an active is a part of (of several, the first by name)."""


@dataclass(frozen=True)
class States:
    """Tags first, then phrases, then actives; those that can stand at the right of something come first among these."""

    names: list[str]
    ids: dict[str, int]
    tags: int
    labels: int
    openers: int


def plain_label(label: str) -> str:
    """The label as trees are printed: without marks, but temporal noun phrases keep theirs."""
    match = re.match(r"[^\^\-]+", label)
    return "NP-TMP" if label.startswith("NP-TMP") else match.group(0) if match else label


def keep_best(weights: Weights, rule: Rule, weight: float) -> None:
    """Of two ways to the same step, the better one."""
    weights[rule] = max(weight, weights.get(rule, -np.inf))


def fold(weights: Weights) -> Grammar:
    """Heads and last steps folded into the steps beside them."""
    steps = {rule: weight for rule, weight in weights.items() if not is_word(rule)}
    heads: dict[str, list[tuple[str, float]]] = defaultdict(list)
    phrases: dict[str, tuple[str, float]] = {}
    binary: Weights = {}
    unary: Weights = {}
    for rule, weight in steps.items():
        if len(rule) == 2 and is_active(rule[0]):
            heads[rule[0]].append((rule[1], weight))
        elif len(rule) == 2 and is_active(rule[1]):
            phrases[rule[1]] = (rule[0], weight)
        elif len(rule) == 2:
            keep_best(unary, rule, weight)
    made = {rule[0] for rule in steps if len(rule) == 3}
    for rule, weight in steps.items():
        if len(rule) == 3:
            parent, above = phrases.get(rule[0], (rule[0], 0.0))
            for left, under_left in children_of(rule[1], heads, made):
                for right, under_right in children_of(rule[2], heads, made):
                    keep_best(binary, (parent, left, right), weight + above + under_left + under_right)
    return Grammar(*without_dead_ends(binary, unary), phrases_of_actives(binary))


def log_shares(rules: list[Rule], uses: Counter[Rule]) -> NDArray[np.float64]:
    """Log of each step's share of its state's uses, a little added to all of them."""
    totals: dict[str, float] = defaultdict(float)
    for rule in rules:
        totals[rule[0]] += uses[rule] + 0.5
    return np.log([(uses[rule] + 0.5) / totals[rule[0]] for rule in rules])


def constants_matrix(rules: list[Rule]) -> sparse.csr_matrix:
    """What a constant of each state changes: its steps lose it, those that lead to it gain it; the root has none."""
    states = sorted({rule[0] for rule in rules} - {ROOT})
    columns = {state: number for number, state in enumerate(states)}
    entries = [
        (row, columns[state], -1.0 if place == 0 else 1.0)
        for row, rule in enumerate(rules)
        for place, state in enumerate(rule)
        if state in columns
    ]
    row_numbers, column_numbers, signs = zip(*entries, strict=True)
    return sparse.csr_matrix((signs, (row_numbers, column_numbers)), shape=(len(rules), len(columns)))


def normalised(weights: Weights, uses: Counter[Rule], taken: dict[str, float]) -> Weights:
    """Weights near the logs of relative frequencies, as far as the scores leave them open.

    They leave a constant for each state open: what the steps of a state have more, those above it have less. `taken`
    holds the constants that the terms of words were lowered by; `uses` tells how often each step occurs.
    """
    rules = list(weights)
    fixed = np.array([weights[rule] + sum(taken.get(child, 0.0) for child in rule[1:]) for rule in rules])
    importance = np.sqrt([uses[rule] + 0.1 for rule in rules])
    matrix = constants_matrix(rules)
    missing = importance * (log_shares(rules, uses) - fixed)
    constants = lsqr(sparse.diags(importance) @ matrix, missing, damp=1e-3, atol=1e-12, btol=1e-12, iter_lim=5000)[0]
    return dict(zip(rules, (fixed + matrix @ constants).tolist(), strict=True))


def children_of(state: str, heads: dict[str, list[tuple[str, float]]], made: set[str]) -> list[tuple[str, float]]:
    """What a child may be: the state itself, and the head children that it stands for."""
    itself = [(state, 0.0)] if not is_active(state) or state in made else []
    return itself + heads.get(state, [])


def without_dead_ends(binary: Weights, unary: Weights) -> tuple[Weights, Weights]:
    """Only steps to states that lead somewhere, from states that something leads to."""
    while True:
        made = {rule[0] for rule in binary}
        used = {child for rule in binary for child in rule[1:]}
        kept = {
            rule: weight
            for rule, weight in binary.items()
            if (rule[0] in used or not is_active(rule[0]))
            and all(child in made for child in rule[1:] if is_active(child))
        }
        if len(kept) == len(binary):
            return binary, unary
        binary = kept


def phrases_of_actives(binary: Weights) -> dict[str, str]:
    """The phrase that each active grows into."""
    above: dict[str, set[str]] = defaultdict(set)
    for parent, left, right in binary:
        for child in (left, right):
            if is_active(child):
                above[child].add(parent)
    found: dict[str, str] = {}
    while True:
        new = {
            state: min(found.get(parent, parent) for parent in parents if not is_active(parent) or parent in found)
            for state, parents in above.items()
            if state not in found and any(not is_active(parent) or parent in found for parent in parents)
        }
        if not new:
            return found
        found |= new


def number_states(grammar: Grammar, tags: Iterable[str], uses: Counter[str]) -> States:
    """Number all states, so that the file does not depend on the order of the data.

    Those that captions use most come first among their kind, but actives that can stand at the right of the same labels
    come side by side: what is read together then lies together.
    """

    def ordered(states: Iterable[str]) -> list[str]:
        return sorted(states, key=lambda state: (-uses[state], state))

    tag_names = ordered(tags)
    rules = [*grammar.binary, *grammar.unary]
    others = {state for rule in rules for state in rule} - set(tag_names)
    phrases = ordered(state for state in others if not is_active(state))
    labels = len(tag_names) + len(phrases)
    number = {name: number for number, name in enumerate([*tag_names, *phrases])}
    lefts: dict[str, set[int]] = defaultdict(set)
    for _, left, right in grammar.binary:
        if is_active(right):
            lefts[right].add(number[left])
    openers = sorted(ordered(lefts), key=lambda state: sorted(lefts[state]))
    closers = ordered(state for state in others - set(lefts) if is_active(state))
    names = [*tag_names, *phrases, *openers, *closers]
    ids = {name: number for number, name in enumerate(names)}
    return States(names, ids, len(tag_names), labels, labels + len(openers))


def starts_of(counts: list[int]) -> NDArray[np.uint32]:
    """Where each group starts when groups of these sizes follow each other, and where the last ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)


def label_arrays(states: States) -> Arrays:
    """Counts of states, and names of tags and phrases, with and without marks."""
    labels = states.names[: states.labels]
    text, starts = text_table(labels)
    plain_text, plain_starts = text_table([plain_label(label) for label in labels])
    counts = [states.tags, states.labels, states.openers, len(states.names), states.ids[ROOT]]
    return {
        "counts": np.array(counts, np.uint32),
        "label_text": text,
        "label_starts": starts,
        "plain_text": plain_text,
        "plain_starts": plain_starts,
    }


def step_arrays(states: States, grammar: Grammar) -> Arrays:
    """Binary steps by pair of children, unary steps by child."""
    binary: dict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
    unary: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for (parent, left, right), weight in grammar.binary.items():
        binary[states.ids[left], states.ids[right]].append((states.ids[parent], weight))
    for (parent, child), weight in grammar.unary.items():
        unary[states.ids[child]].append((states.ids[parent], weight))
    pairs = sorted(binary)
    steps = [step for pair in pairs for step in sorted(binary[pair])]
    parents = [step for child in range(states.labels) for step in sorted(unary[child])]
    return {
        "pair_left": np.array([left for left, _ in pairs], np.uint16),
        "pair_right": np.array([right for _, right in pairs], np.uint16),
        "pair_steps": starts_of([len(binary[pair]) for pair in pairs]),
        "step_parent": np.array([parent for parent, _ in steps], np.uint16),
        "step_weight": np.array([weight for _, weight in steps], np.float32),
        "unary_steps": starts_of([len(unary[child]) for child in range(states.labels)]),
        "unary_parent": np.array([parent for parent, _ in parents], np.uint16),
        "unary_weight": np.array([weight for _, weight in parents], np.float32),
    }


def word_arrays(states: States, lexicon: Lexicon) -> Arrays:
    """Terms of words: by shape, of unseen tags, and of the pairs that have their own."""
    names = states.names[: states.tags]

    def row(terms: dict[str, float]) -> list[float]:
        return [terms.get(tag, IMPOSSIBLE) for tag in names]

    text, starts = text_table(list(lexicon.pairs))
    shapes = sorted(lexicon.shapes, key=lambda shape: (shape != OTHER, shape))
    shape_text, shape_starts = text_table(shapes)
    entries = [
        (states.ids[tag], term)
        for terms in lexicon.pairs.values()
        for tag, term in sorted(terms.items())
        if tag in states.ids
    ]
    return {
        "word_text": text,
        "word_starts": starts,
        "word_offset": np.array(list(lexicon.offsets.values()), np.float32),
        "word_closed": np.array([word in lexicon.closed for word in lexicon.offsets], np.uint8),
        "word_entries": starts_of([sum(tag in states.ids for tag in terms) for terms in lexicon.pairs.values()]),
        "entry_tag": np.array([tag for tag, _ in entries], np.uint16),
        "entry_weight": np.array([term for _, term in entries], np.float32),
        "unseen_weight": np.array(row(lexicon.unseen), np.float32),
        "shape_text": shape_text,
        "shape_starts": shape_starts,
        "shape_weight": np.array([row(lexicon.shapes[shape]) for shape in shapes], np.float32),
    }
