"""The images that captions are asked of, found before anything large is loaded: pictures, or rows of a store."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from spidercap.data.captions import CAPTIONS_FILE, Dataset
from spidercap.errors import DataError, UsageError
from spidercap.vision.feature_store import DESCRIPTION_FILE, FeatureStore
from spidercap.vision.find_pictures import Picture, find_pictures


@dataclass(frozen=True)
class ChosenImages:
    """The vectors of `ids` in a store, or else pictures; `named` where their ids are names of picture files.

    `left_out` tells of pictures that were meant and cannot be taken.
    """

    named: bool
    store: FeatureStore | None = None
    ids: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    left_out: list[str] = field(default_factory=list)


def choose_images(
    sources: Sequence[Path], *, features: Path | None = None, images: Path | None = None, split: str | None = None
) -> ChosenImages:
    """The images of pictures, folders, a prepared dataset or a feature store.

    `features` is a store with the vectors of a dataset's images; `split` takes one split of a dataset alone.
    """
    datasets = [source for source in sources if (source / CAPTIONS_FILE).is_file()]
    is_dataset = len(sources) == 1 and bool(datasets)
    if not is_dataset and (split is not None or features is not None):
        raise UsageError(f"`split` and `features` go with one prepared dataset, a folder that holds {CAPTIONS_FILE}")
    if is_dataset and features is not None:
        if images is not None:
            raise UsageError("give either `images` or `features`: the vectors of a store need no pictures")
        return ChosenImages(False, FeatureStore.open(features), _ids_of(sources[0], split))
    if any((source / DESCRIPTION_FILE).is_file() for source in sources):
        if len(sources) > 1 or images is not None:
            raise UsageError("a feature store is captioned alone; give it as the only source, without `images`")
        store = FeatureStore.open(sources[0])
        return ChosenImages(True, store, store.ids)
    found = find_pictures(sources, images)
    wanted = found.pictures
    if split is not None:
        ids = set(_ids_of(sources[0], split))
        wanted = [picture for picture in found.pictures if picture.id in ids]
    return ChosenImages(not datasets, pictures=wanted, left_out=found.left_out)


def _ids_of(folder: Path, split: str | None) -> list[str]:
    dataset = Dataset.load(folder)
    chosen = dataset.images if split is None else dataset.split(split)
    if not chosen:
        raise DataError(f"{folder}: no image is in the split {split!r}; it has {', '.join(dataset.splits())}")
    return [image.id for image in chosen]
