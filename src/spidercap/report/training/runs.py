"""Training runs as a report sees them: what they are called, what they logged, and that they can be compared."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spidercap.config import Config
from spidercap.data.captions import Dataset
from spidercap.errors import DataError, UsageError
from spidercap.files import read_json
from spidercap.learn.policy import RewardSettings
from spidercap.metrics.names import title
from spidercap.train.run_folder import RunFolder, RunRecord


@dataclass(frozen=True)
class Run(RunRecord):
    """A run and what it is called."""

    name: str = ""

    @property
    def is_mle(self) -> bool:
        """Whether it is maximum likelihood, which the others are compared with."""
        return self.config.learn.algorithm == "mle"


def method_name(config: Config) -> str:
    """The method as the paper's tables name it: MLE, PG-SPIDEr, MIXER-BCMR (SGD), MIXER-BCMR-A (Adam)."""
    learn = config.learn
    if not isinstance(learn, RewardSettings):
        return learn.title
    return f"{learn.title}-{title(learn.reward)}{'-A' if is_adam_mixer(config) else ''}"


def is_adam_mixer(config: Config) -> bool:
    """Whether it is MIXER with Adam, whose name ends in -A; the original is with SGD."""
    return config.learn.algorithm == "mixer" and config.train.optimizer == "adam"


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
    record = RunFolder(folder).record()
    return Run(**vars(record), name=method_name(record.config))


def _data(run: Run) -> str:
    data = run.facts["data"]
    return f"{data['name']} ({data['captions_sha256'][:8]})"
