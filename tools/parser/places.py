"""Steps of flat noun phrases carried over between places: what several places show is likely in another one too.

A noun phrase of tags only (`NP^PP-B`, `NP^S-B`, ...) is built from the same tags wherever it stands, but each place has
steps of its own, and captions show long phrases in few of them. Once the constants are fixed that scores leave free
(the steps from a remainder sum to 1), the weights of the steps that two places share differ by a constant and about one
nat. So a step that at least two other places show is predicted from these. Rare ones mostly do not exist: only likely
steps are returned, and the caller leaves out those that change a training tree.
"""

import math
import re
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from treebank import Rule, is_word

LIKELY = -4.0
"""Least logarithm of a carried step's probability."""
SHARED = 2
"""Steps that two places must share to be compared."""
WITNESSES = 2
"""Places that a carried step must be predicted from."""
ROUNDS = 60
BINARY = 3
"""Parent and two children."""
BASE = re.compile(r"(NP(?:-TMP|-ADV)?)\^([A-Z]+)((?:-v)?(?:-P)?-B)$")


@dataclass(frozen=True)
class Place:
    """A state of a flat noun phrase, and the same without its place."""

    name: str
    mark: str
    anywhere: str


def place_of(state: str) -> Place | None:
    """The place of a flat noun phrase or of a remainder of one."""
    phrase = state.removeprefix("@").split(" ")[0]
    match = BASE.match(phrase)
    if match is None:
        return None
    name, mark, marks = match.groups()
    return Place(phrase, mark, f"{name}^*{marks}")


def moved(state: str, phrase: str, other: str) -> str:
    """A state of one phrase as that of the other; states of other phrases, and tags, as they are."""
    return f"@{other} " + state.removeprefix(f"@{phrase} ") if state.startswith(f"@{phrase} ") else state


def remainder(step: Rule) -> str | None:
    """The child of a step that is a remainder."""
    return next((child for child in step[1:] if child.startswith("@")), None)


def constants(steps: dict[Rule, float]) -> dict[str, float]:
    """What to take off the steps from each remainder, and add to those that lead to it, so that the former sum to 1."""
    outgoing: dict[str, list[tuple[float, str | None]]] = defaultdict(list)
    for step, weight in steps.items():
        if step[0].startswith("@"):
            outgoing[step[0]].append((weight, remainder(step)))
    found = dict.fromkeys(outgoing, 0.0)
    for _ in range(ROUNDS):
        for state, ways in outgoing.items():
            sums = [weight + (found.get(rest, 0.0) if rest else 0.0) for weight, rest in ways]
            best = max(sums)
            found[state] = best + math.log(sum(math.exp(x - best) for x in sums))
    return found


def predict(shown: dict[str, dict[Rule, float]], mark: str) -> dict[Rule, float]:
    """Log-probabilities, in one place, of steps that enough others show, weighted by how alike these places are."""
    here = shown[mark]
    votes: dict[Rule, list[tuple[float, float]]] = defaultdict(list)
    for other, there in shown.items():
        differences = np.array([here[step] - there[step] for step in there if step in here])
        if other == mark or len(differences) < SHARED:
            continue
        share = 1 / (differences.var() + 1 / len(differences))
        for step in there.keys() - here.keys():
            votes[step].append((there[step] + differences.mean(), share))
    return {
        step: sum(value * share for value, share in of_step) / sum(share for _, share in of_step)
        for step, of_step in votes.items()
        if len(of_step) >= WITNESSES
    }


def carried_steps(weights: dict[Rule, float]) -> dict[Rule, float]:
    """Likely steps of flat noun phrases that no training tree shows in their place, with their weights."""
    steps = {step: weight for step, weight in weights.items() if len(step) == BINARY and not is_word(step)}
    known = {step[0] for step in steps}
    constant = constants(steps)

    def free(step: Rule) -> float:
        return constant.get(step[0], 0.0) - constant.get(remainder(step) or "", 0.0)

    families: dict[str, dict[str, dict[Rule, float]]] = defaultdict(lambda: defaultdict(dict))
    places: dict[tuple[str, str], tuple[str, Place]] = {}
    for step, weight in steps.items():
        place = place_of(step[0])
        if place is None:
            continue
        family = moved(step[0], place.name, place.anywhere) if step[0].startswith("@") else place.anywhere
        children = tuple(moved(child, place.name, place.anywhere) for child in step[1:])
        families[family][place.mark][children] = weight - free(step)
        places[family, place.mark] = step[0], place
    carried: dict[Rule, float] = {}
    for family, shown in families.items():
        for mark in shown:
            state, place = places[family, mark]
            for children, share in predict(shown, mark).items():
                step = (state, *(moved(child, place.anywhere, place.name) for child in children))
                rest = remainder(step)
                if share >= LIKELY and (rest is None or rest in known):
                    carried[step] = share + free(step)
    return dict(sorted(carried.items()))
