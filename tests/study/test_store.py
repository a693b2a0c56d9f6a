"""Nothing lost, nothing doubled: answers, undo, abandoned items, clocks."""

import os
import sqlite3
import threading
from collections import Counter

import pytest

from spidercap.errors import DataError, UsageError
from spidercap.study.assign import QUEUE
from spidercap.study.simulate import SimulatedClock, SimulatedRater, rate_share
from spidercap.study.store import Store
from spidercap.study.stored import PausedError
from spidercap.web.keys import new_key


def invite(store, name="anna"):
    return store.invite(name, new_key().hash)


def answer(store, rater, item, choice="good"):
    return store.answer(rater, item.code, item.turn, choice, 2000)


def counted(store):
    return Counter(one.item for one in store.answers() if one.counted)


def test_acknowledged_answers_survive_the_loss_of_everything_but_the_disk(store):
    connection = store._connection
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL


def test_a_desk_holds_a_few_items_and_stays_the_same_until_answered(store):
    anna = invite(store)
    desk = store.desk(anna)
    assert len(desk.queue) == QUEUE
    assert (desk.rated, desk.left, desk.last) == (0, 12, None)
    assert store.desk(anna) == desk


def test_an_answer_moves_the_queue_on(store):
    anna = invite(store)
    before = store.desk(anna)
    after = answer(store, anna, before.queue[0])
    assert after.queue[:2] == before.queue[1:]
    assert (after.rated, after.left, after.last) == (1, 11, (before.queue[0].code, 0))


def test_double_clicks_retries_and_second_tabs_yield_one_answer(store):
    anna = invite(store)
    item = store.desk(anna).queue[0]
    first = answer(store, anna, item, "good")
    assert answer(store, anna, item, "good") == first
    assert answer(store, anna, item, "bad") == first
    assert [(one.choice, one.rater) for one in store.answers()] == [("good", "anna")]
    assert [row["what"] for row in store.log()].count("rated") == 1


def test_undo_is_recorded_and_gives_the_item_back(store):
    anna = invite(store)
    item = store.desk(anna).queue[0]
    last = answer(store, anna, item).last
    again = store.undo(anna, *last)
    assert (again.queue[0].code, again.queue[0].turn, again.queue[0].choice) == (item.code, 1, "good")
    assert (again.rated, again.last) == (0, None)
    assert store.answers() == []
    answer(store, anna, again.queue[0], "bad")
    assert [one.choice for one in store.answers()] == ["bad"]
    told = [(row["what"], row["turn"], row["choice"]) for row in store.log() if row["what"] != "given"]
    assert told == [("rated", 0, "good"), ("undone", 0, "good"), ("rated", 1, "bad")]


def test_a_repeated_undo_takes_back_one_answer(store):
    anna = invite(store)
    desk = answer(store, anna, store.desk(anna).queue[0])
    last = answer(store, anna, desk.queue[0]).last
    store.undo(anna, *last)
    assert store.undo(anna, *last).rated == 1


def test_an_answer_that_was_taken_back_does_not_return_by_a_late_retry(store):
    anna = invite(store)
    item = store.desk(anna).queue[0]
    last = answer(store, anna, item).last
    store.undo(anna, *last)
    assert answer(store, anna, item, "good").rated == 0
    assert store.answers() == []


def test_items_of_others_and_unknown_items_are_refused(store):
    anna, ben = invite(store), invite(store, "ben")
    mine = {item.code for item in store.desk(anna).queue}
    foreign = next(item for item in store.desk(ben).queue if item.code not in mine)
    assert answer(store, anna, foreign) is None
    assert store.answer(anna, "nothing", 0, "good", 1) is None


def test_abandoned_items_return_after_a_time_and_late_answers_are_kept_but_not_counted(material, clock):
    store = Store(material.study(raters=1, patience=10), clock)
    anna, ben = invite(store), invite(store, "ben")
    held = store.desk(anna).queue
    clock.now += 9 * 60
    assert not {item.code for item in store.desk(ben).queue} & {item.code for item in held}
    clock.now += 2 * 60
    while queue := store.desk(ben).queue:
        answer(store, ben, queue[0], "okay")
    assert len(counted(store)) == store.items
    late = answer(store, anna, held[0], "bad")
    assert late.rated == 1
    assert [(one.rater, one.counted) for one in store.answers()][-1] == ("anna", False)
    assert set(counted(store).values()) == {1}
    # Taken back and given again it is still late, and still one.
    undone = store.undo(anna, *late.last)
    assert undone.queue[0].code == held[0].code
    answer(store, anna, undone.queue[0], "good")
    assert [(one.choice, one.counted) for one in store.answers() if one.rater == "anna"] == [("good", False)]
    assert set(counted(store).values()) == {1}


def test_a_late_answer_counts_where_a_place_is_left(material, clock):
    store = Store(material.study(raters=2, patience=1), clock)
    anna, ben = invite(store), invite(store, "ben")
    held = store.desk(anna).queue
    clock.now += 120
    store.desk(ben)
    assert answer(store, anna, held[0]).rated == 1
    assert [one.counted for one in store.answers()] == [True]


def test_who_is_at_work_keeps_their_items(material, clock):
    store = Store(material.study(raters=1, patience=1), clock)
    anna, ben = invite(store), invite(store, "ben")
    held = store.desk(anna).queue
    for _ in range(5):
        clock.now += 40
        assert store.desk(anna).queue == held
    assert not {item.code for item in store.desk(ben).queue} & {item.code for item in held}


def test_a_restart_counts_the_time_of_open_items_anew(material):
    folder = material.study(raters=1, patience=1)
    clock = SimulatedClock()
    clock.now = 1_000_000.0
    first = Store(folder, clock)
    anna, ben = invite(first), invite(first, "ben")
    held = {item.code for item in first.desk(anna).queue}
    first.close()
    second = Store(folder, SimulatedClock())  # A machine that was started anew: its steady clock begins at zero.
    second.begin_serving()
    assert not {item.code for item in second.desk(ben).queue} & held
    assert {item.code for item in second.desk(anna).queue} == held


def test_a_clock_that_goes_backwards_changes_no_order(material, clock):
    times = iter([f"2026-01-01T{hour:02}:00:00Z" for hour in range(23, 0, -1)])
    store = Store(material.study(), clock, lambda: next(times))
    anna = invite(store)
    desk = store.desk(anna)
    for choice in ("good", "okay", "bad"):
        desk = answer(store, anna, desk.queue[0], choice)
    assert [one.choice for one in store.answers()] == ["good", "okay", "bad"]
    assert [one.at for one in store.answers()] == sorted((one.at for one in store.answers()), reverse=True)
    undone = store.undo(anna, *desk.last)
    assert undone.queue[0].choice == "bad"


def test_the_time_that_a_page_tells_is_not_believed_beyond_what_has_passed(store, clock):
    anna = invite(store)
    item = store.desk(anna).queue[0]
    clock.now += 1.5
    store.answer(anna, item.code, 0, "good", 60_000)
    assert store.answers()[0].milliseconds == 1500


def test_a_paused_rater_gets_and_gives_nothing_and_goes_on_later(store):
    anna, ben = invite(store), invite(store, "ben")
    held = store.desk(anna).queue
    assert store.set_paused(anna.number, True)
    for attempt in (lambda: store.desk(anna), lambda: answer(store, anna, held[0])):
        with pytest.raises(PausedError):
            attempt()
    assert store.rater_progress()[0].open == 0
    store.set_paused(anna.number, False)
    assert answer(store, anna, held[0]).rated == 1
    assert not store.set_paused(99, True)
    assert store.desk(ben).rated == 0


def test_keys(store):
    old, new, owner = new_key(), new_key(), new_key()
    anna = store.invite("anna", old.hash)
    assert store.rater_of(old.hash) == anna
    assert store.invite("anna", new.hash) == anna
    assert store.rater_of(old.hash) is None
    store.new_owner_key(owner.hash)
    assert store.owner_has(owner.hash)
    assert store.rater_of(owner.hash) is None
    assert not store.owner_has(new.hash)
    store.new_owner_key(new_key().hash)
    assert not store.owner_has(owner.hash)
    everything = store.path.read_bytes() + store.path.with_name("study.sqlite-wal").read_bytes()
    assert old.text.encode() not in everything
    assert new.text.encode() not in everything


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 81])
def test_names_of_raters(store, name):
    with pytest.raises(UsageError, match="a rater's name must have 1 to 80 printable characters"):
        invite(store, name)


def test_one_place_too_many_is_impossible_even_for_the_database(store):
    invite(store)
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        store._connection.execute("UPDATE items SET held = needed + 1 WHERE number = 1")


def test_200_raters_at_once_give_every_item_exactly_its_answers(material):
    """Threads, double clicks, undo, and a tenth of the raters who take items and never come back."""
    clock = SimulatedClock()
    store = Store(material.study(raters=3, patience=5), clock)
    raters = [invite(store, f"rater {number}") for number in range(200)]
    start = threading.Barrier(40)

    def work(group):
        start.wait()
        for number, rater in group:
            queue = store.desk(rater).queue
            if number % 10 == 0 or not queue:
                continue
            desk = answer(store, rater, queue[0])
            answer(store, rater, queue[0], "bad")
            if number % 7 == 0:
                answer(store, rater, store.undo(rater, *desk.last).queue[0], "okay")

    numbered = list(enumerate(raters))
    threads = [threading.Thread(target=work, args=(numbered[k::40],)) for k in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(counted(store).values(), default=0) <= 3
    clock.now += 600
    for rater in raters[1::10]:
        while queue := store.desk(rater).queue:
            answer(store, rater, queue[0])
    assert counted(store) == dict.fromkeys(range(1, store.items + 1), 3)
    per_rater = Counter((one.item, one.rater) for one in store.answers())
    assert set(per_rater.values()) == {1}


def test_simulated_raters_finish_a_study(store, clock):
    raters = [(SimulatedRater(name), invite(store, name)) for name in ("a", "b", "c", "d")]
    assert rate_share(store, raters, clock, 1.0) == 36
    assert set(counted(store).values()) == {3}
    assert all(not store.desk(rater).queue for _, rater in raters)


def test_what_is_no_study(tmp_path):
    with pytest.raises(DataError, match=r"is not a study \(no study.sqlite\); make one with spidercap study new"):
        Store(tmp_path)
    (tmp_path / "study.sqlite").write_text("hello " * 1000)
    with pytest.raises(DataError, match="is damaged or not a study"):
        Store(tmp_path)
    (tmp_path / "study.sqlite").unlink()
    sqlite3.connect(tmp_path / "study.sqlite").close()
    with pytest.raises(DataError, match="is damaged or not a study"):
        Store(tmp_path)


def test_a_full_disk_is_told_loses_nothing_and_is_got_over(store):
    anna = invite(store)
    desk = answer(store, anna, store.desk(anna).queue[0])
    before = store.answers()
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")

    def fill():
        for number in range(200):
            invite(store, f"somebody {number} {'x' * 60}")

    with pytest.raises(DataError, match="study.sqlite cannot be changed: database or disk is full; it needs a local"):
        fill()
    assert store.answers() == before
    store._connection.execute("PRAGMA max_page_count = 100000")
    assert answer(store, anna, desk.queue[0]).rated == 2


def test_a_study_that_another_program_holds(material, monkeypatch):
    folder = material.study()
    monkeypatch.setattr("spidercap.study.database.BUSY_SECONDS", 0.1)
    store = Store(folder)
    other = sqlite3.connect(folder / "study.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DataError, match="cannot be changed: database is locked"):
        invite(store)
    other.execute("ROLLBACK")
    other.close()
    assert invite(store).name == "anna"


def files_of(folder):
    return {path.name: (path.stat().st_mtime_ns, path.stat().st_size) for path in (folder, *folder.iterdir())}


def test_reading_writes_nothing_and_needs_no_right_to_write(material, clock):
    folder = material.study()
    store = Store(folder, clock)
    anna = invite(store)
    answer(store, anna, store.desk(anna).queue[0])
    store.close()
    before = files_of(folder)
    reader = Store(folder, clock, read_only=True)
    assert len(reader.answers()) == 1
    with pytest.raises(DataError, match="attempt to write a readonly database"):
        invite(reader, "ben")
    reader.close()
    assert files_of(folder) == before
    assert set(before) == {"study", "study.sqlite", "pictures"}


def test_what_is_being_served_is_read_up_to_the_last_answer(material, clock):
    folder = material.study()
    store = Store(folder, clock)
    anna = invite(store)
    desk = answer(store, anna, store.desk(anna).queue[0])
    reader = Store(folder, clock, read_only=True)
    assert len(reader.answers()) == 1
    assert answer(store, anna, desk.queue[0]).rated == 2
    assert len(reader.answers()) == 1
    reader.close()
    again = Store(folder, clock, read_only=True)
    assert len(again.answers()) == 2
    again.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("served", [False, True])
def test_a_reader_without_the_right_to_write(material, clock, served):
    folder = material.study()
    store = Store(folder, clock)
    invite(store)
    if not served:
        store.close()
    for parent in (folder, *(parent for parent in folder.parents if "pytest-of" in str(parent))):
        parent.chmod(0o755)
    os.seteuid(65534)
    try:
        reader = Store(folder, clock, read_only=True)
    finally:
        os.seteuid(0)
    assert [rater.name for rater in reader.rater_progress()] == ["anna"]
    reader.close()


def test_damaged_studies_are_told_to_readers_too(tmp_path):
    (tmp_path / "study.sqlite").write_text("hello " * 1000)
    with pytest.raises(DataError, match="is damaged or not a study; restore it from a copy"):
        Store(tmp_path, read_only=True)
