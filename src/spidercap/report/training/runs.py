"""Training runs as a report sees them: what they are called, what they logged, and that they can be compared."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from spidercap.config import Config
from spidercap.data.captions import Dataset
from spidercap.data.records import field
from spidercap.errors import DataError, UsageError
from spidercap.files import parse_json, read_json, read_text
from spidercap.learn.policy import RewardSettings
from spidercap.metrics.names import title
from spidercap.train.run_folder import CONFIG_FILE, METRICS_FILE, RunFolder, read_settings

LOGGED = {"kind", "step", "seconds"}
"""What every line of metrics.jsonl has."""
RENAMED = {"repetition_rate": "repeated_bigram_rate"}
"""What runs of 0.1.0 called a number that has another name now."""
Numbers = dict[str, float]


@dataclass(frozen=True)
class Run:
    """A run with a best captioner; `facts` is what that captioner's folder says of it."""

    name: str
    folder: RunFolder
    config: Config
    init: str
    facts: dict[str, Any]
    training: Sequence[Numbers]
    validation: Sequence[Numbers]

    @property
    def is_mle(self) -> bool:
        """Whether it is maximum likelihood, which the others are compared with."""
        return self.config.learn.algorithm == "mle"

    @property
    def seconds(self) -> float:
        """How long it was trained."""
        return max((line["seconds"] for line in (*self.training, *self.validation)), default=0.0)

    @property
    def steps(self) -> int:
        """How many steps it was trained."""
        return int(max((line["step"] for line in (*self.training, *self.validation)), default=0))


def method_name(config: Config) -> str:
    """The method as the paper's tables name it: MLE, PG-SPIDEr, MIXER-BCMR (SGD), MIXER-BCMR-A (Adam)."""
    learn = config.learn
    if not isinstance(learn, RewardSettings):
        return learn.title
    adam = "-A" if learn.algorithm == "mixer" and config.train.optimizer == "adam" else ""
    return f"{learn.title}-{title(learn.reward)}{adam}"


def load_runs(folders: Sequence[Path]) -> list[Run]:
    """Read the runs and check that all were trained on the same captions; equal methods get their folder's name too."""
    runs = [_load_run(folder) for folder in dict.fromkeys(folders)]
    if not runs:
        raise UsageError("name at least one run, a folder made by `spidercap train`")
    for run in runs[1:]:
        if run.facts["data"] != runs[0].facts["data"]:
            raise DataError(
                f"{run.folder.path} was trained on {_data(run)} and {runs[0].folder.path} on {_data(runs[0])}; "
                "report runs of one dataset together"
            )
    return _told_apart(runs)


def _told_apart(runs: Sequence[Run]) -> list[Run]:
    """The runs with names of their own: the method, with the folder where it is not alone, with the path if need be."""
    choices = [(run.name, f"{run.name} ({run.folder.path.name})", f"{run.name} ({run.folder.path})") for run in runs]
    taken = Counter(name for names in choices for name in names)
    alone = [next(name for name in names if taken[name] == 1 or name == names[-1]) for names in choices]
    return [replace(run, name=name) for run, name in zip(runs, alone, strict=True)]


def load_dataset(run: Run) -> Dataset:
    """The dataset that a run was trained on, as it lies on disk now."""
    folder = Path(run.config.data.folder)
    dataset = Dataset.load(folder)
    found = read_json(folder / "dataset.json")["captions_sha256"]
    if found != run.facts["data"]["captions_sha256"]:
        raise DataError(f"{folder} is not what {run.folder.path} was trained on; its captions have changed since")
    return dataset


def _load_run(folder: Path) -> Run:
    config, init = read_settings(folder)
    place = RunFolder(folder)
    if not (place.best / CONFIG_FILE).is_file():
        raise DataError(f"{folder} has no best captioner yet; train it to its first validation")
    facts = _facts(place.best / CONFIG_FILE)
    lines = list(_numbers(folder / METRICS_FILE))
    training, validation = ([line for line in lines if line["kind"] == kind] for kind in ("train", "validation"))
    return Run(method_name(config), place, config, init, facts, training, validation)


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


def _data(run: Run) -> str:
    data = run.facts["data"]
    return f"{data['name']} ({data['captions_sha256'][:8]})"
