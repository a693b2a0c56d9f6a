"""Rewards that see where a caption ends: an end symbol joins the n-grams of captions and references.

Without it a caption that stops in "with a" loses nothing on the n-grams before; with it "with a <eos>" is an n-gram
that no reference has. METEOR and SPICE read the caption without the symbol: each metric says whether it sees it.
"""

from collections.abc import Mapping, Sequence
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from spidercap.errors import UsageError
from spidercap.metrics.catalogue import METRIC_OF, parts_of
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.metrics.expression import parse_expression
from spidercap.metrics.scorer import Scorer
from spidercap.metrics.settings import Settings, tokenize_references
from spidercap.text.tokenize import tokenize

END_SYMBOL = "<eos>"
MARKED = "none-eos"
"""How document frequencies say that they were counted in tokens with the end symbol."""


class EndSymbolScorer:
    """A weighted sum of metrics; the n-gram metrics see the end symbol of finished captions."""

    def __init__(
        self,
        expression: str,
        references: Mapping[str, Sequence[str]],
        df: str | PathLike[str] | DocumentFrequencies = "corpus",
        *,
        threads: int = 0,
        keep: bool = False,
    ) -> None:
        if df != "corpus" and not (isinstance(df, DocumentFrequencies) and df.tokenizer == MARKED):
            raise UsageError("`eos_token` needs document frequencies counted with the end symbol: leave `df` at corpus")
        ngram, other = _parts(parse_expression(expression))
        self._threads = threads
        self._ngram = self._other = None
        if ngram:
            pairs = dict(zip(references, _marked(list(references.values()), threads), strict=True))
            self._ngram = Scorer(_expression(ngram), pairs, df, tokenizer="none", threads=threads, keep=keep)
        if other:
            self._other = Scorer(_expression(other), references, threads=threads, keep=keep)
        parts = [scorer.signature for scorer in (self._ngram, self._other) if scorer]
        self.signature = " + ".join(parts) + "|end:" + END_SYMBOL

    def __call__(self, ids: Sequence[str], captions: Sequence[str], finished: Sequence[bool]) -> NDArray[np.float64]:
        rewards = np.zeros(len(ids))
        if self._ngram:
            rewards += self._ngram.score(ids, self._marked(captions, finished))
        if self._other:
            rewards += self._other.score(ids, captions)
        return rewards

    def _marked(self, captions: Sequence[str], finished: Sequence[bool]) -> list[str]:
        tokens = tokenize(captions, threads=self._threads)
        return [f"{text} {END_SYMBOL}" if end else text for text, end in zip(tokens, finished, strict=True)]


def marked_frequencies(references: Sequence[Sequence[str]], source: str) -> DocumentFrequencies:
    """Document frequencies with the end symbol, for the reward of images that they were not counted in."""
    return DocumentFrequencies.of([_marked(references)], MARKED, source)


def _marked(references: Sequence[Sequence[str]], threads: int = 0) -> list[list[str]]:
    """The tokens of the references of images, each with its end."""
    tokens = tokenize_references(references, Settings(threads=threads))
    return [[f"{text} {END_SYMBOL}" for text in image] for image in tokens]


def _parts(weights: Mapping[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """The weights of metrics that see the end symbol, and of the others; means such as SPIDEr fall into their parts."""
    ngram: dict[str, float] = {}
    other: dict[str, float] = {}
    for metric, weight in weights.items():
        names = parts_of(metric)
        for name in names:
            part = ngram if METRIC_OF[name].sees_end else other
            part[name] = part.get(name, 0.0) + weight / len(names)
    return ngram, other


def _expression(weights: Mapping[str, float]) -> str:
    return " ".join(f"{weight:+.17g}*{metric}" for metric, weight in weights.items())
