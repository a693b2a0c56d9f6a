"""Flickr8k's four files, and their two oddities."""

from pathlib import Path

import pytest

from spidercap.data.captions import CaptionedImage, Note
from spidercap.data.intake import ReadOptions
from spidercap.data.sources import read_sources
from spidercap.errors import DataError

FLICKR8K = Path(__file__).parents[2] / ".." / "shared" / "data" / "flickr8k"
FILES = {
    "Flickr8k.token.txt": (
        "1_a.jpg#0\tA dog .\n1_a.jpg#1\tOne dog .\n2_b.jpg#0\tA cat .\n3_c.jpg#0\tA hen .\n4_d.jpg#0\tA cow .\n"
    ),
    "Flickr_8k.trainImages.txt": "1_a.jpg\n",
    "Flickr_8k.devImages.txt": "2_b.jpg\n",
    "Flickr_8k.testImages.txt": "3_c.jpg\n",
}


@pytest.fixture
def flickr8k(write):
    """Read the small dataset with some of its files changed; None leaves a file out."""

    def source(changes=None, **options):
        paths = [write(name, text) for name, text in (FILES | (changes or {})).items() if text is not None]
        return read_sources([paths[0].parent], ReadOptions(**options))

    return source


def test_ids_files_and_splits(flickr8k):
    dataset = flickr8k()
    assert dataset.images[0] == CaptionedImage("1_a", "1_a.jpg", "train", ("A dog .", "One dog ."))
    assert [image.split for image in dataset.images] == ["train", "val", "test", "none"]
    assert dataset.notes == (Note("images in no split file, split none", 1, "4_d.jpg"),)
    assert [source.name for source in dataset.sources] == list(FILES)


def test_the_token_file_stands_for_its_folder(write, flickr8k):
    expected = flickr8k()
    assert read_sources([write("Flickr8k.token.txt", FILES["Flickr8k.token.txt"])], ReadOptions()) == expected


def test_captions_of_no_image_are_left_out(flickr8k):
    extra = "9.jpg.1#0\tA ghost .\n9.jpg.1#1\tA ghost .\n"
    dataset = flickr8k({"Flickr8k.token.txt": FILES["Flickr8k.token.txt"] + extra})
    assert len(dataset.images) == 4
    assert dataset.notes[0] == Note("captions of a file name without an image left out", 2, "9.jpg.1")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"Flickr8k.token.txt": "1_a.jpg#0 A dog"},
            r"token\.txt, line 1: expected name\.jpg#number, a tab and a caption",
        ),
        ({"Flickr8k.token.txt": "1_a.jpg\tA dog"}, r"token\.txt, line 1: expected name\.jpg#number, .*got '1_a"),
        (
            {"Flickr8k.token.txt": FILES["Flickr8k.token.txt"] + "1_a.jpg#1\tA dog"},
            r"token\.txt, line 6: the caption id 1_a\.jpg#1 occurs twice; ids must be unique",
        ),
        ({"Flickr8k.token.txt": "1_a.jpg#0\t \n"}, r"devImages\.txt: 2_b\.jpg has no captions in Flickr8k\.token\.txt"),
        (
            {"Flickr8k.token.txt": FILES["Flickr8k.token.txt"].replace("A dog .", "")},
            r"token\.txt, image 1_a: caption 1 is empty",
        ),
        ({"Flickr_8k.devImages.txt": "1_a.jpg"}, r"devImages\.txt: 1_a\.jpg is listed twice \(splits train and val\)"),
        ({"Flickr_8k.devImages.txt": None}, r"Flickr_8k\.devImages\.txt does not exist"),
        ({"Flickr8k.token.txt": b"1_a.jpg#0\tA d\xf6g ."}, r"token\.txt, line 1: byte 0xf6 is not UTF-8"),
    ],
)
def test_wrong_files(flickr8k, changes, sentence):
    with pytest.raises(DataError, match=sentence):
        flickr8k(changes)


def test_flickr8k_is_one_folder(flickr8k, write):
    flickr8k()
    folder = write("more.txt", "").parent
    with pytest.raises(DataError, match="Flickr8k is one folder; give it alone"):
        read_sources([folder, folder], ReadOptions())


@pytest.mark.skipif(not FLICKR8K.exists(), reason="needs the captions of Flickr8k")
def test_all_of_flickr8k():
    dataset = read_sources([FLICKR8K], ReadOptions(strict=True))
    assert {name: len(dataset.split(name)) for name in dataset.splits()} == {
        "train": 6000,
        "val": 1000,
        "test": 1000,
        "none": 91,
    }
    assert {len(image.captions) for image in dataset.images} == {5}
    assert [(note.count, note.first) for note in dataset.notes] == [
        (5, "2258277193_586949ec62.jpg.1"),
        (91, "1155138244_859fd6e079.jpg"),
        (10, "Flickr8k.token.txt, image 2305437797_e6c3460190"),
    ]
    listed = (FLICKR8K / "inception_v3_pool2048.ids.txt").read_text().split()
    assert {image.file for image in dataset.images} == set(listed)
