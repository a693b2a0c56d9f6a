"""Captions in tables: CSV with one or several caption columns, and JSON of the form {id: [captions]}."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath

from spidercap.data.captions import Dataset
from spidercap.data.intake import Intake, ReadOptions
from spidercap.data.json_fields import kind_name
from spidercap.data.splits import known_split, split_from_file_name
from spidercap.errors import DataError, UsageError
from spidercap.files import iterate_lines, parse_json, read_text

# In tables made from COCO's annotations `id` is the caption's, so the names that say "image" come first.
ID_COLUMNS = ("image_id", "img_id", "imgid", "cocoid", "video_id", "audio_id", "id")
FILE_COLUMNS = ("file", "file_name", "filename", "file_path", "filepath", "image", "image_name", "image_path", "path")
CAPTION_COLUMNS = ("caption", "captions", "raw", "sentence", "text", "comment", "reference")
PREDICTION_COLUMNS = ("caption_predicted", "predicted", "prediction", "hypothesis", "candidate")
SPLIT_COLUMNS = ("split",)
_NUMBERED_CAPTION = re.compile(r"(?:caption|reference|caption_reference|raw|sentence|text|comment)_?\d+")
_DELIMITERS = (",", "\t", ";", "|")


_EXCEL_SEPARATOR = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
KNOWN_COLUMNS = {"id": ID_COLUMNS, "file": FILE_COLUMNS, "caption": CAPTION_COLUMNS, "split": SPLIT_COLUMNS}
"""What a column may hold, and the names by which it is known without being told."""


@dataclass(frozen=True)
class Columns:
    """Which columns of a table hold what; `identity` or `file` may be missing, not both."""

    names: tuple[str, ...]
    identity: int | None
    file: int | None
    split: int | None
    captions: tuple[int, ...]
    one_caption_a_row: bool

    @property
    def enough(self) -> bool:
        """Whether captions and what they are of can be told."""
        return bool(self.captions) and (self.identity is not None or self.file is not None)


@dataclass(frozen=True)
class Header:
    """What the first lines of a table say; Excel may put a line `sep=;` before the names."""

    columns: Columns
    delimiter: str
    lines: int


@dataclass
class _Row:
    """What the rows of one image say together."""

    file: str
    split: str | None
    captions: list[object] = field(default_factory=list)


def parse_columns(told: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The pairs of `file=photo caption=description`: what a column holds, and its name in the header."""
    pairs = []
    for text in told:
        kind, equals, name = text.partition("=")
        if kind not in KNOWN_COLUMNS or not equals or not name.strip():
            raise UsageError(f"`columns` {text}: expected {', '.join(f'{each}=NAME' for each in KNOWN_COLUMNS)}")
        pairs.append((kind, name.strip().lower()))
    return tuple(pairs)


def read_csv(paths: Sequence[Path], intake: Intake) -> Dataset:
    """CSV files with a header line; rows of the same id add up where there is one caption column."""
    for path in paths:
        for identity, row in _images(path, intake).items():
            # Where captions are taken as they are, a blank cell still is one that the image does not have.
            captions = [cell for cell in row.captions if cell != ""] if intake.options.verbatim else row.captions
            with intake.entry():
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
            with intake.entry():
                listed = [captions] if isinstance(captions, str) else captions
                if not isinstance(listed, list):
                    raise DataError(f"{path}, image {identity}: {kind_name(captions)}, expected a list of captions")
                intake.add(path, intake.claim(path, identity), "", split, listed)
    return intake.dataset(" ".join(path.stem for path in paths), paths)


def read_predictions(path: Path) -> Iterator[tuple[str, str]]:
    """The id and predicted caption of each row of a CSV file: its column `caption_predicted`, or else `caption`."""
    text = read_text(path)
    header = _header(path, _first_lines(text), PREDICTION_COLUMNS)
    for line, cells in _rows(path, text, header):
        _check_width(path, line, cells, header)
        yield _identity(cells, header.columns), cells[header.columns.captions[0]]


def is_table(path: Path) -> bool:
    """Whether the first line of a text file is the header of a table of captions."""
    try:
        _header(path, list(islice(iterate_lines(path), 2)))
    except DataError:
        return False
    return True


def _images(path: Path, intake: Intake) -> dict[str, _Row]:
    text = read_text(path)
    header = _header(path, _first_lines(text), told=intake.options.columns)
    default_split = split_from_file_name(path.name)
    images: dict[str, _Row] = {}
    # A row that cannot be cut into cells ends the file; any other leaves it to the next ones to be read.
    with intake.entry():
        for line, cells in _rows(path, text, header):
            with intake.entry():
                _check_width(path, line, cells, header)
                _add_row(images, cells, header.columns, default_split, intake.options, f"{path}, line {line}")
    return images


def _add_row(
    images: dict[str, _Row], cells: list[str], columns: Columns, split: str | None, options: ReadOptions, at: str
) -> None:
    file = cells[columns.file].strip() if columns.file is not None else ""
    identity = _identity(cells, columns, options.id_from == "path")
    where = f"{at}, image {identity}"
    if columns.split is not None:
        split = known_split(cells[columns.split], where)
    row = images.setdefault(identity, _Row(file, split))
    if row.file != file and columns.identity is None:
        raise DataError(
            f"{where}: {row.file} and {file} have the same name; tell them apart by their folders with `id_from` path, "
            "or by a column id"
        )
    if row.captions and not columns.one_caption_a_row:
        raise DataError(f"{where}: the image id occurs twice; ids must be unique, remove or rename one")
    if (row.file, row.split) != (file, split):
        raise DataError(f"{where}: file {file!r} and split {split!r} differ from those of an earlier row of this id")
    row.captions += _captions(cells, columns, where)


def _identity(cells: list[str], columns: Columns, from_path: bool = False) -> str:
    """The id of a row: its id column, or else its file name without ending and, unless told otherwise, folders."""
    if columns.identity is not None:
        return cells[columns.identity].strip()
    file = PurePosixPath(cells[columns.file or 0].strip().replace("\\", "/"))
    return str(file.with_suffix("")) if from_path and file.name else file.stem


def _first_lines(text: str) -> list[str]:
    return [line.rstrip("\r") for line in text.split("\n", 2)[:2]]


def _header(
    path: Path, lines: Sequence[str], preferred: Sequence[str] = (), told: Sequence[tuple[str, str]] = ()
) -> Header:
    """The header with the delimiter that it makes sense with; a `preferred` caption column comes first."""
    excel = _EXCEL_SEPARATOR.fullmatch(lines[0]) if lines else None
    skipped = 1 if excel and len(lines) > 1 else 0
    line = lines[skipped] if lines else ""
    for delimiter in (excel[1],) if excel else _DELIMITERS:
        names = tuple(name.strip().strip('"').lower() for name in line.split(delimiter))
        columns = _columns(names, preferred, told)
        if len(set(names)) == len(names) and columns is not None and columns.enough:
            return Header(columns, delimiter, skipped + 1)
    raise _unknown_header(path, skipped + 1, line, told)


def _unknown_header(path: Path, number: int, line: str, told: Sequence[tuple[str, str]]) -> DataError:
    if told:
        asked = " ".join(f"{kind}={name}" for kind, name in told)
        return DataError(f"{path}, line {number}: `columns` {asked} does not fit the header {line[:200]!r}")
    return DataError(
        f"{path}, line {number}: expected a header with an id column ({', '.join(ID_COLUMNS)}) or a file column "
        f"({', '.join(FILE_COLUMNS)}), and a caption column ({', '.join(CAPTION_COLUMNS)}, caption_1, …), "
        f"no name twice; got {line[:60]!r}; say what other names mean, such as `columns` file=photo caption=description"
    )


def _columns(names: tuple[str, ...], preferred: Sequence[str], told: Sequence[tuple[str, str]]) -> Columns | None:
    """Which column is what, by what is told and by known names; None where a column that is told is not there."""
    if any(name not in names for _, name in told):
        return None

    def first(kind: str) -> int | None:
        known = [name for each, name in told if each == kind] or KNOWN_COLUMNS[kind]
        return next((names.index(name) for name in known if name in names), None)

    said = tuple(names.index(name) for kind, name in told if kind == "caption")
    chosen = next((names.index(name) for name in preferred if name in names), None)
    single = first("caption") if chosen is None else chosen
    numbered = tuple(position for position, name in enumerate(names) if _NUMBERED_CAPTION.fullmatch(name))
    numbered = numbered if chosen is None else ()
    several = said if len(said) > 1 else numbered if not said else ()
    captions = several or (() if single is None else (single,))
    return Columns(names, first("id"), first("file"), first("split"), captions, not several)


def _rows(path: Path, text: str, header: Header) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that is not blank, with the number of its last line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=header.delimiter, strict=True, skipinitialspace=True)
    try:
        for _ in range(header.lines):
            next(reader)
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num} {csv_fault(error)}") from None


def csv_fault(error: csv.Error) -> str:
    """What is wrong with a line, and what to do about it."""
    if "field larger" in str(error):
        return f"holds a cell of more than {csv.field_size_limit():,} characters, which is no caption; shorten it"
    return f"is not CSV: {error}; mend the quotes"


def _check_width(path: Path, line: int, cells: list[str], header: Header) -> None:
    width = len(header.columns.names)
    if len(cells) != width:
        raise DataError(
            f"{path}, line {line}: {len(cells)} columns, the header has {width}; "
            "put quotes around captions that hold the delimiter"
        )


def _captions(cells: list[str], columns: Columns, where: str) -> list[object]:
    """The captions of a row; a cell of the one-column form may hold a JSON list of them."""
    captions: list[object] = [cells[position] for position in columns.captions]
    if columns.one_caption_a_row and cells[columns.captions[0]].startswith('["'):
        listed = parse_json(cells[columns.captions[0]], where)
        captions = listed if isinstance(listed, list) else captions
    return captions
