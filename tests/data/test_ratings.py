"""Human ratings: one row a judgement."""

import pytest

from spidercap.data.ratings import read_ratings
from spidercap.errors import DataError


def test_an_id_may_be_judged_several_times(write):
    assert read_ratings(write("r.csv", "id,rating\n7,1\n7,2.5\nx,4\n\n")) == [("7", 1.0), ("7", 2.5), ("x", 4.0)]


def test_columns_in_any_order_beside_others(write):
    assert read_ratings(write("r.csv", 'rater, Rating ,ID\nanna,3,"a, b"\n')) == [("a, b", 3.0)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,score\n1,2\n", "line 1: expected the header id,rating; got 'id,score'"),
        ("", "line 1: expected the header id,rating; got ''"),
        ("id,rating\n", "no rating was found; expected one row a judgement"),
        ("id,rating\n1,good\n", "line 2: expected id,rating with a number as the rating, got '1,good'"),
        ("id,rating\n1,2\n1\n", "line 3: expected id,rating with a number as the rating, got '1'"),
        ("id,rating\n1,nan\n", "line 2: the rating is nan, expected a finite number"),
        ("rating,id\n3\n", "line 2: expected id,rating with a number as the rating, got '3'"),
    ],
)
def test_bad_ratings_get_their_sentence(write, content, message):
    with pytest.raises(DataError, match=message):
        read_ratings(write("r.csv", content))
