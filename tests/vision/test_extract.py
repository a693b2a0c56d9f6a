"""Extraction: complete, resumable at every moment, honest about bad pictures, bounded in memory."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from spidercap.errors import DataError
from spidercap.vision import picture_batches
from spidercap.vision.extract import extract
from spidercap.vision.feature_store import FeatureStore
from spidercap.vision.find_pictures import Picture, find_pictures
from spidercap.vision.partial import PartialStore
from spidercap.vision.pictures import decode


@pytest.fixture
def out(tmp_path):
    return tmp_path / "made" / "store"


@pytest.fixture
def pictures(album):
    return find_pictures([album]).pictures


def expected_vectors(pictures, encoder):
    return encoder.encode(np.stack([decode(Path(picture.file), encoder.size) for picture in pictures]))


def test_all_pictures_in_order(pictures, out, mean_encoder):
    seen = []
    made = extract(pictures, mean_encoder, out, batch=4, progress=lambda done, total: seen.append((done, total)))
    store = FeatureStore.open(out)
    assert store.ids == tuple(f"p{number}" for number in range(10))
    assert np.array_equal(store.rows(store.ids), expected_vectors(pictures, mean_encoder()))
    assert (made.count, made.width, made.skipped, made.computed) == (10, 4, (), 10)
    assert seen == [(0, 10), (4, 10), (8, 10), (10, 10)]
    assert sorted(path.name for path in out.iterdir()) == ["features.json", "features.npy", "ids.txt"]
    assert not out.with_name("store.partial").exists()


def test_float16(pictures, out, mean_encoder):
    extract(pictures, mean_encoder, out, dtype="float16")
    store = FeatureStore.open(out)
    assert store.vectors.dtype == np.float16
    np.testing.assert_allclose(store.rows(store.ids), expected_vectors(pictures, mean_encoder()), rtol=1e-3)


def test_the_same_again_computes_nothing(pictures, out, mean_encoder):
    extract(pictures, mean_encoder, out)
    made = extract(pictures, lambda: pytest.fail("encoder made"), out)
    assert (made.count, made.computed) == (10, 0)


def test_other_pictures_do_not_overwrite(pictures, out, mean_encoder):
    extract(pictures, mean_encoder, out)
    with pytest.raises(DataError, match="already exists and is not of these pictures"):
        extract(pictures[:5], mean_encoder, out)


def test_foreign_folder_is_left_alone(pictures, out, mean_encoder):
    out.mkdir(parents=True)
    with pytest.raises(DataError, match="already exists"):
        extract(pictures, mean_encoder, out)
    assert list(out.parent.iterdir()) == [out]


def interrupted(pictures, out, encoder):
    with pytest.raises(RuntimeError, match="power cut"):
        extract(pictures, lambda: encoder, out, batch=2)


def test_interrupted_work_is_gone_on_from(pictures, out, mean_encoder):
    interrupted(pictures, out, mean_encoder(fail_after=3))
    assert not out.exists()
    second = mean_encoder()
    made = extract(pictures, lambda: second, out, batch=3)
    assert second.batches == [3, 1]
    assert made.computed == 4
    store = FeatureStore.open(out)
    assert np.array_equal(store.rows(store.ids), expected_vectors(pictures, mean_encoder()))


@pytest.mark.parametrize("journal_cut", range(0, 120, 7))
@pytest.mark.parametrize("rows_cut", [0, 1, 40, 1000])
def test_any_cut_of_the_files_is_gone_on_from(pictures, out, mean_encoder, journal_cut, rows_cut):
    """A power cut may leave any prefix of either file."""
    interrupted(pictures, out, mean_encoder(fail_after=4))
    for name, cut in (("journal.jsonl", journal_cut), ("features.npy", rows_cut)):
        path = out.with_name("store.partial") / name
        os.truncate(path, max(0, path.stat().st_size - cut))
    extract(pictures, mean_encoder, out, batch=3)
    store = FeatureStore.open(out)
    assert np.array_equal(store.rows(store.ids), expected_vectors(pictures, mean_encoder()))


def test_work_after_a_cut_is_kept_as_well(pictures, out, mean_encoder):
    interrupted(pictures, out, mean_encoder(fail_after=3))
    journal = out.with_name("store.partial") / "journal.jsonl"
    os.truncate(journal, journal.stat().st_size - 5)
    interrupted(pictures, out, mean_encoder(fail_after=1))
    second = mean_encoder()
    extract(pictures, lambda: second, out)
    assert sum(second.batches) == 10 - (5 + 2)


def test_journal_with_garbage_counts_up_to_it(pictures, out, mean_encoder):
    interrupted(pictures, out, mean_encoder(fail_after=4))
    path = out.with_name("store.partial") / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b"\0\0\0\n", *lines[4:]]))
    second = mean_encoder()
    extract(pictures, lambda: second, out)
    assert sum(second.batches) == 7


def test_finished_but_not_yet_renamed(pictures, out, mean_encoder, monkeypatch):
    monkeypatch.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(RuntimeError("killed")))
    with pytest.raises(RuntimeError, match="killed"):
        extract(pictures, mean_encoder, out)
    monkeypatch.undo()
    second = mean_encoder()
    extract(pictures, lambda: second, out)
    assert second.batches == []
    assert len(FeatureStore.open(out)) == 10


def test_changed_picture_is_computed_again_with_those_after_it(pictures, out, mean_encoder, photo):
    interrupted(pictures, out, mean_encoder(fail_after=4))
    photo(seed=99).save(pictures[5].file)
    second = mean_encoder()
    extract(pictures, lambda: second, out)
    assert sum(second.batches) == 5
    store = FeatureStore.open(out)
    assert np.array_equal(store.rows(store.ids), expected_vectors(pictures, mean_encoder()))


def test_unfinished_work_of_another_kind_is_kept(pictures, out, mean_encoder):
    interrupted(pictures, out, mean_encoder(fail_after=1))
    with pytest.raises(DataError, match=r"unfinished work of another kind .*float32; now .*float16"):
        extract(pictures, mean_encoder, out, dtype="float16")
    second = mean_encoder()
    extract(pictures, lambda: second, out)
    assert sum(second.batches) == 8


def test_two_at_once_are_refused(pictures, out, mean_encoder):
    out.parent.mkdir()
    with PartialStore(out, "mean-colour", 4, "float32"), pytest.raises(DataError, match="in use by another process"):
        extract(pictures, mean_encoder, out)


KILLED = """
import sys, time, numpy as np
from pathlib import Path
from spidercap.vision.extract import extract
from spidercap.vision.find_pictures import find_pictures

class Slow:
    network, width, size = "slow", 2, 8
    def encode(self, pictures):
        time.sleep(0.02)
        return pictures.reshape(len(pictures), -1)[:, :2].astype(np.float32)

extract(find_pictures([Path(sys.argv[1])]).pictures, Slow, Path(sys.argv[2]), batch=1)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_killed_again_and_again_it_still_finishes(tmp_path, photo, out):
    album = tmp_path / "many"
    album.mkdir()
    for number in range(60):
        photo((8, 8), seed=number).save(album / f"{number:03}.png")
    kills = 0
    for _ in range(20):
        run = subprocess.Popen([sys.executable, "-c", KILLED, str(album), str(out)])
        _wait_for_progress(run, out.with_name("store.partial") / "journal.jsonl")
        if run.poll() is not None:
            break
        run.send_signal(signal.SIGKILL)
        run.wait()
        kills += 1
        assert not out.exists() or len(FeatureStore.open(out)) == 60
    assert kills > 1
    store = FeatureStore.open(out)
    expected = [decode(album / f"{number:03}.png", 8).reshape(-1)[:2] for number in range(60)]
    assert np.array_equal(store.rows(store.ids), np.array(expected, np.float32))


def _wait_for_progress(run, journal):
    before = journal.stat().st_size if journal.exists() else 0
    while run.poll() is None and not (journal.exists() and journal.stat().st_size > before + 250):
        time.sleep(0.005)


@pytest.fixture
def spoiled(album):
    """Of ten pictures, three cannot be read."""
    (album / "p2.png").write_bytes(b"")
    (album / "p5.png").write_bytes((album / "p5.png").read_bytes()[:60])
    (album / "p9.png").write_text("no picture", encoding="utf-8")
    return find_pictures([album]).pictures


def test_bad_pictures_are_skipped_and_named(spoiled, out, mean_encoder):
    made = extract(spoiled, mean_encoder, out, batch=4)
    assert [Path(reason.split(" ")[0]).name for reason in made.skipped] == ["p2.png", "p5.png", "p9.png"]
    store = FeatureStore.open(out)
    assert store.ids == ("p0", "p1", "p3", "p4", "p6", "p7", "p8")
    good = [picture for picture in spoiled if picture.id in store]
    assert np.array_equal(store.rows(store.ids), expected_vectors(good, mean_encoder()))
    description = json.loads((out / "features.json").read_text(encoding="utf-8"))
    assert [each["id"] for each in description["skipped"]] == ["p2", "p5", "p9"]
    assert extract(spoiled, mean_encoder, out).skipped == made.skipped


def test_bad_picture_can_be_fatal_and_mended(spoiled, out, mean_encoder, photo):
    for number in (2, 5, 9):
        with pytest.raises(DataError, match=rf"p{number}\.png .*; mend or remove it"):
            extract(spoiled, mean_encoder, out, batch=1, on_error="fail")
        assert not out.exists()
        photo(seed=number).save(spoiled[number].file)
    second = mean_encoder()
    extract(spoiled, lambda: second, out, on_error="fail")
    assert second.batches == [1]
    assert len(FeatureStore.open(out)) == 10


def test_what_was_skipped_before_is_fatal_if_asked(spoiled, out, mean_encoder):
    interrupted(spoiled, out, mean_encoder(fail_after=3))
    with pytest.raises(DataError, match=r"p2\.png is empty"):
        extract(spoiled, mean_encoder, out, on_error="fail")


def test_no_picture_at_all_can_be_read(tmp_path, out, mean_encoder):
    pictures = [Picture("a", str(tmp_path / "a.jpg")), Picture("b", str(tmp_path / "b.jpg"))]
    with pytest.raises(DataError, match=r"none of the 2 pictures can be read, the first: .*a\.jpg does not exist"):
        extract(pictures, mean_encoder, out)
    assert not out.exists()


def test_place_that_cannot_be_written(pictures, tmp_path, mean_encoder):
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"cannot be written: Not a directory"):
        extract(pictures, mean_encoder, tmp_path / "file" / "store")


def test_full_disk_keeps_the_work(pictures, out, mean_encoder, monkeypatch):
    interrupted(pictures, out, mean_encoder(fail_after=2))
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(DataError, match="No space left on device; mend that and run the same command again"):
            extract(pictures, mean_encoder, out)
    second = mean_encoder()
    extract(pictures, lambda: second, out)
    assert len(FeatureStore.open(out)) == 10


def test_decoding_runs_ahead_but_not_away(tmp_path, out, mean_encoder, monkeypatch):
    """However slow the network, at most three batches of pixels are in memory."""
    decoded, encoded, most = [0], [0], [0]
    lock = threading.Lock()

    def count(path, size):
        with lock:
            decoded[0] += 1
            most[0] = max(most[0], decoded[0] - encoded[0])
        return np.zeros((size, size, 3), np.uint8)

    class Slow(mean_encoder):
        def encode(self, pictures):
            time.sleep(0.01)
            encoded[0] += len(pictures)
            return super().encode(pictures)

    monkeypatch.setattr(picture_batches, "decode", count)
    extract([Picture(str(n), "x") for n in range(200)], Slow, out, batch=4)
    assert decoded[0] == 200
    assert 4 < most[0] <= 12
