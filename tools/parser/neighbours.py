"""Which tags follow each other in the trees: the bigram model by which the search finds the likeliest tags."""

import numpy as np
from grammar import Arrays, States
from numpy.typing import NDArray
from treebank import Treebank
from trees import is_word

Counts = NDArray[np.float64]

MIXED = 2.0
"""Count of the usual that is mixed into every row: rows of rare tags show little by themselves."""
RARE = 0.1
FRAME_WEIGHT = 0.01
"""Frames show rare tags, but are not how captions are made."""


def count_tags(treebank: Treebank, states: States) -> Counts:
    """How often each tag follows each other one; the last row and column are the caption's ends."""
    edge = states.tags
    numbers = [states.ids.get(rule[0], edge) if is_word(rule) else -1 for rule in treebank.rules]
    tags = np.array(numbers, np.int64)[treebank.best.numbers]
    tree = np.repeat(np.arange(len(treebank.best)), np.diff(treebank.best.starts))
    tags, tree = tags[tags >= 0], tree[tags >= 0]
    before = np.where(np.diff(tree, prepend=-1) != 0, edge, np.roll(tags, 1))
    weight = np.where(treebank.kinds == "frame", FRAME_WEIGHT, 1.0)[tree]
    size = edge + 1
    counts = np.bincount(before * size + tags, weight, size * size)
    is_last = np.diff(tree, append=-1) != 0
    counts += np.bincount(tags[is_last] * size + edge, weight[is_last], size * size)
    return np.asarray(counts.reshape(size, size), np.float64)


def log_shares(counts: Counts) -> NDArray[np.float32]:
    """Log of each count's share of its row, mixed with what is usual over the whole table."""
    usual = counts.sum(axis=0, keepdims=True) + RARE
    usual = usual / usual.sum()
    shares = (counts + MIXED * usual) / (counts.sum(axis=1, keepdims=True) + MIXED)
    return np.asarray(np.log(shares), np.float32)


def log_frequencies(counts: Counts) -> NDArray[np.float32]:
    """Log of each count's share; what never occurs counts a little."""
    return np.asarray(np.log((counts + RARE) / (counts + RARE).sum()), np.float32)


def neighbour_arrays(treebank: Treebank, states: States) -> Arrays:
    """Tags and which follow them."""
    follows = count_tags(treebank, states)
    return {
        "tag_frequency": log_frequencies(follows[:, : states.tags].sum(axis=0)),
        "tag_follows": log_shares(follows),
    }
