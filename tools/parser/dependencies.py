"""Tree to heads and labels, learnt: tables from local trees to decisions, from the plainest context to the richest.

For each phrase one decision names its head child; for each other child one names the child it depends on (how far to
the right it stands, 0 for the head child, `LAST` for the last of its own conjunct) and the label. A richer context is
stored only where it decides otherwise than the plainer ones do, so the tables stay small; the search goes from the
richest context down and takes the first that is stored.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from grammar import Arrays, States, plain_label
from model_file import text_table
from numpy.typing import NDArray
from treebank import read_lines
from trees import Rule, is_word, local_rules

MASK = (1 << 64) - 1
PRIME = 1099511628211
BASIS = 14695981039346656037
HEAD_SHARE = 9
LAST = 127
SECOND = 255
MANY = 3
CONJUNCTIONS = ("CC", "CONJP")
NOUN_PHRASES = ("NP", "NX", "NP-TMP")
NOUNS = ("NN", "NNS", "NNP", "NNPS")

LEXICAL = """
be is are was were been being 's 're 'm am have has had having 've get gets got getting do does did doing done
there that which who whom whose what when where why how as than not n't no to of for with by at like if while
because although so too very more most less least each all both half some one other another and or but nor yet
such own same several many few rather well next close front out up down off over away back
"""
"""Words that contexts may look at; all others are their tags."""

Key = tuple[int, ...]
Decision = int
"""The head child's position, `SECOND` for the last of the second conjunct; or, for other children, 256 x (distance to
the governor + 128) + label."""


@dataclass
class Node:
    """A node of a tree, with what contexts may look at."""

    label: int
    lexical: int
    begin: int
    end: int = 0
    children: list["Node"] = field(default_factory=list)
    is_conjunction: bool = False
    head: int = -1
    head_tag: int = 0
    head_lexical: int = 0


@dataclass(frozen=True)
class Symbols:
    """Numbers of plain labels and of words that contexts look at."""

    labels: dict[str, int]
    words: dict[str, int]

    @property
    def conjunctions(self) -> frozenset[int]:
        """Labels that stand between conjuncts."""
        return frozenset(self.labels[name] for name in CONJUNCTIONS if name in self.labels)


def symbols_of(states: States) -> Symbols:
    """Plain labels in order of name, from 1; words in the order of their list, from 1."""
    plain = sorted({plain_label(name) for name in states.names[: states.labels]})
    words = dict.fromkeys(LEXICAL.split())
    return Symbols({name: n for n, name in enumerate(plain, 1)}, {word: n for n, word in enumerate(words, 1)})


def build(rules: list[Rule], symbols: Symbols) -> Node:
    """The tree of a list of rules."""
    position, words = 0, 0
    conjunctions = symbols.conjunctions

    def grow() -> Node:
        nonlocal position, words
        rule = rules[position]
        position += 1
        label = symbols.labels[plain_label(rule[0])]
        if is_word(rule):
            words += 1
            lexical = symbols.words.get(rule[1], 0)
            return Node(label, lexical, words - 1, words, is_conjunction=label in conjunctions)
        node = Node(label, 0, words, is_conjunction=label in conjunctions)
        node.children = [grow() for _ in rule[1:]]
        node.end = words
        return node

    return grow()


def set_head(node: Node, head: Node | None, word: int) -> None:
    """Note a node's head word and what it looks like."""
    node.head = word
    if head is not None:
        node.head_tag = head.head_tag if head.children else head.label
        node.head_lexical = head.head_lexical if head.children else head.lexical


def described(node: Node, words: bool) -> list[int]:
    """A child as its label, head, and the labels (and words) below it."""
    start = [node.label, node.lexical, node.head_tag, node.head_lexical, len(node.children)]
    if words:
        return start + [x for below in node.children for x in (below.label, below.lexical)]
    return start + [below.label for below in node.children]


def beside_first(parent: Node | None) -> list[int]:
    """The phrase above, with its first child and what that starts with: the subject, as in "there is"."""
    if parent is None:
        return [0, 0, 0]
    first = parent.children[0]
    return [parent.label, first.label, first.children[0].label if first.children else 0]


def first_conjunct(node: Node) -> int:
    """How many children stand before the first conjunction; all of them if there is none, or nothing before it."""
    for index, child in enumerate(node.children):
        if child.is_conjunction and index:
            return index
    return len(node.children)


def conjunct_end(node: Node, index: int) -> int:
    """Position of the last child of the conjunct that a child belongs to."""
    end = index
    while end + 1 < len(node.children) and not node.children[end + 1].is_conjunction:
        end += 1
    return end


def second_conjunct(node: Node) -> tuple[int, int]:
    """Position of the last child of the second conjunct, and how many children it has; (-1, 0) if there is none."""
    start = first_conjunct(node) + 1
    if start >= len(node.children):
        return -1, 0
    end = conjunct_end(node, start)
    return end, end + 1 - start


def place_of(node: Node, head: int, index: int) -> int:
    """Where a child stands: side of the head, conjunctions before and after it, last of its conjunct."""
    before = any(sibling.is_conjunction for sibling in node.children[:index])
    after = any(sibling.is_conjunction for sibling in node.children[index + 1 :])
    last = (before or after) and conjunct_end(node, index) == index
    return int(index > head) + 2 * before + 4 * after + 8 * last


def head_contexts(node: Node, parent: Node | None) -> list[Key]:
    """Contexts of the choice of a head child, plainest first. The native converter builds the same numbers."""
    children = node.children
    up = beside_first(parent)
    words = [x for child in children for x in (child.label, child.lexical)]
    start = first_conjunct(node)
    first = [child.label for child in children[:start]]
    return [
        (5, node.label, *first, int(start < len(children))),
        (6, node.label, *first, min(second_conjunct(node)[1], MANY)),
        (0, node.label, *(child.label for child in children)),
        (1, node.label, *words),
        (2, *up, node.label, *words),
        (3, *up, node.label, *(x for child in children for x in described(child, words=False))),
        (4, *up, node.label, *(x for child in children for x in described(child, words=True))),
    ]


def arc_contexts(node: Node, parent: Node | None, grand: Node | None, head: int, index: int) -> list[Key]:
    """Contexts of a child's governor and label, plainest first. The native converter builds the same numbers."""
    child, top, children = node.children[index], node.children[head], node.children
    up, over = parent.label if parent else 0, grand.label if grand else 0
    place = place_of(node, head, index)
    plain = described(child, words=False)
    rich = described(child, words=True)
    labels = [sibling.label for sibling in children]
    words = [x for sibling in children for x in (sibling.label, sibling.lexical)]
    deep = [x for below in child.children for x in described(below, words=True)]
    beside = (
        [x for other in parent.children for x in (other.label, other.lexical, int(other is node))] if parent else []
    )
    return [
        (10, node.label, top.label, child.label, place),
        (11, node.label, top.label, top.lexical, child.label, child.lexical, child.head_tag, place),
        (16, node.label, top.label, top.head_tag, child.label, child.lexical, child.head_tag, place),
        (12, up, node.label, top.label, top.lexical, top.head_tag, place, *plain),
        (13, node.label, index, top.head_tag, *labels, *plain),
        (14, up, node.label, index, *words, *rich, *described(top, words=True)),
        (15, up, over, node.label, index, *words, *rich, *described(top, words=True), *deep, *beside),
    ]


def arc_decision(distance: int, label: int) -> Decision:
    """Distance to the governor among the children, and label, as one number."""
    return 256 * (distance + 128) + label


def annotate(node: Node, heads: list[int]) -> None:
    """Head words of all nodes, from the reference's heads."""
    for child in node.children:
        annotate(child, heads)
    if not node.children:
        node.head = node.begin
        node.head_tag, node.head_lexical = node.label, node.lexical
        return
    outside = [child for child in node.children if not node.begin <= heads[child.head] - 1 < node.end]
    head = outside[0] if outside else node.children[-1]
    set_head(node, head, head.head)


def phrases(node: Node, parent: Node | None, grand: Node | None) -> Iterator[tuple[Node, Node | None, Node | None]]:
    """All phrases of a tree with the two above."""
    if node.children:
        yield node, parent, grand
        for child in node.children:
            yield from phrases(child, node, parent)


Tables = dict[Key, Counter[Decision]]
Chain = list[Key]
"""Contexts of one decision, plainest first."""


ACTIVES = {"nsubjpass": "nsubj", "csubjpass": "csubj"}
"""Passive subjects are learnt as subjects: the auxiliary tells which is which, after the tree is made."""


@dataclass(frozen=True)
class Sentence:
    """A recorded tree with its words' heads and labels."""

    rules: list[Rule]
    heads: list[int]
    labels: list[str]


def sentences(paths: Sequence[Path]) -> Iterator[Sentence]:
    """All sentences of the files of parses."""
    for path in paths:
        for record in read_lines(path):
            for sentence in record["s"]:
                yield Sentence(local_rules(sentence["m"]), sentence["h"], sentence["r"].split(" "))


def learn(parsed: Iterator[Sentence], symbols: Symbols) -> tuple[Tables, dict[Key, Chain], list[str]]:
    """How often each decision was taken in each context, the plainer contexts of each richest one, and the labels."""
    counts: Tables = defaultdict(Counter)
    chains: dict[Key, Chain] = {}
    numbers: dict[str, int] = {}
    for sentence in parsed:
        for name in sentence.labels:
            numbers.setdefault(name, len(numbers))
        labels = [numbers.setdefault(ACTIVES.get(name, name), len(numbers)) for name in sentence.labels]
        root = build(sentence.rules, symbols)
        annotate(root, sentence.heads)
        for node, parent, grand in phrases(root, None, None):
            for chain, decision in phrase_decisions(node, parent, grand, sentence.heads, labels):
                chains.setdefault(chain[-1], chain)
                for key in chain:
                    counts[key][decision] += 1
    return counts, chains, list(numbers)


def phrase_decisions(
    node: Node, parent: Node | None, grand: Node | None, heads: list[int], labels: list[int]
) -> Iterator[tuple[Chain, Decision]]:
    """The decisions about one phrase, each with its contexts."""
    words = [child.head for child in node.children]
    head = words.index(node.head)
    yield head_contexts(node, parent), SECOND if head == second_conjunct(node)[0] else head
    for index, child in enumerate(node.children):
        yield [(HEAD_SHARE, node.label, child.label)], int(index == head)
    for index, word in enumerate(words):
        governor = heads[word] - 1
        if index != head and governor in words:
            distance = 0 if governor == node.head else words.index(governor) - index
            if distance and words.index(governor) == conjunct_end(node, index):
                distance = LAST
            yield arc_contexts(node, parent, grand, head, index), arc_decision(distance, labels[word])


def best(counter: Counter[Decision]) -> Decision:
    """The commonest decision; of equals the smallest, so that the order of the data does not matter."""
    return min(counter, key=lambda decision: (-counter[decision], decision))


def stored_decisions(counts: Tables, chains: dict[Key, Chain]) -> dict[Key, Decision]:
    """The contexts whose decision is not that of the plainer ones."""
    stored: dict[Key, Decision] = {}
    decided: set[Key] = set()
    for chain in chains.values():
        if chain[0][0] == HEAD_SHARE:
            counter = counts[chain[0]]
            stored[chain[0]] = round(1000 * counter[1] / (counter[0] + counter[1]))
    depth = max(len(chain) for chain in chains.values())
    for level in range(depth):
        for chain in chains.values():
            if chain[0][0] == HEAD_SHARE or level >= len(chain) or chain[level] in decided:
                continue
            decided.add(chain[level])
            decision = best(counts[chain[level]])
            plainer = next((stored[key] for key in reversed(chain[:level]) if key in stored), None)
            if decision != plainer:
                stored[chain[level]] = decision
    return stored


def level_nouns(stored: dict[Key, Decision], labels: dict[str, int]) -> None:
    """Make all nouns equally likely heads: in a noun phrase never seen the last one then is, as in those seen."""
    for phrase in NOUN_PHRASES:
        keys = [(HEAD_SHARE, labels.get(phrase, 0), labels.get(noun, 0)) for noun in NOUNS]
        shares = {key: stored[key] for key in keys if key in stored}
        stored |= dict.fromkeys(shares, max(shares.values(), default=0))


def key_hash(key: Key) -> int:
    """64-bit hash of a context, as the native converter computes it; never 0, which marks empty places."""
    value = BASIS
    for number in key:
        value = ((value ^ number) * PRIME) & MASK
    return value or 1


def hash_table(stored: dict[Key, Decision]) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """Open addressing, a power of two of places, at most half of them taken."""
    size = 1 << (2 * len(stored)).bit_length()
    keys, values = np.zeros(size, np.uint64), np.zeros(size, np.uint32)
    for key, decision in sorted(stored.items()):
        hashed = key_hash(key)
        place = (hashed >> 20) % size
        while keys[place]:
            place = (place + 1) % size
        keys[place], values[place] = hashed, decision
    return keys, values


def dependency_arrays(paths: Sequence[Path], states: States) -> Arrays:
    """The tables, the names of labels, and the numbers that contexts are built of."""
    symbols = symbols_of(states)
    counts, chains, relation_names = learn(sentences(paths), symbols)
    stored = stored_decisions(counts, chains)
    level_nouns(stored, symbols.labels)
    keys, values = hash_table(stored)
    text, starts = text_table(relation_names)
    word_text, word_starts = text_table(list(symbols.words))
    numbers = [symbols.labels[plain_label(name)] for name in states.names[: states.labels]]
    return {
        "decision_key": keys,
        "decision": values,
        "relation_text": text,
        "relation_starts": starts,
        "lexical_text": word_text,
        "lexical_starts": word_starts,
        "label_number": np.array(numbers, np.uint16),
    }
