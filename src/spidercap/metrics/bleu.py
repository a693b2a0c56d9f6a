"""BLEU-1 to BLEU-4: precision of n-grams, pooled over the corpus, with a penalty for short captions."""

from spidercap import _native
from spidercap.metrics.metric import Metric, Rows, whole
from spidercap.metrics.ngrams import NgramDigest


def bleu_scores(rows: Rows) -> Rows:
    """BLEU-1..4 of rows (correct₁..₄, guessed₁..₄, candidate length, closest reference length)."""
    return _native.bleu_from_statistics(whole(rows))


BLEU = Metric(
    key="bleu",
    names=("Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4"),
    reads=NgramDigest,
    asks="bleu",
    variant="BLEU|n:4|closest|clipped",
    width=10,
    scores=bleu_scores,
    pooled=True,
    sees_end=True,
    titles={f"Bleu_{n}": f"BLEU-{n}" for n in (1, 2, 3, 4)},
)
