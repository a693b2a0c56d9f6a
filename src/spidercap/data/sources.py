"""From what the user names to a dataset: which format a source has, and who reads it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from spidercap.data.captions import CAPTIONS_FILE, DATASET_FILE, Dataset
from spidercap.data.coco import read_coco
from spidercap.data.flickr8k import TOKEN_FILE, read_flickr8k
from spidercap.data.intake import Intake, ReadOptions
from spidercap.data.json_fields import kind_name
from spidercap.data.karpathy import read_karpathy
from spidercap.data.table import read_csv, read_id_map
from spidercap.errors import DataError, UsageError

_COCO_FILE = re.compile(r"captions_.*\.(json|jsonl|jsonl\.xz)")
_TABLE_SUFFIXES = (".csv", ".tsv", ".txt")


def read_sources(sources: Sequence[Path], options: ReadOptions, source_format: str | None = None) -> Dataset:
    """The dataset that one or several sources of the same format hold."""
    if not sources:
        raise UsageError("name at least one SOURCE")
    intake = Intake(options)
    paths = [path for source in sources for path in _expand(source)]
    name = source_format or detect_format(paths[0], intake)
    options.check_for(name)
    return READERS[name](paths, intake)


def detect_format(path: Path, intake: Intake) -> str:
    """The format of a source by what it holds."""
    if path.is_dir() or path.name == TOKEN_FILE:
        return "flickr8k" if path.name == TOKEN_FILE or (path / TOKEN_FILE).exists() else "prepared"
    if ".jsonl" in path.suffixes:
        return "coco"
    if path.suffix in _TABLE_SUFFIXES:
        return "csv"
    if path.suffix != ".json" and path.suffixes[-2:] != [".json", ".xz"]:
        raise DataError(
            f"{path}: cannot tell its format by its name; say it with `source_format` ({', '.join(READERS)})"
        )
    return _json_format(path, intake.json(path, keep=True))


def _json_format(path: Path, content: object) -> str:
    if not isinstance(content, dict):
        raise DataError(
            f"{path}: {kind_name(content)}, expected COCO captions, a Karpathy dataset or an object {{id: [captions]}}"
        )
    if "annotations" in content:
        return "coco"
    return "karpathy" if isinstance(content.get("images"), list) and _holds_records(content["images"]) else "json"


def _holds_records(values: list[object]) -> bool:
    return not values or isinstance(values[0], dict)


def _expand(source: Path) -> list[Path]:
    """The source itself, or the COCO caption files in it where it is a folder of such."""
    if not source.exists():
        raise DataError(f"{source} does not exist; check the path")
    if not source.is_dir() or (source / TOKEN_FILE).exists() or (source / DATASET_FILE).exists():
        return [source]
    found = sorted(path for path in source.iterdir() if _COCO_FILE.fullmatch(path.name))
    if not found:
        raise DataError(f"{source}: found neither {TOKEN_FILE} nor captions_*.json nor {DATASET_FILE} in this folder")
    return found


def _read_prepared(paths: Sequence[Path], intake: Intake) -> Dataset:
    """Prepared folders, with their splits and origins."""
    loaded = [Dataset.load(path) for path in paths]
    for path, dataset in zip(paths, loaded, strict=True):
        for image in dataset.images:
            identity = intake.claim(path / CAPTIONS_FILE, image.id)
            intake.add(path / CAPTIONS_FILE, identity, image.file, image.split, image.captions, image.origin)
    origins = {dataset.vocabulary_origin for dataset in loaded}
    merged = intake.dataset(
        " ".join(dataset.name for dataset in loaded),
        [path / CAPTIONS_FILE for path in paths],
        vocabulary_origin=origins.pop() if len(origins) == 1 else "",
    )
    return replace(merged, notes=tuple(note for dataset in loaded for note in dataset.notes) + merged.notes)


READERS: dict[str, Callable[[Sequence[Path], Intake], Dataset]] = {
    "coco": read_coco,
    "karpathy": read_karpathy,
    "flickr8k": read_flickr8k,
    "csv": read_csv,
    "json": read_id_map,
    "prepared": _read_prepared,
}
