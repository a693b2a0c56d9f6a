"""Scores of captions that come in batches: `update`, `compute`, `reset`, and a state that adds up."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from spidercap.errors import DataError
from spidercap.metrics.catalogue import metrics_of, signature
from spidercap.metrics.checks import Inputs, check_texts, ordered_inputs
from spidercap.metrics.digest import Digest
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.metrics.names import metric_names
from spidercap.metrics.settings import Settings, one_by_one, tokenize_references
from spidercap.metrics.sums import Sums
from spidercap.text.tokenize import tokenize

AddedCaptions = tuple[list[str], list[list[str]], Mapping[str, Sequence[Any]]]
"""Tokens of captions and of references, and what else metrics need of each image."""


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
        self._metrics = metrics_of(self.names)
        self._settings = one_by_one(Settings(tokenizer, df, paraphrases, threads)).loaded()
        counts_references = any(metric.needs_frequencies for metric in self._metrics)
        self._waits = self._settings.frequencies is None and counts_references
        self.reset()

    def reset(self) -> None:
        """Forget everything that was added."""
        self._sums = self._new_sums()
        self._waiting: list[AddedCaptions] = []

    def update(
        self, captions: Sequence[str], references: Sequence[Sequence[str]], inputs: Inputs | None = None
    ) -> None:
        """Add captions, each with the references of its image, and with what else a metric needs of it."""
        if len(captions) != len(references):
            raise DataError(f"{len(captions)} captions and {len(references)} lists of references; give one for each")
        if not captions:
            return
        check_texts(range(len(captions)), captions, references)
        tokens = tokenize(captions, self._settings.tokenizer, self._settings.threads)
        truths = tokenize_references(references, self._settings)
        batch = (tokens, truths, ordered_inputs(self._metrics, inputs, range(len(captions))))
        if self._waits:
            self._waiting.append(batch)
        else:
            self._add(self._sums, batch, self._settings)

    def compute(self) -> dict[str, float]:
        """The corpus score of each metric over all that was added."""
        if not self._waits:
            return self._sums.corpus(self.names)
        table = DocumentFrequencies.of((truths for _, truths, _ in self._waiting), self._settings.tokenizer, "corpus")
        sums = self._new_sums()
        for batch in self._waiting:
            self._add(sums, batch, replace(self._settings, df=table))
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
        self._waiting += [
            (list(tokens), list(map(list, truths)), inputs) for tokens, truths, inputs in state["waiting"]
        ]

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

    def _new_sums(self) -> Sums:
        return Sums(metric.key for metric in self._metrics)

    def _add(self, sums: Sums, batch: AddedCaptions, settings: Settings) -> None:
        tokens, truths, inputs = batch
        digest = Digest(truths, self._metrics, settings, tokenised=True, inputs=inputs)
        sums.add(digest.rows_of_tokens(np.arange(len(tokens), dtype=np.int64), tokens))
