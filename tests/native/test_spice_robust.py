"""Trees that no parser makes: bounded time and memory, no crash, the same answer twice."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spidercap import _native
from spidercap.metrics.spice.lexicon import load_lexicon

MARKERS = ["a", "an", "of", "the", "in", "on", "top", "front", "next", "to", "out", "by", "with", "NEXT", "Of"]
QUANTIFIERS = ["couple", "lot", "lots", "two", "2", "1960s", "one", "some", "both"]
COORDINATORS = ["and", "or", "but", "rather", "also", "not", "mention", "as", "well", "instead", "if"]
OTHERS = ["man", "dogs", "his", "it", "them", "I", "-lrb-", "!", "éa", "犬", "\x01", "be", "is", "up", "ski"]
WORDS = [*MARKERS, *QUANTIFIERS, *COORDINATORS, *OTHERS]
TAGS = ["NN", "NNS", "NNP", "NNPS", "VBG", "VBZ", "VBN", "JJ", "PRP", "PRP$", "IN", "DT", "CD", "CC", "RP", "."]
ARGUMENTS = ["nsubj", "nsubjpass", "csubj", "dobj", "iobj", "nmod", "nmod:poss", "nmod:tmod", "nmod:npmod", "xcomp"]
MODIFIERS = ["amod", "acl", "acl:relcl", "advcl", "advmod", "compound", "compound:prt", "nummod", "det", "dep", "punct"]
FUNCTIONS = ["case", "mark", "mwe", "cc", "conj", "cop", "auxpass", "_"]
LABELS = [*ARGUMENTS, *MODIFIERS, *FUNCTIONS]
MOST_TUPLES = 4096


def captions_of(*sentences):
    captions = _native.ParsedCaptions()
    captions.start_caption()
    for sentence in sentences:
        captions.add_sentence(*sentence)
    return captions


def random_sentence(seed):
    """Any tree, and now and then a graph that is none: heads may form a cycle or several roots."""
    chance = random.Random(seed)
    size = chance.randrange(41)
    order = chance.sample(range(1, size + 1), size)
    heads = [0] * size
    for i, word in enumerate(order[1:], 1):
        heads[word - 1] = order[chance.randrange(max(0, i - chance.randrange(1, 5)), i)]
    if seed % 4 == 0:
        heads = [chance.choice([0, *range(1, i), *range(i + 1, size + 1)]) for i in range(1, size + 1)]
    labels = [chance.choice(LABELS) if head else "root" for head in heads]
    return chance.choices(WORDS, k=size), chance.choices(TAGS, k=size), heads, labels


@given(seeds=st.lists(st.integers(0, 2**32), min_size=1, max_size=2))
@settings(deadline=None, max_examples=1000)
def test_any_graph_gives_tuples_and_a_score(seeds):
    lexicon = load_lexicon()
    captions = captions_of(*map(random_sentence, seeds))
    tuples = captions.tuples(0, lexicon)
    assert tuples == captions.tuples(0, lexicon)
    assert all(1 <= len(each) <= 3 for each in tuples)
    assert len(captions.graphs(0, lexicon, True)) == len(seeds)
    references = _native.SpiceReferences(lexicon)
    references.add(tuples)
    score = references.score(np.zeros(1, dtype=np.int64), captions)[0, 0]
    assert score == references.details(0, tuples)[0]["All"]["f"]
    assert score == (1.0 if tuples else 0.0)


SIZE = 1000


def star(label, tag="NNS"):
    """A thousand children of one word."""
    return ["dogs"] * SIZE, [tag] * SIZE, [0] + [1] * (SIZE - 1), ["root"] + [label] * (SIZE - 1)


def chain(label, tag="NNS"):
    """Each word the child of the word before."""
    return ["dogs"] * SIZE, [tag] * SIZE, list(range(SIZE)), ["root"] + [label] * (SIZE - 1)


def mixed_star(labels, words="dogs"):
    cycle = [labels[i % len(labels)] for i in range(SIZE - 1)]
    return [words] * SIZE, ["NNS"] * SIZE, [0] + [1] * (SIZE - 1), ["root", *cycle]


HARD = {
    "objects of one verb": mixed_star(["nsubj", "dobj"]),
    "copulas": mixed_star(["nsubj", "cop"]),
    "coordination": mixed_star(["cc", "conj"]),
    "conjoined phrases": (
        ["dogs"] * SIZE,
        ["NNS"] * SIZE,
        [0, 1] + [2] * (SIZE // 2) + [SIZE // 2 + 1] * (SIZE // 2 - 2),
        ["root", "nmod"] + ["case", "cc", "conj", "conj"] * (SIZE // 8) + ["case"] * (SIZE // 2 - 2),
    ),
    "chain of conjuncts": chain("conj"),
    "chain of phrases": chain("nmod:npmod"),
    "chain of pronouns": (
        ["dogs"] + ["it"] * (SIZE - 1),
        ["NN"] + ["PRP"] * (SIZE - 1),
        list(range(SIZE)),
        ["root"] + ["dep"] * (SIZE - 1),
    ),
    "prepositions": (
        ["next", "to"] * (SIZE // 2),
        ["IN"] * SIZE,
        [0] + [1] * (SIZE - 1),
        ["root"] + ["case"] * (SIZE - 1),
    ),
    "adjectives": star("amod"),
    "compounds": star("compound"),
}


@pytest.mark.parametrize("name", HARD)
def test_a_thousand_words(name):
    lexicon = load_lexicon()
    captions = captions_of(HARD[name])
    tuples = captions.tuples(0, lexicon)
    assert len(tuples) <= MOST_TUPLES
    references = _native.SpiceReferences(lexicon)
    references.add(tuples)
    assert 0 <= references.score(np.zeros(1, dtype=np.int64), captions)[0, 0] <= 1
