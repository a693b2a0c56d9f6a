"""From the reference's parses to the shipped model file, in one deterministic run:

    python tools/parser/train.py ../shared/data/spice_parses src/spidercap/metrics/data/spice_parser.bin

Steps: read the trees; fit a free term for every (tag, word) pair; find which words the reference never saw and which
pairs score as unseen; fit again with those tied; find which remainders of phrases share their steps, and fit again;
drop what contradicts the training trees; guess steps that none of them shows; learn heads and labels, and which tags
the search may leave out.
Two processes, about 2 GB of memory; a folder given with --checkpoints keeps finished steps for the next run.
"""

import argparse
import dataclasses
import pickle
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from binarise import steps
from fit import Fit, Terms, determined_terms, fit_terms, terms_of_rules
from grammar import Arrays, States, grammar_arrays
from histories import Blamed, forgotten_states, guessed_steps, two_peeled
from inequalities import Inequalities, Parse, collect, settle
from model_file import write
from neighbours import neighbour_arrays
from numpy.typing import NDArray
from places import carried_steps
from tag_filter import filter_arrays
from treebank import Rule, Treebank, is_word, load, local_rules
from words import WordModel, analyse

from spidercap._native import CaptionParser

T = TypeVar("T")

CHECKED = 3000
TOLERATED = 3
"""Captions of the checked ones that an unseen tag may change: so few are other terms' fault, and settled later."""
LIMITS: dict[str, Any] = {"tag_beam": 14.5, "label_beam": 14.0, "remainder_beam": 16.0}
"""Of the search with models in the making: the file does not depend on the limits that are shipped with it."""
WRONG = 0.003
"""Residuals above this show that a guessed tie is wrong: the fit is good to 0.0003."""


def kept(folder: Path | None, name: str, make: Callable[[], T]) -> T:
    """The result of a step, from its checkpoint if there is one."""
    path = folder / f"{name}.pickle" if folder else None
    if path and path.exists():
        with path.open("rb") as stored:
            return pickle.load(stored)  # type: ignore[no-any-return]  # noqa: S301 (our own checkpoint)
    started = time.monotonic()
    result = make()
    print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)
    if path:
        with path.open("wb") as new:
            pickle.dump(result, new, protocol=5)
    return result


def tied_terms(treebank: Treebank, words: WordModel, forgotten: frozenset[str] = frozenset()) -> Terms:
    """Terms of steps and of tied words."""
    return terms_of_rules(
        treebank.rules,
        lambda rule: words.terms(rule) if is_word(rule) else steps(rule, forgotten),
        words.known_parts(treebank.rules),
    )


def fit_free(treebank: Treebank) -> Fit:
    """One term for every step and every (tag, word) pair."""
    terms = terms_of_rules(treebank.rules, lambda rule: [rule] if is_word(rule) else steps(rule), {})
    fit = fit_terms(treebank, terms, from_frequencies=False)
    report("free fit", fit, terms)
    return fit


def report(name: str, fit: Fit, terms: Terms) -> None:
    """One line on how well the equations hold."""
    rms, worst = np.sqrt((fit.residuals**2).mean()), np.abs(fit.residuals).max()
    print(f"{name}: {len(terms.names)} terms, residuals rms {rms:.5f}, largest {worst:.3f}", flush=True)


def determined_rules(treebank: Treebank) -> set[Rule]:
    """Rules, those of words among them, that the scores pin down."""
    return determined_terms(treebank, terms_of_rules(treebank.rules, lambda rule: [rule], {}))


def suspects(treebank: Treebank, fit: Fit) -> Iterator[tuple[float, list[Rule]]]:
    """Trees whose equations do not hold: what is left over, and their rules."""
    for index in np.flatnonzero(np.abs(fit.residuals) > WRONG).tolist():
        yield float(abs(fit.residuals[index])), treebank.tree(index)


def fit_tied(treebank: Treebank, free: Fit, rounds: int = 3) -> WordModel:
    """Tie words, fit again, and release guessed ties that the scores contradict."""
    determined = determined_rules(treebank)
    counts = np.bincount(treebank.sequence, minlength=len(treebank.rules)).astype(float)
    words = analyse(free.weights, dict(zip(treebank.rules, counts.tolist(), strict=True)), determined)
    guessed = frozenset(pair for pair in words.unseen if (*pair, "") not in determined)
    for _ in range(rounds):
        terms = tied_terms(treebank, words)
        fit = fit_terms(treebank, terms, from_frequencies=True)
        report("tied fit", fit, terms)
        rules = [rule for _, tree in suspects(treebank, fit) for rule in tree]
        wrong = {(rule[0], rule[1]) for rule in rules if is_word(rule)} & guessed
        if not wrong:
            break
        guessed -= wrong
        words = dataclasses.replace(words, unseen=words.unseen - wrong)
    return dataclasses.replace(words, guessed=guessed)


def fit_forgetting(treebank: Treebank, free: Fit, words: WordModel, rounds: int = 4) -> tuple[frozenset[str], Fit]:
    """Let remainders of phrases forget where nothing contradicts it, and fit again."""
    rules = [rule for rule in treebank.rules if not is_word(rule)]
    determined = determined_rules(treebank)
    weights = {rule: sum(free.weights[step] for step in steps(rule)) for rule in rules if rule in determined}
    shown = {state for rule in weights for state in two_peeled(rule)}
    others = {state for rule in rules for state in two_peeled(rule)} - shown
    forgotten = forgotten_states(weights) | others
    for _ in range(rounds):
        terms = tied_terms(treebank, words, forgotten)
        fit = fit_terms(treebank, terms, from_frequencies=True)
        report(f"{len(forgotten)} remainders forget, {len(shown | others) - len(forgotten)} do not", fit, terms)
        blamed = Blamed()
        for residual, tree in suspects(treebank, fit):
            for rule in tree:
                blamed.add(rule, residual, forgotten)
        if not blamed.worst():
            break
        forgotten -= blamed.worst()
    return forgotten, fit


def blame(treebank: Treebank, words: WordModel, parse: Parse, indices: NDArray[np.int64]) -> Counter[str]:
    """Unseen tags by which trees that the reference did not choose score higher than its own.

    Of several in one tree the one that fewest words show is to blame.
    """
    support = Counter(tag for tag, _ in words.unseen)
    observed = {(rule[0], rule[1]) for rule in treebank.rules if is_word(rule)}
    trees = [treebank.tree(index) for index in indices.tolist()]
    parses = parse([" ".join(rule[1] for rule in tree if is_word(rule)) for tree in trees])
    blamed: Counter[str] = Counter()
    for index, tree, (bracketed, score, _) in zip(indices.tolist(), trees, parses, strict=True):
        if score < treebank.scores[index] + 0.02:
            continue
        guesses = {rule[0] for rule in local_rules(bracketed) if is_word(rule) and (rule[0], rule[1]) not in observed}
        tags = sorted(guesses & support.keys(), key=lambda tag: (support[tag], tag))
        if tags and local_rules(bracketed) != tree and support[tags[0]] < len(support) * 4:
            blamed[tags[0]] += 1
    return blamed


def step_weights(treebank: Treebank, forgotten: frozenset[str], fit: Fit) -> dict[Rule, float]:
    """Weights of words, and of all steps with what their remainders are called when nothing is forgotten."""
    weights = {term: weight for term, weight in fit.weights.items() if is_word(term)}
    for rule in treebank.rules:
        if not is_word(rule):
            pairs = zip(steps(rule), steps(rule, forgotten), strict=True)
            weights |= {step: fit.weights[term] for step, term in pairs}
    return weights


def differing(treebank: Treebank, parse: Parse, indices: Sequence[int]) -> Iterator[tuple[int, list[Rule]]]:
    """The given captions that come out otherwise than the reference's trees, with what they come out as."""
    trees = [treebank.tree(index) for index in indices]
    parses = parse([" ".join(rule[1] for rule in tree if is_word(rule)) for tree in trees])
    for index, tree, (bracketed, _, _) in zip(indices, trees, parses, strict=True):
        other = local_rules(bracketed)
        if other != tree:
            yield index, other


@dataclasses.dataclass
class Workshop:
    """The model in the making, and the parser that tries it."""

    treebank: Treebank
    words: WordModel
    forgotten: frozenset[str]
    beside: Arrays
    trial: Path
    rejected: set[str] = dataclasses.field(default_factory=set)
    guessed: dict[Rule, Rule] = dataclasses.field(default_factory=dict)
    carried: dict[Rule, float] = dataclasses.field(default_factory=dict)

    def weights(self, fit: Fit) -> dict[Rule, float]:
        """Weights of words and steps, the guessed ones among them."""
        guessed = {step: fit.weights[term] for step, term in self.guessed.items()}
        return step_weights(self.treebank, self.forgotten, fit) | guessed | self.carried

    def arrays(self, fit: Fit) -> Arrays:
        """The grammar's arrays, without the unseen tags that were rejected."""
        weights = self.weights(fit)
        return grammar_arrays(self.treebank, self.words, weights, frozenset(self.rejected))[1] | self.beside

    def parser(self, fit: Fit) -> Parse:
        """A parser with marked trees, for the present weights."""
        write(self.trial, self.arrays(fit))
        parser = CaptionParser(str(self.trial), **LIMITS)
        return lambda captions: parser.trees(list(captions), True)

    def reject(self, fit: Fit, rounds: int = 4) -> None:
        """Give up terms of unseen tags that would change the training trees."""
        captions = np.flatnonzero(self.treebank.kinds != "frame")
        indices = np.random.default_rng(0).permutation(captions)[:CHECKED]
        for _ in range(rounds):
            blamed = blame(self.treebank, self.words, self.parser(fit), indices)
            print("rejected unseen tags:", dict(blamed), flush=True)
            wrong = {tag for tag, captions_lost in blamed.items() if captions_lost > TOLERATED}
            if not wrong:
                break
            self.rejected |= wrong

    def guess(self, fit: Fit) -> tuple[dict[Rule, Rule], dict[Rule, float]]:
        """Add the steps that forgetting remainders have in common, then those of flat noun phrases in other places."""
        self.guessed = guessed_steps(self.treebank.rules, self.forgotten)
        self.leave_out_wrong(fit, self.guessed)
        self.carried = carried_steps(self.weights(fit))
        self.leave_out_wrong(fit, self.carried)
        return self.guessed, self.carried

    def leave_out_wrong(self, fit: Fit, guesses: dict[Rule, Rule] | dict[Rule, float]) -> None:
        """Leave out the guessed steps that change a training tree."""
        indices = np.flatnonzero(self.treebank.kinds != "frame").tolist()
        while True:
            wrong: list[int] = []
            blamed: set[Rule] = set()
            for index, other in differing(self.treebank, self.parser(fit), indices):
                used = {step for rule in other if not is_word(rule) for step in steps(rule)} & guesses.keys()
                if used:
                    wrong.append(index)
                    blamed |= used
            print(f"{len(guesses)} guessed steps, {len(blamed)} change {len(wrong)} trees", flush=True)
            if not blamed:
                return
            for step in blamed:
                del guesses[step]
            indices = wrong

    def settle(self, fit: Fit, captions: int, frames: int, rounds: int) -> Fit:
        """Make the training trees win over the others that the grammar finds."""
        terms = tied_terms(self.treebank, self.words, self.forgotten)
        inequalities = Inequalities(terms, self.words, lambda rule: steps(rule, self.forgotten))
        is_frame = self.treebank.kinds == "frame"
        order = np.random.default_rng(1)
        indices = np.concatenate(
            [
                order.permutation(np.flatnonzero(~is_frame))[:captions],
                order.permutation(np.flatnonzero(is_frame))[:frames],
            ]
        ).tolist()
        for _ in range(rounds):
            same, violated = collect(self.treebank, self.parser(fit), indices, inequalities)
            print(f"settling: {same} of {len(indices)} as the reference, {violated} beaten", flush=True)
            fit = settle(self.treebank, terms, fit, inequalities)
            report("settled fit", fit, terms)
        return fit


def train(data: Path, model: Path, checkpoints: Path | None, captions: int, rounds: int) -> str:
    """All steps; returns the hash of the model file."""
    files = sorted(data.glob("parses_*.jsonl.xz")) + sorted(data.glob("frames_*.jsonl.xz"))
    treebank = kept(checkpoints, "treebank", lambda: load(files))
    free = kept(checkpoints, "free", lambda: fit_free(treebank))
    words = kept(checkpoints, "words", lambda: fit_tied(treebank, free))
    forgotten, fit = kept(checkpoints, "forgetting", lambda: fit_forgetting(treebank, free, words))
    states: States = grammar_arrays(treebank, words, step_weights(treebank, forgotten, fit))[0]
    beside = kept(checkpoints, "neighbours", lambda: neighbour_arrays(treebank, states))
    workshop = Workshop(treebank, words, forgotten, beside, model.with_suffix(".trial"))
    workshop.reject(fit)
    fit = kept(checkpoints, "settled", lambda: workshop.settle(fit, captions, captions // 3, rounds))
    workshop.guessed, workshop.carried = kept(checkpoints, "guessed", lambda: workshop.guess(fit))
    arrays = workshop.arrays(fit)
    write(workshop.trial, arrays)
    arrays |= filter_arrays(treebank, workshop.trial)
    workshop.trial.unlink()
    return write(model, arrays)


def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with parses_*.jsonl.xz and frames_*.jsonl.xz")
    parser.add_argument("model", type=Path, help="model file to write")
    parser.add_argument("--checkpoints", type=Path, help="folder that keeps finished steps")
    parser.add_argument(
        "--captions", type=int, default=60000, help="captions (and a third as many frames) to settle by"
    )
    parser.add_argument("--rounds", type=int, default=3, help="rounds of settling")
    arguments = parser.parse_args()
    if arguments.checkpoints:
        arguments.checkpoints.mkdir(parents=True, exist_ok=True)
    print(train(arguments.data, arguments.model, arguments.checkpoints, arguments.captions, arguments.rounds))


if __name__ == "__main__":
    main()
