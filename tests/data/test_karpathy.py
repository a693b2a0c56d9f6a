"""Karpathy's files: ids, splits, and what may be wrong with them."""

import pytest

from spidercap.data.captions import CaptionedImage
from spidercap.errors import DataError, UsageError


def image(number, split="train", **values):
    sentences = [{"raw": f"caption {number}.", "tokens": ["caption"], "sentid": number, "imgid": number}]
    record = {"filename": f"COCO_{number}.jpg", "filepath": "val2014", "cocoid": number, "split": split}
    return record | {"sentences": sentences} | values


@pytest.fixture
def karpathy(read):
    def source(*images, **options):
        return read("dataset_coco.json", {"images": list(images), "dataset": "coco"}, **options)

    return source


def test_splits_and_ids(karpathy):
    dataset = karpathy(image(1), image(2, "restval"), image(3, "val"), image(4, "test"))
    assert [(image.id, image.split, image.origin) for image in dataset.images] == [
        ("1", "train", "train"),
        ("2", "train", "restval"),
        ("3", "val", "val"),
        ("4", "test", "test"),
    ]
    assert dataset.images[0] == CaptionedImage("1", "COCO_1.jpg", "train", ("caption 1.",), "train")
    assert dataset.name == "coco"


def test_the_vocabulary_is_counted_on_train_alone(karpathy):
    dataset = karpathy(image(1), image(2, "restval"), image(3, "val"))
    assert [image.id for image in dataset.vocabulary_images()] == ["1"]


def test_restval_can_be_set_aside(karpathy):
    dataset = karpathy(image(1), image(2, "restval"), restval="none")
    assert [image.split for image in dataset.images] == ["train", "none"]


def test_flickr_images_are_named_by_their_files(read):
    record = image(1, filename="1000_a.b.jpg")
    del record["cocoid"]
    dataset = read("dataset_flickr8k.json", {"images": [record]})
    assert (dataset.name, dataset.images[0].id) == ("dataset_flickr8k", "1000_a.b")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"split": "dev"}, r"image 2: unknown split 'dev'; expected one of train, restval, val, test"),
        ({"split": None}, r'image 2: "split" is null, expected text'),
        ({"cocoid": 1}, r"dataset_coco\.json, image 1: the image id occurs twice"),
        ({"sentences": []}, r"dataset_coco\.json, image 2 has no captions"),
        ({"sentences": [{"tokens": ["a"]}]}, r'image 2: the key "raw" is missing \(keys found: tokens\)'),
        ({"sentences": ["a dog"]}, r'image 2: text, expected an object with the key "raw"'),
        ({"sentences": [{"raw": "a", "sentid": 1}]}, r"image 2: the caption id 1 occurs twice; ids must be unique"),
        ({"sentences": [{"raw": "\0"}]}, r"image 2: caption 1 holds a NUL character"),
        ({"filename": 2}, r'entry 2 of images: "filename" is a whole number, expected text'),
    ],
)
def test_wrong_images(karpathy, values, sentence):
    with pytest.raises(DataError, match=sentence):
        karpathy(image(1), image(2, **values))


def test_another_file_read_as_karpathys(read):
    with pytest.raises(DataError, match=r'x\.json: the key "images" is missing'):
        read("x.json", {"7": ["a dog"]}, "karpathy")
    with pytest.raises(DataError, match=r'x\.json: a list, expected an object with the key "images"'):
        read("x.json", [], "karpathy")


def test_restval_is_for_karpathys_files(read):
    with pytest.raises(UsageError, match="`restval` is for Karpathy's files, these are of the format json; leave it"):
        read("x.json", {"7": ["a dog"]}, restval="none")
