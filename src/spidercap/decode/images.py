"""The images that captions are asked of: pictures to be encoded, or vectors from a store, batch after batch."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from spidercap.data.captions import CAPTIONS_FILE, Dataset
from spidercap.errors import DataError, UsageError
from spidercap.model.captioner import Captioner
from spidercap.vision.batches import decoded_batches, encoded
from spidercap.vision.encoders import Encoder
from spidercap.vision.sources import Picture, find_pictures
from spidercap.vision.store import DESCRIPTION_FILE, FeatureStore

ROWS_OF_A_STORE = 512
IMPORTED = "imported from"
"""How a store of vectors from elsewhere names its source: by the file, which does not tell the network."""


@dataclass(frozen=True)
class Batch:
    """Some images: those that have vectors (B, D), and the reason for each picture that has none."""

    pictures: list[Picture]
    features: Tensor
    skipped: list[str]


@dataclass(frozen=True)
class Images:
    """How many images there are, and their batches; `named` where their ids are names of picture files."""

    count: int
    batches: Iterator[Batch]
    named: bool
    note: str = ""


def find_images(
    sources: Sequence[Path],
    captioner: Captioner,
    encoder: Callable[[], Encoder],
    *,
    features: Path | None = None,
    images: Path | None = None,
    split: str | None = None,
    batch: int = 16,
) -> Images:
    """The images of pictures, folders, a prepared dataset or a feature store, checked against the model.

    `features` is a store with the vectors of a dataset's images; `split` takes one split of a dataset alone.
    """
    datasets = [source for source in sources if (source / CAPTIONS_FILE).is_file()]
    is_dataset = len(sources) == 1 and bool(datasets)
    if not is_dataset and (split is not None or features is not None):
        raise UsageError(f"--split and --features go with one prepared dataset, a folder that holds {CAPTIONS_FILE}")
    if is_dataset and features is not None:
        if images is not None:
            raise UsageError("give either --images or --features: the vectors of a store need no pictures")
        return _of_store(FeatureStore.open(features), captioner, _ids_of(sources[0], split))
    if any((source / DESCRIPTION_FILE).is_file() for source in sources):
        if len(sources) > 1 or images is not None:
            raise UsageError("a feature store is captioned alone; give it as the only source, without --images")
        return _of_store(FeatureStore.open(sources[0]), captioner)
    pictures = find_pictures(sources, images)
    if split is not None:
        wanted = set(_ids_of(sources[0], split))
        pictures = [picture for picture in pictures if picture.id in wanted]
    return _of_pictures(pictures, captioner, encoder(), batch, named=not datasets)


def _ids_of(folder: Path, split: str | None) -> list[str]:
    dataset = Dataset.load(folder)
    chosen = dataset.images if split is None else dataset.split(split)
    if not chosen:
        raise DataError(f"{folder}: no image is in the split {split!r}; it has {', '.join(dataset.splits())}")
    return [image.id for image in chosen]


def _of_store(store: FeatureStore, captioner: Captioner, ids: Sequence[str] | None = None) -> Images:
    note = _check_features(captioner, store.width, str(store.description.get("source", "")), str(store.folder))
    chosen = store.ids if ids is None else ids

    def batches() -> Iterator[Batch]:
        for start in range(0, len(chosen), ROWS_OF_A_STORE):
            part = list(chosen[start : start + ROWS_OF_A_STORE])
            yield Batch([Picture(each, each) for each in part], torch.from_numpy(store.rows(part)), [])

    return Images(len(chosen), batches(), ids is None, note)


def _of_pictures(
    pictures: Sequence[Picture], captioner: Captioner, encoder: Encoder, batch: int, *, named: bool
) -> Images:
    note = _check_features(captioner, encoder.width, encoder.network, "the encoder of pictures")

    def batches() -> Iterator[Batch]:
        for part in decoded_batches(pictures, encoder.size, batch):
            read = [each.picture for each in part if each.pixels is not None]
            skipped = [each.reason for each in part if each.reason is not None]
            yield Batch(read, torch.from_numpy(np.asarray(encoded(part, encoder))), skipped)

    return Images(len(pictures), batches(), named, note)


def _check_features(captioner: Captioner, width: int, network: str, whose: str) -> str:
    """Raise if the model cannot have been trained on such vectors; the note says what cannot be known."""
    wanted = captioner.image_width
    if width != wanted:
        raise DataError(
            f"{whose} gives vectors of width {width:,}, the model needs {wanted:,}; "
            "caption a feature store of the kind that the model was trained on"
        )
    trained = _network_of(captioner.facts)
    if not trained or not network or trained == network:
        return ""
    if IMPORTED in trained or IMPORTED in network:
        return f"the model was trained on features {trained!r}, these are {network!r}; make sure that they are alike"
    raise DataError(
        f"{whose} gives vectors of {network}, the model was trained on those of {trained}; "
        "caption a feature store of the kind that the model was trained on"
    )


def _network_of(facts: dict[str, Any]) -> str:
    features = facts.get("features")
    return str(features.get("network") or "") if isinstance(features, dict) else ""
