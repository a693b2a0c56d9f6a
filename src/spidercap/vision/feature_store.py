"""The feature store: a folder with `features.npy` (N × D), `ids.txt` (one id a row) and `features.json`.

The matrix is memory-mapped, so a store of any size opens at once and costs no memory until rows are read.
"""

import io
import json
import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from spidercap import __version__
from spidercap.errors import DataError
from spidercap.files import check_regular, new_file, new_folder, read_errors, read_json, read_text

VECTORS_FILE = "features.npy"
IDS_FILE = "ids.txt"
DESCRIPTION_FILE = "features.json"
FORMAT_VERSION = 1
DTYPES: dict[str, np.dtype[Any]] = {"float32": np.dtype("<f4"), "float16": np.dtype("<f2")}
ROWS_A_CHUNK = 4096
# What NumPy lets through for damaged files, as found by changing bytes of good ones.
_DAMAGED = (
    *(ValueError, EOFError, SyntaxError, TypeError, LookupError, ArithmeticError, RecursionError),
    *(TokenError, UserWarning),
)


@dataclass(frozen=True)
class FeatureStore:
    """Vectors by image id, read from a folder."""

    folder: Path
    ids: tuple[str, ...]
    vectors: NDArray[Any] = field(repr=False)
    description: dict[str, Any] = field(repr=False)
    _row_of: dict[str, int] = field(repr=False)

    @classmethod
    def open(cls, folder: Path) -> "FeatureStore":
        """Open a store and check that its three files belong together."""
        if not (folder / DESCRIPTION_FILE).is_file():
            raise DataError(
                f"{folder} is not a feature store (no {DESCRIPTION_FILE}); make one with spidercap features"
            )
        description = _read_description(folder / DESCRIPTION_FILE)
        ids = tuple(read_ids(folder / IDS_FILE))
        vectors = open_vectors(folder / VECTORS_FILE)
        if vectors.dtype not in DTYPES.values():
            raise DataError(f"{folder / VECTORS_FILE} holds {vectors.dtype}, expected float32 or float16")
        expected = (description["count"], description["width"])
        if vectors.shape != expected or len(ids) != len(vectors):
            raise DataError(
                f"the files in {folder} do not belong together: {VECTORS_FILE} is {_shape(vectors.shape)}, "
                f"{DESCRIPTION_FILE} says {_shape(expected)}, {IDS_FILE} holds {len(ids)} ids; make the store again"
            )
        return cls(folder, ids, vectors, description, {each: row for row, each in enumerate(ids)})

    @property
    def width(self) -> int:
        """The length D of each vector."""
        return int(self.vectors.shape[1])

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, image_id: object) -> bool:
        return image_id in self._row_of

    def rows(self, ids: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of these images, (len(ids), D), in the order asked for."""
        self._check_present(ids)
        vectors = np.asarray(self.vectors[[self._row_of[each] for each in ids]], dtype=np.float32)
        _check_finite(vectors, ids, self.folder / VECTORS_FILE)
        return vectors

    def _check_present(self, ids: Sequence[str]) -> None:
        missing = [each for each in ids if each not in self._row_of]
        if missing:
            raise DataError(
                f"{self.folder} has no vector for {len(missing)} of {len(ids)} images, the first is {missing[0]!r}; "
                "run spidercap features on all pictures of the dataset"
            )


class RowFile:
    """A `features.npy` that grows by rows; its header tells the true number of rows once it is finished."""

    def __init__(self, path: Path, width: int, dtype: str, rows: int = 0) -> None:
        """Create the file, or go on after the first `rows` rows of one."""
        self.width, self.dtype, self.count = width, DTYPES[dtype], rows
        self._file: IO[bytes] = path.open("r+b" if path.exists() else "w+b")
        self._write_header()
        self._file.truncate(self._file.tell() + rows * width * self.dtype.itemsize)
        self._file.seek(0, os.SEEK_END)

    @staticmethod
    def rows_in(path: Path, width: int, dtype: str) -> int:
        """How many whole rows a file holds, by its size."""
        size = path.stat().st_size if path.exists() else 0
        kind = DTYPES[dtype]
        return max(0, size - len(_header(0, width, kind))) // (width * kind.itemsize)

    def append(self, vectors: NDArray[Any], ids: Sequence[str], source: Path | str) -> None:
        """Write rows; NaN and values that the type cannot hold are errors that name the image and its source."""
        if vectors.shape != (len(ids), self.width):
            raise ValueError(f"expected vectors {_shape((len(ids), self.width))}, got {_shape(vectors.shape)}")
        _check_finite(vectors, ids, source)
        with np.errstate(over="ignore"):
            rows = np.ascontiguousarray(vectors, dtype=self.dtype)
        _check_finite(rows, ids, f"{source}, as {self.dtype.name}")
        self._file.write(rows.data)
        self.count += len(rows)

    def sync(self) -> None:
        """Bring all rows to the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())

    def finish(self) -> None:
        """Write the header with the number of rows, and close."""
        self._write_header()
        self.sync()
        self.close()

    def close(self) -> None:
        """Close, finished or not."""
        self._file.close()

    def _write_header(self) -> None:
        self._file.seek(0)
        self._file.write(_header(self.count, self.width, self.dtype))


def _header(count: int, width: int, dtype: np.dtype[Any]) -> bytes:
    """NumPy leaves room for the first dimension to grow: the length does not depend on the number of rows."""
    buffer = io.BytesIO()
    header = {"descr": dtype.str, "fortran_order": False, "shape": (count, width)}
    np.lib.format.write_array_header_1_0(buffer, header)
    return buffer.getvalue()


def write_ids_and_description(folder: Path, rows: RowFile, ids: Sequence[str], facts: dict[str, Any]) -> None:
    """The two small files beside the vectors."""
    with new_file(folder / IDS_FILE) as file:
        file.writelines(f"{each}\n" for each in ids)
    description = {
        "format": "spidercap features",
        "version": FORMAT_VERSION,
        "count": rows.count,
        "width": rows.width,
        "dtype": rows.dtype.name,
        "made_by": f"spidercap {__version__}",
    }
    with new_file(folder / DESCRIPTION_FILE) as file:
        file.write(json.dumps(description | facts, indent=2, ensure_ascii=False) + "\n")


def import_vectors(vectors_path: Path, ids: Sequence[str], out: Path, dtype: str | None = None) -> tuple[int, int]:
    """Make a store of vectors from elsewhere; returns how many and how wide. Without `dtype` they keep theirs."""
    vectors = open_vectors(vectors_path)
    if len(ids) != len(vectors):
        raise DataError(f"{vectors_path} holds {len(vectors)} vectors, but there are {len(ids)} ids; each needs one")
    chosen = dtype or ("float16" if vectors.dtype == np.float16 else "float32")
    with new_folder(out) as folder, closing(RowFile(folder / VECTORS_FILE, vectors.shape[1], chosen)) as rows:
        for start in range(0, len(vectors), ROWS_A_CHUNK):
            part = slice(start, start + ROWS_A_CHUNK)
            rows.append(np.asarray(vectors[part]), ids[part], vectors_path)
        rows.finish()
        write_ids_and_description(folder, rows, ids, {"source": f"imported from {vectors_path.name}"})
    return rows.count, rows.width


def open_vectors(path: Path) -> NDArray[Any]:
    """Map a `.npy` file of N × D real numbers; never unpickles."""
    with read_errors(path):
        check_regular(path)
        try:
            vectors = np.load(path, mmap_mode="r", allow_pickle=False)
        except _DAMAGED:
            raise DataError(
                f"{path} is not a whole .npy file with one matrix of numbers; save it again with numpy.save"
            ) from None
    if not isinstance(vectors, np.ndarray) or vectors.ndim != 2 or 0 in vectors.shape:
        found = _shape(vectors.shape) if isinstance(vectors, np.ndarray) else "an archive"
        raise DataError(f"{path} holds {found}, expected one matrix, images × width")
    if vectors.dtype.kind not in "fiu":
        raise DataError(f"{path} holds {vectors.dtype}, expected real numbers")
    return vectors


def read_ids(path: Path) -> list[str]:
    """The ids of a text file, one a line."""
    ids = read_text(path).replace("\r\n", "\n").split("\n")
    ids = ids[:-1] if not ids[-1] else ids
    check_ids(ids, str(path))
    return ids


def check_ids(ids: Iterable[str], where: str) -> None:
    """Raise unless each id is a non-empty line of text and no two are equal."""
    seen: set[str] = set()
    for number, each in enumerate(ids, 1):
        if not is_id(each):
            raise DataError(f"{where}, entry {number}: {each!r} cannot be an id; ids are UTF-8, not empty, of one line")
        if each in seen:
            raise DataError(f"{where}, entry {number}: the id {each!r} occurs twice; ids must be unique")
        seen.add(each)


def is_id(text: str) -> bool:
    """Whether text can stand on a line of its own; bytes that are not UTF-8 are carried as lone surrogates."""
    return bool(text) and not any(sign in "\n\r\0" or "\ud800" <= sign <= "\udfff" for sign in text)


def _read_description(path: Path) -> dict[str, Any]:
    description = read_json(path)
    counts = [description.get(key) for key in ("count", "width")] if isinstance(description, dict) else [None]
    if not all(isinstance(count, int) for count in counts):
        raise DataError(f"{path} does not describe features (no count and width); make the store again")
    if description.get("version") != FORMAT_VERSION:
        raise DataError(f"{path}: version {description.get('version')}, expected {FORMAT_VERSION}; make it again")
    return dict(description)


def _check_finite(vectors: NDArray[Any], ids: Sequence[str], source: Path | str) -> None:
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        raise DataError(
            f"{source}: the vector of {ids[int(finite.argmin())]!r} holds NaN or infinite values "
            f"({int((~finite).sum())} such vectors here); compute it again"
        )


def _shape(shape: Sequence[int]) -> str:
    return " × ".join(str(length) for length in shape) or "a single number"
