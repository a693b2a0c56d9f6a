"""The scores of systems as tables for a terminal of 80 columns, or as JSON."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from spidercap.metrics.resampling import Interval
from spidercap.report.scores.evaluation import Evaluation, SystemScores
from spidercap.terminal import console, say_json, tell

if TYPE_CHECKING:
    from rich.table import Table

# Metrics that a line of 80 columns has room for.
WIDEST = 7


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
        """A score."""
        return f"{value * self._factor:.{self._digits}f}"

    def difference(self, value: float) -> str:
        """A difference, with its sign."""
        return f"{value * self._factor:+.{self._digits}f}"

    def interval(self, interval: Interval) -> str:
        """An interval of scores."""
        return f"{self.number(interval.low)} – {self.number(interval.high)}"

    def differences(self, interval: Interval) -> str:
        """An interval of differences."""
        return f"{self.difference(interval.low)} … {self.difference(interval.high)}"


def _print_tables(evaluation: Evaluation, scale: Scale) -> None:
    terminal = console()
    one_line = not evaluation.systems[0].intervals and len(evaluation.systems[0].corpus) <= WIDEST
    scores = _score_table if one_line else _long_table
    tables = [
        scores(evaluation.systems, scale),
        *_caption_tables(evaluation.systems),
        *_comparison_tables(evaluation, scale),
        *_correlation_tables(evaluation),
    ]
    for table in tables:
        terminal.print(table)
    for line in dict.fromkeys(evaluation.systems[0].signature.values()):
        terminal.print(line, soft_wrap=True)


def _table(words: Sequence[str], numbers: Sequence[str], title: str | None = None) -> "Table":
    """An empty table; a name too long for the terminal is folded, and no number is ever cut."""
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False, title=title, title_justify="left")
    for heading in words:
        table.add_column(heading, overflow="fold")
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _score_table(systems: Sequence[SystemScores], scale: Scale) -> "Table":
    table = _table(["system"], ["images", *systems[0].corpus])
    for system in systems:
        table.add_row(system.name, f"{system.images:,}", *map(scale.number, system.corpus.values()))
    return table


def _long_table(systems: Sequence[SystemScores], scale: Scale) -> "Table":
    """One row a metric, where a line has no room for all of them."""
    table = _table(["system", "metric"], ["images", "score", *(["interval"] if systems[0].intervals else [])])
    for system in systems:
        for metric, value in system.corpus.items():
            interval = [scale.interval(system.intervals[metric])] if system.intervals else []
            table.add_row(system.name, metric, f"{system.images:,}", scale.number(value), *interval)
    return table


def _caption_tables(systems: Sequence[SystemScores]) -> Iterator["Table"]:
    """How captions are written, beside SPICE, which repetition may please."""
    if not any(system.statistics for system in systems):
        return
    headings = ["words", "distinct", "vocabulary", "4-grams", "bigrams", "tuples", "bad ends"]
    table = _table(["system"], headings, "How the captions are written; what repeats in them")
    for system in systems:
        if found := system.statistics:
            shares = (found.repetition, found.repeated_bigrams, found.repeated_tuples or 0.0, found.bad_endings)
            counts = (f"{found.mean_length:.1f}", f"{found.distinct:,}", f"{found.vocabulary:,}")
            table.add_row(system.name, *counts, *(f"{share:.1%}" for share in shares))
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
    for system in evaluation.systems:
        if system.correlations:
            title = f"{system.name}: correlation with {system.correlations[0].judgements:,} judgements, × 100"
            table = _table(["metric"], ["Kendall τ_b", "Kendall τ_c", "Spearman", "Pearson"], title)
            for one in system.correlations:
                values = (one.kendall_b, one.kendall_c, one.spearman, one.pearson)
                table.add_row(one.metric, *("–" if value is None else f"{100 * value:.1f}" for value in values))
            yield table
