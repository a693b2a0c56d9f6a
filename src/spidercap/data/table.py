"""Captions in tables: CSV with one or several caption columns, and JSON of the form {id: [captions]}."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from spidercap.data.captions import Dataset
from spidercap.data.intake import Intake
from spidercap.data.records import kind_name
from spidercap.data.splits import known_split, split_from_file_name
from spidercap.errors import DataError
from spidercap.files import iterate_lines, parse_json, read_text

# In tables made from COCO's annotations `id` is the caption's, so the names that say "image" come first.
ID_COLUMNS = ("image_id", "img_id", "imgid", "cocoid", "video_id", "audio_id", "id")
FILE_COLUMNS = ("file", "file_name", "filename", "file_path", "filepath", "image", "image_name", "image_path", "path")
CAPTION_COLUMNS = ("caption", "captions", "raw", "sentence", "text", "comment", "reference")
PREDICTION_COLUMNS = ("caption_predicted", "predicted", "prediction", "hypothesis", "candidate")
SPLIT_COLUMNS = ("split",)
_NUMBERED_CAPTION = re.compile(r"(?:caption|reference|caption_reference|raw|sentence|text|comment)_?\d+")
_DELIMITERS = (",", "\t", ";", "|")


@dataclass(frozen=True)
class Columns:
    """Which columns of a table hold what; `identity` or `file` may be missing, not both."""

    names: tuple[str, ...]
    identity: int | None
    file: int | None
    split: int | None
    captions: tuple[int, ...]
    one_caption_a_row: bool


@dataclass
class _Row:
    """What the rows of one image say together."""

    file: str
    split: str | None
    captions: list[object] = field(default_factory=list)


def read_csv(paths: Sequence[Path], intake: Intake) -> Dataset:
    """CSV files with a header line; rows of the same id add up where there is one caption column."""
    for path in paths:
        for identity, row in _images(path).items():
            # Where captions are taken as they are, a blank cell still is one that the image does not have.
            captions = [cell for cell in row.captions if cell != ""] if intake.options.verbatim else row.captions
            intake.add(path, intake.claim(path, identity), row.file, row.split, captions)
    return intake.dataset(" ".join(path.stem for path in paths), paths)


def read_id_map(paths: Sequence[Path], intake: Intake) -> Dataset:
    """JSON objects {id: [captions]} or {id: caption}."""
    for path in paths:
        content = intake.json(path)
        if not isinstance(content, dict):
            raise DataError(f"{path}: {kind_name(content)}, expected an object {{id: [captions]}}")
        split = split_from_file_name(path.name)
        for identity, captions in content.items():
            listed = [captions] if isinstance(captions, str) else captions
            if not isinstance(listed, list):
                raise DataError(f"{path}, image {identity}: {kind_name(captions)}, expected a list of captions")
            intake.add(path, intake.claim(path, identity), "", split, listed)
    return intake.dataset(" ".join(path.stem for path in paths), paths)


def read_predictions(path: Path) -> Iterator[tuple[str, str]]:
    """The id and predicted caption of each row of a CSV file: its column `caption_predicted`, or else `caption`."""
    text = read_text(path)
    columns, delimiter = _header(path, text.partition("\n")[0].rstrip("\r"), PREDICTION_COLUMNS)
    for _, cells in _rows(path, text, delimiter, len(columns.names)):
        yield _identity(cells, columns), cells[columns.captions[0]]


def is_table(path: Path) -> bool:
    """Whether the first line of a text file is the header of a table of captions."""
    try:
        _header(path, next(iterate_lines(path), ""))
    except DataError:
        return False
    return True


def _images(path: Path) -> dict[str, _Row]:
    text = read_text(path)
    columns, delimiter = _header(path, text.partition("\n")[0].rstrip("\r"))
    default_split = split_from_file_name(path.name)
    images: dict[str, _Row] = {}
    for line, cells in _rows(path, text, delimiter, len(columns.names)):
        file = cells[columns.file].strip() if columns.file is not None else ""
        identity = _identity(cells, columns)
        where = f"{path}, line {line}, image {identity}"
        split = default_split if columns.split is None else known_split(cells[columns.split], where)
        row = images.setdefault(identity, _Row(file, split))
        if row.captions and not columns.one_caption_a_row:
            raise DataError(f"{where}: the image id occurs twice; ids must be unique, remove or rename one")
        if (row.file, row.split) != (file, split):
            raise DataError(
                f"{where}: file {file!r} and split {split!r} differ from those of an earlier row of this id"
            )
        row.captions += _captions(cells, columns, where)
    return images


def _identity(cells: list[str], columns: Columns) -> str:
    """The id of a row: its id column, or else its file name without folders and ending."""
    if columns.identity is not None:
        return cells[columns.identity].strip()
    file = cells[columns.file or 0].strip()
    return PurePosixPath(file.replace("\\", "/")).stem


def _header(path: Path, line: str, preferred: Sequence[str] = ()) -> tuple[Columns, str]:
    """The columns, and the delimiter with which the header makes sense; a `preferred` caption column comes first."""
    for delimiter in _DELIMITERS:
        names = tuple(name.strip().strip('"').lower() for name in line.split(delimiter))
        columns = _columns(names, preferred)
        if len(set(names)) < len(names):
            continue
        if columns.captions and (columns.identity is not None or columns.file is not None):
            return columns, delimiter
    raise DataError(
        f"{path}, line 1: expected a header with an id column (id, image_id, file_name, …), "
        f"caption or caption_1, caption_2, …, and no name twice; got {line[:60]!r}"
    )


def _columns(names: tuple[str, ...], preferred: Sequence[str]) -> Columns:
    def first(known: Sequence[str]) -> int | None:
        return next((names.index(name) for name in known if name in names), None)

    chosen = first(preferred)
    single = first(CAPTION_COLUMNS) if chosen is None else chosen
    numbered = tuple(position for position, name in enumerate(names) if _NUMBERED_CAPTION.fullmatch(name))
    numbered = numbered if chosen is None else ()
    captions = numbered or (() if single is None else (single,))
    return Columns(names, first(ID_COLUMNS), first(FILE_COLUMNS), first(SPLIT_COLUMNS), captions, not numbered)


def _rows(path: Path, text: str, delimiter: str, width: int) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    try:
        next(reader)
        for cells in reader:
            if cells and len(cells) != width:
                raise DataError(
                    f"{path}, line {reader.line_num}: {len(cells)} columns, the header has {width}; "
                    "put quotes around captions that hold the delimiter"
                )
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num} is not CSV: {error}; mend the quotes") from None


def _captions(cells: list[str], columns: Columns, where: str) -> list[object]:
    """The captions of a row; a cell of the one-column form may hold a JSON list of them."""
    captions: list[object] = [cells[position] for position in columns.captions]
    if columns.one_caption_a_row and cells[columns.captions[0]].startswith('["'):
        listed = parse_json(cells[columns.captions[0]], where)
        captions = listed if isinstance(listed, list) else captions
    return captions
