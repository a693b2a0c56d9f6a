"""Files: what cannot be read says so in one sentence, what cannot be written leaves nothing behind."""

import gzip
import lzma
import os
import stat
import tracemalloc
from pathlib import Path

import pytest

from spidercap.errors import DataError
from spidercap.files import (
    check_destination,
    check_new_file,
    held_alone,
    iterate_lines,
    new_file,
    new_folder,
    parse_json,
    read_bytes,
    read_errors,
    read_json,
    read_lines,
    read_text,
    refuse_existing,
    sha256_of,
)


@pytest.fixture
def write(tmp_path):
    def to(name, content):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return to


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.txt", b"one\ntw\xffo", r"a\.txt, line 2: byte 0xff is not UTF-8; save the file as UTF-8"),
        ("a.txt", b"one\ntwo\nth\0ree", r"a\.txt, line 3: NUL character; expected text, remove the NUL"),
        ("a.txt", "é".encode("utf-16"), r"a\.txt, line 1: byte 0xff is not UTF-8"),
        ("a.txt.xz", b"not packed", r"a\.txt\.xz is not a whole xz file \(input format not supported by decoder\)"),
        ("a.txt.xz", lzma.compress(b"x" * 99)[:-9], r"a\.txt\.xz is not a whole xz file .*; copy it again"),
    ],
)
def test_text_that_cannot_be_read(write, name, content, sentence):
    with pytest.raises(DataError, match=sentence):
        read_text(write(name, content))


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(DataError, match=r"none\.txt does not exist; check the path"):
        read_text(tmp_path / "none.txt")
    with pytest.raises(DataError, match="is a folder, expected a file"):
        read_text(tmp_path)
    with pytest.raises(DataError, match="none does not exist; check the path"):
        sha256_of(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="cannot be read: Not a directory"):
        read_text(tmp_path / "file" / "more")


def test_text_is_unpacked_and_its_mark_dropped(write):
    assert read_text(write("a.txt", "\ufeffé".encode())) == "é"
    assert read_text(write("a.txt.xz", lzma.compress("é".encode()))) == "é"


def test_lines_end_at_line_feeds_alone(write):
    content = "one\u2028more\r\ntwo\x85\n\nlast".encode()
    assert read_lines(write("a.txt", content)) == ["one\u2028more", "two\x85", "", "last"]
    assert read_lines(write("a.txt", content + b"\n")) == read_lines(write("b.txt", content))
    assert read_lines(write("a.txt", b"")) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "x is cut short: Expecting value at column 1; mend it or copy it again"),
        ('{"a": [1,\n 2', "x is cut short: Expecting ',' delimiter at line 2, column 3"),
        ('{"a": "b', "x is cut short: Unterminated string starting at column 7"),
        ("<html>", "x is not JSON: Expecting value at column 1"),
        ('{"a": 1} {"a": 2}', "x is not JSON: Extra data at column 10"),
        ('{"a": 1, "b": 2, "b": 3}', 'x cannot be used: the key "b" occurs twice in one object; keep one of them'),
        ("[" * 100_000, "x is nested too deeply"),
        ("9" * 5000, "x cannot be used: a number has thousands of digits; write it as text$"),
    ],
)
def test_json_that_cannot_be_read(text, sentence):
    with pytest.raises(DataError, match=sentence):
        parse_json(text, "x")


def test_json_is_read(write):
    assert read_json(write("a.json", b'\xef\xbb\xbf{"a": [1, "\\u00e9"]}')) == {"a": [1, "é"]}


def test_a_new_file_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), new_file(path) as file:
        file.write(f"new {1 / 0}")
    assert (path.read_text(), list(tmp_path.iterdir())) == ("old", [path])
    with new_file(path) as file:
        file.write("new\n")
        assert path.read_text() == "old"
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"new\n", [path])


def test_new_files_and_folders_have_the_usual_permissions(tmp_path):
    mask = os.umask(0o027)
    try:
        with new_folder(tmp_path / "d") as folder, new_file(folder / "f") as file:
            file.write("x")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "d").stat().st_mode) == 0o750
    assert stat.S_IMODE((tmp_path / "d" / "f").stat().st_mode) == 0o640


def test_a_new_folder_appears_whole_or_not_at_all(tmp_path):
    out = tmp_path / "a" / "b" / "c"
    with pytest.raises(ZeroDivisionError), new_folder(out) as folder, (folder / "file").open("x") as file:
        file.write(f"new {1 / 0}")
    assert list(tmp_path.iterdir()) == []
    with new_folder(out) as folder:
        (folder / "file").write_text("x")
        assert not out.exists()
    assert [path.name for path in out.parent.rglob("*")] == ["c", "file"]


def test_parents_that_were_there_stay(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(RuntimeError), new_folder(tmp_path / "a" / "b" / "c"):
        raise RuntimeError
    assert [path.name for path in tmp_path.rglob("*")] == ["a"]


def test_what_exists_is_not_written_over(tmp_path):
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder").mkdir()
    for name in ("dangling", "folder"):
        with (
            pytest.raises(DataError, match=f"{name} already exists; choose another `out` or remove it first"),
            new_folder(tmp_path / name),
        ):
            raise AssertionError
        with pytest.raises(DataError, match=f"{name} already exists; choose another `folder` or remove it first"):
            refuse_existing(tmp_path / name, "folder")


def test_a_file_that_could_not_be_made_is_told_before(tmp_path):
    (tmp_path / "file").touch()
    check_new_file(tmp_path / "new", "svg")
    with pytest.raises(DataError, match="file already exists; choose another `svg` or remove it first"):
        check_new_file(tmp_path / "file", "svg")
    for folder in ("nowhere", "file"):
        with pytest.raises(DataError, match=f"new cannot be written: .*{folder} is not a folder; make it first"):
            check_new_file(tmp_path / folder / "new", "svg")


def test_a_destination_is_left_as_it_was(tmp_path):
    (tmp_path / "old.html").write_text("old")
    check_destination(tmp_path / "new.html")
    check_destination(tmp_path / "old.html")
    assert [path.name for path in tmp_path.iterdir()] == ["old.html"]
    with pytest.raises(DataError, match="cannot be written: Is a directory"):
        check_destination(tmp_path)


def test_a_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(DataError, match="cannot be written: Not a directory; choose a place with space and write"),
        new_folder(tmp_path / "file" / "out"),
    ):
        raise AssertionError
    with (
        pytest.raises(DataError, match="cannot be written: No such file or directory"),
        new_file(tmp_path / "none" / "out"),
    ):
        raise AssertionError


def test_a_full_disk(tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with (
        pytest.raises(DataError, match="out cannot be written: No space left on device"),
        new_folder(tmp_path / "out") as folder,
        new_file(folder / "file") as file,
    ):
        file.write("x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.mkdir(), r"\.lock cannot be written: no lock can be made there; choose a place with space"),
        (
            lambda path: path.write_text("mine " * 200),
            r"\.lock has content, and a lock must be an empty file; remove it",
        ),
    ],
)
def test_what_cannot_be_a_lock_is_named(tmp_path, spoil, message):
    spoil(tmp_path / ".lock")
    with pytest.raises(DataError, match=message), held_alone(tmp_path / ".lock", "it is in use"):
        pass


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_only_regular_files_are_opened(tmp_path):
    pipe = tmp_path / "x.json"
    os.mkfifo(pipe)
    for read in (read_json, read_lines, sha256_of, lambda path: list(iterate_lines(path))):
        with pytest.raises(DataError, match=r"x\.json is a pipe, expected a file; copy its content into one"):
            read(pipe)
    with pytest.raises(DataError, match="/dev/zero is a device"):
        read_text(Path("/dev/zero"))


@pytest.mark.parametrize(("name", "pack"), [("x.xz", lzma.compress), ("x.gz", gzip.compress)])
def test_a_file_that_unpacks_out_of_all_proportion_is_refused_early(write, name, pack):
    path = write(name, pack(b"[" + b" " * (200 << 20) + b"]"))
    tracemalloc.start()
    with pytest.raises(DataError, match=rf"{name} unpacks to more than 250 times its size, which captions do not"):
        read_bytes(path, path.suffix)
    assert tracemalloc.get_traced_memory()[1] < 180 << 20
    tracemalloc.stop()


def test_lines_of_a_bomb_are_refused_too(write):
    path = write("x.txt.xz", lzma.compress(b"a man\n" * (20 << 20)))
    with pytest.raises(DataError, match="unpacks to more than 250 times"):
        for _ in iterate_lines(path):
            pass


def test_what_packs_well_is_read(write):
    content = b"a man rides a horse\n" * 3_000_000
    assert read_bytes(write("x.xz", lzma.compress(content, preset=0))) == content


@pytest.mark.parametrize("name", ["x.txt", "x.txt.xz"])
def test_a_file_larger_than_the_limit_is_refused(write, monkeypatch, name):
    monkeypatch.setattr("spidercap.files.CONTENT_LIMIT", 1 << 20)
    content = os.urandom(1 << 21).hex().encode()
    with pytest.raises(DataError, match=rf"{name} holds more than 0\.000977 GiB; cut it into several files"):
        read_bytes(write(name, lzma.compress(content, preset=0) if name.endswith("xz") else content))


def test_a_file_that_does_not_fit_into_the_memory(write):
    with (
        pytest.raises(DataError, match=r"x\.txt does not fit into the memory; cut it"),
        read_errors(write("x.txt", b"")),
    ):
        raise MemoryError
