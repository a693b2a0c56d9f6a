"""Several systems scored on the same references: what `spidercap score` computes and writes."""

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
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
from spidercap.metrics.resampling import Comparison, compare, confidence_intervals
from spidercap.metrics.scores import Scores
from spidercap.metrics.settings import Settings
from spidercap.metrics.systems import evaluate, evaluate_in_passing
from spidercap.text.amounts import amount

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
            raise UsageError("`comparisons` needs at least two result files")
        if self.per_image is not None and self.per_image.suffix not in PER_IMAGE_SUFFIXES:
            raise UsageError(
                f"`per_image` {self.per_image}: expected a name that ends in {' or '.join(PER_IMAGE_SUFFIXES)}"
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
class Evaluation:
    """All that was computed for one command: the scores of each system by its name, all on the same images."""

    systems: Mapping[str, Scores]
    warnings: tuple[str, ...]
    comparisons: tuple[Comparison, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The shape that `score --json` prints."""
        return {
            "systems": [_system_json(name, system) for name, system in self.systems.items()],
            "comparisons": [_defined(asdict(comparison)) for comparison in self.comparisons],
            "warnings": list(self.warnings),
        }


def _system_json(name: str, system: Scores) -> dict[str, Any]:
    scores = {
        metric: {
            "value": value,
            "ci": [system.intervals[metric].low, system.intervals[metric].high] if system.intervals else None,
            "signature": system.signature[metric],
        }
        for metric, value in system.corpus.items()
    }
    found: dict[str, Any] = {"name": name, "images": system.images, "scores": _defined(scores)}
    if system.captions:
        found["captions"] = system.captions.as_json()
    if system.correlations:
        found["correlations"] = [asdict(correlation) for correlation in system.correlations]
    return found


def _defined(value: Any) -> Any:
    """JSON values in which what is not a number is null."""
    if isinstance(value, dict):
        return {name: _defined(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_defined(each) for each in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def evaluate_systems(request: Request) -> Evaluation:
    """Read, check and score all systems on the same images; the per-image file is written if asked for."""
    if request.per_image is not None:
        check_new_file(request.per_image, "per_image")
    files = (*request.results, *request.references)
    if request.corpus_only and request.settings.tokenizer != "ptb-compat" and is_line_aligned(files):
        return _stream(request)
    truths = read_references(request.references, request.split)
    systems = [read_results(path) for path in request.results]
    ids, warnings = _common_ids(systems, truths, request)
    warnings += _told("references", truths.notes)
    texts = [[system.captions[image] for image in ids] for system in systems]
    found = evaluate(ids, texts, [truths.captions[image] for image in ids], request.metrics, request.settings)
    scored = {system.name: _with_extras(each, request) for system, each in zip(systems, found, strict=True)}
    for system in systems:
        warnings += [*_told(system.name, system.notes), *_warnings(system.name, scored[system.name])]
    if request.per_image is not None:
        write_per_image(request.per_image, systems, scored)
    return Evaluation(scored, tuple(warnings), tuple(_comparisons(found, request)))


def _stream(request: Request) -> Evaluation:
    """Score line-aligned files chunk by chunk; only the sums are kept."""
    count = len(request.results)
    files = AlignedFiles([*request.results, *request.references])

    def chunks() -> Iterator[Chunk]:
        for rows in files.chunks(CHUNK):
            yield Chunk(list(zip(*(row[:count] for row in rows), strict=True)), [row[count:] for row in rows])

    found = evaluate_in_passing(chunks, count, request.metrics, request.settings)
    systems = {system_name(path): one for path, one in zip(request.results, found, strict=True)}
    warnings = [warning for name, system in systems.items() for warning in _warnings(name, system)]
    return Evaluation(systems, (*_told("text files", files.notes), *warnings))


def _told(whose: str, notes: Sequence[Note]) -> list[str]:
    return [f"{whose}: {note}" for note in notes]


def _warnings(name: str, system: Scores) -> list[str]:
    return [f"{name}: {warning}" for warning in system.warnings]


def _common_ids(systems: Sequence[System], truths: References, request: Request) -> tuple[tuple[str, ...], list[str]]:
    """The images to score, in the order of the references, and warnings about those left out."""
    left_out: list[str] = []
    for system, path in zip(systems, request.results, strict=True):
        extra = [image for image in system.captions if image not in truths.captions]
        missing = [image for image in truths.captions if image not in system.captions]
        lacking = ((extra, "caption", "without references"), (missing, "image", "without a caption"))
        for images, noun, without in lacking:
            if images and not request.allow_partial:
                raise DataError(
                    f"{path}: {amount(len(images), noun)} {without}, the first is {images[0]}; give both for every "
                    "image, name the `split` of the references, or score the images that have both with "
                    "`allow_partial`"
                )
            if images:
                left_out.append(f"{system.name}: {amount(len(images), noun)} {without} left out (first: {images[0]})")
    ids = tuple(image for image in truths.captions if all(image in system.captions for system in systems))
    if not ids:
        raise DataError(
            f"{request.results[0]}: no image has both a caption and references; check that the ids are the same"
        )
    return ids, left_out


def _with_extras(scores: Scores, request: Request) -> Scores:
    """The scores with the intervals and correlations that are asked for."""
    asked = request.resampling
    if asked.intervals:
        found = confidence_intervals(scores.rows, asked.level, asked.resamples, asked.seed)
        scores = replace(scores, intervals={metric: found[metric] for metric in request.metrics})
    if request.ratings is not None:
        scores = replace(scores, correlations=tuple(_correlations(scores, request.metrics, request.ratings)))
    return scores


def _correlations(scores: Scores, metrics: Sequence[str], ratings: Path) -> Iterator[Correlation]:
    judged = read_ratings(ratings)
    missing = [image for image, _ in judged if image not in scores.per_image]
    if missing:
        raise DataError(
            f"{ratings}: {amount(len(missing), 'rating')} of images without a score, the first is {missing[0]}; "
            "use the ids of the results"
        )
    values = {image: scores.per_image[image] for image in dict(judged)}
    for metric in metrics:
        pairs = [(values[image][metric], rating) for image, rating in judged]
        defined = [pair for pair in pairs if not math.isnan(pair[0])]
        yield correlate(metric, [score for score, _ in defined], [rating for _, rating in defined])


def _comparisons(systems: Sequence[Scores], request: Request) -> Iterator[Comparison]:
    asked = request.resampling
    names = [system_name(path) for path in request.results]
    for name, other in zip(names[1:], systems[1:], strict=True) if asked.comparisons else ():
        found = compare(systems[0].rows, other.rows, (names[0], name), asked.level, asked.resamples, asked.seed)
        by_metric = {comparison.metric: comparison for comparison in found}
        yield from (by_metric[metric] for metric in request.metrics)


def write_per_image(path: Path, systems: Sequence[System], scored: Mapping[str, Scores]) -> None:
    """One line an image and system, as JSON lines or CSV by the file's ending."""
    with new_file(path) as file:
        if path.suffix == ".jsonl":
            for record in _records(systems, scored):
                file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        else:
            metrics = list(scored[systems[0].name].corpus)
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["system", "id", "caption", *metrics])
            for record in _records(systems, scored, with_details=False):
                values = (record["scores"][metric] for metric in metrics)
                scores = ["" if value is None else repr(value) for value in values]
                writer.writerow([record["system"], record["id"], record["caption"], *scores])


def _records(
    systems: Sequence[System], scored: Mapping[str, Scores], with_details: bool = True
) -> Iterator[dict[str, Any]]:
    """What is known of each image of each system; tuples and scores by category too where SPICE was asked for."""
    for system in systems:
        found = scored[system.name]
        for image, scores in found.per_image.items():
            caption = system.captions[str(image)]
            record = {"system": system.name, "id": image, "caption": caption, "scores": _defined(scores)}
            details = found.details.get(image, {}) if with_details else {}
            yield record | {name: each.as_json() for name, each in details.items()}
