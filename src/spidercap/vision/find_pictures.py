"""Which pictures are meant, and the id of each: files, folders, or a prepared dataset."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from spidercap.data.captions import CAPTIONS_FILE, Dataset
from spidercap.errors import DataError, UsageError
from spidercap.vision.feature_store import is_id
from spidercap.vision.formats import picture_suffixes, readable_suffixes, remedy_of

NAMES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: its id and its file."""

    id: str
    file: str


@dataclass(frozen=True)
class FoundPictures:
    """Pictures with unique ids, in a stable order; what was left out is told, with its number and the reason."""

    pictures: list[Picture] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def or_none_left_out(self) -> list[Picture]:
        """The pictures, where all are needed."""
        if self.left_out:
            raise DataError(self.left_out[0])
        return self.pictures


def find_pictures(sources: Iterable[Path], images: Path | None = None) -> FoundPictures:
    """All pictures of files, folders and prepared datasets; at least one.

    `images` is the folder that a dataset's file names start from; without it, `images` in the dataset or the dataset.
    """
    found = FoundPictures()
    datasets = 0
    for source in sources:
        if (source / CAPTIONS_FILE).is_file():
            _add_dataset(found, source, images or own_images(source))
            datasets += 1
        else:
            _add_path(found, source)
    if images is not None and not datasets:
        raise UsageError(f"`images` goes with a prepared dataset, but none of the sources holds {CAPTIONS_FILE}")
    if not found.pictures:
        raise DataError(found.left_out[0])
    _check_unique(found.pictures)
    return found


def _add_path(found: FoundPictures, path: Path) -> None:
    if path.is_dir():
        files, others = _survey(path)
        if not files and not others:
            kinds = ", ".join(sorted(readable_suffixes()))
            raise DataError(f"{path} holds no picture; looked for {kinds} in it and below")
        found.left_out.extend(_of_other_kinds(others))
    elif path.exists():
        files = [path]
    else:
        raise DataError(f"{path} does not exist; name picture files, folders or a prepared dataset")
    for file in files:
        if is_id(file.stem):
            found.pictures.append(Picture(file.stem, str(file)))
        else:
            found.left_out.append(f"{file}: its name cannot be an id, which is one line of UTF-8; rename it")


def picture_files(folder: Path) -> Sequence[Path]:
    """All files in a folder and below that have the ending of a picture that can be read, hidden ones apart."""
    return _survey(folder)[0]


def _survey(folder: Path) -> tuple[list[Path], list[Path]]:
    """The pictures in a folder and below, and the pictures of kinds that are not read; both sorted."""
    readable, known = readable_suffixes(), picture_suffixes()
    files = [path for path in _visible_files(folder) if path.suffix.lower() in known]
    return (
        sorted(path for path in files if path.suffix.lower() in readable),
        sorted(path for path in files if path.suffix.lower() not in readable),
    )


def _visible_files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(place, name) for name in names if not name.startswith("."))


def _of_other_kinds(files: Sequence[Path]) -> Iterator[str]:
    """One sentence for each ending."""
    for suffix in sorted({path.suffix.lower() for path in files}):
        of_kind = [path for path in files if path.suffix.lower() == suffix]
        names = ", ".join(map(str, of_kind[:NAMES_SHOWN])) + (", …" if len(of_kind) > NAMES_SHOWN else "")
        yield f"{_counted(len(of_kind), f'{suffix} picture')} ({names}) cannot be read: {remedy_of(suffix)}"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def own_images(dataset: Path) -> Path:
    """Where a dataset's pictures are unless told: `images` inside it, as the scenes have it, or the folder itself."""
    return dataset / "images" if (dataset / "images").is_dir() else dataset


def _add_dataset(found: FoundPictures, folder: Path, images: Path) -> None:
    if not images.is_dir():
        raise DataError(f"{images} is not a folder; `images` names the folder that holds the pictures")
    for image in Dataset.load(folder).images:
        if not image.file:
            raise DataError(f"{folder}: the image {image.id} names no file; give picture files or folders instead")
        try:
            found.pictures.append(Picture(image.id, str(image.picture_in(images))))
        except DataError as error:
            found.left_out.append(str(error))


def _check_unique(pictures: list[Picture]) -> None:
    files: dict[str, str] = {}
    for picture in pictures:
        if picture.id in files:
            raise DataError(
                f"{files[picture.id]} and {picture.file} have the same id {picture.id!r}; "
                "an id is the file name without its ending: rename one of them, or name each file once"
            )
        files[picture.id] = picture.file
