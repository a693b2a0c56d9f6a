"""Random bytes in the files of a run end in one sentence that names the file, or are never noticed; nothing else."""

import shutil

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spidercap.errors import DataError, SpidercapError
from spidercap.model.folder import load_model
from spidercap.train.checkpoint import load_checkpoint
from spidercap.train.run_folder import RunFolder

FUZZ = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FILES = ("last/training.pt", "config.json", "metrics.jsonl", "best/config.json", "best/model.safetensors")
MORE = ("best/vocabulary.txt",)


@pytest.fixture(scope="module")
def run(trained, tmp_path_factory):
    copy = tmp_path_factory.mktemp("damaged") / "pg"
    shutil.copytree(trained / "pg", copy)
    return copy


def damaged(content, place, piece):
    """The bytes with some of them replaced."""
    start = int(place * len(content))
    return content[:start] + piece + content[start + len(piece) :]


def read(run):
    """Everything that is read of a run."""
    folder = RunFolder(run)
    folder.record()
    folder.finished()
    load_model(folder.best)


def message(run):
    """What is said of a run that cannot be read; nothing of one that can."""
    try:
        read(run)
    except SpidercapError as error:
        return str(error)
    return ""


@FUZZ
@given(content=st.binary(max_size=300))
def test_random_bytes_are_no_checkpoint(tmp_path, content):
    path = tmp_path / "training.pt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"training\.pt is not a whole checkpoint \(.+\); remove the run"):
        load_checkpoint(path)


@pytest.mark.parametrize("content", [b"\x80\x02.", b"\x80\x02cos\nsystem\n.", b"PK\x03\x04" + b"\0" * 60, b"\x85R."])
def test_bytes_that_begin_like_a_checkpoint(tmp_path, content):
    path = tmp_path / "training.pt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"training\.pt is not a whole checkpoint"):
        load_checkpoint(path)


@pytest.mark.parametrize("name", [*FILES, *MORE])
def test_damaged_files_are_one_sentence(run, name):
    path = run / name
    whole = path.read_bytes()

    @FUZZ
    @given(place=st.floats(0, 1, exclude_max=True), piece=st.binary(min_size=1, max_size=40))
    def check(place, piece):
        path.write_bytes(damaged(whole, place, piece))
        told = message(run)
        assert "\n" not in told
        assert not told or str(run) in told

    try:
        check()
    finally:
        path.write_bytes(whole)
    read(run)


@pytest.mark.parametrize("module", [None, 3, [], {"algorithm.baseline.x": []}, {3: torch.zeros(2)}])
def test_checkpoints_of_other_things(run, module):
    path = run / "last" / "training.pt"
    whole = path.read_bytes()
    try:
        torch.save({"version": 1, "module": module}, path)
        with pytest.raises(DataError, match=r"training\.pt lacks weights of the run"):
            RunFolder(run).finished()
    finally:
        path.write_bytes(whole)


def test_settings_that_cannot_be_name_the_file(run):
    path = run / "config.json"
    whole = path.read_text()
    try:
        path.write_text(whole.replace('"select": "', '"select": "x'))
        assert str(path) in message(run)
    finally:
        path.write_text(whole)
