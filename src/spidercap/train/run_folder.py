"""The folder of a run: configuration, numbers, captions of each validation, checkpoints.

config.json          the resolved configuration, and which run it started from
metrics.jsonl        one line every few steps (`"kind": "train"`) and one a validation (`"kind": "validation"`)
tensorboard/         the same numbers for TensorBoard, where it is installed
captions/            captions of each validation, in the COCO results format
last/training.pt     everything that an exact resume needs
best/                the best captioner so far, as a model folder
.lock                held by the process that trains here

This module alone writes and reads it.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from torch import Tensor

from spidercap.config import Config
from spidercap.data.json_fields import field
from spidercap.errors import DataError, UsageError
from spidercap.extras import PARTS
from spidercap.files import held_alone, make_folder, new_file, parse_json, read_json, read_text
from spidercap.learn.baseline import Baseline
from spidercap.model.captioner import Captioner
from spidercap.model.folder import BEST, find_model, load_model
from spidercap.recipe import as_tables, first_difference, load_tables
from spidercap.train.checkpoint import load_checkpoint, save_checkpoint
from spidercap.vision.encoders import Encoder
from spidercap.vision.tuned import encoder_of, tuned_encoder

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

CONFIG_FILE = "config.json"
METRICS_FILE = "metrics.jsonl"
LOCK_FILE = ".lock"
CHECKPOINT = Path("last", "training.pt")
LOGGED = {"kind", "step", "seconds"}
"""What every line of metrics.jsonl has."""
RENAMED = {"repetition_rate": "repeated_bigram_rate"}
"""What runs of 0.1.0 called a number that has another name now."""
_MODEL, _BASELINE, _ENCODER = "algorithm.model.", "algorithm.baseline.", "encoder."
"""How the names of weights in a checkpoint begin."""
Numbers = dict[str, float]


@dataclass(frozen=True)
class FinishedRun:
    """What a run left; the captioner of its last step where it has a baseline, which belongs to that one.

    `encoder` is the captioner's own, where it was trained too.
    """

    config: Config
    captioner: Captioner
    baseline: Baseline | None
    encoder: Encoder | None = None


@dataclass(frozen=True)
class RunRecord:
    """A run with a best captioner, as its folder tells of it; `facts` is what the captioner's own folder says."""

    folder: "RunFolder"
    config: Config
    init: str
    facts: dict[str, Any]
    training: Sequence[Numbers]
    validation: Sequence[Numbers]

    @property
    def seconds(self) -> float:
        """How long it was trained."""
        return max((line["seconds"] for line in (*self.training, *self.validation)), default=0.0)

    @property
    def steps(self) -> int:
        """How many steps it was trained."""
        return int(max((line["step"] for line in (*self.training, *self.validation)), default=0))


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
            self.path / LOCK_FILE, f"another process is training in {self.path}; wait for it, or choose another `out`"
        )

    def state(self) -> dict[str, Any] | None:
        """The checkpoint to go on from, if there is one."""
        return load_checkpoint(self.checkpoint) if self.checkpoint.exists() else None

    def _make(self, config: Config, init: Path | None) -> None:
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise UsageError(f"{self.path} exists and is not a run of spidercap; choose another `out`")
        make_folder(self.path / CHECKPOINT.parent)
        make_folder(self.path / "captions")
        with new_file(self.path / CONFIG_FILE) as file:
            file.write(json.dumps({"init": str(init or ""), **as_tables(config)}, indent=2) + "\n")

    def _check_same(self, config: Config, init: Path | None) -> None:
        earlier, started_from = self.settings()
        difference = first_difference(earlier, config)
        if difference is None and started_from != str(init or ""):
            difference = f"`init` is {started_from or 'none'} there and {init or 'none'} here"
        if difference:
            raise UsageError(f"{self.path} is a run with other settings: {difference}; choose another `out`")

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

    def settings(self) -> tuple[Config, str]:
        """The configuration of the run, and what it started from."""
        path = self.path / CONFIG_FILE
        tables = read_json(path) if path.is_file() else None
        if not isinstance(tables, dict) or "init" not in tables:
            raise DataError(
                f"{self.path} is not a run; expected a folder made by `spidercap train`, "
                f"with its settings in {CONFIG_FILE}"
            )
        init = str(tables.pop("init"))
        return load_tables(tables, str(path)), init

    def earlier_settings(self) -> Config | None:
        """The configuration that the run began with, if it has begun."""
        return self.settings()[0] if (self.path / CONFIG_FILE).exists() else None

    def record(self) -> RunRecord:
        """All that is told of the run."""
        config, init = self.settings()
        if not (self.best / CONFIG_FILE).is_file():
            raise DataError(f"{self.path} has no best captioner yet; train it to its first validation")
        facts, lines = _facts(self.best / CONFIG_FILE), list(_numbers(self.path / METRICS_FILE))
        training, validation = ([line for line in lines if line["kind"] == kind] for kind in ("train", "validation"))
        return RunRecord(self, config, init, facts, training, validation)

    def finished(self) -> FinishedRun:
        """The captioner of the run, with its baseline and its encoder where it has them."""
        if not (self.path / CONFIG_FILE).exists() or not self.checkpoint.exists():
            raise UsageError(
                f"{self.path} is not a run of `spidercap train` with a checkpoint; name the folder that it wrote"
            )
        config, _ = self.settings()
        captioner = load_model(find_model(self.path))
        try:
            weights = load_checkpoint(self.checkpoint)["module"]
            baseline = _take_last(captioner, weights)
            if not config.encoder.finetune:
                return FinishedRun(config, captioner, baseline)
            own = _part(weights, _ENCODER)
            encoder = encoder_of(own) if baseline else tuned_encoder(find_model(self.path), "torch")
            return FinishedRun(config, captioner, baseline, encoder)
        except (KeyError, AttributeError, TypeError, ValueError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise DataError(f"{self.checkpoint} lacks weights of the run ({reason}); copy the run again") from None

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


def _facts(path: Path) -> dict[str, Any]:
    """What the captioner's folder says of it, with all that a report asks for."""
    facts = field(read_json(path), "facts", dict, str(path))
    field(facts, "steps", int, f"{path}, facts")
    data = field(facts, "data", dict, f"{path}, facts")
    for key in ("name", "captions_sha256"):
        field(data, key, str, f"{path}, facts, data")
    return facts


def _numbers(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a log; what follows the last line end is a line that is still being written."""
    for number, text in enumerate(read_text(path).split("\n")[:-1], 1):
        line = parse_json(text, f"{path}, line {number}")
        if not isinstance(line, dict) or not line.keys() >= LOGGED:
            raise DataError(
                f"{path}, line {number} is not what training logs: expected {', '.join(sorted(LOGGED))}, "
                f"found {text:.60}; remove the line"
            )
        yield {**line, **{new: line[old] for old, new in RENAMED.items() if old in line}}


def _take_last(captioner: Captioner, weights: dict[str, Any]) -> Baseline | None:
    """Give the captioner its last weights, if they come with a baseline, and make that."""
    own = _part(weights, _BASELINE)
    if not own:
        return None
    captioner.load_state_dict(_part(weights, _MODEL))
    width, hidden = own["layer.weight"].shape
    baseline = Baseline(hidden, width)
    baseline.load_state_dict(own)
    return baseline


def _part(weights: dict[str, Any], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in weights.items() if name.startswith(prefix)}


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
