"""Intervals and comparisons, worked by hand where that is possible."""

import numpy as np
import pytest

from spidercap.errors import UsageError
from spidercap.metrics.catalogue import METRICS
from spidercap.metrics.resampling import compare, confidence_intervals

NAMES = ("first", "second")


def scores(*values):
    return {"cider": np.array(values, dtype=float).reshape(-1, 1)}


def test_equal_images_have_an_interval_of_no_width():
    interval = confidence_intervals(scores(2.0, 2.0, 2.0))["CIDEr"]
    assert (interval.low, interval.high) == (2.0, 2.0)


def test_two_images_give_the_three_possible_means():
    """Resamples of {0, 1} have means 0, 1/2 and 1 with chances 1/4, 1/2 and 1/4."""
    wide = confidence_intervals(scores(0.0, 1.0), level=0.95)["CIDEr"]
    narrow = confidence_intervals(scores(0.0, 1.0), level=0.4)["CIDEr"]
    assert (wide.low, wide.high) == (0.0, 1.0)
    assert (narrow.low, narrow.high) == (0.5, 0.5)


def test_the_interval_is_about_the_normal_one_for_many_images():
    values = np.random.default_rng(7).normal(1.0, 0.5, 2000)
    interval = confidence_intervals(scores(*values), resamples=4000)["CIDEr"]
    half = 1.96 * values.std() / np.sqrt(2000)
    assert interval.low == pytest.approx(values.mean() - half, abs=0.1 * half)
    assert interval.high == pytest.approx(values.mean() + half, abs=0.1 * half)


def test_pooled_metrics_are_resampled_by_their_counts():
    """BLEU of a resample is that of its pooled counts: two images, three possible corpora, not means of scores."""
    counts = np.array([[4, 3, 2, 1, 4, 3, 2, 1, 4, 4], [0, 0, 0, 0, 4, 3, 2, 1, 4, 4]], dtype=float)
    possible = [
        METRICS["bleu"].scores(rows.sum(axis=0, keepdims=True))[0, 0]
        for rows in (counts[[0, 0]], counts, counts[[1, 1]])
    ]
    interval = confidence_intervals({"bleu": counts}, level=0.4)["Bleu_1"]
    assert interval.low == interval.high == pytest.approx(possible[1])
    wide = confidence_intervals({"bleu": counts}, level=0.9)["Bleu_1"]
    assert (wide.low, wide.high) == pytest.approx((possible[2], possible[0]))


def test_the_same_system_twice_differs_by_nothing():
    (found,) = compare(scores(1, 2, 3), scores(1, 2, 3), NAMES)
    assert (found.difference, found.interval.low, found.interval.high) == (0, 0, 0)
    assert (found.bootstrap_p, found.randomisation_p) == (1, 1)


def test_a_system_better_on_every_image_is_surely_better():
    first = np.linspace(0, 1, 50)
    (found,) = compare(scores(*first), scores(*(first + 0.25)), NAMES, resamples=999)
    assert (found.first, found.second) == NAMES
    assert found.difference == pytest.approx(0.25)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.25, 0.25))
    assert found.bootstrap_p == 2 / 1000
    assert found.randomisation_p == 1 / 1000


def test_randomisation_of_two_images_by_hand():
    """Differences of 1 and 1: both or neither exchanged (half of all) gives a difference of ±1, else 0."""
    (found,) = compare(scores(0, 0), scores(1, 1), NAMES, resamples=4000)
    assert found.randomisation_p == pytest.approx(0.5, abs=0.03)


def test_the_bootstrap_of_two_images_by_hand():
    """Differences of +3 and −1: only the resample of the second alone (1 in 4) is not above 0; doubled."""
    (found,) = compare(scores(0, 1), scores(3, 0), NAMES, resamples=4000)
    assert found.difference == 1
    assert found.bootstrap_p == pytest.approx(0.5, abs=0.04)


def test_a_worse_system_has_the_same_chances():
    values = np.random.default_rng(3).random((2, 30))
    (better,) = compare(scores(*values[0]), scores(*values[1]), NAMES)
    (worse,) = compare(scores(*values[1]), scores(*values[0]), NAMES)
    assert worse.difference == -better.difference
    assert worse.bootstrap_p == better.bootstrap_p
    assert worse.interval.low == pytest.approx(-better.interval.high)


def test_the_seed_decides():
    values = scores(*np.random.default_rng(0).random(100))
    assert confidence_intervals(values, seed=1) == confidence_intervals(values, seed=1)
    assert confidence_intervals(values, seed=1) != confidence_intervals(values, seed=2)


@pytest.mark.parametrize("level", [0, 1, -0.1, 95])
def test_levels_are_between_0_and_1(level):
    with pytest.raises(UsageError, match=f"`level` must be between 0 and 1, got {level}"):
        confidence_intervals(scores(1), level=level)


def test_at_least_one_resample():
    with pytest.raises(UsageError, match="`resamples` must be at least 1, got 0"):
        compare(scores(1), scores(1), NAMES, resamples=0)
