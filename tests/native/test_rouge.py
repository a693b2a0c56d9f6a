"""ROUGE-L: worked by hand and against a slow reference, with captions longer than a machine word."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from spidercap._native import NgramReferences

BETA_SQUARED = 1.2**2


def common_length(left: list[str], right: list[str]) -> int:
    lengths = [0] * (len(right) + 1)
    for word in left:
        previous = lengths[:]
        for j, other in enumerate(right):
            lengths[j + 1] = previous[j] + 1 if word == other else max(previous[j + 1], lengths[j])
    return lengths[-1]


def naive_rouge_l(candidate: str, references: list[str]) -> float:
    words = candidate.split(" ")
    pairs = [(common_length(words, reference.split(" ")), len(reference.split(" "))) for reference in references]
    precision = max(common / len(words) for common, _ in pairs)
    recall = max(common / length for common, length in pairs)
    if precision == 0 or recall == 0:
        return 0.0
    return ((1 + BETA_SQUARED) * precision * recall) / (recall + BETA_SQUARED * precision)


def score(references: list[list[str]], candidates: list[str], threads: int = 1) -> list[float]:
    digest = NgramReferences(references)
    return digest.score(np.arange(len(references)), candidates, ["rouge_l"], threads)["rouge_l"].tolist()


PIECES = st.sampled_from(["a", "b", "c", "", "x\u00a0y", "longer-than-eight", "é"])
CAPTIONS = st.lists(PIECES, max_size=12).map(" ".join)
LONG_CAPTIONS = st.lists(st.sampled_from("abcdefgh"), min_size=50, max_size=200).map(" ".join)


@settings(deadline=None)
@given(st.lists(st.tuples(st.lists(CAPTIONS, min_size=1, max_size=4), CAPTIONS), min_size=1, max_size=4))
def test_scores_equal_the_slow_reference(images):
    references, candidates = [refs for refs, _ in images], [candidate for _, candidate in images]
    assert score(references, candidates) == [naive_rouge_l(candidate, refs) for refs, candidate in images]


@settings(deadline=None, max_examples=25)
@given(st.lists(LONG_CAPTIONS, min_size=1, max_size=2), LONG_CAPTIONS)
def test_long_captions_equal_the_slow_reference(references, candidate):
    assert score([references], [candidate]) == [naive_rouge_l(candidate, references)]


def test_words_rarer_and_more_frequent_than_blocks_of_64():
    candidate = " ".join(["a"] * 90 + [f"w{i}" for i in range(120)] + ["a"] * 3)
    reference = " ".join([f"w{i}" for i in range(0, 120, 2)] + ["a"] * 80)
    assert score([[reference]], [candidate]) == [naive_rouge_l(candidate, [reference])]


def test_precision_and_recall_may_come_from_different_references():
    references = [["a man rides a horse", "a person on a horse"], ["two dogs play in the snow"]]
    assert score(references, ["a man on a horse", "dogs run in snow"]) == [0.8, 0.5791139240506329]


def test_empty_captions_are_one_empty_word():
    assert score([[""], ["a"], ["a", ""]], ["", "", ""]) == [1.0, 0.0, 1.0]
