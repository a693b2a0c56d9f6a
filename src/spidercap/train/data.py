"""The dataset of a run: captions, vocabulary and vectors, checked against each other before anything is trained."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from spidercap.config import Config
from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.errors import DataError, UsageError
from spidercap.files import read_json, sha256_of
from spidercap.text.amounts import amount
from spidercap.text.prepared import VOCABULARY_FILE
from spidercap.text.vocabulary import Vocabulary
from spidercap.vision.feature_store import FeatureStore
from spidercap.vision.find_pictures import find_pictures
from spidercap.vision.inception import INPUT_SIZE, Inception
from spidercap.vision.pictures import decode, quiet_pillow
from spidercap.vision.weights import NETWORK, load_inception

ROWS_A_CHUNK = 4096
DECODING_THREADS = 2


class FeatureSource(Protocol):
    """Where the vectors of images come from."""

    width: int
    network: str

    @property
    def encoder(self) -> Inception | None:
        """The network, where it is trained."""

    def inputs(self, ids: Sequence[str]) -> Tensor:
        """What is read from disk for these images, ahead of its step."""

    def features(self, inputs: Tensor) -> Tensor:
        """The vectors, (B, D)."""


class StoredFeatures:
    """Vectors computed once, from a feature store."""

    encoder: Inception | None = None

    def __init__(self, store: FeatureStore) -> None:
        self.store = store
        self.width = store.width
        self.network = str(store.description.get("network", store.description.get("source", "")))

    def inputs(self, ids: Sequence[str]) -> Tensor:
        """The stored rows."""
        return torch.from_numpy(self.store.rows(ids))

    def features(self, inputs: Tensor) -> Tensor:
        """The rows are the vectors."""
        return inputs


class PictureFeatures:
    """Vectors of pictures, by an encoder that is trained along with the captioner."""

    network = NETWORK

    def __init__(self, files: dict[str, str], encoder: Inception, size: int = INPUT_SIZE) -> None:
        self.files = files
        self.encoder: Inception | None = encoder
        self.width = encoder.width
        self.size = size
        self._pool = ThreadPoolExecutor(DECODING_THREADS, thread_name_prefix="decode")

    def inputs(self, ids: Sequence[str]) -> Tensor:
        """Pixels, (B, 3, size, size), 0 to 255."""
        with quiet_pillow():
            pixels = list(self._pool.map(lambda each: decode(Path(self.files[each]), self.size), ids))
        return torch.from_numpy(np.stack(pixels)).permute(0, 3, 1, 2)

    def features(self, inputs: Tensor) -> Tensor:
        """The encoder's output, with its gradient."""
        assert self.encoder is not None
        vectors: Tensor = self.encoder((inputs.float() - 128) / 128)
        return vectors


@dataclass(frozen=True)
class TrainingData:
    """Everything that a run reads."""

    dataset: Dataset
    vocabulary: Vocabulary
    source: FeatureSource
    facts: dict[str, object]
    vocabulary_sha256: str

    @property
    def identity(self) -> dict[str, object]:
        """What a run must find again to go on."""
        return {
            "captions_sha256": self.facts["captions_sha256"],
            "vocabulary_sha256": self.vocabulary_sha256,
            "width of the vectors": self.source.width,
        }

    @property
    def train(self) -> tuple[CaptionedImage, ...]:
        """The images that are learnt from."""
        return self.dataset.split("train")

    @property
    def validation(self) -> tuple[CaptionedImage, ...]:
        """The images that decide which weights are best."""
        return self.dataset.split("val")


def load_data(config: Config) -> TrainingData:
    """Read and check all that a recipe names."""
    folder = _named("data.folder", config.data.folder, "spidercap prepare")
    dataset = Dataset.load(folder)
    for split in ("train", "val"):
        if not dataset.split(split):
            raise DataError(f"{folder} has no image in the split {split!r}; prepare it with splits")
    vocabulary, vocabulary_sha256 = _vocabulary(folder)
    source = _pictures(config, folder) if config.encoder.finetune else _stored(config, dataset)
    facts = {"name": dataset.name, "captions_sha256": read_json(folder / "dataset.json")["captions_sha256"]}
    return TrainingData(dataset, vocabulary, source, facts, vocabulary_sha256)


def _named(key: str, value: str, maker: str) -> Path:
    if not value:
        raise UsageError(f"{key} is not set; name the folder that `{maker}` made")
    return Path(value)


def _vocabulary(folder: Path) -> tuple[Vocabulary, str]:
    """The vocabulary and the hash of its file."""
    path = folder / VOCABULARY_FILE
    vocabulary, found = Vocabulary.load(path), sha256_of(path)
    if found != read_json(folder / "dataset.json").get("vocabulary_sha256"):
        raise DataError(f"{path} is not the vocabulary of this dataset; prepare the dataset again")
    return vocabulary, found


def _stored(config: Config, dataset: Dataset) -> StoredFeatures:
    folder = _named("features.folder", config.features.folder, "spidercap features")
    source = StoredFeatures(FeatureStore.open(folder))
    ids = [image.id for split in ("train", "val") for image in dataset.split(split)]
    lowest, highest = np.inf, -np.inf
    for first in range(0, len(ids), ROWS_A_CHUNK):
        rows = source.store.rows(ids[first : first + ROWS_A_CHUNK])
        lowest, highest = min(lowest, rows.min()), max(highest, rows.max())
    if lowest == highest:
        raise DataError(f"all numbers in {folder} are {lowest:g}; the vectors tell nothing, compute them again")
    return source


def _pictures(config: Config, folder: Path) -> PictureFeatures:
    images = Path(config.data.images) if config.data.images else None
    pictures = find_pictures([folder], images).or_none_left_out()
    missing = [picture for picture in pictures if not Path(picture.file).is_file()]
    if missing:
        raise DataError(
            f"{missing[0].file} (image {missing[0].id}) does not exist; "
            f"of {amount(len(pictures), 'picture')} {len(missing):,} cannot be found"
        )
    return PictureFeatures({picture.id: picture.file for picture in pictures}, load_inception())
