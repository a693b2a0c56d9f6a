"""Splits by name, by file name and by hash."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spidercap.data.splits import parse_fractions, smallest_hashes, split_by_hash, split_from_file_name
from spidercap.errors import UsageError


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("captions_train2014.json", "train"),
        ("captions_val2017.jsonl.xz", "val"),
        ("Validation.csv", "val"),
        ("my-dev_set.csv", "val"),
        ("test.json", "test"),
        ("trainspotting.csv", None),
        ("value.csv", None),
        ("contest.json", None),
        ("mine.csv", None),
    ],
)
def test_the_split_of_a_file_name(name, split):
    assert split_from_file_name(name) == split


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_hash_is_one_that_any_tool_can_repeat(identity):
    position = int(sha256(identity.encode()).hexdigest()[:16], 16) / 16**16
    expected = "train" if position < 0.5 else "val" if position < 0.75 else "test"
    assert split_by_hash(identity, (0.5, 0.25, 0.25)) == expected


def test_fractions_of_nothing_and_all():
    splits = {fractions: {split_by_hash(str(i), fractions) for i in range(50)} for fractions in [(1, 0, 0), (0, 0, 1)]}
    assert splits == {(1, 0, 0): {"train"}, (0, 0, 1): {"test"}}


@given(st.sets(st.integers(0, 10**6).map(str), min_size=3), st.randoms())
def test_the_choice_of_the_smallest_does_not_depend_on_the_order(identities, random):
    shuffled = random.sample(sorted(identities), len(identities))
    chosen = smallest_hashes(shuffled, 3)
    rank = {identity: sha256(identity.encode()).hexdigest() for identity in identities}
    assert len(chosen) == 3
    assert max(rank[identity] for identity in chosen) <= min(
        (rank[identity] for identity in identities - chosen), default="g"
    )


def test_fractions():
    assert parse_fractions("0.8,0.1,0.1") == (0.8, 0.1, 0.1)
    assert parse_fractions("1,0,0") == (1, 0, 0)


@pytest.mark.parametrize(
    "text", ["", "0.8", "0.8,0.2", "a,b,c", "0.5,0.2,0.2", "1.2,-0.1,-0.1", "nan,0.5,0.5", "80,10,10"]
)
def test_wrong_fractions(text):
    with pytest.raises(UsageError, match=f"`split` must be three .*, got '{text}'"):
        parse_fractions(text)
