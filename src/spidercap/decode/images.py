"""The images that captions are asked of: pictures to be encoded, or vectors from a store, batch after batch."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from spidercap.decode.chosen import ChosenImages
from spidercap.errors import DataError
from spidercap.model.captioner import Captioner
from spidercap.vision.encoders import Encoder
from spidercap.vision.feature_store import FeatureStore
from spidercap.vision.find_pictures import Picture
from spidercap.vision.picture_batches import decoded_batches, encoded

ROWS_OF_A_STORE = 512
IMPORTED = "imported from"
"""How a store of vectors from elsewhere names its source: by the file, which does not tell the network."""


@dataclass(frozen=True)
class ImageBatch:
    """Some images: those that have vectors (B, D), and the reason for each picture that has none."""

    pictures: list[Picture]
    features: Tensor
    skipped: list[str]


@dataclass(frozen=True)
class Images:
    """How many images there are, and their batches."""

    count: int
    batches: Iterator[ImageBatch]
    note: str = ""


def image_batches(
    chosen: ChosenImages, captioner: Captioner, encoder: Callable[[], Encoder], batch: int = 16
) -> Images:
    """The vectors of the chosen images, checked against the model; the encoder is made only for pictures."""
    if chosen.store is not None:
        return _of_store(chosen.store, captioner, chosen.ids)
    return _of_pictures(chosen.pictures, captioner, encoder(), batch)


def _of_store(store: FeatureStore, captioner: Captioner, ids: Sequence[str]) -> Images:
    note = _check_features(captioner, store.width, str(store.description.get("source", "")), str(store.folder))

    def batches() -> Iterator[ImageBatch]:
        for start in range(0, len(ids), ROWS_OF_A_STORE):
            part = list(ids[start : start + ROWS_OF_A_STORE])
            yield ImageBatch([Picture(each, each) for each in part], torch.from_numpy(store.rows(part)), [])

    return Images(len(ids), batches(), note)


def _of_pictures(pictures: Sequence[Picture], captioner: Captioner, encoder: Encoder, batch: int) -> Images:
    note = _check_features(captioner, encoder.width, encoder.network, "the encoder of pictures")

    def batches() -> Iterator[ImageBatch]:
        for part in decoded_batches(pictures, encoder.size, batch):
            read = [each.picture for each in part if each.pixels is not None]
            skipped = [each.reason for each in part if each.reason is not None]
            yield ImageBatch(read, torch.from_numpy(np.asarray(encoded(part, encoder))), skipped)

    return Images(len(pictures), batches(), note)


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
