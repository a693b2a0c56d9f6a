"""Captions to be scored, and the references to score them with, from the files that people have."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spidercap.data.captions import Note
from spidercap.data.intake import ReadOptions
from spidercap.data.records import field, identifier, kind_name
from spidercap.data.sources import read_sources
from spidercap.data.table import read_predictions
from spidercap.errors import DataError
from spidercap.files import parse_json, read_json, read_lines


@dataclass(frozen=True)
class System:
    """One system's captions by image id."""

    name: str
    captions: dict[str, str]


@dataclass(frozen=True)
class References:
    """The references of each image, and what was done to the files they came from."""

    captions: dict[str, tuple[str, ...]]
    notes: tuple[Note, ...] = ()


def read_results(path: Path) -> System:
    """A system's captions: COCO results, {id: caption} JSON, JSON lines, CSV, or one caption a line."""
    if not path.exists():
        raise DataError(f"{path} does not exist; check the path")
    suffixes = [suffix for suffix in path.suffixes if suffix != ".xz"]
    reader = _READERS.get(suffixes[-1] if suffixes else "")
    if reader is None:
        known = ", ".join(_READERS)
        raise DataError(f"{path}: cannot tell its format by its name; expected a name that ends in one of {known}")
    captions = reader(path)
    if not captions:
        raise DataError(f"{path}: no caption was found; expected at least one")
    return System(path.name.split(".")[0], captions)


def read_references(paths: Sequence[Path], split: str | None = None) -> References:
    """References from any source of `prepare`, or line-aligned text files (the first line of each is image 1)."""
    if all(path.suffix == ".txt" and path.is_file() for path in paths):
        return References(_aligned(paths))
    dataset = read_sources(paths, ReadOptions(drop_empty=True))
    images = dataset.images if split is None else dataset.split(split)
    if not images:
        raise DataError(f"{paths[0]}: no image is in the split {split!r}; it has {', '.join(dataset.splits())}")
    notes = tuple(note for note in dataset.notes if "by the hash" not in note.what)
    return References({image.id: image.captions for image in images}, notes)


def _aligned(paths: Sequence[Path]) -> dict[str, tuple[str, ...]]:
    columns = [read_lines(path) for path in paths]
    for path, lines in zip(paths, columns, strict=True):
        if len(lines) != len(columns[0]):
            raise DataError(
                f"{path} has {len(lines):,} lines and {paths[0]} has {len(columns[0]):,}; "
                "line-aligned files must have one line for each image"
            )
    return {str(number): captions for number, captions in enumerate(zip(*columns, strict=True), 1)}


def _read_lines(path: Path) -> dict[str, str]:
    return {str(number): line for number, line in enumerate(read_lines(path), 1)}


def _read_json(path: Path) -> dict[str, str]:
    content = read_json(path)
    if isinstance(content, dict):
        return {key: _one_caption(value, f"{path}, image {key}") for key, value in content.items()}
    if not isinstance(content, list):
        raise DataError(
            f'{path}: {kind_name(content)}, expected a list of {{"image_id", "caption"}} or an object {{id: caption}}'
        )
    return _records(content, path)


def _read_json_lines(path: Path) -> dict[str, str]:
    lines = enumerate(read_lines(path), 1)
    return _records([parse_json(line, f"{path}, line {number}") for number, line in lines if line.strip()], path)


def _records(records: list[Any], path: Path) -> dict[str, str]:
    captions: dict[str, str] = {}
    for number, record in enumerate(records, 1):
        where = f"{path}, entry {number}"
        key = "image_id" if isinstance(record, dict) and "image_id" in record else "id"
        identity = identifier(record, key if isinstance(record, dict) and key in record else "image_id", where)
        if identity in captions:
            raise DataError(f"{where}: the image id {identity} occurs twice; give one caption for each image")
        captions[identity] = field(record, "caption", str, f"{where}, image {identity}")
    return captions


def _one_caption(value: object, where: str) -> str:
    """A caption, or a list that holds one."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str):
        found = f"{len(value)} captions" if isinstance(value, list) else kind_name(value)
        raise DataError(f"{where}: {found}, expected one caption")
    return value


_READERS: dict[str, Callable[[Path], dict[str, str]]] = {
    ".json": _read_json,
    ".jsonl": _read_json_lines,
    ".csv": read_predictions,
    ".tsv": read_predictions,
    ".txt": _read_lines,
}
