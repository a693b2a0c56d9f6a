"""What a report on training runs shows, in whatever form: the link between making it and writing it."""

from collections.abc import Sequence
from dataclasses import dataclass

from spidercap.metrics.writing import CaptionStatistics
from spidercap.report.training.examples import Example
from spidercap.report.training.leaderboard import Leaderboard
from spidercap.report.training.rollout_page import RolloutPage
from spidercap.report.training.runs import Run


@dataclass(frozen=True)
class TrainingReport:
    """All that a report shows, in whatever form."""

    dataset: str
    split: str
    runs: Sequence[Run]
    board: Leaderboard
    parts: dict[str, dict[str, float]]
    """SPICE by category of each method."""
    writing: dict[str, CaptionStatistics]
    examples: Sequence[Example]
    rollouts: Sequence[RolloutPage]
    """Captions of a policy-gradient run, word by word; only a page shows them."""
    rollouts_note: str
    """Why there are none although a run has them."""
    signatures: dict[str, str]
