"""Statistics of how captions are written, worked by hand."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spidercap.metrics.writing import BAD_ENDINGS, CaptionCounts, caption_statistics, has_repeated_run

CAPTIONS = [
    "A man on a horse.",  # 5 words
    "a man on a horse",  # the same tokens
    "a cat and a cat on a",  # a bigram twice, a bad ending
    "a dog in the park a dog in the park",  # four words twice, and bigrams
]


def test_worked_by_hand():
    found = caption_statistics(CAPTIONS)
    assert found.as_json() == {
        "captions": 4,
        "mean_length": (5 + 5 + 7 + 10) / 4,
        "repetition": 0.25,
        "repeated_bigrams": 0.5,
        "bad_endings": 0.25,
        "distinct": 3,
        "vocabulary": len({"a", "man", "on", "horse", "cat", "and", "dog", "in", "the", "park"}),
        "repeated_tuples": None,
    }
    assert found.with_tuples(8, 2).repeated_tuples == 0.25


@pytest.mark.parametrize(
    ("caption", "length", "expected"),
    [
        ("", 2, False),
        ("a", 2, False),
        ("a a", 2, False),
        ("a a a", 2, True),
        ("a b a b", 2, True),
        ("a b c d", 4, False),
        ("a b c d e a b c d", 4, True),
        ("a b c d e a b c e", 4, False),
        ("a a a a a", 4, True),
    ],
)
def test_repeated_runs(caption, length, expected):
    assert has_repeated_run(caption.split(), length) is expected


@pytest.mark.parametrize("ending", ["a", "an", "the", "with", "of", "in", "on", "and", "to"])
def test_bad_endings(ending):
    assert ending in BAD_ENDINGS
    assert caption_statistics([f"a man {ending} .", "a man"]).bad_endings == 0.5


@pytest.mark.parametrize("captions", [[], [""], ["", " . , ?"]])
def test_captions_without_words(captions):
    found = caption_statistics(captions)
    assert (found.mean_length, found.repetition, found.bad_endings, found.vocabulary) == (0, 0, 0, 0)
    assert found.with_tuples(0, 0).repeated_tuples == 0


@given(st.lists(st.text(max_size=30), max_size=8), st.integers(0, 8))
def test_parts_add_up(captions, cut):
    counts = CaptionCounts()
    counts.add(captions[:cut])
    counts.add(captions[cut:])
    assert counts.statistics() == caption_statistics(captions)


def test_without_torch():
    code = "import sys, spidercap.metrics.writing; print('torch' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
