"""`spidercap.score`: captions against references, corpus and per image, each score with its signature."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from spidercap.metrics.catalogue import metrics_of
from spidercap.metrics.checks import Inputs, ordered_inputs, paired
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.metrics.names import metric_names
from spidercap.metrics.scores import Scores
from spidercap.metrics.settings import Settings
from spidercap.metrics.systems import evaluate


def score(
    candidates: Sequence[str] | Mapping[Any, str],
    references: Sequence[Sequence[str]] | Mapping[Any, Sequence[str]],
    metrics: str | Sequence[str] | None = None,
    tokenizer: str = "ptb",
    df: str | PathLike[str] | DocumentFrequencies = "corpus",
    *,
    paraphrases: bool = True,
    threads: int = 0,
    inputs: Inputs | None = None,
) -> Scores:
    """Score captions: two lists in the same order, or two dicts with the same ids.

    `metrics` are names such as "Bleu_4", "cider" or "METEOR" (None: those of the COCO evaluation, SPICE and SPIDEr);
    `df` is "corpus", "coco" or a file made by `spidercap df`; `inputs` is what a metric needs of each image besides.
    """
    ids, texts, truths = paired(candidates, references)
    names = metric_names(metrics)
    settings = Settings(tokenizer, df, paraphrases, threads)
    return evaluate(ids, [texts], truths, names, settings, ordered_inputs(metrics_of(names), inputs, ids))[0]
