"""Reading files with clear errors, and writing them so that nothing half-written is ever seen."""

import json
import lzma
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from spidercap.errors import DataError


def read_bytes(path: Path) -> bytes:
    """The content of a file, unpacked if its name ends in .xz."""
    try:
        content = path.read_bytes()
        return lzma.decompress(content) if path.suffix == ".xz" else content
    except FileNotFoundError:
        raise DataError(f"{path} does not exist; check the path") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder, expected a file") from None
    except lzma.LZMAError as error:
        raise DataError(f"{path} is not a whole xz file ({error}); copy it again") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None


def read_text(path: Path) -> str:
    """The content of a UTF-8 file; a byte-order mark is dropped, NUL and invalid UTF-8 are errors."""
    content = read_bytes(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{path}, line {line}: byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8"
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise DataError(f"{path}, line {line}: NUL character; expected text, remove the NUL")
    return text


def read_json(path: Path) -> Any:
    """The value in a JSON file."""
    return parse_json(read_text(path), str(path))


def parse_json(text: str, where: str) -> Any:
    """The value of JSON text; `where` names it in errors."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        cut = "is cut short" if error.pos >= len(text.rstrip()) else "is not JSON"
        raise DataError(f"{where} {cut}: {error.msg} at line {error.lineno}, column {error.colno}") from None


@contextmanager
def new_file(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file that appears under its name whole, when the block ends well, and not at all otherwise."""
    encoding, newline = (None, None) if "b" in mode else ("utf-8", "\n")
    with _write_errors(path):
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, mode, encoding=encoding, newline=newline) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A temporary folder that takes the name `path` when the block ends well, and vanishes otherwise."""
    if path.exists():
        raise DataError(f"{path} already exists; choose another --out or remove it first")
    with _write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        try:
            yield temporary
            temporary.chmod(0o777 & ~_umask())
            temporary.rename(path)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise


@contextmanager
def _write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(
            f"{path} cannot be written: {error.strerror}; choose a place with space and write permission"
        ) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def cache_folder() -> Path:
    """Where files made once are kept: $SPIDERCAP_CACHE, else $XDG_CACHE_HOME/spidercap, else ~/.cache/spidercap."""
    if chosen := os.environ.get("SPIDERCAP_CACHE"):
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "spidercap"
