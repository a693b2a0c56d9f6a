"""Which format a source has, and prepared folders as sources."""

import pytest

from spidercap.data.captions import CaptionedImage, Dataset, Note
from spidercap.data.intake import Intake, ReadOptions
from spidercap.data.scenes import Scenes, read_scenes
from spidercap.data.sources import READERS, detect_format, read_sources
from spidercap.errors import DataError, UsageError


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("any.json", {"images": [], "annotations": []}, "coco"),
        ("any.json.xz", {"images": [], "annotations": []}, "coco"),
        ("any.json", {"images": [{"sentences": []}]}, "karpathy"),
        ("any.json", {"7": ["a dog"]}, "json"),
        ("any.json", {"images": ["a dog"]}, "json"),
        ("any.jsonl", "", "coco"),
        ("any.jsonl.xz", "", "coco"),
        ("any.csv", "", "csv"),
        ("Flickr8k.token.txt", "", "flickr8k"),
    ],
)
def test_the_format_is_told_by_the_content(write, name, content, expected):
    assert detect_format(write(name, content), Intake(ReadOptions())) == expected


def test_the_format_can_be_forced(read):
    assert read("train.data", "id,caption\n1,a\n", "csv").images[0].captions == ("a",)


def test_unknown_formats(read, tmp_path):
    with pytest.raises(
        DataError, match=r"x\.parquet: cannot tell its format by its name; say it with `source_format` \(coco,"
    ):
        read("x.parquet", "")
    with pytest.raises(DataError, match=r"x\.json: a list, expected COCO captions, a Karpathy dataset or an object"):
        read("x.json", [])
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"empty: found neither Flickr8k\.token\.txt nor captions_\*\.json nor"):
        read_sources([tmp_path / "empty"], ReadOptions())
    with pytest.raises(DataError, match="nowhere does not exist; check the path"):
        read_sources([tmp_path / "nowhere"], ReadOptions())
    with pytest.raises(UsageError, match="name at least one SOURCE"):
        read_sources([], ReadOptions())


def test_options_of_other_formats(read):
    with pytest.raises(UsageError, match="`protocol` is for COCO sources, these are of the format json; leave it out"):
        read("x.json", {"7": ["a dog"]}, protocol="paper")
    with pytest.raises(UsageError, match="`protocol` and `split` exclude each other; give one of them"):
        read("val.jsonl", "", protocol="paper", split=(1.0, 0.0, 0.0))


def test_several_tables_add_up(write):
    paths = [write("train.csv", "id,caption\n1,a\n"), write("val.csv", "id,caption\n2,b\n")]
    dataset = read_sources(paths, ReadOptions())
    assert [(image.id, image.split) for image in dataset.images] == [("1", "train"), ("2", "val")]
    assert dataset.name == "train val"
    with pytest.raises(DataError, match=r"more_val\.csv, image 1: the image id occurs twice \(first in train\.csv\)"):
        read_sources([paths[0], write("more_val.csv", "id,caption\n1,b\n")], ReadOptions())


def test_a_prepared_folder_is_a_source(tmp_path):
    images = (CaptionedImage("1", "1.jpg", "train", ("a",), "train2014"), CaptionedImage("2", "", "none", ("b",)))
    dataset = Dataset("pets", images, "train2014", notes=(Note("hens left out", 3, "hen 1"),))
    (tmp_path / "pets").mkdir()
    dataset.save(tmp_path / "pets")
    again = read_sources([tmp_path / "pets"], ReadOptions())
    assert (again.name, again.images, again.vocabulary_origin, again.notes) == (
        dataset.name,
        dataset.images,
        dataset.vocabulary_origin,
        dataset.notes,
    )


def test_the_readers_are_the_formats_of_the_command_line():
    from typing import get_args

    from spidercap.cli.prepare import Format

    assert set(get_args(Format)) == {*READERS, "scenes"}


def test_scenes(tmp_path):
    scenes = Scenes(count=3, seed=5, size=32)
    dataset = read_scenes(scenes, ReadOptions())
    assert [image.id for image in dataset.images] == ["scene-000000", "scene-000001", "scene-000002"]
    assert dataset.sources[0].name == "built-in scenes, count 3, seed 5"
    seen = []
    scenes.draw(tmp_path, lambda done, total: seen.append((done, total)))
    assert {image.file for image in dataset.images} <= {path.name for path in (tmp_path / "images").iterdir()}
    assert seen[-1] == (3, 3)


def test_wrong_scenes():
    with pytest.raises(UsageError, match="`count` must be at least 1, got 0"):
        Scenes(count=0)
    with pytest.raises(UsageError, match="`size` must be at least 32, got 3"):
        Scenes(size=3)
