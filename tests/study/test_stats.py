"""The statistics, by hand, against published values and against scipy."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from spidercap.study.stats import (
    difference_interval,
    fleiss_kappa,
    holm,
    krippendorff_alpha,
    majority,
    sign_test,
    wilson,
)

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", example C: nominal .743, ordinal .815.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [[value for value in unit if value is not None] for unit in zip(*OBSERVERS, strict=True)]
# Fleiss (1971) in the form of its best-known worked example: 10 subjects, 14 raters, 5 categories, κ = .210.
FLEISS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


@pytest.mark.parametrize(("wins", "losses", "p"), [(43, 24, 0.0136), (85, 52, 0.0030), (0, 0, 1.0), (5, 0, 1 / 32)])
def test_the_sign_test_gives_the_paper_s_values(wins, losses, p):
    assert sign_test(wins, losses) == pytest.approx(p, abs=5e-5)


@given(st.integers(0, 300), st.integers(0, 300))
def test_the_sign_test_is_scipy_s_binomial_test(wins, losses):
    expected = scipy_stats.binomtest(wins, wins + losses, alternative="greater").pvalue if wins + losses else 1.0
    assert sign_test(wins, losses) == pytest.approx(expected, rel=1e-9)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_and_keeps_the_order(p_values):
    corrected = holm(p_values)
    assert all(q >= p for p, q in zip(p_values, corrected, strict=True))
    for (p, q), (r, s) in itertools.combinations(zip(p_values, corrected, strict=True), 2):
        assert (p - r) * (q - s) >= 0


@pytest.mark.parametrize(
    ("choices", "raters", "expected"),
    [
        (["good", "good", "bad"], 3, "good"),
        (["good", "okay", "bad"], 3, None),
        (["good", "good"], 3, "good"),
        (["good"], 3, None),
        (["good", "bad"], 2, None),
        (["bad"], 1, "bad"),
        ([], 3, None),
    ],
)
def test_majority(choices, raters, expected):
    assert majority(choices, raters) == expected


def test_krippendorff_gives_the_published_values():
    assert krippendorff_alpha(UNITS, "nominal") == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(UNITS, "ordinal") == pytest.approx(0.815, abs=5e-4)


def test_krippendorff_is_undefined_without_variety_or_pairs():
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([[1], [2]]) is None
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([[1, 1], [2, 2]]) == 1


def naive_nominal_alpha(units):
    """1 − (disagreeing pairs within units) / (disagreeing pairs at all), each unit's pairs weighted by 1 / (m − 1)."""
    pairable = [unit for unit in units if len(unit) > 1]
    values = [value for unit in pairable for value in unit]
    within = sum(sum(a != b for a, b in itertools.permutations(u, 2)) / (len(u) - 1) for u in pairable) / len(values)
    among = sum(a != b for a, b in itertools.permutations(values, 2)) / (len(values) * (len(values) - 1))
    return 1 - within / among


def test_krippendorff_equals_its_definition():
    dice = random.Random(1)
    for _ in range(50):
        units = [[dice.randrange(4) for _ in range(dice.randrange(5))] for _ in range(12)]
        assert krippendorff_alpha(units) == pytest.approx(naive_nominal_alpha(units))


def test_fleiss_gives_the_published_value():
    units = [[category for category, count in enumerate(row) for _ in range(count)] for row in FLEISS]
    assert fleiss_kappa(units, 14) == pytest.approx(0.210, abs=5e-4)
    assert fleiss_kappa([[1, 1, 1], [2, 2, 2], [1]], 3) == 1
    assert fleiss_kappa([[1, 1], [1, 1]], 2) is None
    assert fleiss_kappa([[1]], 3) is None


def test_wilson_is_scipy_s():
    expected = scipy_stats.binomtest(38, 100).proportion_ci(0.95, method="wilson")
    interval = wilson(38, 100)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))
    assert wilson(0, 0) is None
    assert wilson(0, 5).low == pytest.approx(0, abs=1e-12)


def test_the_interval_of_a_difference_covers_it_and_pairs_images():
    dice = random.Random(3)
    first = {str(n): float(dice.random() < 0.4) for n in range(400)}
    same = difference_interval(first, first)
    assert (same.low, same.high) == (0.0, 0.0)
    second = {image: max(value, float(dice.random() < 0.2)) for image, value in first.items()}
    interval = difference_interval(first, second)
    observed = (sum(second.values()) - sum(first.values())) / 400
    assert 0 < interval.low < observed < interval.high < 0.2
    assert difference_interval({}, second) is None
