"""Statistics of any number of captions, some images at a time: the memory does not grow with their number."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spidercap.metrics.digest import CIDER_FAMILIES, Digest, Settings, tokenize_references
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.metrics.families import Rows
from spidercap.metrics.spice_digest import SpiceDigest

# Images that are digested at a time.
CHUNK = 20_000


@dataclass(frozen=True)
class Chunk:
    """Some images: the captions of one or several systems, and the references, all in the same order."""

    systems: Sequence[Sequence[str]]
    references: Sequence[Sequence[str]]


@dataclass(frozen=True)
class ScoredChunk:
    """The statistics of each system's captions of a chunk, and the scene graphs of its references where it has them."""

    rows: Sequence[dict[str, Rows]]
    spice: SpiceDigest | None


def chunk_rows(
    chunks: Callable[[], Iterator[Chunk]],
    families: Sequence[str],
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
    if settings.frequencies is None and not single and CIDER_FAMILIES & set(families):
        tokens = (
            chunk.references if tokenised else tokenize_references(chunk.references, settings) for chunk in chunks()
        )
        settings = replace(settings, df=DocumentFrequencies.of(tokens, settings.tokenizer, "corpus"))
    for chunk in chunks():
        digest = Digest(chunk.references, families, settings, tokenised=tokenised)
        images = np.arange(len(chunk.references), dtype=np.int64)
        score = digest.rows_of_tokens if tokenised else digest.rows
        yield ScoredChunk([score(images, captions) for captions in chunk.systems], digest.spice)
