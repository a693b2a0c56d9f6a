"""What `spidercap report` tells of runs: the best captioner of each on one split, scored, compared and written down."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.errors import DataError, SpidercapError, UsageError
from spidercap.files import check_destination, new_file
from spidercap.metrics.settings import Settings
from spidercap.metrics.systems import evaluate
from spidercap.report.training.content import TrainingReport
from spidercap.report.training.curves import curves_picture
from spidercap.report.training.examples import choose, example, picture_source
from spidercap.report.training.leaderboard import METRICS, leaderboard, spice_parts
from spidercap.report.training.rollout_page import RolloutPage, rollout_view
from spidercap.report.training.run_captions import captions_of_runs, choose_split
from spidercap.report.training.runs import Run, load_dataset, load_runs
from spidercap.report.training.training_page import training_page
from spidercap.report.training.training_tables import comma_separated, latex, markdown
from spidercap.train.explained_image import explain_image
from spidercap.train.run_folder import FinishedRun

EXPLAINED = 3
"""Captions that are shown word by word, whatever the number of examples."""
FORMATS: dict[str, Callable[[TrainingReport], str]] = {
    ".html": training_page,
    ".md": markdown,
    ".tex": lambda report: latex(report.board),
    ".csv": lambda report: comma_separated(report.board),
    ".svg": lambda report: curves_picture(report.runs),
}


@dataclass(frozen=True)
class ReportRequest:
    """Which runs are reported, on what, and where to."""

    runs: Sequence[Path]
    out: Sequence[Path]
    split: str | None = None
    images: Path | None = None
    examples: int = 6
    seed: int = 0
    published: bool = False

    def __post_init__(self) -> None:
        if self.examples < 0:
            raise UsageError(f"`examples` must be 0 or more, got {self.examples}")
        for path in self.out:
            if path.suffix not in FORMATS:
                raise UsageError(f"`out` {path}: expected a name that ends in {', '.join(FORMATS)}")


def report_runs(request: ReportRequest) -> TrainingReport:
    """Caption, score, compare, and write every file that is asked for."""
    for path in request.out:
        check_destination(path)
    report = make_report(request)
    for path in request.out:
        text = FORMATS[path.suffix](report)
        with new_file(path) as file:
            file.write(text)
    return report


def make_report(request: ReportRequest) -> TrainingReport:
    """Caption the split with each run's best captioner, where that was not done before, and score the captions."""
    if request.images is not None and not request.images.is_dir():
        raise DataError(f"{request.images} is not a folder; `images` names the folder that holds the pictures")
    runs = load_runs(request.runs)
    dataset = load_dataset(runs[0])
    split = choose_split(dataset, request.split)
    images = dataset.split(split)
    ids = [image.id for image in images]
    captions = captions_of_runs(runs, ids, split, request.images)
    names = [run.name for run in runs]
    scores = evaluate(ids, captions, [image.captions for image in images], METRICS, Settings())
    against = next((number for number, run in enumerate(runs) if run.is_mle), 0)
    folder = request.images or Path(runs[0].config.data.images or Path(runs[0].config.data.folder) / "images")
    row_of = {image: row for row, image in enumerate(ids)}
    drawn = choose(images, folder, max(request.examples, EXPLAINED), request.seed)
    shown = drawn[: request.examples]
    page = any(path.suffix == ".html" for path in request.out)
    rollouts, rollouts_note = _rollouts(runs, dataset, drawn[:EXPLAINED], folder) if page else ([], "")
    return TrainingReport(
        dataset=dataset.name,
        split=split,
        runs=runs,
        board=leaderboard(names, scores, against, request.published),
        parts={name: spice_parts(each) for name, each in zip(names, scores, strict=True)},
        writing={name: each.captions for name, each in zip(names, scores, strict=True) if each.captions},
        examples=[
            example(image, folder, names, [texts[row_of[image.id]] for texts in captions], scores) for image in shown
        ],
        rollouts=rollouts,
        rollouts_note=rollouts_note,
        signatures=scores[0].signature,
    )


def _rollouts(
    runs: Sequence[Run], dataset: Dataset, images: Sequence[CaptionedImage], folder: Path
) -> tuple[list[RolloutPage], str]:
    """What each word of a sampled caption is worth to the first policy-gradient run whose last weights are there.

    They need more than the scores do (the checkpoint, the reward): the report goes on without them, and says why.
    """
    run = next((run for run in runs if run.config.learn.algorithm == "pg" and run.folder.checkpoint.exists()), None)
    if run is None:
        return [], ""
    try:
        finished = run.folder.finished()
        return [_rollout(run, finished, dataset, image, folder) for image in images], ""
    except SpidercapError as error:
        return [], f"what each word is worth to {run.name} is left out: {error}"


def _rollout(run: Run, finished: FinishedRun, dataset: Dataset, image: CaptionedImage, folder: Path) -> RolloutPage:
    found = explain_image(finished, dataset, image, images=folder if folder.is_dir() else None)
    return rollout_view(run.name, image.id, found, image.captions, picture_source(image, folder))
