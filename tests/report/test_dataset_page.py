"""The page of a dataset: everything on it is true, escaped, and inside the file."""

import re

import numpy as np
import pytest
from PIL import Image

from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.errors import DataError
from spidercap.report.dataset_page import LengthBar, dataset_page
from spidercap.text.vocabulary import Vocabulary
from spidercap.vision.feature_store import FeatureStore, import_vectors

COLOURS = ("red", "darkred", "blue", "navy")


@pytest.fixture
def dataset(tmp_path):
    folder = tmp_path / "images"
    folder.mkdir()
    for colour in COLOURS:
        Image.new("RGB", (40, 30), colour).save(folder / f"{colour}.png")
    captions = {colour: (f"a {colour} wall", "a <b>bold</b> claim about it") for colour in COLOURS}
    return Dataset("walls", tuple(CaptionedImage(c, f"{c}.png", "train", captions[c]) for c in COLOURS))


@pytest.fixture
def vocabulary(dataset):
    return Vocabulary.from_counts({"a": 9, "wall": 4}, 1)


@pytest.fixture
def store(tmp_path):
    """Red lies near darkred, and blue near navy."""
    vectors = np.array([[9, 0, 1], [8, 1, 1], [0, 9, 1], [1, 8, 1]], dtype=np.float32)
    np.save(tmp_path / "v.npy", vectors)
    import_vectors(tmp_path / "v.npy", list(COLOURS), tmp_path / "store", None)
    return FeatureStore.open(tmp_path / "store")


def test_the_page_shows_counts_lengths_and_captions(dataset, vocabulary, tmp_path):
    page = dataset_page(dataset, vocabulary, tmp_path / "images")
    assert "<td>train</td><td>4</td><td>8</td>" in page
    assert re.findall(r'title="(\d+) captions of', page) == ["4", "0", "0", "0", "4"]  # 3 words … 7 words
    for colour in COLOURS:
        assert f"a {colour} wall" in page
    assert "Nearest by features" not in page


def test_captions_are_escaped_and_nothing_is_loaded_from_elsewhere(dataset, vocabulary, tmp_path):
    page = dataset_page(dataset, vocabulary, tmp_path / "images")
    assert "a &lt;b&gt;bold&lt;/b&gt; claim" in page
    assert "<b>bold" not in page
    assert re.findall(r'(?:src|href)="(?!data:image/jpeg;base64,)', page) == []


def test_neighbours_are_the_nearest_vectors(dataset, vocabulary, store, tmp_path):
    page = dataset_page(dataset, vocabulary, tmp_path / "images", store)
    rows = re.findall(r'<div class="row">(.*?)</div>', page, flags=re.DOTALL)
    pairs = [re.findall(r"a (\w+) wall</figcaption>", row)[:2] for row in rows]
    assert sorted(pairs) == [["blue", "navy"], ["darkred", "red"], ["navy", "blue"], ["red", "darkred"]]


def test_the_seed_chooses_the_pictures(dataset, vocabulary, tmp_path):
    def shown(seed):
        return re.findall(
            r"<span>(\w+)</span><span>train", dataset_page(dataset, vocabulary, tmp_path / "images", None, 2, seed)
        )

    assert shown(0) == shown(0)
    assert len({tuple(shown(seed)) for seed in range(5)}) > 1


def test_a_picture_that_is_not_there_is_named(dataset, vocabulary, tmp_path):
    (tmp_path / "images" / "blue.png").unlink()
    with pytest.raises(DataError, match=r"the picture of blue: .*blue\.png does not exist; give its folder by"):
        dataset_page(dataset, vocabulary, tmp_path / "images")


def test_a_store_of_other_pictures_is_refused(dataset, vocabulary, tmp_path):
    np.save(tmp_path / "v.npy", np.eye(2, dtype=np.float32))
    import_vectors(tmp_path / "v.npy", ["red", "green"], tmp_path / "other", None)
    with pytest.raises(DataError, match="the feature store has no vector of"):
        dataset_page(dataset, vocabulary, tmp_path / "images", FeatureStore.open(tmp_path / "other"))


@pytest.mark.parametrize(
    ("count", "shown"), [(0, "0"), (999, "999"), (1000, "1.0k"), (9400, "9.4k"), (123_456, "123k")]
)
def test_counts_above_bars_are_short(count, shown):
    assert LengthBar("7", count, 1.0).shown == shown


def test_the_histogram_says_its_counts_to_everyone(dataset, vocabulary, tmp_path):
    page = dataset_page(dataset, vocabulary, tmp_path / "images", None, 1, 0)
    bars = re.findall(r'<div title="(\d+) captions of (\d+) words">', page)
    assert sum(int(count) for count, _ in bars) == sum(len(image.captions) for image in dataset.images)
    assert "words in a caption" in page
    assert re.search(r'role="img" aria-label="Histogram of caption lengths: \d+ captions of \d+ words', page)
