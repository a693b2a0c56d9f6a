"""The scores of one or several systems on the same images: all at once, or in passing, some images at a time."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from spidercap.metrics.catalogue import metrics_of, per_image_scores, signature
from spidercap.metrics.chunks import CHUNK, Chunk, chunk_rows
from spidercap.metrics.scores import Details, PerImage, Scores
from spidercap.metrics.settings import Settings, one_by_one, tokenize_references
from spidercap.metrics.sums import Sums, corpus_scores
from spidercap.metrics.writing import Writing
from spidercap.text.tokenize import tokenize


def evaluate(
    ids: Sequence[Hashable],
    systems: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    names: Sequence[str],
    settings: Settings,
    inputs: Mapping[str, Sequence[Any]] | None = None,
) -> list[Scores]:
    """Score the captions of one or several systems, one an image; all sequences are in the order of the ids."""
    metrics = metrics_of(names)
    writing = [Writing(metrics) for _ in systems]
    for counts, captions in zip(writing, systems, strict=True):
        counts.add_captions(captions)
    # What the reference's way of lexing gives depends on the neighbours, so it must see all captions at once.
    if together := settings.tokenizer == "ptb-compat":
        systems = [tokenize(captions, settings.tokenizer) for captions in systems]
        references = tokenize_references(references, settings)

    def chunks() -> Iterator[Chunk]:
        for first in range(0, len(references), CHUNK):
            part = slice(first, first + CHUNK)
            further = {name: values[part] for name, values in (inputs or {}).items()}
            yield Chunk([captions[part] for captions in systems], references[part], further)

    found = list(chunk_rows(chunks, metrics, settings, tokenised=together, single=len(references) <= CHUNK))
    signatures = _signatures(names, settings, len(ids))
    digests = [chunk.detailed for chunk in found]
    scored: list[Scores] = []
    for system, (counts, captions) in enumerate(zip(writing, systems, strict=True)):
        rows = {metric.key: np.concatenate([chunk.rows[system][metric.key] for chunk in found]) for metric in metrics}
        counts.add_rows(rows)
        scored.append(
            Scores(
                corpus=corpus_scores(rows, names),
                signature=signatures,
                images=len(ids),
                warnings=tuple(counts.warnings(settings)),
                captions=counts.statistics(),
                per_image=PerImage(ids, names, per_image_scores(rows, names)),
                details=Details(ids, captions, digests, CHUNK, "none" if together else settings.tokenizer),
                rows=rows,
            )
        )
    return scored


def evaluate_in_passing(
    chunks: Callable[[], Iterator[Chunk]], systems: int, names: Sequence[str], settings: Settings
) -> list[Scores]:
    """Corpus scores of systems whose captions and references come in chunks, read once or twice; nothing is kept."""
    metrics = metrics_of(names)
    sums = [Sums(metric.key for metric in metrics) for _ in range(systems)]
    writing = [Writing(metrics) for _ in range(systems)]

    def counted() -> Iterator[Chunk]:
        for number, chunk in enumerate(chunks()):
            if number == 0:  # a second pass counts anew
                writing[:] = [Writing(metrics) for _ in range(systems)]
            for counts, captions in zip(writing, chunk.systems, strict=True):
                counts.add_captions(captions)
            yield chunk

    for scored in chunk_rows(counted, metrics, one_by_one(settings)):
        for total, counts, rows in zip(sums, writing, scored.rows, strict=True):
            total.add(rows)
            counts.add_rows(rows)
    return [
        Scores(
            corpus=total.corpus(names),
            signature=_signatures(names, settings, total.images),
            images=total.images,
            warnings=tuple(counts.warnings(settings)),
            captions=counts.statistics(),
        )
        for total, counts in zip(sums, writing, strict=True)
    ]


def _signatures(names: Sequence[str], settings: Settings, images: int) -> dict[str, str]:
    return {name: signature(name, settings.loaded(), images) for name in names}
