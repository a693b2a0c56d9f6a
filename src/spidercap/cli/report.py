"""`spidercap report`: runs compared on one page."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from spidercap.terminal import say, tell


def report(
    runs: Annotated[list[Path], Parameter(name="RUN")],
    /,
    *,
    out: Annotated[list[Path], Parameter(consume_multiple=True)] = [Path("report.html")],  # noqa: B006
    split: str | None = None,
    images: Path | None = None,
    examples: int = 6,
    seed: int = 0,
    published: bool = False,
) -> None:
    """Compare training runs: the best captioner of each on the test images, with all metrics, curves and examples.

    Captions are made by greedy decoding, once; they are kept in the run's folder. The first maximum-likelihood run is
    the one that the others are compared with.

    Example: spidercap report runs/first --out first.html first.md --published

    Parameters
    ----------
    runs
        Folders made by `spidercap train`, all on the same dataset.
    out
        Files to write, one or several; the form by the ending: .html, .md, .tex, .csv, or .svg for the curves alone.
    split
        Which images (default: test, or val where there is no test).
    images
        The folder of the pictures (default: that of the dataset); without pictures the examples are words alone.
    examples
        How many images are shown with all captions.
    seed
        Chooses which.
    published
        Add the rows of the paper's Table 1 and of the COCO server's best entries of that time, marked as published.
    """

    from spidercap.extras import require

    for part in ("caption", "pages", "plots"):
        require(part)
    from spidercap.report.training.training_report import ReportRequest, report_runs
    from spidercap.report.training.training_tables import print_leaderboard
    from spidercap.text.amounts import amount

    made = report_runs(ReportRequest(runs, out, split, images, examples, seed, published))
    print_leaderboard(made.board)
    if made.rollouts_note:
        tell(f"note: {made.rollouts_note}")
    counts = f"{amount(len(made.runs), 'run')}, {amount(made.board.images, 'image')} of the split {made.split}"
    say(f"{', '.join(map(str, out))}: {counts}")
