"""Reading files with clear errors, and writing them so that nothing half-written is ever seen."""

import errno
import gzip
import hashlib
import io
import json
import lzma
import os
import shutil
import stat
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from spidercap.errors import DataError

# Bytes of a line in files that are read line by line; far above any caption.
LINE_LIMIT = 1 << 20
CONTENT_LIMIT = 4 << 30
"""Bytes of a file that is read whole, unpacked: twenty times all captions of COCO."""
UNPACKED_FREELY = 64 << 20
UNPACKED_RATIO = 250
"""What a packed file may unpack to: so many bytes, or so many for each byte of it. Captions pack to a tenth."""
_NOT_FILES = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
_UNPACKERS: dict[str, Callable[[Path], lzma.LZMAFile | gzip.GzipFile]] = {".xz": lzma.LZMAFile, ".gz": gzip.GzipFile}


def check_regular(path: Path) -> None:
    """Raise OSError if there is nothing at `path`, and DataError for what waits for ever when it is opened."""
    if kind := _NOT_FILES.get(stat.S_IFMT(path.stat().st_mode)):
        raise DataError(f"{path} is {kind}, expected a file; copy its content into one")


def read_bytes(path: Path, packing: str = "") -> bytes:
    """The content of a file, unpacked if its name ends in .xz, or as `packing` (.xz or .gz) says."""
    with opened(path, packing, CONTENT_LIMIT) as file:
        return file.read()


@contextmanager
def opened(path: Path, packing: str = "", limit: int = 0) -> Iterator[IO[bytes]]:
    """A regular file to read from, unpacked on the way; what is wrong with it is an error that names it.

    With a `limit` no more bytes than that come out of it.
    """
    packing = packing or (".xz" if path.suffix == ".xz" else "")
    with read_errors(path):
        check_regular(path)
        if limit and path.stat().st_size > limit:
            raise _too_large(path, limit)
        if not packing:
            with path.open("rb") as file:
                yield file
        else:
            with _UNPACKERS[packing](path) as unpacked:
                yield io.BufferedReader(_Unpacked(path, unpacked, limit), LINE_LIMIT)


class _Unpacked(io.RawIOBase):
    """What a packed file holds, piece by piece: a small file that unpacks to gigabytes is refused on the way."""

    def __init__(self, path: Path, unpacked: lzma.LZMAFile | gzip.GzipFile, limit: int) -> None:
        self._path, self._unpacked, self._limit, self._count = path, unpacked, limit, 0
        self._proportion = max(UNPACKED_FREELY, UNPACKED_RATIO * path.stat().st_size)

    def readable(self) -> bool:
        """It is."""
        return True

    def readall(self) -> bytes:
        """All that is left."""
        return b"".join(iter(lambda: self._piece(LINE_LIMIT), b""))

    def readinto(self, buffer: Any) -> int:
        """The next bytes."""
        piece = self._piece(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)

    def _piece(self, size: int) -> bytes:
        piece = self._unpacked.read(size)
        self._count += len(piece)
        if self._limit and self._count > self._limit:
            raise _too_large(self._path, self._limit)
        if self._count > self._proportion:
            raise DataError(
                f"{self._path} unpacks to more than {UNPACKED_RATIO} times its size, which captions do not; "
                "unpack it yourself if you trust it"
            )
        return piece


def _too_large(path: Path, limit: int) -> DataError:
    return DataError(f"{path} holds more than {limit / (1 << 30):.3g} GiB; cut it into several files")


@contextmanager
def read_errors(path: Path) -> Iterator[None]:
    """Say what could not be read, and why."""
    try:
        yield
    except MemoryError:
        raise DataError(f"{path} does not fit into the memory; cut it into several files") from None
    except FileNotFoundError:
        raise DataError(f"{path} does not exist; check the path") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder, expected a file") from None
    except (lzma.LZMAError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        reason, kind = str(error)[:1].lower() + str(error)[1:], "xz" if path.suffix == ".xz" else "gzip"
        raise DataError(f"{path} is not a whole {kind} file ({reason}); copy it again") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file as it lies on disk, in hexadecimal."""
    with read_errors(path):
        check_regular(path)
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def read_text(path: Path) -> str:
    """The content of a UTF-8 file; a byte-order mark is dropped, NUL and invalid UTF-8 are errors."""
    return decode_text(read_bytes(path), str(path))


def decode_text(content: bytes, where: str) -> str:
    """The text of UTF-8 bytes; `where` names them in errors."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{where}, line {line}: byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8"
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise DataError(f"{where}, line {line}: NUL character; expected text, remove the NUL")
    return text


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 file, which end at LF or CR LF alone: U+2028 and its like stay inside a line."""
    return lines_of(read_text(path))


def lines_of(text: str) -> list[str]:
    """The lines of text that end at LF or CR LF."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if not lines[-1] else lines


def iterate_lines(path: Path) -> Iterator[str]:
    """The lines that `read_lines` gives, one after the other: the memory does not grow with the file."""
    with opened(path) as file:
        number = 0
        while line := file.readline(LINE_LIMIT + 1):
            number += 1
            yield _decoded(line, f"{path}, line {number}", first=number == 1)


def _decoded(line: bytes, where: str, first: bool) -> str:
    if len(line) > LINE_LIMIT:
        raise DataError(f"{where} has more than {LINE_LIMIT:,} bytes; expected one caption a line, check the line ends")
    try:
        text = line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8-sig" if first else "utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{where}: byte 0x{line[error.start]:02x} is not UTF-8; save the file as UTF-8") from None
    if "\0" in text:
        raise DataError(f"{where}: NUL character; expected text, remove the NUL")
    return text


def read_json(path: Path) -> Any:
    """The value in a JSON file."""
    return parse_json(read_text(path), str(path))


def parse_json(text: str, where: str) -> Any:
    """The value of JSON text; `where` names it in errors. A key that occurs twice in one object is an error."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        cut = "is cut short" if _ends_early(error, text) else "is not JSON"
        place = f"line {error.lineno}, column {error.colno}" if "\n" in text else f"column {error.colno}"
        # Some of Python's messages end in "at" themselves.
        fault = error.msg.removesuffix(" at")
        raise DataError(f"{where} {cut}: {fault} at {place}; mend it or copy it again") from None
    except RecursionError:
        raise DataError(f"{where} is nested too deeply to be read; expected flat lists of records") from None
    except MemoryError:
        raise DataError(f"{where} does not fit into the memory; cut it into several files") from None
    except ValueError as error:
        raise DataError(f"{where} cannot be used: {_own_words(error)}") from None


def _own_words(error: ValueError) -> str:
    """Python's own advice on long numbers is for programmers."""
    told = str(error)
    return "a number has thousands of digits; write it as text" if "integer string" in told else told


def _ends_early(error: json.JSONDecodeError, text: str) -> bool:
    return error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of JSON key-value pairs; plain `json` would silently keep only the last of equal keys."""
    record = dict(pairs)
    if len(record) < len(pairs):
        repeated = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {json.dumps(repeated)} occurs twice in one object; keep one of them")
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys)


@contextmanager
def new_file(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file that appears under its name whole, when the block ends well, and not at all otherwise."""
    encoding, newline = (None, None) if "b" in mode else ("utf-8", "\n")
    with new_path(path) as temporary, temporary.open(mode, encoding=encoding, newline=newline) as file:
        yield file


@contextmanager
def new_path(path: Path) -> Iterator[Path]:
    """A temporary file that takes the name `path` when the block ends well, and vanishes otherwise."""
    with _write_errors(path):
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@contextmanager
def held_alone(path: Path, refusal: str) -> Iterator[None]:
    """Hold a lock file for this process, or raise `refusal`; it is let go of when the process ends, however it ends.

    On a file system without locks nothing is held and nothing refused.
    """
    import sqlite3

    # SQLite's lock on an empty file: the same on all systems, and nothing is left behind by a crash.
    try:
        lock = sqlite3.connect(path, timeout=0, isolation_level=None)
    except sqlite3.OperationalError:
        raise _NotWrittenError(path, "no lock can be made there") from None
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.DatabaseError as error:
        filled = f"{path} has content, and a lock must be an empty file; remove it"
        refusals = {sqlite3.SQLITE_BUSY: refusal, sqlite3.SQLITE_NOTADB: filled}
        if error.sqlite_errorcode in refusals:
            lock.close()
            raise DataError(refusals[error.sqlite_errorcode]) from None
    try:
        yield
    finally:
        lock.close()


def refuse_existing(path: Path, setting: str = "out") -> None:
    """Raise if something already has the name of a file or folder that is to be made; `setting` is what gives it."""
    if os.path.lexists(path):
        raise DataError(f"{path} already exists; choose another `{setting}` or remove it first")


def check_new_file(path: Path, setting: str = "out") -> None:
    """Raise, before any work is done, if a file could not be made there, or exists already."""
    refuse_existing(path, setting)
    check_destination(path)


def check_destination(path: Path) -> None:
    """Raise, before any work is done, unless a file can be written there."""
    if not path.parent.is_dir():
        raise DataError(f"{path} cannot be written: {path.parent} is not a folder; make it first")
    with _write_errors(path):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        tempfile.TemporaryFile(dir=path.parent).close()


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A temporary folder that takes the name `path` when the block ends well, and vanishes otherwise."""
    refuse_existing(path)
    with _write_errors(path), _parents_of(path):
        temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        try:
            yield temporary
            temporary.chmod(0o777 & ~_umask())
            temporary.rename(path)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise


@contextmanager
def _parents_of(path: Path) -> Iterator[None]:
    """Make the folders above `path`; take those that were missing away again if the block fails."""
    missing = [parent for parent in path.parents if not os.path.lexists(parent)]
    try:
        if path.parent.is_file():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for parent in missing:
            with suppress(OSError):
                parent.rmdir()
        raise


class _NotWrittenError(DataError):
    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} cannot be written: {reason}; choose a place with space and write permission")
        self.reason = reason


@contextmanager
def _write_errors(path: Path) -> Iterator[None]:
    """Say what could not be written: the outermost thing, for a file in a temporary folder means nothing to anyone."""
    try:
        yield
    except OSError as error:
        raise _NotWrittenError(path, error.strerror or str(error)) from error
    except _NotWrittenError as error:
        raise _NotWrittenError(path, error.reason) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, unless it is there."""
    with _write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)


def make_cache_folder(folder: Path) -> None:
    """Make a folder of the cache, unless it is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            f"the cache folder {folder} cannot be made: {error.strerror}; set SPIDERCAP_CACHE to a folder that can"
        ) from None


def cache_folder() -> Path:
    """Where files made once are kept: $SPIDERCAP_CACHE, else where this system keeps caches (~/.cache/spidercap)."""
    from platformdirs import user_cache_path

    chosen = os.environ.get("SPIDERCAP_CACHE")
    return Path(chosen) if chosen else user_cache_path("spidercap", appauthor=False)
