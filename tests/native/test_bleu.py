"""BLEU: worked by hand, against a slow reference, and its additive statistics."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spidercap._native import NgramReferences, bleu_from_statistics

# Few words, so that n-grams repeat; blanks of several kinds and empty captions among them.
CAPTIONS = st.lists(st.sampled_from(["a", "b", "c", "dog", "longer-than-eight", "é"]), max_size=9).flatmap(
    lambda words: st.lists(
        st.sampled_from([" ", "  ", "\u00a0", "\u2003", "\t"]), min_size=len(words), max_size=len(words)
    ).map(lambda blanks: "".join(word + blank for word, blank in zip(words, blanks, strict=True)))
)
IMAGES = st.lists(st.tuples(st.lists(CAPTIONS, min_size=1, max_size=10), CAPTIONS), min_size=1, max_size=5)


def count_ngrams(words: list[str], n: int) -> Counter:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def naive_statistics(candidate: str, references: list[str]) -> list[int]:
    words, others = candidate.split(), [reference.split() for reference in references]
    correct = []
    for n in range(1, 5):
        most: Counter = Counter()
        for other in others:
            most |= count_ngrams(other, n)
        correct.append((count_ngrams(words, n) & most).total())
    guesses = [max(0, len(words) - n) for n in range(4)]
    closest = min((abs(len(other) - len(words)), len(other)) for other in others)[1]
    return [*correct, *guesses, len(words), closest]


def naive_bleu(statistics: list[int]) -> list[float]:
    scores, product = [], 1.0
    for n in range(4):
        product *= (statistics[n] + 1e-15) / (statistics[4 + n] + 1e-9)
        scores.append(product ** (1.0 / (n + 1)))
    ratio = (statistics[8] + 1e-15) / (statistics[9] + 1e-9)
    return [score * math.exp(1 - 1 / ratio) for score in scores] if ratio < 1 else scores


def score(references: list[list[str]], candidates: list[str], threads: int = 1) -> dict[str, np.ndarray]:
    return NgramReferences(references).score(np.arange(len(references)), candidates, ["bleu"], threads)


@settings(deadline=None)
@given(IMAGES)
def test_statistics_and_scores_equal_the_slow_reference(images):
    references, candidates = [refs for refs, _ in images], [candidate for _, candidate in images]
    result = score(references, candidates)
    expected = [naive_statistics(candidate, refs) for refs, candidate in images]
    assert result["bleu_statistics"].tolist() == expected
    assert result["bleu"].tolist() == [naive_bleu(row) for row in expected]


def test_the_corpus_value_pools_counts():
    references = [["a man rides a horse", "a person on a horse"], ["two dogs play in the snow"]]
    statistics = score(references, ["a man on a horse", "dogs run in snow"])["bleu_statistics"]
    pooled = bleu_from_statistics(statistics.sum(axis=0, keepdims=True))
    assert pooled.tolist() == [[0.711766580212326, 0.49422585472236275, 0.3394613580480448, 5.684404483233366e-05]]


def test_an_empty_candidate_scores_zero_and_a_perfect_one_not_quite_one():
    result = score([["a b"], [""], ["a b c d e"]], ["", "", "a b c d e"])["bleu"]
    assert result[:2].tolist() == [[0.0] * 4] * 2
    assert result[2, 0] == 0.9999999996000004


def test_of_two_equally_near_lengths_the_shorter_counts():
    assert score([["a a a a", "a a"]], ["a a a"])["bleu_statistics"][0, 9] == 2


def test_many_references_and_repetitions():
    references = [["a " * 40, *["b c"] * 30, "a " * 7]]
    assert score(references, ["a " * 60 + "b c"])["bleu_statistics"].tolist() == [
        naive_statistics("a " * 60 + "b c", references[0])
    ]


def test_threads_change_nothing():
    references = [[f"a b w{i}", f"c w{i + 1} d e"] for i in range(400)]
    candidates = [f"b w{i} c w{i + 1}" for i in range(400)]
    one, two = score(references, candidates), score(references, candidates, 2)
    assert np.array_equal(one["bleu"], two["bleu"])


def test_errors_name_what_is_wrong():
    references = NgramReferences([["a b"]])
    with pytest.raises(IndexError, match="image index 1 is out of range: the references have 1 images"):
        references.score(np.array([1]), ["a"], ["bleu"])
    with pytest.raises(ValueError, match="found 2 indices and 1 captions"):
        references.score(np.array([0, 0]), ["a"], ["bleu"])
    with pytest.raises(ValueError, match='unknown metric "blue"; expected bleu, rouge_l, cider_d or cider'):
        references.score(np.array([0]), ["a"], ["blue"])
    with pytest.raises(ValueError, match="image 1 has no references"):
        NgramReferences([["a"], []])
    with pytest.raises(TypeError, match="image 1, caption 0: expected str, found NoneType"):
        NgramReferences([["a"], [None]])
    with pytest.raises(ValueError, match="expected 10 columns of BLEU statistics, found 3"):
        bleu_from_statistics(np.zeros((1, 3), dtype=np.int64))
