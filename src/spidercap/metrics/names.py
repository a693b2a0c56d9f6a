"""The names of the metrics: the keys that the field's tables use, what people write for them, and titles."""

import difflib
import re
from collections.abc import Sequence

from spidercap.errors import UsageError
from spidercap.metrics.bleu import BLEU
from spidercap.metrics.catalogue import MEANS, METRIC_OF, METRICS
from spidercap.metrics.cider import CIDER
from spidercap.metrics.meteor import METEOR
from spidercap.metrics.rouge import ROUGE_L

METRIC_NAMES = (*METRIC_OF, *MEANS)
TEXT_METRICS = tuple(name for name in METRIC_NAMES if name in MEANS or not METRIC_OF[name].needs)
"""Those that need captions and references alone."""
DEFAULT_METRICS = tuple(name for name in TEXT_METRICS if (MEANS.get(name) or METRIC_OF[name]).default)
COCO_METRICS = (*BLEU.names, *METEOR.names, *ROUGE_L.names, *CIDER.names)
"""What the COCO caption evaluation prints, in its order."""
GROUPS = {metric.key: metric.names for metric in METRICS.values() if len(metric.names) > 1} | {"coco": COCO_METRICS}
_ALIASES = {alias: name for metric in METRICS.values() for alias, name in metric.aliases.items()}
_TITLES = {name: title for metric in METRICS.values() for name, title in metric.titles.items()}
_TITLED = re.compile(rf"\b({'|'.join(_TITLES)})\b")


def metric_name(name: str) -> str:
    """The one name of a metric for any usual way to write it (`bleu-4`, `BLEU_4`, `cider_d`)."""
    found = _resolve(name)
    if len(found) != 1:
        raise UsageError(f"{name!r} stands for several metrics ({', '.join(found)}); name one of them")
    return found[0]


def metric_names(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """The metrics asked for, each once, in the order asked; None means the default ones."""
    if names is None:
        return DEFAULT_METRICS
    names = [names] if isinstance(names, str) else names
    if not names:
        raise UsageError(f"no metric was asked for; known: {', '.join(METRIC_NAMES)}")
    return tuple(dict.fromkeys(metric for name in names for metric in _resolve(name)))


def title(text: str) -> str:
    """The metrics inside a text as tables write them: BLEU-4, ROUGE-L."""
    return _TITLED.sub(lambda found: _TITLES[found[0]], text)


def _resolve(name: str) -> tuple[str, ...]:
    plain = _plain(name)
    written = {_plain(each): each for each in (*METRIC_NAMES, *GROUPS)}
    if plain in _ALIASES:
        return (_ALIASES[plain],)
    if plain in written:
        return GROUPS.get(written[plain], (written[plain],))
    near = difflib.get_close_matches(plain, written, n=1, cutoff=0.65)
    hint = f"did you mean {written[near[0]]}? " if near else ""
    raise UsageError(f"unknown metric {name!r}; {hint}known: {', '.join((*METRIC_NAMES, *GROUPS))}")


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
