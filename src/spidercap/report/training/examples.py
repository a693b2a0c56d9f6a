"""Images with their references and what every method says of them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spidercap.data.captions import CaptionedImage
from spidercap.errors import DataError
from spidercap.metrics.scores import Scores
from spidercap.report.inline_picture import data_uri
from spidercap.report.training.leaderboard import highest

SHOWN = ("CIDEr", "METEOR", "Bleu_4", "SPICE", "SPIDEr")


@dataclass(frozen=True)
class Said:
    """What a method says of an image, and its scores by metric; `best` by SPIDEr."""

    method: str
    caption: str
    scores: dict[str, float]
    best: bool


@dataclass(frozen=True)
class Example:
    """An image; `source` is its picture as a data URI, or empty."""

    id: str
    source: str
    references: Sequence[str]
    said: Sequence[Said]


def choose(images: Sequence[CaptionedImage], folder: Path, count: int, seed: int) -> list[CaptionedImage]:
    """Some images by chance, from those whose picture is there if any is."""
    with_picture = [image for image in images if image.picture_in(folder).is_file()]
    candidates = with_picture or list(images)
    return random.Random(seed).sample(candidates, min(count, len(candidates)))


def example(
    image: CaptionedImage, folder: Path, names: Sequence[str], captions: Sequence[str], scores: Sequence[Scores]
) -> Example:
    """One image with the caption of each method."""
    found = [each.per_image[image.id] for each in scores]
    best = highest([values["SPIDEr"] for values in found])
    said = [
        Said(name, caption, {metric: values[metric] for metric in SHOWN}, values["SPIDEr"] == best)
        for name, caption, values in zip(names, captions, found, strict=True)
    ]
    return Example(image.id, picture_source(image, folder), image.captions, said)


def picture_source(image: CaptionedImage, folder: Path) -> str:
    """The picture as a data URI where it can be read: a report does not fail for want of one."""
    try:
        return data_uri(image.picture_in(folder), image.id)
    except DataError:
        return ""
