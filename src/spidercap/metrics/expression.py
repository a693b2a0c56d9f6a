"""Rewards as text: `1.0*CIDEr + 0.5*Bleu_4` → weights of metrics."""

import math
import re

from spidercap.errors import UsageError
from spidercap.metrics.names import metric_name

# Mixes that have a name of their own (paper, section 3).
MIXES = {
    "BCMR": {
        "Bleu_1": 0.5,
        "Bleu_2": 0.5,
        "Bleu_3": 1.0,
        "Bleu_4": 1.0,
        "CIDEr": 1.0,
        "METEOR": 5.0,
        "ROUGE_L": 2.0,
    },
}
_NUMBER = r"\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?"
# A hyphen is a minus sign except in names such as BLEU-4, ROUGE-L and CIDEr-D.
_NAME = r"[A-Za-z]\w*(?:-(?:[1-4]|[LlDd])\b(?!\s*[*.]))?"
_TERM = re.compile(rf"\s*(?P<sign>[-+])?\s*(?:(?P<weight>{_NUMBER})\s*\*\s*)?(?P<name>{_NAME})\s*")


def parse_expression(text: str) -> dict[str, float]:
    """The weight of each metric in a sum of terms `weight*name` or `name`; a metric named twice has the sum."""
    weights: dict[str, float] = {}
    position = 0
    while position < len(text) or not weights:
        term = _TERM.match(text, position)
        if term is None or (position > 0 and term["sign"] is None):
            raise UsageError(
                f"reward {text!r}: cannot read it from {text[position : position + 20]!r} on; "
                "write a sum such as '1.0*CIDEr + 0.5*METEOR'"
            )
        weight = float(term["weight"] or 1.0) * (-1.0 if term["sign"] == "-" else 1.0)
        if not math.isfinite(weight):
            raise UsageError(f"reward {text!r}: the weight {term['weight']} of {term['name']} is not a finite number")
        for metric, share in _mix(term["name"]).items():
            weights[metric] = weights.get(metric, 0.0) + weight * share
        position = term.end()
    return weights


def _mix(name: str) -> dict[str, float]:
    for mix, weights in MIXES.items():
        if name.lower() == mix.lower():
            return weights
    return {metric_name(name): 1.0}
