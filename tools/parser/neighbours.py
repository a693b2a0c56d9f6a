"""What stands beside what in the trees: the counts by which the search estimates what words outside a state score."""

from collections.abc import Iterator
from multiprocessing import Pool

import numpy as np
from grammar import Arrays, Grammar, States
from numpy.typing import NDArray
from treebank import Sequences, Treebank
from trees import Rule, is_word, part_spans

Counts = NDArray[np.float64]

MIXED = 2.0
"""Count of the usual that is mixed into every row: rows of rare tags show little by themselves."""
RARE = 0.1
CHUNK = 20000
FRAME_WEIGHT = 0.01
"""Frames show rare tags, but are not how captions are made."""


def active_parts(chain: tuple[Rule, ...], states: States) -> list[tuple[int, int, int]]:
    """The actives of a flat rule: number, first child and the one behind the last."""
    return [(states.ids[state], first, end) for state, first, end in part_spans(chain) if state in states.ids]


class TreeReader:
    """Nodes and actives of trees, with where they begin and end."""

    def __init__(self, rules: list[Rule], chains: dict[Rule, tuple[Rule, ...]], states: States) -> None:
        self.edge, self.states = states.tags, len(states.names)
        self.parents = [states.ids.get(rule[0], -1) for rule in rules]
        self.sizes = [0 if is_word(rule) else len(rule) - 1 for rule in rules]
        self.parts = [active_parts(chains[rule], states) if rule in chains else [] for rule in rules]

    def nodes(self, tree: list[int]) -> tuple[list[int], list[tuple[int, int, int]]]:
        """Tags of a tree, and state, first word and end of everything in it."""
        tags: list[int] = []
        nodes: list[tuple[int, int, int]] = []
        rules = iter(tree)

        def walk() -> None:
            rule, begin = next(rules), len(tags)
            if not self.sizes[rule]:
                tags.append(self.parents[rule])
            else:
                edges = [begin]
                for _ in range(self.sizes[rule]):
                    walk()
                    edges.append(len(tags))
                nodes.extend((state, edges[first], edges[end]) for state, first, end in self.parts[rule])
            nodes.append((self.parents[rule], begin, len(tags)))

        walk()
        return tags, nodes

    def __call__(self, trees: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How often each state stands after each tag, and before it, as counts of tag · states + state."""
        after, before = [], []
        for tree in trees:
            tags, nodes = self.nodes(tree)
            if -1 in tags:
                continue
            tags.append(self.edge)
            after += [tags[begin - 1] * self.states + state for state, begin, _ in nodes if state >= 0]
            before += [tags[end] * self.states + state for state, _, end in nodes if state >= 0]
        size = (self.edge + 1) * self.states
        return np.bincount(after, minlength=size), np.bincount(before, minlength=size)


def count_neighbours(reader: TreeReader, trees: Sequences, indices: NDArray[np.int64]) -> tuple[Counts, Counts]:
    """How often each state begins after, and ends before, each tag; the last row is the caption's edge."""
    shape = (reader.edge + 1, reader.states)
    after, before = np.zeros(shape), np.zeros(shape)

    def chunks() -> Iterator[list[list[int]]]:
        for first in range(0, len(indices), CHUNK):
            yield [trees[index].tolist() for index in indices[first : first + CHUNK].tolist()]

    with Pool(2) as pool:
        for more_after, more_before in pool.imap(reader, chunks()):
            after += more_after.reshape(shape)
            before += more_before.reshape(shape)
    return after, before


def log_shares(counts: Counts, axis: int) -> NDArray[np.float32]:
    """Log of each count's share along an axis, mixed with what is usual over the whole table."""
    usual = counts.sum(axis=1 - axis, keepdims=True) + RARE
    usual = usual / usual.sum()
    shares = (counts + MIXED * usual) / (counts.sum(axis=axis, keepdims=True) + MIXED)
    return np.asarray(np.log(shares), np.float32)


def log_frequencies(counts: Counts) -> NDArray[np.float32]:
    """Log of each count's share; what never occurs counts a little."""
    return np.asarray(np.log((counts + RARE) / (counts + RARE).sum()), np.float32)


def neighbour_arrays(treebank: Treebank, states: States, grammar: Grammar) -> Arrays:
    """Tag bigrams, and how often states begin after and end before each tag."""
    is_frame = treebank.kinds == "frame"
    reader = TreeReader(treebank.rules, treebank.chains, states)
    after, before = count_neighbours(reader, treebank.best, np.flatnonzero(~is_frame))
    after_in_frames, before_in_frames = count_neighbours(reader, treebank.best, np.flatnonzero(is_frame))
    weighted_after = after + FRAME_WEIGHT * after_in_frames
    weighted_before = before + FRAME_WEIGHT * before_in_frames
    tags, labels = states.tags, states.labels
    follows = np.zeros((tags + 1, tags + 1))
    follows[:, :tags] = weighted_after[:, :tags]
    follows[:tags, tags] = weighted_before[tags, :tags]
    phrases = [states.ids[grammar.phrase_of[name]] for name in states.names[labels:]]
    uses = weighted_after.sum(axis=0)
    return {
        "tag_frequency": log_frequencies(uses[:tags]),
        "tag_follows": log_shares(follows, axis=1),
        "after_share": log_shares(weighted_after[:, :labels], axis=1),
        "before_share": log_shares(weighted_before[:, :labels], axis=0),
        "active_share": log_frequencies(uses)[labels:],
        "active_phrase": np.array(phrases, np.uint16),
    }
