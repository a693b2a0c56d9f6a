"""The scores of systems as tables for a terminal of 80 columns, or as JSON."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from spidercap.metrics.resampling import Interval
from spidercap.metrics.scores import Scores
from spidercap.report.scores.evaluation import Evaluation
from spidercap.terminal import console, say_json, tell
from spidercap.text.amounts import amount

if TYPE_CHECKING:
    from rich.table import Table

# Columns of a terminal that metrics share; the rest is for the name of the system.
ROOM = 66


def print_report(evaluation: Evaluation, as_json: bool, percent: bool) -> None:
    """Print tables, or JSON, to standard output; warnings go to standard error."""
    for warning in evaluation.warnings:
        tell(f"warning: {warning}")
    if as_json:
        say_json(evaluation.as_json())
    else:
        _print_tables(evaluation, Scale(percent))


class Scale:
    """How numbers are written: raw with four digits, or times 100 with two."""

    def __init__(self, percent: bool) -> None:
        self._factor, self._digits = (100, 2) if percent else (1, 4)

    def number(self, value: float) -> str:
        """A score; a dash for one that is undefined."""
        return "–" if math.isnan(value) else f"{value * self._factor:.{self._digits}f}"

    def difference(self, value: float) -> str:
        """A difference, with its sign."""
        return f"{value * self._factor:+.{self._digits}f}"

    def differences(self, interval: Interval) -> str:
        """An interval of differences."""
        return f"{self.difference(interval.low)} … {self.difference(interval.high)}"


def _print_tables(evaluation: Evaluation, scale: Scale) -> None:
    terminal = console()
    tables = [
        *_score_tables(evaluation.systems, scale),
        *_caption_tables(evaluation.systems),
        *_comparison_tables(evaluation, scale),
        *_correlation_tables(evaluation),
    ]
    for table in tables:
        terminal.print(table)
    for line in dict.fromkeys(next(iter(evaluation.systems.values())).signature.values()):
        terminal.print(line, soft_wrap=True)


def _table(words: Sequence[str], numbers: Sequence[str], title: str, gap: int = 2) -> "Table":
    """An empty table, its columns some blanks apart; a name too long for it is folded, and no number is ever cut."""
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, padding=(0, gap - 1, 0, 0), pad_edge=False, title=title, title_justify="left")
    for heading in words:
        table.add_column(heading, overflow="fold")
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _score_tables(systems: Mapping[str, Scores], scale: Scale) -> Iterator["Table"]:
    """Systems × metrics, the ends of intervals below each score; as many metrics at a time as a line has room for."""
    first = next(iter(systems.values()))
    title = amount(first.images, "image") + ("; below each score its confidence interval" if first.intervals else "")
    for metrics in _lines(list(first.corpus), scale):
        table = _table(["system"], metrics, title, gap=1)
        for name, system in systems.items():
            table.add_row(name, *(scale.number(system.corpus[metric]) for metric in metrics))
            if system.intervals:
                found = [system.intervals[metric] for metric in metrics]
                table.add_row("  from", *(scale.number(interval.low) for interval in found), style="dim")
                table.add_row("  to", *(scale.number(interval.high) for interval in found), style="dim")
        yield table


def _lines(metrics: Sequence[str], scale: Scale) -> Iterator[list[str]]:
    """The metrics, in lines that are no wider than the room for them."""
    line: list[str] = []
    used = 0
    for metric in metrics:
        width = max(len(metric), len(scale.number(0.0))) + 1
        if line and used + width > ROOM:
            yield line
            line, used = [], 0
        line.append(metric)
        used += width
    yield line


def _caption_tables(systems: Mapping[str, Scores]) -> Iterator["Table"]:
    """How captions are written, beside SPICE, which repetition may please."""
    if not any(system.captions for system in systems.values()):
        return
    headings = ["words", "distinct", "vocabulary", "4-grams", "bigrams", "tuples", "bad ends"]
    table = _table(["system"], headings, "How the captions are written; what repeats in them")
    for name, system in systems.items():
        if found := system.captions:
            shares = (found.repetition, found.repeated_bigrams, found.repeated_tuples or 0.0, found.bad_endings)
            counts = (f"{found.mean_length:.1f}", f"{found.distinct:,}", f"{found.vocabulary:,}")
            table.add_row(name, *counts, *(f"{share:.1%}" for share in shares))
    yield table


def _comparison_tables(evaluation: Evaluation, scale: Scale) -> Iterator["Table"]:
    for pair in dict.fromkeys((one.first, one.second) for one in evaluation.comparisons):
        title = f"{pair[1]} against {pair[0]}"
        table = _table(["metric"], ["difference", "interval", "p bootstrap", "p randomised"], title)
        for one in evaluation.comparisons:
            if (one.first, one.second) == pair:
                table.add_row(
                    one.metric,
                    scale.difference(one.difference),
                    scale.differences(one.interval),
                    f"{one.bootstrap_p:.4f}",
                    f"{one.randomisation_p:.4f}",
                )
        yield table


def _correlation_tables(evaluation: Evaluation) -> Iterator["Table"]:
    for name, system in evaluation.systems.items():
        if system.correlations:
            title = f"{name}: correlation with {system.correlations[0].judgements:,} judgements, × 100"
            table = _table(["metric"], ["Kendall τ_b", "Kendall τ_c", "Spearman", "Pearson"], title)
            for one in system.correlations:
                values = (one.kendall_b, one.kendall_c, one.spearman, one.pearson)
                table.add_row(one.metric, *("–" if value is None else f"{100 * value:.1f}" for value in values))
            yield table
