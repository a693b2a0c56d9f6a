"""People's ratings of captions: CSV `id,rating`, one row a judgement."""

import csv
import math
from pathlib import Path
from typing import Any

from spidercap.data.table import csv_fault
from spidercap.errors import DataError
from spidercap.files import read_lines


def read_ratings(path: Path) -> list[tuple[str, float]]:
    """All judgements in the order of the file; an id may have several."""
    rows = csv.reader(read_lines(path))
    try:
        return _judgements(path, rows)
    except csv.Error as error:
        raise DataError(f"{path}, line {rows.line_num} {csv_fault(error)}") from None


def _judgements(path: Path, rows: Any) -> list[tuple[str, float]]:
    header = [name.strip().lower() for name in next(rows, [])]
    if not {"id", "rating"} <= set(header):
        raise DataError(f"{path}, line 1: expected the header id,rating; got {','.join(header)[:60]!r}")
    identity, rating = header.index("id"), header.index("rating")
    found = [_judgement(row, identity, rating, f"{path}, line {rows.line_num}") for row in rows if row]
    if not found:
        raise DataError(f"{path}: no rating was found; expected one row a judgement")
    return found


def _judgement(row: list[str], identity: int, rating: int, where: str) -> tuple[str, float]:
    try:
        judged, value = row[identity].strip(), float(row[rating])
    except (IndexError, ValueError):
        raise DataError(
            f"{where}: expected id,rating with a number as the rating, got {','.join(row)[:60]!r}"
        ) from None
    if not math.isfinite(value):
        raise DataError(f"{where}: the rating is {row[rating]}, expected a finite number")
    return judged, value
