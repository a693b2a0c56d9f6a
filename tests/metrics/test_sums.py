"""Sums are exact: whatever the order, the chunks and the processes."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spidercap.errors import DataError
from spidercap.metrics.sums import Sums

SCORES = st.lists(st.floats(0, 10), min_size=1, max_size=40)


def rows(values):
    return {"cider": np.array(values).reshape(-1, 1)}


def total(values):
    sums = Sums(["cider"])
    sums.add(rows(values))
    return sums


@given(SCORES)
def test_the_mean_is_the_exact_mean_rounded_once(values):
    exact = sum(map(Fraction, values)) / len(values)
    assert total(values).corpus(["CIDEr"])["CIDEr"] == pytest.approx(float(exact), rel=1e-15, abs=2**-58)


@given(SCORES, st.randoms(use_true_random=False), st.integers(1, 7))
def test_order_and_chunks_change_no_bit(values, random, size):
    shuffled = random.sample(values, len(values))
    parts = Sums(["cider"])
    for first in range(0, len(shuffled), size):
        parts.merge(Sums.from_json(json.loads(json.dumps(total(shuffled[first : first + size]).as_json()))))
    assert parts.as_json() == total(values).as_json()
    assert parts.corpus(["CIDEr"]) == total(values).corpus(["CIDEr"])


def test_a_plain_sum_would_depend_on_the_order():
    """What the whole numbers are for: these three floats add up differently from left and from right."""
    values = [0.1, 0.2, 0.3]
    assert sum(values) != sum(reversed(values))
    assert total(values).as_json() == total(values[::-1]).as_json()


def test_counts_are_added_as_whole_numbers():
    sums = Sums(["bleu"])
    row = np.array([[3, 2, 1, 0, 4, 3, 2, 1, 4, 5]], dtype=float)
    sums.add({"bleu": row})
    sums.add({"bleu": row * 2})
    assert sums.as_json() == {"images": 2, "totals": {"bleu": [9, 6, 3, 0, 12, 9, 6, 3, 12, 15]}}


def test_sums_beyond_64_bits_are_exact():
    sums = total([10.0])
    many = Sums.from_json({"images": 10**9, "totals": {"cider": [10 * 2**58 * 10**9]}})
    sums.merge(many)
    assert sums.corpus(["CIDEr"])["CIDEr"] == 10.0


def test_sums_of_other_metrics_do_not_merge():
    with pytest.raises(DataError, match="cannot merge sums of rouge into sums of cider"):
        Sums(["cider"]).merge(Sums(["rouge"]))


def test_nothing_has_no_score():
    with pytest.raises(DataError, match="there is nothing to score"):
        Sums(["cider"]).corpus(["CIDEr"])
