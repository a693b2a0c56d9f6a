"""What the scores leave open, settled by choices: no tree of the fitted grammar may beat the reference's own.

Each training caption that the fitted grammar parses otherwise gives one inequality, score(reference) >= score(other) +
margin. The inequalities that do not hold join the equations of the fit, as equations at the margin: terms that the
scores determine do not move, because their equations outnumber and outweigh the few added ones. Where an inequality
contradicts the equations all the same, a rare term of the tree that should lose is lowered.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sparse
from fit import SCALE_POWER, Fit, Floats, Terms, rule_counts
from scipy.sparse.linalg import lsqr
from treebank import Rule, Treebank, is_word, local_rules
from words import SHAPE, UNSEEN, WordModel, shape

MARGIN = 0.2
ROW_WEIGHT = 0.3
"""Where an inequality contradicts the equations, these win."""
FEW = 20
"""Equations that a term may have to be lowered against them."""
GIVEN_UP = 0.5
Parse = Callable[[Sequence[str]], list[tuple[str, float, bool]]]


def term_of_word(words: WordModel, ids: dict[Rule, int], rule: Rule) -> tuple[int | None, float]:
    """The term by which the model scores a tag over a word, seen together or not, and its known part."""
    tag, word = rule[0], rule[1]
    if word not in words.offsets:
        return ids.get((tag, SHAPE + shape(word), "")), 0.0
    if rule in ids:
        return ids[rule], 0.0
    return ids.get((tag, UNSEEN, "")), words.offsets[word]


@dataclass
class Inequalities:
    """Rows `reference - other` over terms, and the known parts of the same differences."""

    terms: Terms
    words: WordModel
    steps: Callable[[Rule], list[Rule]]
    rows: list[dict[int, float]] = field(default_factory=list)
    known: list[float] = field(default_factory=list)
    seen: set[tuple[tuple[int, float], ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.ids = {name: number for number, name in enumerate(self.terms.names)}

    def features(self, rules: list[Rule], sign: float, row: dict[int, float]) -> float:
        """Add a tree's terms to a row; returns its known part."""
        known = 0.0
        for rule in rules:
            if is_word(rule):
                term, part = term_of_word(self.words, self.ids, rule)
                terms = [] if term is None else [term]
                known += sign * part
            else:
                terms = [self.ids[step] for step in self.steps(rule)]
            for number in terms:
                row[number] = row.get(number, 0.0) + sign
        return known

    def add(self, reference: list[Rule], other: list[Rule]) -> None:
        """One inequality; those that say the same are kept once."""
        row: dict[int, float] = {}
        known = self.features(reference, 1.0, row) + self.features(other, -1.0, row)
        row = {term: value for term, value in row.items() if value}
        key = tuple(sorted(row.items()))
        if row and key not in self.seen:
            self.seen.add(key)
            self.rows.append(row)
            self.known.append(known)

    def matrix(self) -> sparse.csr_matrix:
        """All rows."""
        starts = np.concatenate([[0], np.cumsum([len(row) for row in self.rows])])
        columns = np.array([term for row in self.rows for term in row], np.int64)
        values = np.array([value for row in self.rows for value in row.values()], np.float64)
        return sparse.csr_matrix((values, columns, starts), shape=(len(self.rows), len(self.ids)))


def collect(treebank: Treebank, parse: Parse, indices: Sequence[int], inequalities: Inequalities) -> tuple[int, int]:
    """Parse training captions and note those that come out otherwise, with a score that is no lower.

    Returns how many came out as the reference's, and how many otherwise with a higher score.
    """
    trees = [treebank.tree(index) for index in indices]
    captions = [" ".join(rule[1] for rule in tree if is_word(rule)) for tree in trees]
    same = violated = 0
    for index, tree, (bracketed, score, whole) in zip(indices, trees, parse(captions), strict=True):
        other = local_rules(bracketed)
        same += other == tree
        if other != tree and whole and score > treebank.scores[index] - MARGIN / 2:
            violated += score > treebank.scores[index]
            inequalities.add(tree, other)
    return same, violated


def settle(treebank: Treebank, terms: Terms, fit: Fit, inequalities: Inequalities) -> Fit:
    """Refit with the violated inequalities as equations at the margin, from the present weights.

    A first fit tells which of them contradict the equations. The second leaves those out, so that they bend nothing;
    then the rarest term of the tree that should lose is lowered: its few equations were met by mistake, because some
    other term of the same trees is wrong (a tag tied where it should not be, say).
    """
    trees = rule_counts(treebank)
    design = (trees @ terms.of_rule).tocsr()
    target = treebank.scores - trees @ terms.known
    rows, known = inequalities.matrix(), np.array(inequalities.known)
    start = np.array([fit.weights[name] for name in terms.names])
    equations = np.asarray((design > 0).sum(axis=0)).ravel()
    left_over = target - design @ start
    # Equations of terms that were lowered before are met no more, and do not count.
    left_over[np.abs(left_over) > GIVEN_UP] = 0.0
    contradicting = np.zeros(len(known), np.bool_)
    for _ in range(2):
        active = (rows @ start + known < MARGIN - 1e-3) & ~contradicting
        everything = sparse.vstack([design, ROW_WEIGHT * rows[active]]).tocsr()
        wanted = ROW_WEIGHT * (MARGIN - known[active] - rows[active] @ start)
        weights = start + least_change(everything, np.concatenate([left_over, wanted]))
        contradicting |= rows @ weights + known < 0
    lowered = lower(weights, rows, known, equations)
    gaps = rows @ weights + known
    print(
        f"  {len(known)} inequalities, {active.sum()} active, {contradicting.sum()} contradicting,"
        f" {lowered} terms lowered, {(gaps < 0).sum()} violated after",
        flush=True,
    )
    return Fit(dict(zip(terms.names, weights.tolist(), strict=True)), target - design @ weights)


def lower(weights: Floats, rows: sparse.csr_matrix, known: Floats, equations: Floats) -> int:
    """Lower rare terms of trees that should lose until these do; returns how many terms it took."""
    lowered: set[int] = set()
    for index in np.flatnonzero(rows @ weights + known < 0).tolist():
        row = rows[index]
        gap = float((row @ weights)[0] + known[index])
        losing = [(equations[term], term) for term, value in zip(row.indices, row.data, strict=True) if value < 0]
        count, term = min(losing, default=(FEW + 1, 0))
        if gap < 0 and count <= FEW:
            weights[term] += gap - MARGIN
            lowered.add(int(term))
    return len(lowered)


def least_change(design: sparse.csr_matrix, missing: Floats, damping: float = 0.003, iterations: int = 250) -> Floats:
    """The smallest change of weights, in scaled columns, that makes up what is missing."""
    norms = np.sqrt(np.asarray(design.multiply(design).sum(axis=0)).ravel())
    scale = np.maximum(norms, 1.0) ** -SCALE_POWER
    scaled = (design @ sparse.diags(scale)).tocsr()
    change = lsqr(scaled, missing, damp=damping, iter_lim=iterations, atol=1e-13, btol=1e-13, conlim=0)[0]
    return np.asarray(scale * change)
