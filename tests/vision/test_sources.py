"""Which pictures are meant, in which order, under which ids."""

import json
import os
import sys

import pytest

from spidercap.errors import DataError, UsageError
from spidercap.vision.sources import find_pictures


@pytest.fixture
def tree(tmp_path):
    for name in ("b.JPG", "a.png", "sub/c.webp", "notes.txt", ".hidden.jpg", ".thumbs/d.jpg"):
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path / "tree"


def dataset(folder, *records):
    folder.mkdir(exist_ok=True)
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    (folder / "captions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_folders_are_searched_below_and_sorted(tree):
    found = find_pictures([tree])
    assert [picture.id for picture in found] == ["a", "b", "c"]
    assert found[2].file == str(tree / "sub" / "c.webp")


def test_files_are_taken_whatever_their_name(tree):
    assert [picture.id for picture in find_pictures([tree / "notes.txt", tree / "a.png"])] == ["notes", "a"]


def test_dataset_gives_ids_files_and_order(tmp_path):
    folder = dataset(tmp_path / "d", {"id": "9", "file": "images/x.png"}, {"id": "1", "file": "images/y.png"})
    assert [(p.id, p.file) for p in find_pictures([folder])] == [
        ("9", str(folder / "images" / "x.png")),
        ("1", str(folder / "images" / "y.png")),
    ]
    elsewhere = tmp_path / "photos"
    elsewhere.mkdir()
    assert find_pictures([folder], elsewhere)[0].file == str(elsewhere / "images" / "x.png")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "line 1 is (cut short|not JSON)"),
        ("[]", 'line 1: expected {"id": text'),
        ({"id": 3, "file": "x"}, "line 1: expected"),
        ({"id": "3", "file": ""}, "the image 3 names no file"),
    ],
)
def test_dataset_lines_that_cannot_be(tmp_path, record, message):
    with pytest.raises(DataError, match=message):
        find_pictures([dataset(tmp_path / "d", record)])


def test_folder_of_pictures_must_exist(tmp_path):
    folder = dataset(tmp_path / "d", {"id": "1", "file": "x.png"})
    with pytest.raises(DataError, match="is not a folder; --images"):
        find_pictures([folder], tmp_path / "none")


def test_images_option_needs_a_dataset(tree):
    with pytest.raises(UsageError, match="--images goes with a prepared dataset"):
        find_pictures([tree], tree)


def test_equal_ids_are_an_error_that_names_both_files(tree):
    (tree / "sub" / "a.jpg").touch()
    with pytest.raises(DataError, match=r"a\.png and .*a\.jpg have the same id 'a'"):
        find_pictures([tree])


def test_nothing_there(tmp_path):
    with pytest.raises(DataError, match=r"gone does not exist; name picture files"):
        find_pictures([tmp_path / "gone"])
    with pytest.raises(DataError, match=r"holds no picture; looked for \.bmp"):
        find_pictures([tmp_path])


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("name", [b"two\nlines.jpg", b"latin-\xe9.jpg"])
def test_names_that_cannot_be_ids(tmp_path, name):
    with open(os.fsencode(tmp_path) + b"/" + name, "wb"):  # noqa: PTH123 (a name that is not text)
        pass
    with pytest.raises(DataError, match="cannot be an id; ids are UTF-8, not empty, of one line"):
        find_pictures([tmp_path])
