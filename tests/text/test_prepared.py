"""The prepared folder as a whole."""

import json
from hashlib import sha256

import pytest

from spidercap.data.captions import CaptionedImage, Dataset, Note
from spidercap.errors import DataError, UsageError
from spidercap.text.prepared import count_dataset, write_prepared
from spidercap.text.vocabulary import Vocabulary

IMAGES = (
    CaptionedImage("1", "1.jpg", "train", ("a dog", "a dog runs"), "train2014"),
    CaptionedImage("2", "2.jpg", "train", ("a bus", "a bus"), "val2014"),
)
PETS = Dataset("pets", IMAGES, "train2014", notes=(Note("hens left out", 1200, "hen 1"),))


def test_the_folder(tmp_path):
    prepared = count_dataset(PETS, minimum_count=2)
    write_prepared(prepared, tmp_path / "out", lambda folder: (folder / "picture").touch())
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "captions.jsonl",
        "dataset.json",
        "picture",
        "vocabulary.txt",
    ]
    assert Dataset.load(tmp_path / "out") == PETS
    assert Vocabulary.load(tmp_path / "out" / "vocabulary.txt").words == ("a", "dog")
    description = json.loads((tmp_path / "out" / "dataset.json").read_text())
    assert description["vocabulary"] == {
        "words": 2,
        "symbols": 5,
        "padded_size": 8,
        "minimum_count": 2,
        "counted_images": 1,
    }
    assert description["splits"]["train"]["words"] == 9
    assert description["vocabulary_sha256"] == sha256(b"<bos>\n<eos>\n<unk>\na\ndog\n").hexdigest()
    assert prepared.description().items() <= description.items()


def test_nothing_is_left_of_a_failure(tmp_path):
    def fail(folder):
        raise OSError(28, "No space left on device")

    with pytest.raises(DataError, match="out cannot be written: No space left on device"):
        write_prepared(count_dataset(PETS), tmp_path / "out", fail)
    assert list(tmp_path.iterdir()) == []


def test_what_the_reader_of_the_table_is_told():
    lines = list(count_dataset(PETS, minimum_count=2).summary())
    assert lines == [
        "vocabulary: 2 words, each at least 2 times in the captions of 1 image; "
        "5 symbols with BOS, EOS and UNK, padded to 8",
        "note: 1,200 hens left out (first: hen 1)",
    ]


def test_notes_on_odd_datasets():
    dataset = Dataset("odd", (CaptionedImage("1", "", "test", ("犬", "a dog")),))
    assert list(count_dataset(dataset).summary())[1:] == [
        "note: no image is in train, so the vocabulary was counted on all images",
        "note: no word occurs 5 times, the vocabulary is empty; lower that number",
        "note: 1 caption without any word (words are runs of a-z, 0-9 and ')",
    ]


def test_a_threshold_below_one():
    with pytest.raises(UsageError, match="`minimum_count` must be at least 1, got 0"):
        count_dataset(PETS, minimum_count=0)
