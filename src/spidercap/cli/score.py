"""`spidercap score`: all metrics of the COCO caption evaluation, for one or several systems."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

Several = Parameter(consume_multiple=True)


def _known(_: object) -> str:
    """The default metrics and the others, which are looked up only when the help is shown: that takes numpy."""
    from spidercap.metrics.names import DEFAULT_METRICS, GROUPS, METRIC_NAMES

    others = [name for name in (*METRIC_NAMES, *GROUPS) if name not in DEFAULT_METRICS]
    return f"{', '.join(DEFAULT_METRICS)}; also known: {', '.join(others)}"


def score(
    results: Annotated[list[Path], Parameter(name="RESULTS")],
    /,
    *,
    refs: Annotated[list[Path], Several],
    metrics: Annotated[list[str] | None, Parameter(consume_multiple=True, show_default=_known)] = None,
    tokenizer: Literal["ptb", "ptb-compat", "none"] = "ptb",
    df: str = "corpus",
    split: str | None = None,
    no_paraphrases: bool = False,
    allow_partial: bool = False,
    percent: bool = False,
    ci: bool = False,
    comparisons: Annotated[bool, Parameter(name="--compare")] = False,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    correlate: Path | None = None,
    per_image: Path | None = None,
    json: bool = False,
    threads: int = 0,
) -> None:
    """Score captions against references: the metrics of the COCO caption evaluation, SPICE and SPIDEr, without Java.

    Every score carries a signature: tokenizer, variant, document frequencies and version.

    Example: spidercap score results.json --refs references.json

    Parameters
    ----------
    results
        One or several systems' captions: COCO results, {id: caption} JSON, JSON lines, CSV, or .txt, a caption a line.
    refs
        References: COCO captions, {id: [captions]} JSON, CSV, a prepared dataset, or line-aligned .txt files.
    metrics
        Which metrics; bleu stands for all four, coco for the seven of the COCO evaluation.
    tokenizer
        `ptb` lexes each caption alone; `ptb-compat` all as one text, as the reference does; `none` splits at blanks.
    df
        Document frequencies of CIDEr: `corpus` (these references), `coco` (built in), or a file made by `spidercap df`.
    split
        Use only the references of this split, of a prepared dataset or another source that tells splits.
    no_paraphrases
        METEOR without its paraphrase table (needs no extra; the signature says so).
    allow_partial
        Score the images that have both a caption and references, and say how many do not.
    percent
        Print scores times 100 in tables; JSON holds raw scores.
    ci
        Add bootstrap confidence intervals.
    comparisons
        Compare each system with the first: paired bootstrap and approximate randomisation.
    resamples
        How many resamples for --ci and --compare.
    level
        Confidence level of intervals.
    seed
        What resampling draws from.
    correlate
        Correlate with human ratings: a CSV file `id,rating`, one row a judgement.
    per_image
        Write the scores of each image to this .jsonl or .csv file.
    json
        Print one JSON object instead of tables.
    threads
        Threads to use; 0 means all cores.
    """
    from spidercap.errors import UsageError
    from spidercap.metrics.names import metric_names
    from spidercap.metrics.settings import Settings
    from spidercap.report.scores.evaluation import Request, Resampling, evaluate_systems
    from spidercap.report.scores.score_tables import print_report

    if percent and json:
        raise UsageError("--percent is for tables, and JSON holds raw scores; leave out one of the two")
    names = metric_names([part for name in metrics for part in name.split(",")] if metrics else None)
    settings = Settings(tokenizer, df, not no_paraphrases, threads)
    resampling = Resampling(ci, comparisons, resamples, level, seed)
    request = Request(results, refs, names, settings, resampling, split, allow_partial, correlate, per_image)
    print_report(evaluate_systems(request), as_json=json, percent=percent)
