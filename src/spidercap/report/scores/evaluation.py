"""Several systems scored on the same references: what `spidercap score` computes and writes."""

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from spidercap.data.captions import Note
from spidercap.data.ratings import read_ratings
from spidercap.data.results import (
    AlignedFiles,
    References,
    System,
    is_line_aligned,
    read_references,
    read_results,
    system_name,
)
from spidercap.errors import DataError, UsageError
from spidercap.files import check_new_file, new_file
from spidercap.metrics.chunks import CHUNK, Chunk
from spidercap.metrics.correlation import Correlation, correlate
from spidercap.metrics.digest import Settings
from spidercap.metrics.resampling import Comparison, Interval, compare, confidence_intervals
from spidercap.metrics.score import Scores, evaluate
from spidercap.metrics.streaming import score_chunks
from spidercap.metrics.writing import CaptionStatistics

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
class Request:
    """What is to be scored with what, and how."""

    results: Sequence[Path]
    references: Sequence[Path]
    metrics: Sequence[str]
    settings: Settings = field(default_factory=Settings)
    resampling: Resampling = field(default_factory=Resampling)
    split: str | None = None
    allow_partial: bool = False
    ratings: Path | None = None
    per_image: Path | None = None

    def __post_init__(self) -> None:
        if self.resampling.comparisons and len(self.results) < 2:
            raise UsageError("--compare needs at least two result files")
        if self.per_image is not None and self.per_image.suffix not in PER_IMAGE_SUFFIXES:
            raise UsageError(
                f"--per-image {self.per_image}: expected a name that ends in {' or '.join(PER_IMAGE_SUFFIXES)}"
            )
        names = [system_name(path) for path in self.results]
        for number, name in enumerate(names):
            if name in names[:number]:
                raise UsageError(
                    f"{self.results[number]}: another result file is named {name!r} too; rename one of them"
                )

    @property
    def corpus_only(self) -> bool:
        """Whether nothing is asked for that needs single images."""
        images = (self.resampling.intervals, self.resampling.comparisons, self.ratings, self.per_image, self.split)
        return not any(images) and not self.allow_partial


@dataclass(frozen=True)
class SystemScores:
    """One system: its scores; `details` and `captions` where images were scored one by one."""

    name: str
    images: int
    corpus: dict[str, float]
    signature: dict[str, str]
    warnings: tuple[str, ...]
    details: Scores | None = None
    captions: dict[str, str] = field(default_factory=dict)
    statistics: CaptionStatistics | None = None
    intervals: dict[str, Interval] = field(default_factory=dict)
    correlations: tuple[Correlation, ...] = ()


@dataclass(frozen=True)
class Evaluation:
    """All that was computed for one command."""

    systems: tuple[SystemScores, ...]
    warnings: tuple[str, ...]
    comparisons: tuple[Comparison, ...] = ()

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
            "signature": system.signature[metric],
        }
        for metric, value in system.corpus.items()
    }
    found: dict[str, Any] = {"name": system.name, "images": system.images, "scores": scores}
    if system.statistics:
        found["captions"] = system.statistics.as_json()
    if system.correlations:
        found["correlations"] = [asdict(correlation) for correlation in system.correlations]
    return found


def evaluate_systems(request: Request) -> Evaluation:
    """Read, check and score all systems on the same images; the per-image file is written if asked for."""
    if request.per_image is not None:
        check_new_file(request.per_image, "--per-image")
    files = (*request.results, *request.references)
    if request.corpus_only and request.settings.tokenizer != "ptb-compat" and is_line_aligned(files):
        return _stream(request)
    truths = read_references(request.references, request.split)
    systems = [read_results(path) for path in request.results]
    ids, warnings = _common_ids(systems, truths, request)
    warnings += _told("references", truths.notes)
    texts = [[system.captions[image] for image in ids] for system in systems]
    found = evaluate(ids, texts, [truths.captions[image] for image in ids], request.metrics, request.settings)
    scored = tuple(_with_details(*pair, request) for pair in zip(systems, found, strict=True))
    for system, read in zip(scored, systems, strict=True):
        warnings += [*_told(system.name, read.notes), *(f"{system.name}: {warning}" for warning in system.warnings)]
    evaluation = Evaluation(scored, tuple(warnings), tuple(_comparisons(found, request)))
    if request.per_image is not None:
        write_per_image(evaluation, request.per_image)
    return evaluation


def _stream(request: Request) -> Evaluation:
    """Score line-aligned files chunk by chunk; only the sums are kept."""
    count = len(request.results)
    files = AlignedFiles([*request.results, *request.references])

    def chunks() -> Iterator[Chunk]:
        for rows in files.chunks(CHUNK):
            yield Chunk(list(zip(*(row[:count] for row in rows), strict=True)), [row[count:] for row in rows])

    found = score_chunks(chunks, count, request.metrics, request.settings)
    systems = tuple(
        SystemScores(system_name(path), one.images, one.corpus, one.signature, one.warnings, statistics=one.captions)
        for path, one in zip(request.results, found, strict=True)
    )
    warnings = [f"{system.name}: {warning}" for system in systems for warning in system.warnings]
    return Evaluation(systems, (*_told("text files", files.notes), *warnings))


def _told(whose: str, notes: Sequence[Note]) -> list[str]:
    return [f"{whose}: {note.count:,} {note.what} (first: {note.first})" for note in notes]


def _common_ids(systems: Sequence[System], truths: References, request: Request) -> tuple[tuple[str, ...], list[str]]:
    """The images to score, in the order of the references, and warnings about those left out."""
    left_out: list[str] = []
    for system, path in zip(systems, request.results, strict=True):
        extra = [image for image in system.captions if image not in truths.captions]
        missing = [image for image in truths.captions if image not in system.captions]
        for images, what in ((extra, "captions without references"), (missing, "images without a caption")):
            if images and not request.allow_partial:
                raise DataError(
                    f"{path}: {len(images):,} {what}, the first is {images[0]}; give both for every image, name the "
                    "--split of the references, or score the images that have both with --allow-partial"
                )
            if images:
                left_out.append(f"{system.name}: {len(images):,} {what} left out (first: {images[0]})")
    ids = tuple(image for image in truths.captions if all(image in system.captions for system in systems))
    if not ids:
        raise DataError(
            f"{request.results[0]}: no image has both a caption and references; check that the ids are the same"
        )
    return ids, left_out


def _with_details(system: System, scores: Scores, request: Request) -> SystemScores:
    asked = request.resampling
    plain = SystemScores(
        name=system.name,
        images=len(scores.per_image),
        corpus=scores.corpus,
        signature=scores.signature,
        warnings=scores.warnings,
        details=scores,
        captions=system.captions,
        statistics=scores.captions,
    )
    if asked.intervals:
        found = confidence_intervals(scores.rows, asked.level, asked.resamples, asked.seed)
        plain = replace(plain, intervals={metric: found[metric] for metric in request.metrics})
    if request.ratings is not None:
        plain = replace(plain, correlations=tuple(_correlations(scores, request.metrics, request.ratings)))
    return plain


def _correlations(scores: Scores, metrics: Sequence[str], ratings: Path) -> Iterator[Correlation]:
    judged = read_ratings(ratings)
    missing = [image for image, _ in judged if image not in scores.per_image]
    if missing:
        raise DataError(
            f"{ratings}: {len(missing):,} ratings of images without a score, the first is {missing[0]}; "
            "use the ids of the results"
        )
    values = {image: scores.per_image[image] for image in dict(judged)}
    for metric in metrics:
        yield correlate(metric, [values[image][metric] for image, _ in judged], [rating for _, rating in judged])


def _comparisons(systems: Sequence[Scores], request: Request) -> Iterator[Comparison]:
    asked = request.resampling
    names = [system_name(path) for path in request.results]
    for name, other in zip(names[1:], systems[1:], strict=True) if asked.comparisons else ():
        found = compare(systems[0].rows, other.rows, (names[0], name), asked.level, asked.resamples, asked.seed)
        by_metric = {comparison.metric: comparison for comparison in found}
        yield from (by_metric[metric] for metric in request.metrics)


def write_per_image(evaluation: Evaluation, path: Path) -> None:
    """One line an image and system, as JSON lines or CSV by the file's ending."""
    with new_file(path) as file:
        if path.suffix == ".jsonl":
            for record in _records(evaluation):
                file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        else:
            metrics = list(evaluation.systems[0].corpus)
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["system", "id", "caption", *metrics])
            for record in _records(evaluation, with_details=False):
                scores = [repr(record["scores"][metric]) for metric in metrics]
                writer.writerow([record["system"], record["id"], record["caption"], *scores])


def _records(evaluation: Evaluation, with_details: bool = True) -> Iterator[dict[str, Any]]:
    """What is known of each image of each system; tuples and scores by category too where SPICE was asked for."""
    for system in evaluation.systems:
        for image, scores in system.details.per_image.items() if system.details else ():
            record = {"system": system.name, "id": image, "caption": system.captions[str(image)], "scores": scores}
            found = system.details.details.get(image, {}) if system.details and with_details else {}
            yield record | {name: details.as_json() for name, details in found.items()}
