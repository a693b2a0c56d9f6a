"""The folder of a run: configuration, numbers, captions of each validation, checkpoints.

config.json          the resolved configuration, and which run it started from
metrics.jsonl        one line every few steps (`"kind": "train"`) and one a validation (`"kind": "validation"`)
tensorboard/         the same numbers for TensorBoard, where it is installed
captions/            captions of each validation, in the COCO results format
last/training.pt     everything that an exact resume needs
best/                the best captioner so far, as a model folder
.lock                held by the process that trains here
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from spidercap.config import Config
from spidercap.errors import DataError, UsageError
from spidercap.extras import PARTS
from spidercap.files import held_alone, make_folder, new_file, read_json
from spidercap.recipe import as_tables, first_difference, load_tables
from spidercap.train.checkpoint import load_checkpoint, save_checkpoint

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

CONFIG_FILE = "config.json"
METRICS_FILE = "metrics.jsonl"
LOCK_FILE = ".lock"
CHECKPOINT = Path("last", "training.pt")
BEST = "best"


@dataclass(frozen=True)
class RunFolder:
    """A run's place on disk."""

    path: Path

    @property
    def best(self) -> Path:
        """The best captioner so far."""
        return self.path / BEST

    @property
    def checkpoint(self) -> Path:
        """All that a resume needs."""
        return self.path / CHECKPOINT

    def open(self, config: Config, init: Path | None) -> None:
        """Make the folder, or find it as an earlier process left it."""
        if (self.path / CONFIG_FILE).exists():
            self._check_same(config, init)
        else:
            self._make(config, init)

    def held(self) -> AbstractContextManager[None]:
        """Keep other processes from training in this folder."""
        return held_alone(
            self.path / LOCK_FILE, f"another process is training in {self.path}; wait for it, or choose another --out"
        )

    def state(self) -> dict[str, Any] | None:
        """The checkpoint to go on from, if there is one."""
        return load_checkpoint(self.checkpoint) if self.checkpoint.exists() else None

    def _make(self, config: Config, init: Path | None) -> None:
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise UsageError(f"{self.path} exists and is not a run of spidercap; choose another --out")
        make_folder(self.path / CHECKPOINT.parent)
        make_folder(self.path / "captions")
        with new_file(self.path / CONFIG_FILE) as file:
            file.write(json.dumps({"init": str(init or ""), **as_tables(config)}, indent=2) + "\n")

    def _check_same(self, config: Config, init: Path | None) -> None:
        earlier, started_from = read_settings(self.path)
        difference = first_difference(earlier, config)
        if difference is None and started_from != str(init or ""):
            difference = f"--init is {started_from or 'none'} there and {init or 'none'} here"
        if difference:
            raise UsageError(f"{self.path} is a run with other settings: {difference}; choose another --out")

    def save(self, state: dict[str, Any]) -> None:
        """Replace the checkpoint."""
        save_checkpoint(self.checkpoint, state)

    def captions(self, name: str) -> Path:
        """The results file of a validation (`step-N`), or of the best captioner on a split (`SPLIT-N`)."""
        return self.path / "captions" / f"{name}.json"

    def write_captions(self, name: str, captions: Mapping[str, str]) -> None:
        """Captions by image id, as a results file."""
        rows = [{"image_id": image, "caption": caption} for image, caption in captions.items()]
        with new_file(self.captions(name)) as file:
            json.dump(rows, file, ensure_ascii=False, indent=0)

    @contextmanager
    def log(self, length: int) -> Iterator["RunLog"]:
        """The numbers of the run, cut to the length they had at the checkpoint that it goes on from."""
        path = self.path / METRICS_FILE
        try:
            with path.open("ab") as file:
                file.truncate(length)
                file.seek(0, os.SEEK_END)
                log = RunLog(file, path)
                yield log
                log.close()
        except OSError as error:
            raise DataError(f"{path} cannot be written: {error.strerror}; mend that and start again to go on") from None


def read_settings(folder: Path) -> tuple[Config, str]:
    """The configuration of a run, and what it started from."""
    path = folder / CONFIG_FILE
    tables = read_json(path) if path.is_file() else None
    if not isinstance(tables, dict) or "init" not in tables:
        raise DataError(
            f"{folder} is not a run; expected a folder made by `spidercap train`, with its settings in {CONFIG_FILE}"
        )
    init = str(tables.pop("init"))
    return load_tables(tables, str(path)), init


class RunLog:
    """Lines of metrics.jsonl, and the same for TensorBoard."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self._board = path.parent / "tensorboard"
        self._writer: SummaryWriter | None = None

    def write(self, kind: str, step: int, numbers: Mapping[str, float]) -> int:
        """Add a line; the length of the file after it."""
        line = json.dumps({"kind": kind, "step": step, **numbers})
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        if PARTS["tensorboard"].installed:
            self._write_board(kind, step, numbers)
        return self._file.tell()

    def _write_board(self, kind: str, step: int, numbers: Mapping[str, float]) -> None:
        if self._writer is None:
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(self._board, purge_step=step)
        for name, value in numbers.items():
            self._writer.add_scalar(f"{kind}/{name}", value, step)

    def close(self) -> None:
        """Bring everything to the disk."""
        os.fsync(self._file.fileno())
        if self._writer is not None:
            self._writer.close()
