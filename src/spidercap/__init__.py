"""Train image captioners on the metric you care about, and score captions fast, without Java."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spidercap.metrics.caption_metric import CaptionMetric
    from spidercap.metrics.score import score
    from spidercap.metrics.scorer import Scorer
    from spidercap.metrics.scores import Scores

__version__ = "0.1.0"
__all__ = ["CaptionMetric", "Scorer", "Scores", "__version__", "score"]
_HOMES = {"score": "score", "Scores": "scores", "Scorer": "scorer", "CaptionMetric": "caption_metric"}


def __getattr__(name: str) -> Any:
    """Import the public names on first use, so that the command line starts quickly."""
    if name not in _HOMES:
        raise AttributeError(f"module 'spidercap' has no attribute {name!r}")
    return getattr(import_module(f"spidercap.metrics.{_HOMES[name]}"), name)
