"""Unfinished work on a feature store: a folder beside the result that survives a kill and is gone on from.

`OUT.partial` holds the rows so far, and a journal with one line a picture: its key, and why it was skipped if it was.
Rows reach the disk before their journal lines, so the journal never promises a row that is not there.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import blake2b, sha256
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from numpy.typing import NDArray

from spidercap.errors import DataError
from spidercap.files import new_file, read_json
from spidercap.vision.feature_store import VECTORS_FILE, RowFile, write_ids_and_description
from spidercap.vision.find_pictures import Picture

JOURNAL_FILE = "journal.jsonl"
SETTINGS_FILE = "settings.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """One picture of the journal."""

    key: str
    skipped: str | None = None

    def line(self) -> str:
        """The entry as a line of the journal."""
        return json.dumps([self.key, self.skipped], ensure_ascii=False) + "\n"


def key_of(picture: Picture) -> str:
    """Changes when the picture's id, place, size or time of change does."""
    try:
        status = Path(picture.file).stat()
        state = f"{status.st_size} {status.st_mtime_ns}"
    except OSError:
        state = "missing"
    text = "\0".join((picture.id, os.path.abspath(picture.file), state))  # noqa: PTH100 (resolve() would follow links)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def fingerprint(keys: Sequence[str]) -> str:
    """One hash for a whole list of pictures."""
    return sha256("\n".join(keys).encode()).hexdigest()


class PartialStore:
    """The work so far, locked against a second process; used in a `with` block, left on disk if that fails."""

    def __init__(self, out: Path, network: str, width: int, dtype: str) -> None:
        self.out = out
        self.folder = out.with_name(f"{out.name}.partial")
        self.settings = {"network": network, "width": width, "dtype": dtype}
        self.entries: list[Entry] = []
        self.width, self._dtype = width, dtype
        self._open_files = ExitStack()

    def __enter__(self) -> "PartialStore":
        self.folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as files:
            self._journal: IO[bytes] = files.enter_context((self.folder / JOURNAL_FILE).open("a+b"))
            _lock(self._journal, self.folder)
            self._check_settings()
            self._open_files = files.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open_files.close()

    def resume(self, keys: Sequence[str], keep_skipped: bool = True) -> int:
        """Keep the work on the pictures that still come first, drop what follows; returns how many are done."""
        path = self.folder / VECTORS_FILE
        present = RowFile.rows_in(path, self.width, self._dtype)
        rows = end = 0
        for key, (entry, entry_end) in zip(keys, self._read_journal(), strict=False):
            rows += entry.skipped is None
            if entry.key != key or rows > present or (entry.skipped is not None and not keep_skipped):
                rows -= entry.skipped is None
                break
            self.entries.append(entry)
            end = entry_end
        self._journal.truncate(end)
        self._rows = RowFile(path, self.width, self._dtype, rows)
        self._open_files.callback(self._rows.close)
        return len(self.entries)

    def add(self, pictures: Sequence[Picture], entries: Sequence[Entry], vectors: NDArray[Any]) -> None:
        """Record a batch: `vectors` are those of the pictures that were not skipped."""
        ids = [picture.id for picture, entry in zip(pictures, entries, strict=True) if entry.skipped is None]
        self._rows.append(vectors, ids, str(self.settings["network"]))
        self._rows.sync()
        self._journal.write("".join(entry.line() for entry in entries).encode())
        self._journal.flush()
        os.fsync(self._journal.fileno())
        self.entries.extend(entries)

    def finish(self, pictures: Sequence[Picture]) -> None:
        """Turn the folder into the finished store; it takes its name in one step."""
        self._rows.finish()
        pairs = list(zip(pictures, self.entries, strict=True))
        facts = {
            "source": self.settings["network"],
            "pictures_sha256": fingerprint([entry.key for entry in self.entries]),
            "skipped": [
                {"id": picture.id, "reason": entry.skipped} for picture, entry in pairs if entry.skipped is not None
            ],
        }
        ids = [picture.id for picture, entry in pairs if entry.skipped is None]
        write_ids_and_description(self.folder, self._rows, ids, facts)
        self._open_files.close()
        self.folder.rename(self.out)
        # Only now: were they removed before, a kill in between would lose the work.
        remove_leftovers(self.out)

    def _check_settings(self) -> None:
        path = self.folder / SETTINGS_FILE
        if not path.exists():
            with new_file(path) as file:
                file.write(json.dumps(self.settings) + "\n")
        elif (found := self._read_settings(path)) != self.settings:
            raise DataError(
                f"{self.folder} holds unfinished work of another kind ({_told(found)}; now {_told(self.settings)}); "
                "finish it with the same options, or remove that folder"
            )

    def _read_settings(self, path: Path) -> object:
        try:
            return read_json(path)
        except DataError:
            raise DataError(f"{path} is damaged; remove the folder {self.folder} to begin anew") from None

    def _read_journal(self) -> Iterator[tuple[Entry, int]]:
        """The whole lines of the journal, each with the offset where it ends; a line cut by a kill ends it."""
        self._journal.seek(0)
        end = 0
        for line in self._journal:
            end += len(line)
            if not line.endswith(b"\n"):
                return
            entry = _entry(line)
            if entry is None:
                return
            yield entry, end


def _entry(line: bytes) -> Entry | None:
    """The entry of a line; None for one that is damaged."""
    try:
        key, skipped = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return None
    return Entry(key, skipped) if isinstance(key, str) and isinstance(skipped, str | None) else None


def remove_leftovers(store: Path) -> None:
    """Remove from a finished store what was of use only while it was made."""
    for name in (JOURNAL_FILE, SETTINGS_FILE):
        (store / name).unlink(missing_ok=True)


def _told(settings: object) -> str:
    return ", ".join(f"{key} {value}" for key, value in settings.items()) if isinstance(settings, dict) else "?"


def _lock(file: IO[bytes], folder: Path) -> None:
    """Hold the file until it is closed; the system lets go of it when the process dies, however it dies."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise DataError(f"{folder} is in use by another process; wait for it, or choose another `out`") from None
