"""What stands beside what in the training trees: the sets and counts by which the search leaves out hopeless states."""

from collections import Counter

import numpy as np
from grammar import NEED_LEFT, NO_NEED, Arrays, States, need_of
from numpy.typing import NDArray
from treebank import Treebank, is_word

EDGE_WEIGHT = 0.05
"""Count given to pairs of tags that never follow each other."""


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


def count_neighbours(treebank: Treebank, states: States) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each label begins after, and ends before, each tag; the last row is the caption's edge."""
    after: Counter[tuple[int, int]] = Counter()
    before: Counter[tuple[int, int]] = Counter()
    for index in range(len(treebank)):
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
        if not is_after and side == NEED_LEFT:
            result[:, number] = table[:, states.ids[name[1:].split(" ")[0]]]
        elif side != NO_NEED and is_after and side != NEED_LEFT and "~" not in name and "<" not in name:
            result[:, number] = table[:, states.ids[name[1:].split(" ")[0]]]
    return result


def neighbour_arrays(treebank: Treebank, states: States) -> Arrays:
    """Tag bigrams as log-probabilities, and the sets of states that begin after and end before each tag."""
    after, before = count_neighbours(treebank, states)
    follows = np.zeros((states.tags + 1, states.tags + 1))
    follows[:, : states.tags] = after[:, : states.tags]
    follows[: states.tags, states.tags] = before[states.tags, : states.tags]
    frequency = np.log(np.maximum(after[:, : states.tags].sum(axis=0), 1) / after[:, : states.tags].sum())
    smooth = follows + EDGE_WEIGHT
    return {
        "tag_frequency": frequency.astype(np.float32),
        "tag_follows": np.log(smooth / smooth.sum(axis=1, keepdims=True)).astype(np.float32),
        "after_tag": bit_rows(with_remainders(states, after > 0, is_after=True)),
        "before_tag": bit_rows(with_remainders(states, before > 0, is_after=False)),
    }
