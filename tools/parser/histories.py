"""Remainders of phrases that the reference remembers less of: if rare in its treebank, they know one peeled child.

Variable histories are published (Klein & Manning 2003); which remainders are rare shows in the scores. All remainders
of the same phrase, head and last peeled child that are forgotten are one state and share their steps, so a step that
training captions show after one of them is known after all of them. Found by trying: the weights of whole rules that
the scores determine are divided among steps with everything forgotten, and where that cannot be done exactly the
remainders of the worst rules remember two children, one a round.
"""

from collections import defaultdict
from collections.abc import Iterable, Set

import numpy as np
import scipy.sparse as sparse
from binarise import plain_state, steps
from fit import Floats, terms_of_rules
from scipy.sparse.linalg import lsqr
from treebank import Rule, is_word

WRONG = 0.004
"""Residuals above this contradict a shared state: rules are known to about 0.001."""


class Blamed:
    """How much of what is left over falls on each remainder that forgets."""

    def __init__(self) -> None:
        self.shares: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))

    def add(self, rule: Rule, residual: float, forgotten: Set[str]) -> None:
        """Note the residual of an equation that a rule is part of."""
        for state in set(two_peeled(rule)) & forgotten:
            self.shares[plain_state(state)][state] += residual

    def worst(self) -> frozenset[str]:
        """Of each shared state the remainder with the largest share."""
        return frozenset(min(shares, key=lambda state: (-shares[state], state)) for shares in self.shares.values())


def two_peeled(rule: Rule) -> list[str]:
    """The remainders of a rule that know two peeled children."""
    return [] if is_word(rule) else [step[0] for step in steps(rule)[1:] if plain_state(step[0]) != step[0]]


def forgotten_states(weights: dict[Rule, float]) -> frozenset[str]:
    """Remainders that may forget all but the last peeled child, from the weights of whole rules."""
    rules = [rule for rule in weights if len(rule) > 3]
    target = np.array([weights[rule] for rule in rules])
    forgotten = frozenset(state for rule in rules for state in two_peeled(rule))
    while True:
        blamed = Blamed()
        for rule, residual in zip(rules, np.abs(left_over(rules, target, forgotten)).tolist(), strict=True):
            if residual > WRONG:
                blamed.add(rule, residual, forgotten)
        if not blamed.worst():
            return forgotten
        forgotten -= blamed.worst()


def left_over(rules: list[Rule], target: Floats, forgotten: frozenset[str]) -> Floats:
    """What least squares leave over when rules are sums of their steps."""
    terms = terms_of_rules(rules, lambda rule: steps(rule, forgotten), {})
    scale = np.asarray(terms.of_rule.sum(axis=0)).ravel() ** -0.5
    scaled = (terms.of_rule @ sparse.diags(scale)).tocsr()
    solution = lsqr(scaled, target, damp=1e-6, iter_lim=1500, atol=1e-9, btol=1e-9, conlim=0)[0]
    return np.asarray(target - scaled @ solution)


def guessed_steps(rules: Iterable[Rule], forgotten: frozenset[str]) -> dict[Rule, Rule]:
    """Steps no rule shows of remainders that forget, with the shared step that a remainder of the same state shows."""
    shown: dict[Rule, Rule] = {}
    for rule in rules:
        if not is_word(rule):
            shown |= dict(zip(steps(rule), steps(rule, forgotten), strict=True))
    members: dict[str, set[str]] = defaultdict(set)
    for state in forgotten:
        members[plain_state(state)].add(state)
    guesses = {
        (member, *step[1:]): term
        for step, term in shown.items()
        for member in members.get(term[0], ())
        if (member, *step[1:]) not in shown
    }
    return dict(sorted(guesses.items()))
