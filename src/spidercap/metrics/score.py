"""Score captions against references: corpus and per image, by id, each score with its signature."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spidercap import __version__
from spidercap.errors import DataError
from spidercap.metrics.chunks import CHUNK, Chunk, chunk_rows
from spidercap.metrics.digest import CIDER_FAMILIES, Settings, tokenize_references
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.metrics.families import DERIVED, FAMILIES, FAMILY_OF, Rows, families_of, with_derived
from spidercap.metrics.names import metric_names
from spidercap.metrics.spice_digest import SpiceDetails, SpiceDigest
from spidercap.metrics.spice_parser import caption_parser
from spidercap.metrics.sums import Sums
from spidercap.metrics.writing import CaptionCounts, CaptionStatistics
from spidercap.text.tokenize import tokenize

SINGLE_IMAGE = (
    "CIDEr of a single image with document frequencies from its own references is 0 by definition: every n-gram occurs "
    "in all images, so its weight is log(1/1) = 0; use df='coco' or a file made by `spidercap df`"
)


class PerImage(Mapping[Hashable, dict[str, float]]):
    """The scores of each image by its id."""

    def __init__(self, ids: Sequence[Hashable], metrics: Sequence[str], scores: NDArray[np.float64]) -> None:
        self._row_of = {image: row for row, image in enumerate(ids)}
        self._metrics, self._scores = metrics, scores

    def __getitem__(self, image: Hashable) -> dict[str, float]:
        return dict(zip(self._metrics, self._scores[self._row_of[image]].tolist(), strict=True))

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._row_of)

    def __len__(self) -> int:
        return len(self._row_of)

    def column(self, metric: str) -> NDArray[np.float64]:
        """The scores of all images on one metric, in the order of the ids."""
        return self._scores[:, self._metrics.index(metric)]


class Details(Mapping[Hashable, dict[str, SpiceDetails]]):
    """What metrics tell of each image beyond a number, by its id: `["spice"]`, computed when it is asked for."""

    def __init__(
        self, ids: Sequence[Hashable], captions: Sequence[str], digests: Sequence[SpiceDigest], tokenizer: str
    ) -> None:
        self._row_of = {image: row for row, image in enumerate(ids)} if digests else {}
        self._captions, self._digests, self._tokenizer = captions, digests, tokenizer

    def __getitem__(self, image: Hashable) -> dict[str, SpiceDetails]:
        row = self._row_of[image]
        (tokens,) = tokenize([self._captions[row]], self._tokenizer)
        return {"spice": self._digests[row // CHUNK].details(row % CHUNK, tokens)}

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._row_of)

    def __len__(self) -> int:
        return len(self._row_of)


@dataclass(frozen=True)
class Scores:
    """What `score` found: `.corpus[metric]`, `.per_image[id][metric]`, `.signature[metric]`.

    `.details[id]["spice"]` holds SPICE's tuples and scores by category, and `.captions` how the captions are written,
    where SPICE was asked for; `rows` are the additive statistics of each family, in the order of the ids, from which
    intervals and comparisons are computed.
    """

    corpus: dict[str, float]
    per_image: PerImage
    signature: dict[str, str]
    warnings: tuple[str, ...]
    rows: dict[str, Rows] = field(repr=False)
    details: Mapping[Hashable, dict[str, SpiceDetails]] = field(default_factory=dict, repr=False)
    captions: CaptionStatistics | None = None


def score(
    candidates: Sequence[str] | Mapping[Any, str],
    references: Sequence[Sequence[str]] | Mapping[Any, Sequence[str]],
    metrics: str | Sequence[str] | None = None,
    tokenizer: str = "ptb",
    df: str | PathLike[str] | DocumentFrequencies = "corpus",
    *,
    paraphrases: bool = True,
    threads: int = 0,
) -> Scores:
    """Score captions: two lists in the same order, or two dicts with the same ids.

    `metrics` are names such as "Bleu_4", "cider" or "METEOR" (None: all of the COCO evaluation); `df` is "corpus",
    "coco" or a file made by `spidercap df`.
    """
    ids, texts, truths = paired(candidates, references)
    settings = Settings(tokenizer, df, paraphrases, threads)
    return evaluate(ids, [texts], truths, metric_names(metrics), settings)[0]


def evaluate(
    ids: Sequence[Hashable],
    systems: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    metrics: Sequence[str],
    settings: Settings,
) -> list[Scores]:
    """Score the captions of one or several systems, one an image; all sequences are in the order of the ids."""
    families = families_of(metrics)
    writing = [Writing(families) for _ in systems]
    for counts, captions in zip(writing, systems, strict=True):
        counts.add_captions(captions)
    # What the reference's way of lexing gives depends on the neighbours, so it must see all captions at once.
    if together := settings.tokenizer == "ptb-compat":
        systems = [tokenize(captions, settings.tokenizer) for captions in systems]
        references = tokenize_references(references, settings)

    def chunks() -> Iterator[Chunk]:
        for first in range(0, len(references), CHUNK):
            part = slice(first, first + CHUNK)
            yield Chunk([captions[part] for captions in systems], references[part])

    found = list(chunk_rows(chunks, families, settings, tokenised=together, single=len(references) <= CHUNK))
    signatures = {metric: signature(metric, settings.loaded(), len(ids)) for metric in metrics}
    digests = [chunk.spice for chunk in found if chunk.spice is not None]
    scored: list[Scores] = []
    for system, (counts, captions) in enumerate(zip(writing, systems, strict=True)):
        rows = {name: np.concatenate([chunk.rows[system][name] for chunk in found]) for name in families}
        counts.add_rows(rows)
        scored.append(
            Scores(
                corpus=corpus_scores(rows, metrics),
                per_image=PerImage(ids, metrics, per_image_scores(rows, metrics)),
                signature=signatures,
                warnings=tuple(counts.warnings(settings)),
                rows=rows,
                details=Details(ids, captions, digests, "none" if together else settings.tokenizer),
                captions=counts.statistics(),
            )
        )
    return scored


def corpus_scores(rows: Mapping[str, Rows], metrics: Sequence[str]) -> dict[str, float]:
    """The corpus value of each metric from the rows of its family."""
    sums = Sums(list(rows))
    sums.add(rows)
    return sums.corpus(metrics)


def per_image_scores(rows: Mapping[str, Rows], metrics: Sequence[str]) -> NDArray[np.float64]:
    """The score of each image on each metric, (images, metrics)."""
    scored = {name: FAMILIES[name].scores(values) for name, values in rows.items()}
    columns = with_derived({m: scored[name][:, i] for name in rows for i, m in enumerate(FAMILIES[name].metrics)})
    return np.stack([columns[metric] for metric in metrics], axis=1)


def signature(metric: str, settings: Settings, images: int) -> str:
    """What must be equal for two scores to be comparable, in one line."""
    if metric in DERIVED:
        return f"{metric}|mean of " + " and ".join(signature(part, settings, images) for part in DERIVED[metric])
    parts = [_VARIANTS[FAMILY_OF[metric]], f"tok:{settings.tokenizer}"]
    if FAMILY_OF[metric] in CIDER_FAMILIES:
        table = settings.frequencies
        parts.append(f"df:{table.source}({table.images},{table.fingerprint})" if table else f"df:corpus({images})")
    if metric == "SPICE":
        parts.append(f"parser:{caption_parser().hash[:8]}")
    if metric == "METEOR":
        parts.append("modules:exact+stem+synonym" + ("+paraphrase" if settings.paraphrases else ""))
    return "|".join([*parts, f"spidercap:{__version__}"])


_VARIANTS = {
    "bleu": "BLEU|n:4|closest|clipped",
    "rouge": "ROUGE-L|beta:1.2",
    "cider": "CIDEr-D|n:4|sigma:6",
    "cider_original": "CIDEr|n:4",
    "meteor": "METEOR-1.5|en",
    "spice": "SPICE",
}


def paired(
    candidates: Sequence[str] | Mapping[Any, str], references: Sequence[Sequence[str]] | Mapping[Any, Sequence[str]]
) -> tuple[list[Hashable], list[str], list[Sequence[str]]]:
    """Ids, captions and references in one order (that of the references), after all checks."""
    if isinstance(candidates, Mapping) != isinstance(references, Mapping):
        raise DataError("candidates and references must be two lists, or two dicts with the same ids")
    if isinstance(candidates, Mapping) and isinstance(references, Mapping):
        check_ids(candidates, references)
        ids = list(references)
        texts, truths = [candidates[image] for image in ids], [references[image] for image in ids]
    else:
        if len(candidates) != len(references):
            raise DataError(
                f"{len(candidates)} candidates and {len(references)} lists of references; give one for each"
            )
        ids, texts, truths = list(range(len(candidates))), list(candidates), list(references)
    check_texts(ids, texts, truths)
    return ids, texts, truths


def check_ids(candidates: Mapping[Any, object], references: Mapping[Any, object]) -> None:
    """Both must have the same ids."""
    for have, lack, what in ((candidates, references, "references"), (references, candidates, "caption")):
        missing = [image for image in have if image not in lack]
        if missing:
            raise DataError(
                f"{len(missing)} of {len(have)} images have no {what}, the first is {missing[0]!r}; "
                "candidates and references must have the same ids"
            )


def check_texts(ids: Sequence[Hashable], texts: Sequence[object], truths: Sequence[object]) -> None:
    """Captions must be text, and references non-empty lists of text."""
    if not ids:
        raise DataError("there is nothing to score: no candidates and no references")
    check_captions(ids, texts)
    check_references(ids, truths)


def check_captions(ids: Sequence[Hashable], texts: Sequence[object]) -> None:
    """Captions must be text."""
    for image, text in zip(ids, texts, strict=True):
        if not isinstance(text, str):
            raise DataError(f"the caption of image {image!r} is {type(text).__name__}, expected text")


def check_references(ids: Iterable[Hashable], truths: Iterable[object]) -> None:
    """References must be non-empty lists of text."""
    for image, truth in zip(ids, truths, strict=True):
        if isinstance(truth, str) or not isinstance(truth, Sequence) or not truth:
            raise DataError(f"the references of image {image!r} must be a list of one or more captions")
        if not all(isinstance(reference, str) for reference in truth):
            raise DataError(f"a reference of image {image!r} is not text")


class Writing:
    """What the owner of captions should know of them besides their scores: warnings, and statistics beside SPICE."""

    def __init__(self, families: Sequence[str]) -> None:
        self._families = set(families)
        self._empty = self._captions = 0
        self._counts = CaptionCounts() if "spice" in self._families else None
        self._tuples: Rows = np.zeros(2)

    def add_captions(self, captions: Sequence[str]) -> None:
        """Count raw captions."""
        self._empty += sum(not caption.strip() for caption in captions)
        self._captions += len(captions)
        if self._counts is not None:
            self._counts.add(captions)

    def add_rows(self, rows: Mapping[str, Rows]) -> None:
        """Count the tuples of captions that were scored."""
        if "spice" in rows:
            self._tuples += rows["spice"][:, 1:].sum(axis=0)

    def statistics(self) -> CaptionStatistics | None:
        """How the captions are written; None where SPICE was not asked for."""
        return None if self._counts is None else self._counts.statistics().with_tuples(*self._tuples.tolist())

    def warnings(self, settings: Settings) -> Iterator[str]:
        """One sentence for each thing that is odd."""
        if self._empty:
            yield f"{self._empty:,} of {self._captions:,} captions are empty; they are scored, and lower the scores"
        if self._captions == 1 and settings.df == "corpus" and CIDER_FAMILIES & self._families:
            yield SINGLE_IMAGE
