"""Weights from log-probabilities: each tree's score is the sum of the terms of its steps and words."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import lsqr
from treebank import Rule, Treebank, is_word

Floats = NDArray[np.float64]

SCALE_POWER = 0.8
"""Columns are divided by their norm to this power: equations of rare and of frequent terms then converge together."""


@dataclass(frozen=True)
class Terms:
    """Which terms each rule is made of (rules x terms), and a part of each rule's score that is known already."""

    names: list[Rule]
    of_rule: sparse.csr_matrix
    known: Floats


@dataclass(frozen=True)
class Fit:
    """Fitted weights by term, and what each tree's equation leaves over."""

    weights: dict[Rule, float]
    residuals: Floats


def terms_of_rules(rules: list[Rule], split: Callable[[Rule], list[Rule]], known: dict[Rule, float]) -> Terms:
    """Number the terms of all rules; `split` names the terms of a rule, `known` the fixed parts of some."""
    ids: dict[Rule, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    for row, rule in enumerate(rules):
        for term in split(rule):
            rows.append(row)
            columns.append(ids.setdefault(term, len(ids)))
    matrix = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(rules), len(ids)))
    return Terms(list(ids), matrix, np.array([known.get(rule, 0.0) for rule in rules]))


def rule_counts(treebank: Treebank) -> sparse.csr_matrix:
    """How often each tree uses each rule."""
    shape = (len(treebank), len(treebank.rules))
    return sparse.csr_matrix((np.ones(len(treebank.sequence)), treebank.sequence, treebank.starts), shape=shape)


def determined_terms(treebank: Treebank, terms: Terms, frequent: int = 50) -> set[Rule]:
    """Terms that the equations pin down: the frequent ones, and all that some equation gives once the others are known.

    The rest occur only together with others of their kind, and a fit divides their sum among them at will.
    """
    design = (rule_counts(treebank) @ terms.of_rule).tocsr()
    design.data[:] = 1.0
    determined = np.asarray(design.sum(axis=0)).ravel() >= frequent
    while True:
        open_terms = (~determined).astype(np.float64)
        ready = design[design @ open_terms == 1.0]
        found = np.asarray((ready @ sparse.diags(open_terms)).sum(axis=0)).ravel() > 0
        if not found.any():
            return {name for name, is_determined in zip(terms.names, determined, strict=True) if is_determined}
        determined |= found


def relative_frequencies(terms: Terms, counts: Floats) -> Floats:
    """Log of each term's share among the terms of the same left-hand side: where the fit starts from.

    A term that many words share is the share of one of them.
    """
    words = np.maximum((terms.of_rule > 0).sum(axis=0).A1, 1)
    totals: dict[tuple[str, bool], float] = {}
    keys = [(name[0], is_word(name)) for name in terms.names]
    for key, count in zip(keys, counts, strict=True):
        totals[key] = totals.get(key, 0.0) + count
    shares = [max(count, 0.5) / totals[key] for key, count in zip(keys, counts, strict=True)]
    return np.log(shares) - np.where([is_word(name) for name in terms.names], np.log(words), 0.0)


def fit_terms(
    treebank: Treebank, terms: Terms, from_frequencies: bool, damping: float = 0.003, iterations: int = 1500
) -> Fit:
    """Least squares on all trees' log-probabilities, hardly damped.

    What the equations leave open stays where the fit starts: at relative frequencies, which is the better guess, or at
    zero, which keeps the terms of words comparable with each other.
    """
    trees = rule_counts(treebank)
    design = (trees @ terms.of_rule).tocsr()
    counts = np.asarray(design.sum(axis=0)).ravel()
    start = relative_frequencies(terms, counts) if from_frequencies else np.zeros(len(counts))
    norms = np.sqrt(np.asarray(design.multiply(design).sum(axis=0)).ravel())
    scale = np.maximum(norms, 1.0) ** -SCALE_POWER
    target = treebank.scores - trees @ terms.known - design @ start
    scaled = (design @ sparse.diags(scale)).tocsr()
    solution = lsqr(scaled, target, damp=damping, iter_lim=iterations, atol=1e-13, btol=1e-13, conlim=0)[0]
    residuals = target - scaled @ solution
    weights = start + scale * solution
    return Fit({name: float(weight) for name, weight in zip(terms.names, weights, strict=True)}, residuals)
