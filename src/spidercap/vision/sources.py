"""Which pictures are meant, and the id of each: files, folders, or a prepared dataset."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from spidercap.data.captions import CAPTIONS_FILE, Dataset
from spidercap.errors import DataError, UsageError
from spidercap.vision.pictures import SUFFIXES
from spidercap.vision.store import check_ids


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: its id and its file."""

    id: str
    file: str


def find_pictures(sources: Iterable[Path], images: Path | None = None) -> list[Picture]:
    """All pictures of files, folders and prepared datasets, in a stable order, with unique ids.

    `images` is the folder that a dataset's file names start from; without it, `images` in the dataset or the dataset.
    """
    pictures: list[Picture] = []
    datasets = 0
    for source in sources:
        if (source / CAPTIONS_FILE).is_file():
            pictures.extend(_of_dataset(source, images or _own_images(source)))
            datasets += 1
        else:
            pictures.extend(_of_path(source))
    if images is not None and not datasets:
        raise UsageError(f"--images goes with a prepared dataset, but none of the sources holds {CAPTIONS_FILE}")
    _check_unique(pictures)
    return pictures


def _of_path(path: Path) -> Iterator[Picture]:
    if path.is_dir():
        files = sorted(picture_files(path))
        if not files:
            raise DataError(f"{path} holds no picture; looked for {', '.join(sorted(SUFFIXES))} in it and below")
        for file in files:
            yield Picture(file.stem, str(file))
    elif path.exists():
        yield Picture(path.stem, str(path))
    else:
        raise DataError(f"{path} does not exist; name picture files, folders or a prepared dataset")


def picture_files(folder: Path) -> Iterator[Path]:
    """All files in a folder and below that have a picture's ending, hidden ones apart."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if Path(name).suffix.lower() in SUFFIXES and not name.startswith("."):
                yield Path(place, name)


def _own_images(dataset: Path) -> Path:
    """Where a dataset's pictures are unless told: `images` inside it, as the scenes have it, or the folder itself."""
    return dataset / "images" if (dataset / "images").is_dir() else dataset


def _of_dataset(folder: Path, images: Path) -> Iterator[Picture]:
    if not images.is_dir():
        raise DataError(f"{images} is not a folder; --images names the folder that holds the pictures")
    for image in Dataset.load(folder).images:
        if not image.file:
            raise DataError(f"{folder}: the image {image.id} names no file; give picture files or folders instead")
        yield Picture(image.id, str(image.picture_in(images)))


def _check_unique(pictures: list[Picture]) -> None:
    files: dict[str, str] = {}
    for picture in pictures:
        if picture.id in files:
            raise DataError(
                f"{files[picture.id]} and {picture.file} have the same id {picture.id!r}; "
                "an id is the file name without its ending: rename one of them, or name each file once"
            )
        files[picture.id] = picture.file
    check_ids(files, "the pictures")
