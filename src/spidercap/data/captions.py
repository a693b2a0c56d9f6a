"""The common form of a captioned dataset, in memory and on disk.

On disk it is a folder: `captions.jsonl` (one image a line), `dataset.json` (counts, sources, hashes, notes) and
`vocabulary.txt` (written by the stage `text`). `docs/data.md` describes each field.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from spidercap.data.json_fields import field
from spidercap.errors import DataError
from spidercap.files import new_file, parse_json, read_json, read_lines, sha256_of

SPLITS = ("train", "val", "test", "none")
CAPTIONS_FILE = "captions.jsonl"
DATASET_FILE = "dataset.json"
FORMAT_VERSION = 1
_COCO_FILE = re.compile(r"COCO_([a-z]+\d{4})_\d{12}\.")


@dataclass(frozen=True, slots=True)
class CaptionedImage:
    """One image: its id (text), its file name ("" where the source names none), its split and its captions.

    `origin` is the part of the source it came from where that can differ from the split (`train2014`, `restval`).
    """

    id: str
    file: str
    split: str
    captions: tuple[str, ...]
    origin: str = ""

    def picture_in(self, images: Path) -> Path:
        """Its picture below a folder: under its own name, or where COCO has it, in a folder with the part's name.

        A name that leads out of the folder is an error: a dataset from elsewhere decides nothing about other folders.
        """
        plain = images / self.file
        if not _is_inside(plain, images):
            raise DataError(
                f"image {self.id}: its file {self.file} lies outside {images}; give the folder that it starts from"
            )
        if not self.file or plain.exists():
            return plain
        named = _COCO_FILE.match(self.file)
        below = images / (named[1] if named else self.origin) / self.file
        return below if below.exists() else plain


@dataclass(frozen=True, slots=True)
class Note:
    """Something done to the source that its owner should know: what, how often, and the first place."""

    what: str
    """In the plural, images or captions first."""
    count: int
    first: str

    def __str__(self) -> str:
        what = re.sub(r"\b(image|caption)s\b", r"\1", self.what, count=1) if self.count == 1 else self.what
        return f"{self.count:,} {what} (first: {self.first})"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that the captions came from."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Dataset:
    """Captioned images with unique ids, and how they came to be.

    The vocabulary is counted on the training images whose origin is `vocabulary_origin` ("" = all of them).
    """

    name: str
    images: tuple[CaptionedImage, ...]
    vocabulary_origin: str = ""
    sources: tuple[SourceFile, ...] = ()
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        if not self.images:
            raise DataError(f"{self.name}: no captioned image was found; expected at least one")
        ids = Counter(image.id for image in self.images)
        if len(ids) < len(self.images):
            raise DataError(f"{self.name}: the image id {ids.most_common(1)[0][0]} occurs twice; ids must be unique")
        for split in {image.split for image in self.images}.difference(SPLITS):
            raise DataError(f"{self.name}: unknown split {split!r}; expected one of {', '.join(SPLITS)}")

    def split(self, name: str) -> tuple[CaptionedImage, ...]:
        """The images of one split."""
        return tuple(image for image in self.images if image.split == name)

    def splits(self) -> tuple[str, ...]:
        """The names of the splits that hold images, in the usual order."""
        present = {image.split for image in self.images}
        return tuple(name for name in SPLITS if name in present)

    def vocabulary_images(self) -> tuple[CaptionedImage, ...]:
        """The images that the vocabulary is counted on; all images where none is for training."""
        training = self.split("train")
        counted = tuple(image for image in training if self.vocabulary_origin in ("", image.origin))
        return counted or training or self.images

    def save(self, folder: Path, facts: Mapping[str, object] | None = None) -> None:
        """Write `captions.jsonl` and `dataset.json` into an existing folder; `facts` join the latter."""
        path = folder / CAPTIONS_FILE
        with new_file(path) as file:
            file.writelines(_lines(self.images))
        with new_file(folder / DATASET_FILE) as file:
            description = self.description() | dict(facts or {}) | {"captions_sha256": sha256_of(path)}
            file.write(json.dumps(description, indent=2, ensure_ascii=False) + "\n")

    def description(self) -> dict[str, object]:
        """What `dataset.json` says of it, the hash of its captions apart."""
        return {
            "format": "spidercap dataset",
            "version": FORMAT_VERSION,
            "name": self.name,
            "splits": {name: _counts(self.split(name)) for name in self.splits()},
            "vocabulary_origin": self.vocabulary_origin,
            "sources": [asdict(source) for source in self.sources],
            "notes": [asdict(note) for note in self.notes],
        }

    @classmethod
    def load(cls, folder: Path) -> "Dataset":
        """Read a prepared folder and check that its captions are those that were written."""
        path = folder / DATASET_FILE
        if not path.exists():
            raise DataError(f"{folder} is not a prepared dataset (no {DATASET_FILE}); make one with spidercap prepare")
        description = read_json(path)
        where = str(path)
        version = field(description, "version", int, where)
        if version != FORMAT_VERSION:
            raise DataError(f"{path}: version {version}, expected {FORMAT_VERSION}; prepare the dataset again")
        captions = folder / CAPTIONS_FILE
        if sha256_of(captions) != field(description, "captions_sha256", str, where):
            raise DataError(f"{captions} is not the file that {path} describes; prepare the dataset again")
        return cls(
            name=field(description, "name", str, where),
            images=tuple(_read_images(captions)),
            vocabulary_origin=field(description, "vocabulary_origin", str, where),
            sources=tuple(_source(record, where) for record in field(description, "sources", list, where)),
            notes=tuple(_note(record, where) for record in field(description, "notes", list, where)),
        )


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether a path stays below a folder, as it is written: links inside of the folder are its owner's."""
    return Path(os.path.abspath(path)).is_relative_to(os.path.abspath(folder))  # noqa: PTH100 (follows no links)


def _counts(images: tuple[CaptionedImage, ...]) -> dict[str, int]:
    return {"images": len(images), "captions": sum(len(image.captions) for image in images)}


_ENCODER = json.JSONEncoder(ensure_ascii=False)


def _lines(images: tuple[CaptionedImage, ...]) -> Iterator[str]:
    for image in images:
        record = {"id": image.id, "file": image.file, "split": image.split, "captions": image.captions}
        if image.origin:
            record["origin"] = image.origin
        yield _ENCODER.encode(record) + "\n"


def _read_images(path: Path) -> Iterator[CaptionedImage]:
    for number, line in enumerate(read_lines(path), 1):
        where = f"{path}, line {number}"
        record = parse_json(line, where)
        yield CaptionedImage(
            id=field(record, "id", str, where),
            file=field(record, "file", str, where),
            split=field(record, "split", str, where),
            captions=tuple(field(record, "captions", list, where)),
            origin=record.get("origin", ""),
        )


def _source(record: object, where: str) -> SourceFile:
    return SourceFile(field(record, "name", str, where), field(record, "sha256", str, where))


def _note(record: object, where: str) -> Note:
    what, first = field(record, "what", str, where), field(record, "first", str, where)
    return Note(what, field(record, "count", int, where), first)
