"""SPICE: F-score of the tuples of a caption's scene graph."""

from spidercap.metrics.metric import Metric, Rows
from spidercap.metrics.settings import Settings
from spidercap.metrics.spice.spice_digest import SpiceDigest
from spidercap.metrics.spice_parser import caption_parser


def f_scores(rows: Rows) -> Rows:
    """SPICE of rows (score, number of raw tuples, how many of them repeat an earlier one)."""
    return rows[:, :1]


def parser_facts(settings: Settings, images: int) -> tuple[str, ...]:
    """Which parser read the captions."""
    return (f"parser:{caption_parser().hash[:8]}",)


SPICE = Metric(
    key="spice",
    names=("SPICE",),
    reads=SpiceDigest,
    asks="tuples",
    variant="SPICE",
    width=3,
    scores=f_scores,
    facts=parser_facts,
)
