"""The common form: what it checks, and its way to disk and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spidercap.data.captions import CaptionedImage, Dataset, Note, SourceFile
from spidercap.errors import DataError

IMAGES = (
    CaptionedImage("1", "1.jpg", "train", ("a dog", "ein Bär \U0001f43b"), "train2014"),
    CaptionedImage("2", "", "train", ("a cat",), "val2014"),
    CaptionedImage("3", "", "test", ("a hen",)),
)
PETS = Dataset("pets", IMAGES, "train2014", (SourceFile("pets.json", "0f"),), (Note("hens", 1, "image 3"),))


def test_splits():
    assert PETS.splits() == ("train", "test")
    assert PETS.split("train") == IMAGES[:2]
    assert PETS.split("val") == ()


def test_the_images_that_the_vocabulary_is_counted_on():
    assert PETS.vocabulary_images() == IMAGES[:1]
    assert Dataset("pets", IMAGES).vocabulary_images() == IMAGES[:2]
    assert Dataset("pets", IMAGES[2:], "train2014").vocabulary_images() == IMAGES[2:]


@pytest.mark.parametrize(
    ("images", "sentence"),
    [
        ((), "pets: no captioned image was found; expected at least one"),
        ((IMAGES[0], IMAGES[0]), "pets: the image id 1 occurs twice; ids must be unique"),
        (
            (CaptionedImage("1", "", "dev", ("a",)),),
            "pets: unknown split 'dev'; expected one of train, val, test, none",
        ),
    ],
)
def test_wrong_images(images, sentence):
    with pytest.raises(DataError, match=sentence):
        Dataset("pets", images)


def test_the_form_on_disk(tmp_path):
    PETS.save(tmp_path, {"colour": "brown"})
    lines = (tmp_path / "captions.jsonl").read_text().split("\n")
    assert json.loads(lines[0]) == {
        "id": "1",
        "file": "1.jpg",
        "split": "train",
        "captions": ["a dog", "ein Bär \U0001f43b"],
        "origin": "train2014",
    }
    assert list(json.loads(lines[2])) == ["id", "file", "split", "captions"]
    assert (len(lines), lines[3]) == (4, "")
    description = json.loads((tmp_path / "dataset.json").read_text())
    assert description["splits"] == {"train": {"images": 2, "captions": 3}, "test": {"images": 1, "captions": 1}}
    assert (description["version"], description["colour"]) == (1, "brown")


def test_what_is_loaded_is_what_was_saved(tmp_path):
    PETS.save(tmp_path)
    assert Dataset.load(tmp_path) == PETS


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: "\n" not in text)


@given(st.lists(TEXT, min_size=1), TEXT, TEXT)
def test_any_text_survives(tmp_path_factory, captions, identity, file):
    folder = tmp_path_factory.mktemp("any")
    dataset = Dataset("any", (CaptionedImage(identity, file, "val", tuple(captions)),))
    dataset.save(folder)
    assert Dataset.load(folder).images == dataset.images


def edit(path, old, new):
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        (
            "captions.jsonl",
            "a dog",
            "a cow",
            r"captions\.jsonl is not the file that .*dataset\.json describes; prepare",
        ),
        ("dataset.json", '"version": 1', '"version": 2', r"dataset\.json: version 2, expected 1; prepare the dataset"),
        (
            "dataset.json",
            '"version": 1',
            '"version": "1"',
            r'dataset\.json: "version" is text, expected a whole number',
        ),
        ("dataset.json", '"name": "pets"', '"title": "pets"', r'dataset\.json: the key "name" is missing'),
        ("dataset.json", "\n}\n", "", r"dataset\.json is cut short"),
        ("dataset.json", '"what"', '"why"', r'dataset\.json: the key "what" is missing \(keys found: why, count'),
    ],
)
def test_folders_that_were_changed(tmp_path, file, old, new, sentence):
    PETS.save(tmp_path)
    edit(tmp_path / file, old, new)
    with pytest.raises(DataError, match=sentence):
        Dataset.load(tmp_path)


def test_folders_that_were_not_prepared(tmp_path):
    with pytest.raises(
        DataError, match=r"is not a prepared dataset \(no dataset\.json\); make one with spidercap prep"
    ):
        Dataset.load(tmp_path)
    PETS.save(tmp_path)
    (tmp_path / "captions.jsonl").unlink()
    with pytest.raises(DataError, match=r"captions\.jsonl does not exist"):
        Dataset.load(tmp_path)


@pytest.mark.parametrize(
    ("file", "origin", "place"),
    [
        ("dog.jpg", "", "dog.jpg"),
        ("COCO_val2014_000000000042.jpg", "", "val2014/COCO_val2014_000000000042.jpg"),
        ("COCO_val2014_000000000042.jpg", "restval", "val2014/COCO_val2014_000000000042.jpg"),
        ("000000000042.jpg", "train2017", "train2017/000000000042.jpg"),
        ("COCO_val2014_000000000042.jpg", "val2014", "COCO_val2014_000000000042.jpg"),
    ],
)
def test_a_picture_is_found_under_its_name_or_in_the_folder_of_its_part(tmp_path, file, origin, place):
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).touch()
    image = CaptionedImage("42", file, "val", ("a dog",), origin)
    assert image.picture_in(tmp_path) == tmp_path / place
    assert image.picture_in(tmp_path / "elsewhere") == tmp_path / "elsewhere" / file
