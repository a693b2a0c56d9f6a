"""The names of the metrics: the keys that the field's tables use, and what people write for them."""

import difflib
import re
from collections.abc import Sequence

from spidercap.errors import UsageError

BLEU = ("Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4")
METRICS = (*BLEU, "METEOR", "ROUGE_L", "CIDEr", "CIDEr_original", "SPICE", "SPIDEr")
# What the COCO caption evaluation prints, in its order.
DEFAULT_METRICS = (*BLEU, "METEOR", "ROUGE_L", "CIDEr")
_GROUPS = {"bleu": BLEU, "coco": DEFAULT_METRICS}
_ALIASES = {"rouge": "ROUGE_L", "ciderd": "CIDEr"}


def metric_name(name: str) -> str:
    """The one name of a metric for any usual way to write it (`bleu-4`, `BLEU_4`, `cider_d`)."""
    found = _resolve(name)
    if len(found) != 1:
        raise UsageError(f"{name!r} stands for several metrics ({', '.join(found)}); name one of them")
    return found[0]


def metric_names(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """The metrics asked for, each once, in the order asked; None means those of the COCO evaluation."""
    if names is None:
        return DEFAULT_METRICS
    names = [names] if isinstance(names, str) else names
    if not names:
        raise UsageError(f"no metric was asked for; known: {', '.join(METRICS)}")
    return tuple(dict.fromkeys(metric for name in names for metric in _resolve(name)))


def _resolve(name: str) -> tuple[str, ...]:
    plain = _plain(name)
    by_plain = {_plain(metric): (metric,) for metric in METRICS} | {k: (v,) for k, v in _ALIASES.items()} | _GROUPS
    if plain in by_plain:
        return by_plain[plain]
    near = difflib.get_close_matches(plain, by_plain, n=1, cutoff=0.5)
    hint = f"did you mean {by_plain[near[0]][0]}? " if near else ""
    raise UsageError(f"unknown metric {name!r}; {hint}known: {', '.join(METRICS)}")


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
