"""Which pictures are meant, in which order, under which ids."""

import os
import sys

import pytest

from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.errors import DataError, UsageError
from spidercap.extras import PARTS
from spidercap.vision.find_pictures import find_pictures


@pytest.fixture
def tree(tmp_path):
    for name in ("b.JPG", "a.png", "sub/c.webp", "notes.txt", ".hidden.jpg", ".thumbs/d.jpg"):
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path / "tree"


def dataset(folder, *files):
    """A prepared dataset whose images have the ids 9, 8, … and these files."""
    folder.mkdir()
    images = (CaptionedImage(str(9 - number), file, "train", ("a dog",)) for number, file in enumerate(files))
    Dataset("d", tuple(images)).save(folder)
    return folder


def test_folders_are_searched_below_and_sorted(tree):
    found = find_pictures([tree]).pictures
    assert [picture.id for picture in found] == ["a", "b", "c"]
    assert found[2].file == str(tree / "sub" / "c.webp")


def test_files_are_taken_whatever_their_name(tree):
    assert [picture.id for picture in find_pictures([tree / "notes.txt", tree / "a.png"]).pictures] == ["notes", "a"]


def test_dataset_gives_ids_files_and_order(tmp_path):
    folder = dataset(tmp_path / "d", "x.png", "sub/y.png")
    assert [(p.id, p.file) for p in find_pictures([folder]).pictures] == [
        ("9", str(folder / "x.png")),
        ("8", str(folder / "sub" / "y.png")),
    ]
    elsewhere = tmp_path / "photos"
    elsewhere.mkdir()
    assert find_pictures([folder], elsewhere).pictures[0].file == str(elsewhere / "x.png")


def test_the_images_inside_a_dataset_are_found(tmp_path):
    folder = dataset(tmp_path / "d", "x.png")
    (folder / "images").mkdir()
    assert find_pictures([folder]).pictures[0].file == str(folder / "images" / "x.png")


def test_an_image_without_a_file_is_an_error(tmp_path):
    with pytest.raises(DataError, match="the image 8 names no file"):
        find_pictures([dataset(tmp_path / "d", "x.png", "")])


def test_folder_of_pictures_must_exist(tmp_path):
    folder = dataset(tmp_path / "d", "x.png")
    with pytest.raises(DataError, match="is not a folder; `images`"):
        find_pictures([folder], tmp_path / "none")


def test_images_option_needs_a_dataset(tree):
    with pytest.raises(UsageError, match="`images` goes with a prepared dataset"):
        find_pictures([tree], tree)


def test_equal_ids_are_an_error_that_names_both_files(tree):
    (tree / "sub" / "a.jpg").touch()
    with pytest.raises(DataError, match=r"a\.png and .*a\.jpg have the same id 'a'"):
        find_pictures([tree])


def test_nothing_there(tmp_path):
    with pytest.raises(DataError, match=r"gone does not exist; name picture files"):
        find_pictures([tmp_path / "gone"])
    with pytest.raises(DataError, match=r"holds no picture; looked for \.avif"):
        find_pictures([tmp_path])


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("name", [b"two\nlines.jpg", b"latin-\xe9.jpg"])
def test_names_that_cannot_be_ids(tmp_path, name):
    with open(os.fsencode(tmp_path) + b"/" + name, "wb"):  # noqa: PTH123 (a name that is not text)
        pass
    with pytest.raises(DataError, match="its name cannot be an id, which is one line of UTF-8; rename it"):
        find_pictures([tmp_path])
    (tmp_path / "fine.jpg").touch()
    found = find_pictures([tmp_path])
    assert [picture.id for picture in found.pictures] == ["fine"]
    assert len(found.left_out) == 1


def test_kinds_that_are_not_read_are_counted_and_named(tree, monkeypatch):
    monkeypatch.setattr("spidercap.vision.formats.readable_formats", lambda: ("JPEG", "PNG", "WEBP"))
    for name in ("1.HEIC", "2.heic", "3.heic", "sub/4.heic", "x.nef"):
        (tree / name).touch()
    found = find_pictures([tree])
    assert [picture.id for picture in found.pictures] == ["a", "b", "c"]
    names = ", ".join(str(tree / name) for name in ("1.HEIC", "2.heic", "3.heic"))
    assert found.left_out == [
        f"4 .heic pictures ({names}, …) cannot be read: HEIC needs an optional part; run: " + PARTS["heic"].command,
        f"1 .nef picture ({tree / 'x.nef'}) cannot be read: expected JPEG, PNG, WEBP; convert them",
    ]


def test_a_folder_with_none_but_such_kinds(tmp_path, monkeypatch):
    monkeypatch.setattr("spidercap.vision.formats.readable_formats", lambda: ("JPEG",))
    (tmp_path / "1.heic").touch()
    with pytest.raises(DataError, match=r"1 \.heic picture .* cannot be read: .*; run: pip install 'spidercap"):
        find_pictures([tmp_path])


@pytest.mark.parametrize("file", ["/etc/secret.png", "../secret.png", "sub/../../secret.png"])
def test_a_dataset_stays_inside_its_folder_of_pictures(tmp_path, file):
    found = find_pictures([dataset(tmp_path / "d", "x.png", file)])
    assert [picture.id for picture in found.pictures] == ["9"]
    assert found.left_out == [
        f"image 8: its file {file} lies outside {tmp_path / 'd'}; give the folder that it starts from"
    ]
    with pytest.raises(DataError, match="lies outside"):
        found.or_none_left_out()


def test_paths_that_lead_back_inside_are_fine(tmp_path):
    folder = tmp_path / "d"
    found = find_pictures([dataset(folder, "sub/../x.png", str(folder / "y.png"))])
    assert [os.path.normpath(p.file) for p in found.pictures] == [str(folder / "x.png"), str(folder / "y.png")]
