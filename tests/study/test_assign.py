"""Who gets what next."""

from hypothesis import given
from hypothesis import strategies as st

from spidercap.study.assign import LOOKAHEAD, choose, chunks, is_swapped, order_of


def test_every_rater_has_an_order_of_their_own():
    orders = {tuple(order_of(0, rater, 50)) for rater in range(20)}
    assert len(orders) == 20
    assert all(sorted(order) == list(range(1, 51)) for order in orders)
    assert order_of(0, 3, 50) == order_of(0, 3, 50) != order_of(1, 3, 50)


def test_an_order_in_pieces_is_the_order():
    assert list(chunks([5, 3, 1, 4, 2], 2)) == [[5, 3], [1, 4], [2]]


@given(st.lists(st.integers(1, 30), unique=True), st.integers(0, 5))
def test_what_is_chosen_is_available_distinct_and_enough(available, wanted):
    chosen = choose([(item, item % 4) for item in available], 1, wanted)
    assert len(chosen) == len(set(chosen)) == min(wanted, len(available))
    assert set(chosen) <= set(available)


def test_the_same_picture_does_not_follow_itself_if_there_is_another():
    available = [(1, 7), (2, 7), (3, 8), (4, 8)]
    assert choose(available, None, 4) == [1, 3, 2, 4]
    assert choose(available, 7, 1) == [3]
    assert choose([(1, 7)], 7, 1) == [1]


def test_no_more_is_read_than_is_looked_at():
    read = []
    choose(((item, item) for item in range(1000) if not read.append(item)), None, 3)
    assert len(read) == 3 + LOOKAHEAD


def test_two_captions_change_places_for_half_of_all():
    swapped = [is_swapped(0, rater, f"item{item}") for rater in range(30) for item in range(30)]
    assert 400 < sum(swapped) < 500
