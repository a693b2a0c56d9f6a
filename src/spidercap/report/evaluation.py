"""Several systems scored on the same references: what `spidercap score` prints and writes."""

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from spidercap.data.ratings import read_ratings
from spidercap.data.results import References, System, read_references, read_results
from spidercap.errors import DataError, UsageError
from spidercap.files import new_file
from spidercap.metrics.correlation import Correlation, correlate
from spidercap.metrics.digest import Settings
from spidercap.metrics.resampling import Comparison, Interval, compare, confidence_intervals
from spidercap.metrics.score import Scores, evaluate

PER_IMAGE_SUFFIXES = (".jsonl", ".csv")


@dataclass(frozen=True)
class Resampling:
    """What resampling is asked for."""

    intervals: bool = False
    comparisons: bool = False
    resamples: int = 1000
    level: float = 0.95
    seed: int = 0


@dataclass(frozen=True)
class SystemScores:
    """One system: its captions and their scores."""

    name: str
    ids: tuple[str, ...]
    captions: dict[str, str]
    scores: Scores
    intervals: dict[str, Interval] = field(default_factory=dict)
    correlations: tuple[Correlation, ...] = ()


@dataclass(frozen=True)
class Evaluation:
    """All that was computed for one command."""

    systems: tuple[SystemScores, ...]
    comparisons: tuple[Comparison, ...]
    warnings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The shape that `score --json` prints."""
        return {
            "systems": [_system_json(system) for system in self.systems],
            "comparisons": [asdict(comparison) for comparison in self.comparisons],
            "warnings": list(self.warnings),
        }


def _system_json(system: SystemScores) -> dict[str, Any]:
    scores = {
        metric: {
            "value": value,
            "ci": [system.intervals[metric].low, system.intervals[metric].high] if system.intervals else None,
            "signature": system.scores.signature[metric],
        }
        for metric, value in system.scores.corpus.items()
    }
    found: dict[str, Any] = {"name": system.name, "images": len(system.ids), "scores": scores}
    if system.correlations:
        found["correlations"] = [asdict(correlation) for correlation in system.correlations]
    return found


def evaluate_systems(
    results: Sequence[Path],
    references: Sequence[Path],
    metrics: Sequence[str],
    settings: Settings,
    resampling: Resampling,
    split: str | None = None,
    allow_partial: bool = False,
    ratings: Path | None = None,
) -> Evaluation:
    """Read, check and score all systems; with several, all of them on the same images."""
    if resampling.comparisons and len(results) < 2:
        raise UsageError("--compare needs at least two result files")
    truths = read_references(references, split)
    systems = [read_results(path) for path in results]
    _check_names(systems, results)
    ids, warnings = _common_ids(systems, results, truths, allow_partial)
    warnings += [f"references: {note.count:,} {note.what} (first: {note.first})" for note in truths.notes]
    scored = [_score_system(system, ids, truths, metrics, settings, resampling, ratings) for system in systems]
    for system in scored:
        warnings += [f"{system.name}: {warning}" for warning in system.scores.warnings]
    return Evaluation(tuple(scored), tuple(_comparisons(scored, resampling, metrics)), tuple(warnings))


def _check_names(systems: Sequence[System], results: Sequence[Path]) -> None:
    for number, system in enumerate(systems):
        if system.name in {other.name for other in systems[:number]}:
            raise UsageError(f"{results[number]}: another result file is named {system.name!r} too; rename one of them")


def _common_ids(
    systems: Sequence[System], results: Sequence[Path], truths: References, allow_partial: bool
) -> tuple[tuple[str, ...], list[str]]:
    """The images to score, in the order of the references, and warnings about those left out."""
    left_out: list[str] = []
    for system, path in zip(systems, results, strict=True):
        extra = [image for image in system.captions if image not in truths.captions]
        missing = [image for image in truths.captions if image not in system.captions]
        for images, what in ((extra, "captions without references"), (missing, "images without a caption")):
            if images and not allow_partial:
                raise DataError(
                    f"{path}: {len(images):,} {what}, the first is {images[0]}; "
                    "give both for every image, or score those that have both with --allow-partial"
                )
            if images:
                left_out.append(f"{system.name}: {len(images):,} {what} left out (first: {images[0]})")
    ids = tuple(image for image in truths.captions if all(image in system.captions for system in systems))
    if not ids:
        raise DataError(f"{results[0]}: no image has both a caption and references; check that the ids are the same")
    return ids, left_out


def _score_system(
    system: System,
    ids: tuple[str, ...],
    truths: References,
    metrics: Sequence[str],
    settings: Settings,
    resampling: Resampling,
    ratings: Path | None,
) -> SystemScores:
    captions = [system.captions[image] for image in ids]
    scores = evaluate(ids, captions, [truths.captions[image] for image in ids], metrics, settings)
    intervals = (
        confidence_intervals(scores.rows, resampling.level, resampling.resamples, resampling.seed)
        if resampling.intervals
        else {}
    )
    correlations = tuple(_correlations(scores, metrics, ratings)) if ratings else ()
    return SystemScores(system.name, ids, system.captions, scores, intervals, correlations)


def _correlations(scores: Scores, metrics: Sequence[str], ratings: Path) -> Iterator[Correlation]:
    judged = read_ratings(ratings)
    missing = [image for image, _ in judged if image not in scores.per_image]
    if missing:
        raise DataError(f"{ratings}: {len(missing):,} ratings of images without a score, the first is {missing[0]}")
    values = {image: scores.per_image[image] for image in dict(judged)}
    for metric in metrics:
        yield correlate(metric, [values[image][metric] for image, _ in judged], [rating for _, rating in judged])


def _comparisons(
    systems: Sequence[SystemScores], resampling: Resampling, metrics: Sequence[str]
) -> Iterator[Comparison]:
    first, *others = systems
    for other in others if resampling.comparisons else ():
        names = (first.name, other.name)
        found = compare(
            first.scores.rows, other.scores.rows, names, resampling.level, resampling.resamples, resampling.seed
        )
        yield from (comparison for comparison in found if comparison.metric in metrics)


def write_per_image(evaluation: Evaluation, path: Path) -> None:
    """One line an image and system, as JSON lines or CSV by the file's ending."""
    if path.suffix not in PER_IMAGE_SUFFIXES:
        raise UsageError(f"--per-image {path}: expected a name that ends in {' or '.join(PER_IMAGE_SUFFIXES)}")
    with new_file(path) as file:
        if path.suffix == ".jsonl":
            file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in _records(evaluation))
        else:
            metrics = list(evaluation.systems[0].scores.corpus)
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["system", "id", "caption", *metrics])
            for record in _records(evaluation):
                scores = [repr(record["scores"][metric]) for metric in metrics]
                writer.writerow([record["system"], record["id"], record["caption"], *scores])


def _records(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    for system in evaluation.systems:
        for image in system.ids:
            scores = system.scores.per_image[image]
            yield {"system": system.name, "id": image, "caption": system.captions[image], "scores": scores}


def print_report(evaluation: Evaluation, as_json: bool, percent: bool) -> None:
    """Print tables, or JSON, to standard output; warnings go to standard error."""
    for warning in evaluation.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    if as_json:
        print(json.dumps(evaluation.as_json(), indent=2, ensure_ascii=False))
    else:
        _print_tables(evaluation, 100 if percent else 1)


def _print_tables(evaluation: Evaluation, scale: int) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    digits = 2 if scale == 100 else 4
    scores = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    scores.add_column("system", no_wrap=True)
    scores.add_column("images", justify="right", no_wrap=True)
    for metric in evaluation.systems[0].scores.corpus:
        scores.add_column(metric, justify="right", no_wrap=True)
    for system in evaluation.systems:
        cells = [_cell(system, metric, value, scale, digits) for metric, value in system.scores.corpus.items()]
        scores.add_row(system.name, f"{len(system.ids):,}", *cells)
    tables = [scores, *_comparison_table(evaluation, scale, digits), *_correlation_tables(evaluation)]
    console = Console(highlight=False)
    for table in tables:
        console.print(table)
    for line in sorted(set(evaluation.systems[0].scores.signature.values())):
        console.print(line, markup=False, soft_wrap=True)


def _cell(system: SystemScores, metric: str, value: float, scale: int, digits: int) -> str:
    if not system.intervals:
        return f"{value * scale:.{digits}f}"
    interval = system.intervals[metric]
    return f"{value * scale:.{digits}f}\n[{interval.low * scale:.{digits}f}, {interval.high * scale:.{digits}f}]"


def _comparison_table(evaluation: Evaluation, scale: int, digits: int) -> Iterator[Any]:
    from rich.box import SIMPLE
    from rich.table import Table

    if evaluation.comparisons:
        table = Table(box=SIMPLE)
        for title in ("system", "against", "metric", "difference", "interval", "p bootstrap", "p randomisation"):
            table.add_column(title, justify="left" if title in ("system", "against", "metric") else "right")
        for one in evaluation.comparisons:
            interval = f"[{one.interval.low * scale:+.{digits}f}, {one.interval.high * scale:+.{digits}f}]"
            chances = (f"{one.bootstrap_p:.4f}", f"{one.randomisation_p:.4f}")
            table.add_row(
                one.second, one.first, one.metric, f"{one.difference * scale:+.{digits}f}", interval, *chances
            )
        yield table


def _correlation_tables(evaluation: Evaluation) -> Iterator[Any]:
    from rich.box import SIMPLE
    from rich.table import Table

    for system in evaluation.systems:
        if system.correlations:
            judgements = system.correlations[0].judgements
            table = Table(title=f"{system.name}: correlation with {judgements:,} judgements, × 100", box=SIMPLE)
            for title in ("metric", "Kendall τ_b", "Kendall τ_c", "Spearman", "Pearson"):
                table.add_column(title, justify="left" if title == "metric" else "right")
            for one in system.correlations:
                values = (one.kendall_b, one.kendall_c, one.spearman, one.pearson)
                table.add_row(one.metric, *("–" if value is None else f"{100 * value:.1f}" for value in values))
            yield table
