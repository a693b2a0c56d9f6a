"""The table of counts: images, captions, words, lengths and unknown words of each split."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.text.vocabulary import Vocabulary
from spidercap.text.words import count_words

if TYPE_CHECKING:
    from rich.table import Table

# The table fits 80 columns with 16 bars: up to 5 words, 6, 7, …, 19, and 20 or more.
SHORTEST_BAR, LONGEST_BAR = 5, 20
_BARS = "▁▂▃▄▅▆▇█"
_ASCII_BARS = ".:-=+*#@"


@dataclass(frozen=True)
class SplitStatistics:
    """What one split holds; `lengths[n]` captions have n words."""

    split: str
    images: int
    captions: int
    words: int
    distinct_words: int
    mean_length: float
    median_length: float
    lengths: tuple[int, ...]
    unknown_rate: float

    def as_json(self) -> dict[str, object]:
        """The counts as plain JSON values; lengths that no caption has are left out."""
        lengths = {str(length): count for length, count in enumerate(self.lengths) if count}
        values = asdict(self) | {"lengths": lengths}
        del values["split"]
        return values


def describe(dataset: Dataset, vocabulary: Vocabulary) -> tuple[SplitStatistics, ...]:
    """The statistics of each split that holds images."""
    return tuple(_describe_split(name, dataset.split(name), vocabulary) for name in dataset.splits())


def _describe_split(name: str, images: Sequence[CaptionedImage], vocabulary: Vocabulary) -> SplitStatistics:
    captions = [caption for image in images for caption in image.captions]
    encoded = vocabulary.encode(captions)
    words = len(encoded.ids)
    return SplitStatistics(
        split=name,
        images=len(images),
        captions=len(captions),
        words=words,
        distinct_words=len(count_words(captions)),
        mean_length=round(words / len(captions), 3),
        median_length=float(np.median(encoded.lengths)),
        lengths=tuple(np.bincount(encoded.lengths).tolist()),
        unknown_rate=round(encoded.unknown / max(words, 1), 6),
    )


def histogram(lengths: Sequence[int], unicode: bool = True) -> str:
    """A bar for captions of up to 5 words, one for each length from 6 to 19, and one for 20 words and more."""
    padded = [*lengths, *[0] * (LONGEST_BAR - len(lengths))]
    middle = padded[SHORTEST_BAR + 1 : LONGEST_BAR]
    counts = [sum(padded[: SHORTEST_BAR + 1]), *middle, sum(padded[LONGEST_BAR:])]
    bars, highest = _BARS if unicode else _ASCII_BARS, max(*counts, 1)
    return "".join(bars[-(-count * (len(bars) - 1) // highest)] if count else " " for count in counts)


def table(statistics: Sequence[SplitStatistics], unicode: bool = True) -> "Table":
    """The counts as a table for the terminal."""
    from rich.box import SIMPLE
    from rich.table import Table

    result = Table(box=SIMPLE, padding=0, pad_edge=False, show_edge=False)
    result.add_column("split")
    for title in ("images", "captions", "words", "distinct", "mean", "median"):
        result.add_column(title, justify="right", no_wrap=True)
    result.add_column(f"lengths {SHORTEST_BAR} to {LONGEST_BAR}+", no_wrap=True)
    result.add_column("UNK", justify="right", no_wrap=True)
    for row in statistics:
        counts = (f"{count:,}" for count in (row.images, row.captions, row.words, row.distinct_words))
        lengths = (f"{row.mean_length:.1f}", f"{row.median_length:g}", histogram(row.lengths, unicode))
        result.add_row(row.split, *counts, *lengths, f"{row.unknown_rate:.2%}")
    return result
