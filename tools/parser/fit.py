"""Weights from log-probabilities: each tree's score is the sum of the terms of its steps and of its words' tags."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, lsqr
from treebank import Sequences, Treebank
from trees import Rule, is_active, is_word

Floats = NDArray[np.float64]

SCALE_POWER = 0.8
"""Columns are divided by their norm to this power: equations of rare and of frequent terms then converge together."""
USUAL_WORD = -9.0
"""Where the fit of a tag over a word starts from; steps start from their relative frequencies."""


@dataclass(frozen=True)
class Fit:
    """Fitted weights by term, and what each tree's equation leaves over."""

    weights: Floats
    residuals: Floats


def expansions(terms: list[Rule]) -> dict[str, list[int]]:
    """The steps of each state, as numbers of terms."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, term in enumerate(terms):
        if not is_word(term):
            found[term[0]].append(number)
    return found


def is_certain(state: str) -> bool:
    """Whether the state's name spells out its whole history, so that it has one expansion, of probability 1."""
    return is_active(state) and "..." not in state and not state.startswith("@NodeSet")


def free_terms(terms: list[Rule]) -> NDArray[np.bool_]:
    """Which terms are to be fitted: not the steps of states that have no other."""
    return np.array([is_word(term) or not is_certain(term[0]) for term in terms])


def first_weights(terms: list[Rule], counts: NDArray[np.int64]) -> Floats:
    """Relative frequencies, where what the equations leave open stays."""
    start = np.full(len(terms), USUAL_WORD)
    for numbers in expansions(terms).values():
        shares = np.maximum(counts[numbers], 0.5)
        start[numbers] = np.log(shares / shares.sum())
    return start


def design_matrix(trees: Sequences, columns: int) -> sparse.csr_matrix:
    """How often each tree uses each term."""
    shape = (len(trees), columns)
    matrix = sparse.csr_matrix((np.ones(len(trees.numbers)), trees.numbers, trees.starts), shape=shape)
    matrix.sum_duplicates()
    return matrix


def fit_terms(treebank: Treebank, iterations: int, damping: float = 1e-3) -> Fit:
    """Least squares on the scores of all trees, hardly damped."""
    trees, terms = treebank.scored, treebank.terms
    counts = np.bincount(trees.numbers, minlength=len(terms))
    free = free_terms(terms)
    start = np.where(free, first_weights(terms, counts), 0.0)
    design = design_matrix(trees, len(terms))
    missing = trees.scores - design @ start
    design = design[:, free]
    norms = np.sqrt(np.asarray(design.multiply(design).sum(axis=0)).ravel())
    scale = np.maximum(norms, 1.0) ** -SCALE_POWER
    scaled = (design @ sparse.diags(scale)).tocsr()
    transposed = scaled.T.tocsr()
    operator = LinearOperator(scaled.shape, matvec=scaled.dot, rmatvec=transposed.dot, dtype=np.float64)
    solution = lsqr(operator, missing, damp=damping, iter_lim=iterations, atol=1e-14, btol=1e-14, conlim=0)[0]
    weights = start.copy()
    weights[free] += scale * solution
    return Fit(weights, missing - scaled @ solution)
