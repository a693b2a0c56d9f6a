"""Counted things in a sentence, and numbers as people print them."""

import pytest

from spidercap.data.captions import Note
from spidercap.text.amounts import amount, decimal


@pytest.mark.parametrize(("count", "text"), [(0, "0 runs"), (1, "1 run"), (2, "2 runs"), (1200, "1,200 runs")])
def test_one_is_singular(count, text):
    assert amount(count, "run") == text


@pytest.mark.parametrize(
    ("value", "sign", "text"), [(-0.256, "", "−0.26"), (0.5, "", "0.50"), (0.5, "+", "+0.50"), (-1.0, "+", "−1.00")]
)
def test_a_minus_sign_is_a_true_one(value, sign, text):
    assert decimal(value, 2, sign) == text


@pytest.mark.parametrize(
    ("what", "count", "text"),
    [
        ("images without captions left out", 1, "1 image without captions left out (first: x)"),
        ("empty captions left out", 1, "1 empty caption left out (first: x)"),
        ("empty captions left out", 2000, "2,000 empty captions left out (first: x)"),
    ],
)
def test_one_thing_that_is_noted_is_one(what, count, text):
    assert str(Note(what, count, "x")) == text
