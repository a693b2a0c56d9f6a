"""Counted things in a sentence."""

import pytest

from spidercap.text.amounts import amount


@pytest.mark.parametrize(("count", "text"), [(0, "0 runs"), (1, "1 run"), (2, "2 runs"), (1200, "1,200 runs")])
def test_one_is_singular(count, text):
    assert amount(count, "run") == text
