"""The page of a report: one HTML file, no scripts, light and dark, wide and narrow."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from spidercap.metrics.names import title
from spidercap.recipe import as_tables
from spidercap.report.templates import render
from spidercap.report.training.content import TrainingReport
from spidercap.report.training.curves import Figure, diagnostic_figure, time_unit, validation_figures
from spidercap.report.training.examples import Example
from spidercap.report.training.leaderboard import METRICS, Cell, Row
from spidercap.report.training.methods import method_lines
from spidercap.report.training.published import CAVEAT, COLUMNS
from spidercap.report.training.rollout_page import RolloutPage
from spidercap.report.training.runs import Run
from spidercap.report.training.strokes import Stroke, strokes
from spidercap.report.training.training_tables import (
    WRITING_HEAD,
    few_images_note,
    note,
    number,
    parts_head,
    parts_rows,
    percent,
    unchanged_note,
    writing_rows,
)
from spidercap.text.amounts import amount

RUN_HEAD = ("method", "run", "started from", "steps", "best at", "time")


@dataclass(frozen=True)
class BoardCell:
    """A cell of the leaderboard as text; `sure` is "better" or "worse" where the difference is hardly chance."""

    value: str
    best: bool
    interval: str
    change: str
    sure: str


@dataclass(frozen=True)
class BoardRow:
    """A row of a table of scores."""

    name: str
    cells: Sequence[BoardCell]


@dataclass(frozen=True)
class TrainingPage:
    """What the template shows."""

    heading: str
    summary: str
    few_images: str
    note: str
    unchanged: str
    metrics: Sequence[str]
    rows: Sequence[BoardRow]
    caveat: str
    published_metrics: Sequence[str]
    published: Mapping[str, Sequence[BoardRow]]
    methods: Sequence[tuple[str, str]]
    legend: Mapping[str, Stroke]
    curves: Sequence[Figure]
    diagnostics: Figure
    examples: Sequence[Example]
    rollouts: Sequence[RolloutPage]
    rollouts_note: str
    parts_head: Sequence[str]
    parts_rows: Sequence[Sequence[str]]
    writing_head: Sequence[str]
    writing_rows: Sequence[Sequence[str]]
    run_head: Sequence[str]
    run_rows: Sequence[Sequence[str]]
    configs: Sequence[tuple[str, str]]
    signatures: Sequence[str]

    def svg(self, text: str) -> Markup:
        """A figure as it is: only our own drawings come here."""
        return Markup(text)

    def line(self, stroke: Stroke) -> Markup:
        """The line of a legend."""
        return Markup(f'<path d="M0 5H34" {stroke.attributes(2.5)}/>')

    def title(self, metric: str) -> str:
        """A metric as tables write it."""
        return title(metric)


def training_page(report: TrainingReport) -> str:
    """The report as one self-contained HTML text."""
    runs = report.runs
    page = TrainingPage(
        heading=f"{report.dataset}: {amount(len(runs), 'captioner')}",
        summary=f"Each run's best captioner on the split “{report.split}”, {amount(report.board.images, 'image')}.",
        few_images=few_images_note(report.board),
        note=note(report.board),
        unchanged=unchanged_note(report),
        metrics=[title(metric) for metric in METRICS],
        rows=_board_rows(report.board.own, METRICS),
        caveat=CAVEAT,
        published_metrics=[title(metric) for metric in COLUMNS],
        published={group: _board_rows(rows, COLUMNS) for group, rows in report.board.published.items()},
        methods=list(method_lines(runs)),
        legend=strokes(runs),
        curves=validation_figures(runs),
        diagnostics=diagnostic_figure(runs),
        examples=report.examples,
        rollouts=report.rollouts,
        rollouts_note=report.rollouts_note,
        parts_head=parts_head(report),
        parts_rows=list(parts_rows(report)),
        writing_head=WRITING_HEAD,
        writing_rows=list(writing_rows(report)),
        run_head=RUN_HEAD,
        run_rows=[_run_row(run) for run in runs],
        configs=[(run.name, json.dumps(as_tables(run.config), indent=1)) for run in runs],
        signatures=list(dict.fromkeys(report.signatures.values())),
    )
    return render("training.html", page)


def _board_rows(rows: Sequence[Row], metrics: Sequence[str]) -> list[BoardRow]:
    return [BoardRow(row.name, [_board_cell(row.cells[metric]) for metric in metrics]) for row in rows]


def _board_cell(cell: Cell) -> BoardCell:
    interval = f"{number(cell.interval.low)}–{number(cell.interval.high)}" if cell.interval else ""
    change = percent(cell.change) + cell.mark if cell.change is not None else ""
    sure = ("better" if (cell.change or 0) > 0 else "worse") if cell.sure else ""
    return BoardCell(number(cell.value), cell.best, interval, change, sure)


def _run_row(run: Run) -> list[str]:
    unit, divisor = time_unit(run.seconds)
    time = f"{run.seconds / divisor:.1f} {unit}"
    return [run.name, str(run.folder.path), run.init, f"{run.steps:,}", f"{run.facts['steps']:,}", time]
