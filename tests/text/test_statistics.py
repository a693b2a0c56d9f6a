"""The table of counts."""

import pytest
from rich.console import Console

from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.text.statistics import SplitStatistics, describe, histogram, table
from spidercap.text.vocabulary import Vocabulary

PETS = Dataset(
    "pets",
    (
        CaptionedImage("1", "", "train", ("A dog.", "a dog runs fast")),
        CaptionedImage("2", "", "train", ("a cat", "...")),
        CaptionedImage("3", "", "val", ("犬",)),
    ),
)


def test_counts_worked_by_hand():
    train, val = describe(PETS, Vocabulary(("a", "dog")))
    assert train == SplitStatistics("train", 2, 4, 8, 5, 2.0, 2.0, (1, 0, 2, 0, 1), 0.375)
    assert val == SplitStatistics("val", 1, 1, 0, 0, 0.0, 0.0, (1,), 0.0)


def test_counts_as_json():
    assert describe(PETS, Vocabulary(()))[0].as_json() == {
        "images": 2,
        "captions": 4,
        "words": 8,
        "distinct_words": 5,
        "mean_length": 2.0,
        "median_length": 2.0,
        "lengths": {"0": 1, "2": 2, "4": 1},
        "unknown_rate": 1.0,
    }


@pytest.mark.parametrize(
    ("lengths", "bars"),
    [
        ([0, 1, 2, 0, 0, 1, 4], "██" + " " * 14),
        ([0] * 10 + [700, 1, 350] + [0] * 7 + [100] * 7, "     █▂▅       █"),
        ([0] * 8, " " * 16),
    ],
)
def test_bars(lengths, bars):
    assert histogram(lengths) == bars


def test_bars_without_unicode():
    assert histogram([0] * 10 + [700, 1, 350], unicode=False) == "     @:+        "


def test_the_table_of_all_of_coco_fits_80_columns():
    row = SplitStatistics("train", 121_622, 608_440, 6_368_184, 27_879, 10.467, 10.0, (0,) * 8 + (1,) * 40, 0.0059)
    console = Console(width=80, record=True, file=None, quiet=False)
    with console.capture() as captured:
        console.print(table([row]))
    text = captured.get()
    for part in ("train", "121,622", "608,440", "6,368,184", "27,879", "10.5", " 10 ", "0.59%", "lengths 5 to 20+"):
        assert part in text
    assert "…" not in text
