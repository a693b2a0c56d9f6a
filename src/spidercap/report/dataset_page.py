"""A page that shows a prepared dataset: counts, caption lengths, pictures, and neighbours by features."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.errors import DataError
from spidercap.report.inline_picture import data_uri
from spidercap.report.templates import render
from spidercap.text.amounts import amount
from spidercap.text.statistics import SplitStatistics, describe
from spidercap.text.vocabulary import Vocabulary
from spidercap.vision.feature_store import FeatureStore

TABLE_HEAD = ("split", "images", "captions", "words", "distinct words", "mean length", "unknown words")
NEIGHBOURS = 5
QUERIES = 8
TALLEST_BAR_REM = 7.5


@dataclass(frozen=True)
class LengthBar:
    """One bar of the length histogram."""

    label: str
    count: int
    height: float

    @property
    def shown(self) -> str:
        """The count, as short as it fits above a bar."""
        return f"{self.count}" if self.count < 1000 else f"{self.count / 1000:.{1 if self.count < 10_000 else 0}f}k"


@dataclass(frozen=True)
class ShownPicture:
    """A picture on the page, its file inside the page; `similarity` to the first of its row, where it has one."""

    id: str
    split: str
    captions: tuple[str, ...]
    source: str
    similarity: float | None = None


@dataclass(frozen=True)
class DatasetPage:
    """What the template shows."""

    name: str
    summary: str
    table_head: tuple[str, ...]
    table_rows: Sequence[Sequence[str]]
    histogram: Sequence[LengthBar]
    pictures: Sequence[ShownPicture]
    seed: int
    features_summary: str
    neighbours: Sequence[Sequence[ShownPicture]]
    columns: int = NEIGHBOURS + 1


def dataset_page(
    dataset: Dataset,
    vocabulary: Vocabulary,
    images: Path,
    features: FeatureStore | None = None,
    count: int = 24,
    seed: int = 0,
) -> str:
    """The page as one self-contained HTML text; pictures are read from the folder `images`."""
    statistics = describe(dataset, vocabulary)
    shown = random.Random(seed).sample(dataset.images, min(count, len(dataset.images)))
    page = DatasetPage(
        name=dataset.name,
        summary=f"{amount(len(dataset.images), 'image')}; a vocabulary of {amount(len(vocabulary.words), 'word')}.",
        table_head=TABLE_HEAD,
        table_rows=[_row(split) for split in statistics],
        histogram=_histogram(statistics),
        pictures=[_picture(image, images) for image in shown],
        seed=seed,
        features_summary=f"{amount(len(features.ids), 'vector')} of {features.width:,} numbers." if features else "",
        neighbours=_neighbours(dataset, shown[:QUERIES], features, images) if features else [],
    )
    return render("dataset.html", page)


def _row(split: SplitStatistics) -> list[str]:
    counts = [f"{value:,}" for value in (split.images, split.captions, split.words, split.distinct_words)]
    return [split.split, *counts, f"{split.mean_length:.1f}", f"{split.unknown_rate:.2%}"]


def _histogram(statistics: Sequence[SplitStatistics]) -> list[LengthBar]:
    longest = max(len(split.lengths) for split in statistics)
    counts = [sum(split.lengths[n] for split in statistics if n < len(split.lengths)) for n in range(longest)]
    first = next(n for n, count in enumerate(counts) if count)
    highest = max(counts)
    return [
        LengthBar(str(n), counts[n], round(TALLEST_BAR_REM * counts[n] / highest, 2)) for n in range(first, longest)
    ]


def _picture(image: CaptionedImage, folder: Path, similarity: float | None = None) -> ShownPicture:
    source = data_uri(image.picture_in(folder), image.id)
    return ShownPicture(image.id, image.split, image.captions, source, similarity)


def _neighbours(
    dataset: Dataset, queries: Sequence[CaptionedImage], features: FeatureStore, folder: Path
) -> list[list[ShownPicture]]:
    images = {image.id: image for image in dataset.images}
    ids = [image_id for image_id in features.ids if image_id in images]
    unit = _unit_rows(features.rows(ids))
    positions = {image_id: position for position, image_id in enumerate(ids)}
    rows = []
    for query in queries:
        if query.id not in positions:
            raise DataError(f"the feature store has no vector of {query.id}; compute the features of this dataset")
        similarity = unit @ unit[positions[query.id]]
        similarity[positions[query.id]] = -np.inf
        nearest = np.argsort(-similarity, kind="stable")[:NEIGHBOURS]
        others = [_picture(images[ids[i]], folder, float(similarity[i])) for i in nearest if np.isfinite(similarity[i])]
        rows.append([_picture(query, folder), *others])
    return rows


def _unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows of length 1, about their common mean: pooled ReLU features all point the same way, differences tell."""
    centred = vectors - vectors.mean(axis=0)
    unit: NDArray[np.float32] = centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-12)
    return unit
