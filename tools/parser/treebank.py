"""The reference parser's output as arrays: every tree is a list of numbered local rules, in the order they are met."""

import json
import lzma
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rule = tuple[str, ...]

TOKEN = re.compile(r"\(([^\s()]+)|\)|([^\s()]+)")
WORD = ""
"""A tag's rule is (tag, word, WORD): the empty third entry tells it from a unary step."""


@dataclass(frozen=True)
class Treebank:
    """Trees end to end; `starts` has one entry more than there are trees, for rules and for words."""

    rules: list[Rule]
    sequence: NDArray[np.int32]
    starts: NDArray[np.int64]
    scores: NDArray[np.float64]
    kinds: NDArray[np.str_]
    word_starts: NDArray[np.int64]
    heads: NDArray[np.int16]
    relations: NDArray[np.int16]
    relation_names: list[str]

    def __len__(self) -> int:
        return len(self.scores)

    def tree(self, index: int) -> list[Rule]:
        """The local rules of one tree, parents before children, left to right."""
        return [self.rules[rule] for rule in self.sequence[self.starts[index] : self.starts[index + 1]]]


def is_word(rule: Rule) -> bool:
    """Whether the rule is a tag over a word."""
    return rule[-1] == WORD


def local_rules(bracketed: str) -> list[Rule]:
    """A bracketed tree as its local rules, parents before children, left to right."""
    stack: list[list[str]] = []
    nodes: list[list[str]] = []
    for match in TOKEN.finditer(bracketed):
        if match.group(1):
            if stack:
                stack[-1].append(match.group(1))
            stack.append([match.group(1)])
            nodes.append(stack[-1])
        elif match.group(2) and stack[-1][-1] == WORD:
            # A word with a blank inside, such as "4 1/2": one that does not break keeps it one word for the parser.
            stack[-1][-2] += "\u00a0" + match.group(2)
        elif match.group(2):
            stack[-1] += [match.group(2), WORD]
        else:
            stack.pop()
    return [tuple(node) for node in nodes]


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The records of one compressed file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_file(path: Path) -> list[tuple[str, list[Rule], float, list[int], list[str]]]:
    """Kind, rules, log-probability, heads and labels of every sentence of a file."""
    return [
        (record["k"], local_rules(sentence["m"]), sentence["p"], sentence["h"], sentence["r"].split())
        for record in read_lines(path)
        for sentence in record["s"]
    ]


def load(paths: Sequence[Path], processes: int = 2) -> Treebank:
    """All trees of the files, in the order of the files."""
    rule_ids: dict[Rule, int] = {}
    relation_ids: dict[str, int] = {}
    sequence: list[int] = []
    heads: list[int] = []
    relations: list[int] = []
    starts, word_starts = [0], [0]
    scores: list[float] = []
    kinds: list[str] = []
    with Pool(processes) as pool:
        for sentences in pool.imap(read_file, paths):
            for kind, rules, score, head, labels in sentences:
                sequence += [rule_ids.setdefault(rule, len(rule_ids)) for rule in rules]
                heads += head
                relations += [relation_ids.setdefault(label, len(relation_ids)) for label in labels]
                starts.append(len(sequence))
                word_starts.append(len(heads))
                scores.append(score)
                kinds.append(kind)
    return Treebank(
        rules=list(rule_ids),
        sequence=np.array(sequence, np.int32),
        starts=np.array(starts, np.int64),
        scores=np.array(scores),
        kinds=np.array(kinds),
        word_starts=np.array(word_starts, np.int64),
        heads=np.array(heads, np.int16),
        relations=np.array(relations, np.int16),
        relation_names=list(relation_ids),
    )
