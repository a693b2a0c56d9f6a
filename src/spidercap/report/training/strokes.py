"""How runs are told apart in drawings: each has a colour and a pattern of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spidercap.report.training.runs import Run

COLOURS = ("#0096d2", "#e16900", "#873cff", "#e12d5a")
"""Told apart by people of all kinds of colour vision, and seen on light paper and on dark."""
DASHES = ((), (1.2, 1.4), (5.0, 1.6, 1.2, 1.6), (3.0, 1.4))
"""Lengths of strokes and gaps in widths of the line: whole, dotted, both in turn, short strokes."""
GREY, LONG_STROKES = "#808a9c", (7.0, 2.5)


@dataclass(frozen=True)
class Stroke:
    """The colour of a line and its pattern; no dashes is a whole line."""

    colour: str
    dashes: tuple[float, ...] = ()

    def attributes(self, width: float) -> str:
        """As attributes of an SVG path of this width."""
        pattern = " ".join(f"{length * width:g}" for length in self.dashes)
        return f'stroke="{self.colour}" stroke-width="{width:g}"' + (
            f' stroke-dasharray="{pattern}"' if pattern else ""
        )


MAXIMUM_LIKELIHOOD = Stroke(GREY, LONG_STROKES)


def strokes(runs: Sequence[Run]) -> Mapping[str, Stroke]:
    """A line for each run by its name; maximum likelihood is grey with long strokes.

    Neighbours differ in colour and pattern; the same of both comes again after sixteen runs.
    """
    others = (run.name for run in runs if not run.is_mle)
    chosen = {name: _stroke(number) for number, name in enumerate(others)}
    return {run.name: chosen.get(run.name, MAXIMUM_LIKELIHOOD) for run in runs}


def _stroke(number: int) -> Stroke:
    turn, colour = divmod(number, len(COLOURS))
    return Stroke(COLOURS[colour], DASHES[(colour + turn) % len(DASHES)])
