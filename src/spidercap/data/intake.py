"""The gate that every caption passes on its way in: one set of rules for all sources, and a count of what they did."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spidercap.data.captions import CaptionedImage, Dataset, Note, SourceFile
from spidercap.data.json_fields import kind_name
from spidercap.data.splits import DEFAULT_FRACTIONS, split_by_hash
from spidercap.errors import FAULTS_SHOWN, DataError, SeveralFaultsError, UsageError
from spidercap.files import read_json, sha256_of

_FORBIDDEN = re.compile("[\0\ud800-\udfff]")
# Characters of a caption; a longer one is a file that was cut wrongly.
CAPTION_LIMIT = 100_000
# All that str.splitlines, and with it many a reader of the captions, would take for the end of a line.
_LINE_SEPARATORS = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")


@dataclass(frozen=True)
class ReadOptions:
    """What the reader of a source may be told; a None leaves it to the source.

    `verbatim` keeps captions as they are, with the blanks around them and the empty ones, and puts no image into a
    split that the source does not tell: what scoring needs. `columns` says which column of a table is the id, file,
    caption or split; `id_from` makes the id from the `name` of a file or from its whole `path`.
    """

    strict: bool = False
    drop_empty: bool = False
    split: tuple[float, float, float] | None = None
    protocol: str | None = None
    restval: str = "train"
    verbatim: bool = False
    columns: tuple[tuple[str, str], ...] = ()
    id_from: str = "name"

    def check_for(self, source_format: str) -> None:
        """Refuse options that have no meaning for the format of the sources."""
        if self.protocol is not None and source_format != "coco":
            raise UsageError(f"`protocol` is for COCO sources, these are of the format {source_format}; leave it out")
        if self.protocol is not None and self.split is not None:
            raise UsageError("`protocol` and `split` exclude each other; give one of them")
        if (self.columns or self.id_from != "name") and source_format != "csv":
            setting = "columns" if self.columns else "id_from"
            raise UsageError(f"`{setting}` is for tables, these are of the format {source_format}; leave it out")
        if self.restval != "train" and source_format != "karpathy":
            raise UsageError(
                f"`restval` is for Karpathy's files, these are of the format {source_format}; leave it out"
            )


class Intake:
    """Collects the images of one dataset, checks them and counts what had to be changed."""

    def __init__(self, options: ReadOptions) -> None:
        self.options = options
        self.images: list[CaptionedImage] = []
        self._first_seen: dict[str, Path] = {}
        self._notes: dict[str, Note] = {}
        self._parsed: dict[Path, Any] = {}
        self._faults: list[str] = []
        self._fault_count = 0

    @contextmanager
    def entry(self) -> Iterator[None]:
        """What is wrong with one entry of a source is remembered; `dataset` tells of all faults together."""
        try:
            yield
        except DataError as error:
            self._fault_count += 1
            if len(self._faults) < FAULTS_SHOWN:
                self._faults.append(str(error))

    def json(self, path: Path, keep: bool = False) -> Any:
        """The value of a JSON file; kept for the next caller if asked, so that large files are parsed once."""
        value = self._parsed.pop(path) if path in self._parsed else read_json(path)
        if keep:
            self._parsed[path] = value
        return value

    def claim(self, path: Path, identity: str) -> str:
        """Check that an image id is usable and new, and take it."""
        if not identity.strip() or _breaks_lines(identity):
            raise DataError(f"{path}: the image id {identity!r} is blank or holds control characters; give it a name")
        if identity in self._first_seen:
            raise DataError(
                f"{path}, image {identity}: the image id occurs twice (first in {self._first_seen[identity].name}); "
                "ids must be unique, remove or rename one"
            )
        self._first_seen[identity] = path
        return identity

    def add(
        self,
        path: Path,
        identity: str,
        file: str,
        split: str | None,
        captions: Iterable[object],
        origin: str = "",
    ) -> None:
        """Take an image whose id was claimed; `split` is None where the source tells none."""
        cleaned = [self.clean(path, identity, number, caption) for number, caption in enumerate(captions, 1)]
        kept = tuple(caption for caption in cleaned if caption or self.options.verbatim)
        if _breaks_lines(file):
            raise DataError(f"{path}, image {identity}: the file name {file!r} holds control characters; rename it")
        if len(set(kept)) < len(kept) and not self.options.verbatim:
            what = "captions that say word for word what another of their image says, kept"
            self.note(what, f"{path.name}, image {identity}", len(kept) - len(set(kept)))
        if kept:
            self.images.append(CaptionedImage(identity, file, self._split(identity, split), kept, origin))
        elif self.options.drop_empty:
            self.note("images without captions left out", f"{path.name}, image {identity}")
        else:
            raise DataError(
                f"{path}, image {identity} has no captions; add one, or leave such images out with `drop_empty`"
            )

    def note(self, what: str, first: str, count: int = 1) -> None:
        """Count one more occurrence of something worth telling, or several."""
        known = self._notes.get(what, Note(what, 0, first))
        self._notes[what] = Note(what, known.count + count, known.first)

    @property
    def notes(self) -> tuple[Note, ...]:
        """All that was noted so far."""
        return tuple(self._notes.values())

    def dataset(self, name: str, files: Sequence[Path], vocabulary_origin: str = "") -> Dataset:
        """All that was collected, if nothing was faulty."""
        if self._fault_count > 1:
            raise SeveralFaultsError(self._faults, self._fault_count)
        if self._faults:
            raise DataError(self._faults[0])
        if not self.images:
            raise DataError(f"{files[0]}: no captioned image was found; expected at least one")
        sources = tuple(SourceFile(path.name, sha256_of(path)) for path in files)
        origin = "" if self.options.split else vocabulary_origin
        return Dataset(name, tuple(self.images), origin, sources, self.notes)

    def _split(self, identity: str, split: str | None) -> str:
        fractions = self.options.split
        if split is not None and fractions is None:
            return split
        if self.options.verbatim:
            return "none"
        fractions = fractions or DEFAULT_FRACTIONS
        shares = " / ".join(f"{fraction:g}" for fraction in fractions)
        self.note(f"images put into train / val / test ({shares}) by the hash of their id", f"image {identity}")
        return split_by_hash(identity, fractions)

    def clean(self, path: Path, identity: str, number: int, caption: object) -> str:
        """The caption without blanks around it and with line separators made blanks; "" where it is dropped."""
        if not isinstance(caption, str):
            raise DataError(f"{path}, image {identity}: caption {number} is {kind_name(caption)}, expected text")
        if len(caption) > CAPTION_LIMIT:
            raise DataError(
                f"{path}, image {identity}: caption {number} has {len(caption):,} characters, expected at most "
                f"{CAPTION_LIMIT:,}; check how the file is cut into captions"
            )
        # isprintable() is false for every character that the slow path looks for.
        text = caption if caption.isprintable() else self._repair(path, identity, number, caption)
        if self.options.verbatim:
            return text
        text = text.strip()
        if text:
            return text
        if not self.options.drop_empty:
            raise DataError(
                f"{path}, image {identity}: caption {number} is empty; "
                "write one, or leave empty captions out with `drop_empty`"
            )
        self.note("empty captions left out", f"{path.name}, image {identity}")
        return ""

    def _repair(self, path: Path, identity: str, number: int, caption: str) -> str:
        if found := _FORBIDDEN.search(caption):
            what = "a NUL character" if found[0] == "\0" else f"half a surrogate pair (U+{ord(found[0]):04X})"
            raise DataError(f"{path}, image {identity}: caption {number} holds {what}; expected text, remove it")
        text, replaced = _LINE_SEPARATORS.subn(" ", caption)
        if replaced and self.options.strict:
            separator = _LINE_SEPARATORS.findall(caption)[0][0]
            raise DataError(
                f"{path}, image {identity}: caption {number} holds the line separator U+{ord(separator):04X}; "
                "remove it, or leave out `strict` to have a blank in its place"
            )
        if replaced:
            self.note("captions with line separators, now blanks", f"{path.name}, image {identity}")
        return text


def _breaks_lines(name: str) -> bool:
    """Whether an id or a file name could not stand on a line of its own in a text file."""
    return not name.isprintable() and bool(_FORBIDDEN.search(name) or _LINE_SEPARATORS.search(name))
