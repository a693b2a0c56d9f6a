"""ROUGE-L: the longest common subsequence of a caption and each of its references."""

from spidercap.metrics.metric import Metric
from spidercap.metrics.ngrams import NgramDigest

ROUGE_L = Metric(
    key="rouge",
    names=("ROUGE_L",),
    reads=NgramDigest,
    asks="rouge_l",
    variant="ROUGE-L|beta:1.2",
    sees_end=True,
    titles={"ROUGE_L": "ROUGE-L"},
    aliases={"rouge": "ROUGE_L"},
)
