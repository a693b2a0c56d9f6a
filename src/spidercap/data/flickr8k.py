"""Flickr8k as it is published: `Flickr8k.token.txt` and three lists of image files."""

from collections.abc import Sequence
from pathlib import Path

from spidercap.data.captions import Dataset
from spidercap.data.intake import Intake
from spidercap.errors import DataError
from spidercap.files import read_lines

TOKEN_FILE = "Flickr8k.token.txt"
SPLIT_FILES = {
    "train": "Flickr_8k.trainImages.txt",
    "val": "Flickr_8k.devImages.txt",
    "test": "Flickr_8k.testImages.txt",
}


def read_flickr8k(paths: Sequence[Path], intake: Intake) -> Dataset:
    """The folder that holds the token file and the split files (or the token file in it)."""
    if len(paths) != 1:
        raise DataError(f"{paths[1]}: Flickr8k is one folder; give it alone")
    folder = paths[0] if paths[0].is_dir() else paths[0].parent
    splits = _read_splits(folder)
    captions = _read_captions(folder / TOKEN_FILE, intake)
    for name, split in splits.items():
        with intake.entry():
            if name not in captions:
                raise DataError(
                    f"{folder / SPLIT_FILES[split]}: {name} has no captions in {TOKEN_FILE}; the files disagree"
                )
    for name, texts in captions.items():
        if name not in splits:
            intake.note("images in no split file, split none", name)
        with intake.entry():
            identity = intake.claim(folder / TOKEN_FILE, name.removesuffix(".jpg"))
            intake.add(folder / TOKEN_FILE, identity, name, splits.get(name, "none"), texts)
    return intake.dataset("flickr8k", [folder / TOKEN_FILE, *(folder / file for file in SPLIT_FILES.values())])


def _read_splits(folder: Path) -> dict[str, str]:
    """Image file name → split."""
    splits: dict[str, str] = {}
    for split, file in SPLIT_FILES.items():
        for name in filter(None, map(str.strip, read_lines(folder / file))):
            if name in splits:
                raise DataError(f"{folder / file}: {name} is listed twice (splits {splits[name]} and {split})")
            splits[name] = split
    return splits


def _read_captions(path: Path, intake: Intake) -> dict[str, list[str]]:
    """Image file name → captions; names that are no picture's (`….jpg.1`) are left out and noted."""
    captions: dict[str, list[str]] = {}
    seen: set[str] = set()
    for number, line in enumerate(read_lines(path), 1):
        with intake.entry():
            name, text = _read_line(line, seen, f"{path}, line {number}")
            if name.endswith(".jpg"):
                captions.setdefault(name, []).append(text)
            else:
                intake.note("captions of a file name without an image left out", name)
    return captions


def _read_line(line: str, seen: set[str], where: str) -> tuple[str, str]:
    """The file name and the caption of a line whose caption id is new."""
    key, tab, text = line.partition("\t")
    name, mark, _ = key.rpartition("#")
    if not tab or not mark:
        raise DataError(f"{where}: expected name.jpg#number, a tab and a caption, got {line[:40]!r}")
    if key in seen:
        raise DataError(f"{where}: the caption id {key} occurs twice; ids must be unique")
    seen.add(key)
    return name, text
