"""What stands beside what in the training trees: the sets and counts by which the search leaves out hopeless states."""

from collections import Counter

import numpy as np
from binarise import steps
from grammar import NEED_LEFT, NO_NEED, Arrays, States, need_of
from numpy.typing import NDArray
from treebank import Treebank, is_word

MIXED = 2.0
"""Count of the usual that is mixed into every row: rows of rare tags show little by themselves."""
RARE = 0.1
FRAME_WEIGHT = 0.01
"""Frames show rare tags, but are not how captions are made."""


def spans(treebank: Treebank, index: int) -> tuple[list[str], list[tuple[str, int, int]]]:
    """Tags of a tree, and the label, first word and end of each of its nodes, tags included."""
    tags: list[str] = []
    open_nodes: list[list[int]] = []
    nodes: list[tuple[str, int, int]] = []
    for rule in treebank.tree(index):
        if not is_word(rule):
            open_nodes.append([len(nodes), len(rule) - 1])
            nodes.append((rule[0], len(tags), -1))
            continue
        nodes.append((rule[0], len(tags), len(tags) + 1))
        tags.append(rule[0])
        while open_nodes:
            open_nodes[-1][1] -= 1
            if open_nodes[-1][1]:
                break
            node = open_nodes.pop()[0]
            nodes[node] = (nodes[node][0], nodes[node][1], len(tags))
    return tags, nodes


def count_neighbours(
    treebank: Treebank, states: States, indices: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each label begins after, and ends before, each tag; the last row is the caption's edge."""
    after: Counter[tuple[int, int]] = Counter()
    before: Counter[tuple[int, int]] = Counter()
    for index in indices.tolist():
        tags, nodes = spans(treebank, index)
        numbers = [states.ids[tag] for tag in tags] + [states.tags]
        for label, begin, end in nodes:
            number = states.ids[label]
            after[numbers[begin - 1], number] += 1
            before[numbers[end], number] += 1
    tables = []
    for counter in (after, before):
        table = np.zeros((states.tags + 1, states.labels), np.int64)
        for pair, count in counter.items():
            table[pair] = count
        tables.append(table)
    return tables[0], tables[1]


def bit_rows(allowed: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of truth values as rows of 64-bit words."""
    padded = np.zeros((allowed.shape[0], -(-allowed.shape[1] // 64) * 64), np.bool_)
    padded[:, : allowed.shape[1]] = allowed
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def with_remainders(states: States, table: NDArray[np.bool_], is_after: bool) -> NDArray[np.bool_]:
    """Extend the neighbours of labels to remainders: on the side they must stand beside something, that decides."""
    result = np.ones((states.tags + 1, len(states.names)), np.bool_)
    result[:, : states.labels] = table
    for number in range(states.labels, len(states.names)):
        name = states.names[number]
        side, _ = need_of(states, name)
        if (not is_after and side == NEED_LEFT) or (
            side != NO_NEED and is_after and side != NEED_LEFT and "~" not in name and "<" not in name
        ):
            result[:, number] = table[:, states.ids[name[1:].split(" ")[0]]]
    return result


def log_shares(counts: NDArray[np.float64], axis: int) -> NDArray[np.float32]:
    """Log of each count's share along an axis, mixed with what is usual over the whole table."""
    usual = counts.sum(axis=1 - axis, keepdims=True) + RARE
    usual = usual / usual.sum()
    shares = (counts + MIXED * usual) / (counts.sum(axis=axis, keepdims=True) + MIXED)
    return np.asarray(np.log(shares), np.float32)


def log_frequencies(counts: NDArray[np.float64]) -> NDArray[np.float32]:
    """Log of each count's share; what never occurs counts a little."""
    return np.asarray(np.log((counts + RARE) / (counts + RARE).sum()), np.float32)


def remainder_shares(treebank: Treebank, states: States, counts: NDArray[np.int64]) -> NDArray[np.float32]:
    """Log of each remainder's share among all nodes."""
    uses = np.zeros(len(states.names))
    for rule, count in zip(treebank.rules, counts.tolist(), strict=True):
        if not is_word(rule):
            for step in steps(rule)[1:]:
                uses[states.ids[step[0]]] += count
    return log_frequencies(uses)[states.labels :]


def neighbour_arrays(treebank: Treebank, states: States) -> Arrays:
    """Tag bigrams, how often states begin after and end before each tag, and which ever do."""
    is_frame = treebank.kinds == "frame"
    after, before = count_neighbours(treebank, states, np.flatnonzero(~is_frame))
    after_in_frames, before_in_frames = count_neighbours(treebank, states, np.flatnonzero(is_frame))
    weighted_after = after + FRAME_WEIGHT * after_in_frames
    weighted_before = before + FRAME_WEIGHT * before_in_frames
    tags = states.tags
    follows = np.zeros((tags + 1, tags + 1))
    follows[:, :tags] = weighted_after[:, :tags]
    follows[:tags, tags] = weighted_before[tags, :tags]
    captions = treebank.sequence[: treebank.starts[np.flatnonzero(~is_frame).max() + 1]]
    parents = [0] * states.labels + [states.ids[name[1:].split(" ")[0]] for name in states.names[states.labels :]]
    return {
        "tag_frequency": log_frequencies(weighted_after[:, :tags].sum(axis=0)),
        "tag_follows": log_shares(follows, axis=1),
        "after_share": log_shares(weighted_after, axis=1),
        "before_share": log_shares(weighted_before, axis=0),
        "remainder_share": remainder_shares(treebank, states, np.bincount(captions, minlength=len(treebank.rules))),
        "state_parent": np.array(parents, np.uint16),
        "after_tag": bit_rows(with_remainders(states, after + after_in_frames > 0, is_after=True)),
        "before_tag": bit_rows(with_remainders(states, before + before_in_frames > 0, is_after=False)),
    }
