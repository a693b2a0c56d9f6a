"""Statistics of any number of captions, some images at a time: the memory does not grow with their number."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from spidercap.metrics.digest import Digest
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.metrics.metric import Metric, Rows
from spidercap.metrics.reference_digest import DetailedDigest
from spidercap.metrics.settings import Settings, tokenize_references

# Images that are digested at a time.
CHUNK = 20_000


@dataclass(frozen=True)
class Chunk:
    """Some images: the captions of one or several systems, the references, and other inputs, all in the same order."""

    systems: Sequence[Sequence[str]]
    references: Sequence[Sequence[str]]
    inputs: Mapping[str, Sequence[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class ScoredChunk:
    """The statistics of each system's captions of a chunk, and those digests that can say more of them."""

    rows: Sequence[dict[str, Rows]]
    detailed: Sequence[DetailedDigest]


def chunk_rows(
    chunks: Callable[[], Iterator[Chunk]],
    metrics: Sequence[Metric],
    settings: Settings,
    *,
    tokenised: bool = False,
    single: bool = False,
) -> Iterator[ScoredChunk]:
    """For each chunk the statistics of each system's captions.

    Document frequencies of the corpus need a pass of their own over all references, so `chunks` is called once or
    twice. With `tokenised` all texts are token strings already; `single` says that there is one chunk alone.
    """
    settings = settings.loaded()
    if settings.frequencies is None and not single and any(metric.needs_frequencies for metric in metrics):
        tokens = (
            chunk.references if tokenised else tokenize_references(chunk.references, settings) for chunk in chunks()
        )
        settings = replace(settings, df=DocumentFrequencies.of(tokens, settings.tokenizer, "corpus"))
    for chunk in chunks():
        digest = Digest(chunk.references, metrics, settings, tokenised=tokenised, inputs=chunk.inputs)
        images = np.arange(len(chunk.references), dtype=np.int64)
        score = digest.rows_of_tokens if tokenised else digest.rows
        yield ScoredChunk([score(images, captions) for captions in chunk.systems], digest.detailed)
