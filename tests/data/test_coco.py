"""COCO captions in both forms, and the split of the paper."""

from hashlib import sha256
from pathlib import Path

import pytest

from spidercap.data import coco as module
from spidercap.data.captions import CaptionedImage
from spidercap.data.intake import ReadOptions
from spidercap.data.sources import read_sources
from spidercap.data.splits import smallest_hashes
from spidercap.errors import DataError, UsageError

COCO = Path(__file__).parents[2] / ".." / "shared" / "data" / "coco"


def test_the_official_form(read, coco):
    dataset = read("captions_val2014.json", coco((42, "a dog"), (7, "a cat"), (42, "one dog\n"), info={"year": 2014}))
    assert dataset.images == (
        CaptionedImage("42", "42.jpg", "val", ("a dog", "one dog"), "val2014"),
        CaptionedImage("7", "7.jpg", "val", ("a cat",), "val2014"),
    )
    assert dataset.name == "coco"
    assert [source.name for source in dataset.sources] == ["captions_val2014.json"]


@pytest.mark.parametrize(
    ("name", "file", "split"),
    [
        ("captions_val2014.jsonl", "COCO_val2014_000000000042.jpg", "val"),
        ("captions_train2014.jsonl.xz", "COCO_train2014_000000000042.jpg", "train"),
        ("captions_train2017.jsonl", "000000000042.jpg", "train"),
        ("test.jsonl", "", "test"),
    ],
)
def test_the_compact_form(read, name, file, split):
    dataset = read(name, '{"image_id": 42, "captions": ["a dog", "one dog"]}\n')
    assert [(image.id, image.file, image.split) for image in dataset.images] == [("42", file, split)]
    assert dataset.images[0].captions == ("a dog", "one dog")


def test_a_name_without_a_split_is_split_by_hash(read, coco):
    dataset = read("captions_mine.json", coco(*((number, "a dog") for number in range(200))))
    assert dataset.splits() == ("train", "val", "test")
    assert dataset.notes[0].what == "images put into train / val / test (0.8 / 0.1 / 0.1) by the hash of their id"


def change(content, place, **values):
    kind, number = place
    content[kind][number] = {key: value for key, value in (content[kind][number] | values).items() if value is not ...}
    return content


@pytest.mark.parametrize(
    ("place", "values", "sentence"),
    [
        (("images", 1), {"id": 42}, r"x\.json, image 42: the image id occurs twice \(first in x\.json\); ids must be"),
        (("images", 1), {"id": "42"}, r"image 42: the image id occurs twice"),
        (("images", 1), {"id": ...}, r'entry 2 of images: the key "id" is missing \(keys found: file_name\)'),
        (("images", 1), {"id": 1.5}, r'entry 2 of images: "id" is a number, expected a whole number or text'),
        (("images", 1), {"id": True}, r'"id" is true or false, expected a whole number or text'),
        (("images", 1), {"file_name": 3}, r'image 7: "file_name" is a whole number, expected text'),
        (("annotations", 1), {"id": 0}, r"x\.json, image 7: the caption id 0 occurs twice; ids must be unique"),
        (("annotations", 1), {"id": ...}, r'entry 2 of annotations: the key "id" is missing'),
        (("annotations", 1), {"image_id": ...}, r'entry 2 of annotations: the key "image_id" is missing'),
        (("annotations", 1), {"image_id": 8}, r'x\.json, caption 1: its image 8 is not among "images"; add it there'),
        (("annotations", 1), {"image_id": 42}, r"x\.json, image 7 has no captions"),
        (("annotations", 1), {"caption": ...}, r'x\.json, image 7: the key "caption" is missing'),
        (("annotations", 1), {"caption": None}, r'x\.json, image 7: "caption" is null, expected text'),
        (("annotations", 1), {"caption": " "}, r"x\.json, image 7: caption 1 is empty"),
    ],
)
def test_wrong_records(read, coco, place, values, sentence):
    with pytest.raises(DataError, match=sentence):
        read("x.json", change(coco((42, "a dog"), (7, "a cat")), place, **values))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"annotations": []}, r'x\.json: the key "images" is missing \(keys found: annotations\); check that this is'),
        ({"annotations": {}, "images": []}, r'x\.json: "annotations" is an object, expected a list'),
        (
            {"annotations": [], "images": [3]},
            r'entry 1 of images: a whole number, expected an object with the key "id"',
        ),
        ({"annotations": [], "images": []}, r"x\.json: no captioned image was found"),
    ],
)
def test_wrong_files(read, content, sentence):
    with pytest.raises(DataError, match=sentence):
        read("x.json", content)


def test_a_file_name_may_be_missing(read, coco):
    dataset = read("val.json", change(coco((42, "a dog")), ("images", 0), file_name=...))
    assert dataset.images[0].file == ""


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            '{"image_id": 1, "captions": ["a"]}\n{"image_id": 1, "captions": ["b"]}',
            r"image 1: the image id occurs twice",
        ),
        ('{"image_id": 1, "captions": ["a"]}\n{"image_id": 2, "capt', r"val\.jsonl, line 2 is cut short"),
        ('{"image_id": 1, "captions": ["a"]}\n\n', r"val\.jsonl, line 2 is cut short"),
        ('{"image": 1, "captions": ["a"]}', r'val\.jsonl, line 1: the key "image_id" is missing \(keys found: image, '),
        ('{"image_id": 1, "captions": "a"}', r'val\.jsonl, line 1: "captions" is text, expected a list'),
        ('{"image_id": 1, "captions": ["a", "\\ud800"]}', r"image 1: caption 2 holds half a surrogate pair"),
        ("[1]", r'val\.jsonl, line 1: a list, expected an object with the key "image_id"'),
        ("", r"val\.jsonl: no captioned image was found"),
    ],
)
def test_wrong_lines(read, lines, sentence):
    with pytest.raises(DataError, match=sentence):
        read("val.jsonl", lines)


@pytest.fixture
def both(write, coco):
    """Ten images in each of the two files."""
    train = write("captions_train2014.json", coco(*((number, "a dog") for number in range(10))))
    val = write("captions_val2014.json", coco(*((number, "a cat") for number in range(10, 20))))
    return [train, val]


def test_the_paper_holds_out_the_smallest_hashes(both, monkeypatch):
    monkeypatch.setattr(module, "HELD_OUT", 4)
    dataset = read_sources(both, ReadOptions())
    expected = sorted(map(str, range(10, 20)), key=lambda identity: sha256(identity.encode()).hexdigest())[:4]
    assert {image.id for image in dataset.split("val")} == set(expected)
    assert len(dataset.split("train")) == 16
    assert dataset.notes[0].what == "images of val2014 joined to train, as the paper does"
    assert dataset.notes[0].count == 6
    assert read_sources(both[::-1], ReadOptions(protocol="paper")).split("val") == dataset.split("val")
    assert read_sources([both[0].parent], ReadOptions()).images == dataset.images


def test_the_vocabulary_is_counted_on_train2014_alone(both, monkeypatch):
    monkeypatch.setattr(module, "HELD_OUT", 4)
    counted = read_sources(both, ReadOptions()).vocabulary_images()
    assert {image.id for image in counted} == set(map(str, range(10)))


def test_the_official_protocol_leaves_the_files_as_they_are(both):
    dataset = read_sources(both, ReadOptions(protocol="official"))
    assert [image.origin for image in dataset.split("val")] == ["val2014"] * 10
    assert dataset.notes == ()


def test_fractions_replace_the_splits_of_the_files(both, monkeypatch):
    monkeypatch.setattr(module, "HELD_OUT", 4)
    dataset = read_sources(both, ReadOptions(split=(1.0, 0.0, 0.0)))
    assert (dataset.splits(), len(dataset.vocabulary_images())) == (("train",), 20)
    assert read_sources(both, ReadOptions(split=(0.0, 1.0, 0.0))).splits() == ("val",)


def test_the_paper_needs_both_files(both):
    with pytest.raises(UsageError, match="`protocol` paper needs the captions of train2014 and of val2014; give both"):
        read_sources(both[:1], ReadOptions(protocol="paper"))


def test_images_in_both_files(write, coco):
    paths = [write(f"captions_{part}.json", coco((7, "a dog"))) for part in ("train2014", "val2014")]
    with pytest.raises(
        DataError, match=r"val2014\.json, image 7: the image id occurs twice \(first in captions_train2014"
    ):
        read_sources(paths, ReadOptions())


@pytest.mark.skipif(not COCO.exists(), reason="needs the captions of COCO")
def test_all_of_val2014():
    dataset = read_sources([COCO / "captions_val2014.jsonl.xz"], ReadOptions())
    assert len(dataset.images) == 40_504
    assert sum(len(image.captions) for image in dataset.images) == 202_654
    assert dataset.images[0].file == "COCO_val2014_000000000042.jpg"
    held_out = sorted(smallest_hashes((image.id for image in dataset.images), module.HELD_OUT), key=int)
    assert held_out[:5] == ["636", "962", "1064", "1353", "1948"]
    fingerprint = sha256("\n".join(held_out).encode()).hexdigest()
    assert fingerprint == "f5e1443e3d35dbebdbb764f38b2abace35097358c0440d5a0e4566a4a9448621"
    with pytest.raises(DataError, match=r"captions_val2014\.jsonl\.xz, image \d+: caption \d holds the line separator"):
        read_sources([COCO / "captions_val2014.jsonl.xz"], ReadOptions(strict=True))
