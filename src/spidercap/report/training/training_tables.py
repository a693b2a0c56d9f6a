"""A report without pictures: Markdown, LaTeX, CSV, and the leaderboard in a terminal of 80 columns."""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from spidercap.metrics.names import title
from spidercap.report.training.content import TrainingReport
from spidercap.report.training.leaderboard import METRICS, SURE, Cell, Leaderboard, Row
from spidercap.report.training.methods import method_lines
from spidercap.report.training.published import CAVEAT, COLUMNS
from spidercap.text.amounts import amount, decimal

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

WRITING_HEAD = ("method", "words", "repeats 4 words", "repeats 2 words", "bad endings", "distinct", "vocabulary")
CSV_HEAD = ("group", "method", "metric", "value", "low", "high", "relative_change", "p")
_LATEX = str.maketrans({character: f"\\{character}" for character in "&%$#_{}"})
_MARKDOWN = str.maketrans({character: f"\\{character}" for character in "\\*_|<[`"})


def number(value: float) -> str:
    """A score as tables write it; a dash for what is not one."""
    return "–" if math.isnan(value) else decimal(value, 3)


def percent(share: float) -> str:
    """A change, with its sign."""
    return decimal(100 * share, 1, "+") + " %"


def note(board: Leaderboard) -> str:
    """What the marks of the table mean."""
    return (
        f"{amount(board.images, 'image')}, greedy decoding. Each score with its 95 % bootstrap interval and its change "
        f"relative to {board.against}; the best in bold; * marks a difference that chance alone gives in "
        f"fewer than {100 * SURE:g} of 100 cases (approximate randomisation over images, each cell by itself)."
    ) + (f" Differences in CIDEr below about {number(board.pairs.margin)} may be chance." if board.pairs.count else "")


def few_images_note(board: Leaderboard) -> str:
    """That the images are too few to tell the methods apart, where they are."""
    pairs = board.pairs
    if not pairs.images_are_few:
        return ""
    return (
        f"Too few images ({board.images:,}) to tell these methods apart: by CIDEr, {pairs.unsure} of "
        f"{amount(pairs.count, 'pair')} of methods differ by no more than chance, and differences below about "
        f"{number(pairs.margin)} mean little here."
    )


def unchanged_note(report: TrainingReport) -> str:
    """Which methods never became better than what they began with; their rows are the start's."""
    names = [run.name for run in report.runs if run.init and run.facts["steps"] == 0]
    if not names:
        return ""
    return (
        f"On the validation images {', '.join(names)} did not become better than the start: "
        "the captioner that was kept is the start itself."
    )


def writing_rows(report: TrainingReport) -> Iterator[list[str]]:
    """How each method writes."""
    for name, each in report.writing.items():
        shares = (each.repetition, each.repeated_bigrams, each.bad_endings)
        counts = (f"{each.distinct:,} of {each.captions:,}", f"{each.vocabulary:,}")
        yield [name, f"{each.mean_length:.1f}", *(f"{100 * share:.1f} %" for share in shares), *counts]


def parts_head(report: TrainingReport) -> list[str]:
    """The columns of SPICE by category."""
    return ["method", *next(iter(report.parts.values()))]


def parts_rows(report: TrainingReport) -> Iterator[list[str]]:
    """SPICE by category of each method."""
    for name, values in report.parts.items():
        yield [name, *map(number, values.values())]


def markdown(report: TrainingReport) -> str:
    """The tables and the examples as Markdown."""
    board = report.board
    parts = [
        f"# {_escaped(f'{report.dataset}, {report.split}')}",
        *filter(None, [few_images_note(board)]),
        _escaped(note(board)),
        _markdown_table(["method", *map(title, METRICS)], _markdown_rows(board.own, METRICS)),
        *filter(None, [_escaped(unchanged_note(report))]),
        *(["## Published", CAVEAT, *_markdown_published(board)] if board.published else []),
        "## Methods",
        "\n".join(f"* {_escaped(name)}: {_escaped(meaning)}" for name, meaning in method_lines(report.runs)),
        "## SPICE by category",
        _markdown_table(parts_head(report), _escaped_rows(parts_rows(report))),
        "## How the captions are written",
        _markdown_table(WRITING_HEAD, _escaped_rows(writing_rows(report))),
        *(["## Examples", *_markdown_examples(report)] if report.examples else []),
        "## Signatures",
        "\n".join(f"* `{text}`" for text in dict.fromkeys(report.signatures.values())),
    ]
    return "\n\n".join(parts) + "\n"


def _markdown_rows(rows: Sequence[Row], metrics: Sequence[str]) -> Iterator[list[str]]:
    for row in rows:
        yield [_escaped(row.name), *(_markdown_cell(row.cells[metric]) for metric in metrics)]


def _markdown_published(board: Leaderboard) -> Iterator[str]:
    for group, rows in board.published.items():
        yield _markdown_table([group, *map(title, COLUMNS)], _markdown_rows(rows, COLUMNS))


def _markdown_cell(cell: Cell) -> str:
    value = f"**{number(cell.value)}**" if cell.best else number(cell.value)
    interval = f" [{number(cell.interval.low)}, {number(cell.interval.high)}]" if cell.interval else ""
    change = f" {percent(cell.change)}{_escaped(cell.mark)}" if cell.change is not None else ""
    return value + interval + change


def _markdown_table(head: Sequence[str], rows: Iterator[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is: names hold asterisks, captions whatever people write."""
    return text.translate(_MARKDOWN)


def _escaped_rows(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    return (list(map(_escaped, row)) for row in rows)


def _markdown_examples(report: TrainingReport) -> Iterator[str]:
    for each in report.examples:
        yield f"**{_escaped(each.id)}**: " + _escaped(" / ".join(each.references))
        rows = ([said.method, said.caption, *map(number, said.scores.values())] for said in each.said)
        yield _markdown_table(["method", "caption", *map(title, each.said[0].scores)], _escaped_rows(rows))


def latex(board: Leaderboard) -> str:
    """The leaderboard as a LaTeX table; needs the package booktabs."""
    lines = [
        *(f"% {text}" for text in (few_images_note(board), note(board), CAVEAT if board.published else "") if text),
        f"\\begin{{tabular}}{{l{'r' * len(METRICS)}}}",
        "\\toprule",
        " & ".join(["method", *map(title, METRICS)]) + " \\\\",
    ]
    group: str | None = None
    for row in board.rows:
        if row.group != group:
            lines.append("\\midrule")
            lines += [f"\\multicolumn{{{len(METRICS) + 1}}}{{l}}{{\\emph{{{row.group}}}}} \\\\"] if row.group else []
            group = row.group
        cells = [_latex_cell(row.cells.get(metric)) for metric in METRICS]
        lines.append(" & ".join([row.name.translate(_LATEX), *cells]) + " \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"


def _latex_cell(cell: Cell | None) -> str:
    if cell is None:
        return "--"
    value = f"\\textbf{{{number(cell.value)}}}" if cell.best else number(cell.value)
    return value + ("$^{*}$" if cell.sure else "")


def comma_separated(board: Leaderboard) -> str:
    """One line a method and metric, all digits."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for row in board.rows:
        for metric, cell in row.cells.items():
            ends = (cell.interval.low, cell.interval.high) if cell.interval else (None, None)
            numbers = ("" if value is None else repr(value) for value in (cell.value, *ends, cell.change, cell.p))
            writer.writerow([row.group, row.name, metric, *numbers])
    return buffer.getvalue()


def print_leaderboard(board: Leaderboard) -> None:
    """The rows of our own runs for a terminal."""
    from spidercap.terminal import console

    terminal = console()
    terminal.print(_terminal_table(board))
    if text := few_images_note(board):
        terminal.print(text, soft_wrap=True)
    if any(cell.sure for row in board.own for cell in row.cells.values()):
        terminal.print(f"* differs from {board.against} by more than chance (p < {SURE:g})", soft_wrap=True)


def _terminal_table(board: Leaderboard) -> "Table":
    """As narrow as the paper's: no 0 before the point, BLEU as B."""
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, padding=0, pad_edge=False)
    table.add_column("method", overflow="fold")
    for metric in METRICS:
        table.add_column(title(metric).replace("BLEU", "B"), justify="right", no_wrap=True)
    for row in board.own:
        table.add_row(row.name, *(_terminal_cell(row.cells[metric]) for metric in METRICS))
    return table


def _terminal_cell(cell: Cell) -> "Text":
    from rich.text import Text

    text = f"{cell.value:.3f}".removeprefix("0") + (cell.mark or " ")
    return Text(text, style="bold" if cell.best else "")
