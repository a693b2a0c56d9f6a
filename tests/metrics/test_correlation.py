"""Correlations worked by hand."""

import pytest

from spidercap.metrics.correlation import correlate


def test_perfect_agreement_and_its_opposite():
    found = correlate("CIDEr", [1, 2, 3, 4], [10, 20, 30, 40])
    assert (found.kendall_b, found.kendall_c, found.spearman, found.pearson) == pytest.approx((1, 1, 1, 1))
    opposite = correlate("CIDEr", [1, 2, 3, 4], [4, 3, 2, 1])
    assert (opposite.kendall_b, opposite.spearman, opposite.pearson) == pytest.approx((-1, -1, -1))


def test_ties_by_hand():
    """Scores 1 2 3 4, ratings 1 1 2 1: pairs 6, concordant 2, discordant 1, tied in the ratings 3.

    τ_b = (2 − 1)/√(6·3); τ_c = 2·(2 − 1)/(4²·(2 − 1)/2) = 0.25 with m = 2 distinct ratings.
    """
    found = correlate("METEOR", [1, 2, 3, 4], [1, 1, 2, 1])
    assert found.kendall_b == pytest.approx(1 / 18**0.5)
    assert found.kendall_c == pytest.approx(0.25)
    assert found.pearson == pytest.approx(0.25 / (1.25 * 0.1875) ** 0.5 / 2)
    assert (found.metric, found.judgements) == ("METEOR", 4)


@pytest.mark.parametrize(("scores", "ratings"), [([1, 1], [1, 2]), ([1, 2], [3, 3]), ([1], [1])])
def test_undefined_is_none(scores, ratings):
    found = correlate("CIDEr", scores, ratings)
    assert (found.kendall_b, found.kendall_c, found.spearman, found.pearson) == (None, None, None, None)
