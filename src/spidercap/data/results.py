"""Captions to be scored, and the references to score them with, from the files that people have."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any

from spidercap.data.captions import Note
from spidercap.data.flickr8k import TOKEN_FILE
from spidercap.data.intake import Intake, ReadOptions
from spidercap.data.json_fields import field, identifier, kind_name
from spidercap.data.sources import read_sources
from spidercap.data.table import is_table, read_predictions
from spidercap.errors import DataError
from spidercap.files import iterate_lines, parse_json, read_json

# Captions are scored as they are written; an image without any reference is left out of the references, and noted.
AS_WRITTEN = ReadOptions(drop_empty=True, verbatim=True)


@dataclass(frozen=True)
class System:
    """One system's captions by image id, and what was done to the file they came from."""

    name: str
    captions: dict[str, str]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class References:
    """The references of each image, and what was done to the files they came from."""

    captions: dict[str, tuple[str, ...]]
    notes: tuple[Note, ...] = ()


def system_name(path: Path) -> str:
    """The name of the system whose results a file holds: the file's, up to the first period."""
    return path.name.split(".")[0]


def read_results(path: Path) -> System:
    """A system's captions: COCO results, {id: caption} JSON, JSON lines, CSV, or one caption a line."""
    if not path.exists():
        raise DataError(f"{path} does not exist; check the path")
    reader = _READERS.get(_suffix(path))
    if reader is None:
        known = ", ".join(_READERS)
        raise DataError(f"{path}: cannot tell its format by its name; expected a name that ends in one of {known}")
    intake = Intake(AS_WRITTEN)
    for identity, caption in reader(path):
        intake.add(path, intake.claim(path, identity), "", "none", [caption])
    if not intake.images:
        raise DataError(f"{path}: no caption was found; expected at least one")
    return System(system_name(path), {image.id: image.captions[0] for image in intake.images}, intake.notes)


def read_references(paths: Sequence[Path], split: str | None = None) -> References:
    """References from any source of `prepare`, or line-aligned text files (the first line of each is image 1)."""
    if is_line_aligned(paths):
        _check_splits(paths, split, known=())
        return _read_aligned(paths)
    dataset = read_sources(paths, AS_WRITTEN)
    _check_splits(paths, split, dataset.splits())
    images = dataset.images if split is None else dataset.split(split)
    # Which split an image without one was put into is of no interest here.
    notes = tuple(note for note in dataset.notes if not note.what.startswith(("images put into", "images of")))
    return References({image.id: image.captions for image in images}, notes)


def _check_splits(paths: Sequence[Path], split: str | None, known: Sequence[str]) -> None:
    """Raise if a split is asked for that no image is in."""
    if split is None or split in known:
        return
    if set(known) <= {"none"}:
        raise DataError(f"{paths[0]} tells no splits, so there is no {split!r}; leave out `split`")
    raise DataError(f"{paths[0]}: no image is in the split {split!r}; it has {', '.join(known)}")


def is_line_aligned(paths: Iterable[Path]) -> bool:
    """Whether these are text files with one caption a line, not tables or Flickr8k's list."""
    return all(
        _suffix(path) == ".txt" and path.is_file() and path.name != TOKEN_FILE and not is_table(path) for path in paths
    )


class AlignedFiles:
    """Line-aligned text files, one caption a line: line n of each is of image n."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = paths
        self.notes: tuple[Note, ...] = ()

    def chunks(self, size: int) -> Iterator[list[tuple[str, ...]]]:
        """The captions of each image, `size` images at a time; afterwards `notes` tells what was done to them."""
        intake = Intake(AS_WRITTEN)
        rows = enumerate(zip_longest(*map(iterate_lines, self.paths)), 1)
        chunk = list(islice(rows, size))
        if not chunk:
            raise DataError(f"{self.paths[0]}: no caption was found; expected at least one")
        while chunk:
            yield [tuple(self._clean(intake, number, row)) for number, row in chunk]
            chunk = list(islice(rows, size))
        self.notes = intake.notes

    def _clean(self, intake: Intake, number: int, row: Sequence[str | None]) -> Iterator[str]:
        for path, line in zip(self.paths, row, strict=True):
            if line is None:
                longer = next(other for other, text in zip(self.paths, row, strict=True) if text is not None)
                raise DataError(
                    f"{path} has {number - 1:,} lines and {longer} has more; "
                    "line-aligned files must have one line for each image"
                )
            yield intake.clean(path, str(number), 1, line)


def _read_aligned(paths: Sequence[Path]) -> References:
    files = AlignedFiles(paths)
    rows = chain.from_iterable(files.chunks(1000))
    captions = {str(number): row for number, row in enumerate(rows, 1)}
    return References(captions, files.notes)


def _suffix(path: Path) -> str:
    """What tells the format of a file: its last suffix but for the packing's."""
    suffixes = [suffix for suffix in path.suffixes if suffix != ".xz"]
    return suffixes[-1] if suffixes else ""


CaptionRecords = Iterator[tuple[str, object]]


def _read_lines(path: Path) -> CaptionRecords:
    return ((str(number), line) for number, line in enumerate(iterate_lines(path), 1))


def _read_json(path: Path) -> CaptionRecords:
    content = read_json(path)
    if isinstance(content, dict):
        return ((key, _one_caption(value, f"{path}, image {key}")) for key, value in content.items())
    if not isinstance(content, list):
        raise DataError(
            f'{path}: {kind_name(content)}, expected a list of {{"image_id", "caption"}} or an object {{id: caption}}'
        )
    return _records(content, path)


def _read_json_lines(path: Path) -> CaptionRecords:
    lines = ((number, line) for number, line in enumerate(iterate_lines(path), 1) if line.strip())
    return _records((parse_json(line, f"{path}, line {number}") for number, line in lines), path)


def _records(records: Iterable[Any], path: Path) -> CaptionRecords:
    for number, record in enumerate(records, 1):
        where = f"{path}, entry {number}"
        key = "id" if isinstance(record, dict) and "id" in record and "image_id" not in record else "image_id"
        identity = identifier(record, key, where)
        yield identity, field(record, "caption", str, f"{where}, image {identity}")


def _one_caption(value: object, where: str) -> object:
    """A caption, or the one that a list holds."""
    if isinstance(value, list) and len(value) != 1:
        raise DataError(f"{where}: {len(value)} captions, expected one")
    return value[0] if isinstance(value, list) else value


_READERS: dict[str, Callable[[Path], CaptionRecords]] = {
    ".json": _read_json,
    ".jsonl": _read_json_lines,
    ".csv": read_predictions,
    ".tsv": read_predictions,
    ".txt": _read_lines,
}
