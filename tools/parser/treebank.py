"""The reference parser's output as arrays: its best trees, and the scores of these and of others of the K best."""

import json
import lzma
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from trees import Binariser, Rule, flat_rules, is_word, local_rules

Ints = NDArray[np.int32]

HOPELESS = 30.0
"""Trees so many nats below the best of their sentence show steps that cannot win (some at a thousand, a floor)."""


@dataclass(frozen=True)
class Sequences:
    """Trees end to end, as numbers of their rules; `starts` has one entry more than there are trees."""

    numbers: Ints
    starts: NDArray[np.int64]
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, index: int) -> Ints:
        return self.numbers[self.starts[index] : self.starts[index + 1]]


@dataclass(frozen=True)
class Treebank:
    """The best trees in flat rules, with their kinds, and all scored trees in terms: steps, and tags over words."""

    rules: list[Rule]
    best: Sequences
    kinds: NDArray[np.str_]
    terms: list[Rule]
    scored: Sequences
    others: int
    """The first of the scored trees, as many as this, are no best trees; their terms are in the order of the tree."""
    chains: dict[Rule, tuple[Rule, ...]]

    def tree(self, index: int) -> list[Rule]:
        """The flat rules of one best tree, parents before children, left to right."""
        return [self.rules[rule] for rule in self.best[index].tolist()]

    def step_uses(self) -> Counter[Rule]:
        """How often the best trees use each step."""
        uses: Counter[Rule] = Counter()
        counts = np.bincount(self.best.numbers, minlength=len(self.rules))
        for rule, count in zip(self.rules, counts.tolist(), strict=True):
            if not is_word(rule):
                for step in self.chains.get(rule, (rule,)):
                    uses[step] += count
        return uses

    def state_uses(self) -> Counter[str]:
        """How often the best trees of captions use each state."""
        in_caption = np.repeat(self.kinds != "frame", np.diff(self.best.starts))
        counts = np.bincount(self.best.numbers[in_caption], minlength=len(self.rules))
        uses: Counter[str] = Counter()
        for rule, count in zip(self.rules, counts.tolist(), strict=True):
            for step in self.chains.get(rule, (rule,)):
                uses[step[0]] += count
        return uses


class Gatherer:
    """Trees being collected."""

    def __init__(self) -> None:
        self.ids: dict[Rule, int] = {}
        self.numbers: list[Ints] = []
        self.lengths: list[int] = []
        self.scores: list[float] = []

    def add(self, rules: Sequence[Rule], score: float) -> None:
        """One more tree."""
        self.numbers.append(np.array([self.ids.setdefault(rule, len(self.ids)) for rule in rules], np.int32))
        self.lengths.append(len(rules))
        self.scores.append(score)

    def add_all(self, other: "Gatherer") -> None:
        """All trees of another gatherer."""
        renumber = np.array([self.ids.setdefault(rule, len(self.ids)) for rule in other.ids], np.int32)
        self.numbers += [renumber[numbers] for numbers in other.numbers]
        self.lengths += other.lengths
        self.scores += other.scores

    def sequences(self) -> Sequences:
        """What was collected."""
        starts = np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)
        numbers = np.concatenate([*self.numbers, np.zeros(0, np.int32)])
        return Sequences(numbers, starts, np.array(self.scores))


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The records of one compressed file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_file(path: Path) -> tuple[Gatherer, list[str], Gatherer, dict[Rule, tuple[Rule, ...]]]:
    """Of one file: best trees with their kinds, the other trees in terms, and the chains of flat rules."""
    best, kinds, others, chains = Gatherer(), list[str](), Gatherer(), dict[Rule, tuple[Rule, ...]]()
    for record in read_lines(path):
        for sentence in record.get("s", [record]):
            if "m" in sentence and "p" in sentence:
                best.add(local_rules(sentence["m"]), sentence["p"])
                kinds.append(record["k"])
            ranked = sentence.get("kb", ())
            for rank, score, bracketed in ranked:
                if score < ranked[0][1] - HOPELESS:
                    continue
                rules = local_rules(bracketed)
                chains.update(flat_rules(rules))
                if rank > 0 or "m" not in sentence:
                    others.add(rules, score)
    return best, kinds, others, chains


def load(paths: Sequence[Path], processes: int = 2) -> Treebank:
    """All trees of the files, in the order of the files."""
    best, kinds, scored, binariser = Gatherer(), list[str](), Gatherer(), Binariser()
    with Pool(processes) as pool:
        for trees, their_kinds, others, chains in pool.imap(read_file, paths):
            best.add_all(trees)
            kinds += their_kinds
            scored.add_all(others)
            binariser.learn(chains.items())
    rules, count = list(best.ids), len(scored.scores)
    steps = [binariser.steps(rule) for rule in rules]
    for numbers, score in zip(best.numbers, best.scores, strict=True):
        chain = [steps[number] for number in numbers.tolist()]
        if None not in chain:
            scored.add([step for part in chain for step in part or ()], score)
    return Treebank(
        rules, best.sequences(), np.array(kinds), list(scored.ids), scored.sequences(), count, binariser.chains
    )
