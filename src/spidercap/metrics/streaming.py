"""Scores of captions that come in batches: `update`, `compute`, `reset`, and a state that adds up."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from spidercap.errors import DataError
from spidercap.metrics.chunks import Chunk, chunk_rows
from spidercap.metrics.digest import CIDER_FAMILIES, Digest, Settings, one_by_one, tokenize_references
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.metrics.families import families_of
from spidercap.metrics.names import metric_names
from spidercap.metrics.score import Writing, check_texts, signature
from spidercap.metrics.sums import Sums
from spidercap.metrics.writing import CaptionStatistics
from spidercap.text.tokenize import tokenize


@dataclass(frozen=True)
class CorpusScores:
    """The scores of one system whose captions were not kept."""

    images: int
    corpus: dict[str, float]
    signature: dict[str, str]
    warnings: tuple[str, ...]
    captions: CaptionStatistics | None = None


def score_chunks(
    chunks: Callable[[], Iterator[Chunk]], systems: int, metrics: Sequence[str], settings: Settings
) -> list[CorpusScores]:
    """Corpus scores of systems whose captions and references come in chunks, read once or twice."""
    families = families_of(metrics)
    sums = [Sums(families) for _ in range(systems)]
    writing = [Writing(families) for _ in range(systems)]

    def counted() -> Iterator[Chunk]:
        for number, chunk in enumerate(chunks()):
            if number == 0:  # a second pass counts anew
                writing[:] = [Writing(families) for _ in range(systems)]
            for counts, captions in zip(writing, chunk.systems, strict=True):
                counts.add_captions(captions)
            yield chunk

    for scored in chunk_rows(counted, families, one_by_one(settings)):
        for total, counts, rows in zip(sums, writing, scored.rows, strict=True):
            total.add(rows)
            counts.add_rows(rows)
    return [
        CorpusScores(
            total.images,
            total.corpus(metrics),
            {metric: signature(metric, settings.loaded(), total.images) for metric in metrics},
            tuple(counts.warnings(settings)),
            counts.statistics(),
        )
        for total, counts in zip(sums, writing, strict=True)
    ]


class CaptionMetric:
    """Corpus scores over any number of batches, in the manner of torchmetrics.

    With document frequencies from a table (`df="coco"` or a file) the state is a few numbers, whatever the number of
    captions. With `df="corpus"` CIDEr needs all references before the first score, so the tokens are kept until
    `compute`. States of several processes merge into exactly the state of one.
    """

    def __init__(
        self,
        metrics: str | Sequence[str] | None = None,
        tokenizer: str = "ptb",
        df: str | PathLike[str] | DocumentFrequencies = "coco",
        *,
        paraphrases: bool = True,
        threads: int = 0,
    ) -> None:
        self.names = metric_names(metrics)
        self._families = families_of(self.names)
        self._settings = one_by_one(Settings(tokenizer, df, paraphrases, threads)).loaded()
        self._waits = self._settings.frequencies is None and bool(CIDER_FAMILIES & set(self._families))
        self.reset()

    def reset(self) -> None:
        """Forget everything that was added."""
        self._sums = Sums(self._families)
        self._waiting: list[tuple[list[str], list[list[str]]]] = []

    def update(self, captions: Sequence[str], references: Sequence[Sequence[str]]) -> None:
        """Add captions, each with the references of its image."""
        if len(captions) != len(references):
            raise DataError(f"{len(captions)} captions and {len(references)} lists of references; give one for each")
        if not captions:
            return
        check_texts(range(len(captions)), captions, references)
        tokens = tokenize(captions, self._settings.tokenizer, self._settings.threads)
        truths = tokenize_references(references, self._settings)
        if self._waits:
            self._waiting.append((tokens, truths))
        else:
            self._add(self._sums, tokens, truths, self._settings)

    def compute(self) -> dict[str, float]:
        """The corpus score of each metric over all that was added."""
        if not self._waits:
            return self._sums.corpus(self.names)
        table = DocumentFrequencies.of((truths for _, truths in self._waiting), self._settings.tokenizer, "corpus")
        sums = Sums(self._families)
        for tokens, truths in self._waiting:
            self._add(sums, tokens, truths, replace(self._settings, df=table))
        return sums.corpus(self.names)

    def state(self) -> dict[str, Any]:
        """All that was added, as plain JSON values: to be sent to another process and merged there."""
        return self._sums.as_json() | {"made_with": self._made_with, "waiting": self._waiting}

    def merge(self, state: Mapping[str, Any]) -> None:
        """Add what another process added."""
        if state["made_with"] != self._made_with:
            raise DataError(
                f"cannot merge a state made with {state['made_with']} into one with {self._made_with}; "
                "use the same settings in all processes"
            )
        self._sums.merge(Sums.from_json(state))
        self._waiting += [(list(tokens), [list(image) for image in truths]) for tokens, truths in state["waiting"]]

    @property
    def _made_with(self) -> str:
        """What must be equal for two states to be added up."""
        return " ".join(signature(name, self._settings, 0) for name in self.names)

    def merged(self, states: Iterable[Mapping[str, Any]]) -> "CaptionMetric":
        """A new metric with the settings of this one that has added what these states have."""
        metric = CaptionMetric(
            self.names,
            self._settings.tokenizer,
            self._settings.df,
            paraphrases=self._settings.paraphrases,
            threads=self._settings.threads,
        )
        for state in states:
            metric.merge(state)
        return metric

    def _add(self, sums: Sums, tokens: list[str], truths: list[list[str]], settings: Settings) -> None:
        digest = Digest(truths, self._families, settings, tokenised=True)
        sums.add(digest.rows_of_tokens(np.arange(len(tokens), dtype=np.int64), tokens))
