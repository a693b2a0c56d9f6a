"""`study report`: the findings as HTML, Markdown and CSV."""

import base64
import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from spidercap.files import new_file, new_folder
from spidercap.report.templates import render
from spidercap.study.create import PICTURES
from spidercap.study.export import aggregated, judgements, log, raw_ratings
from spidercap.study.figure import Difference, difference_figure, distribution_figure
from spidercap.study.findings import Choices, Findings, JudgedExample, find
from spidercap.study.scales import PAIRWISE
from spidercap.study.store import Store
from spidercap.study.tables import Table, tables_of
from spidercap.text.amounts import amount

THUMBNAIL = 320


@dataclass(frozen=True)
class ShownExample:
    """An example with its picture inside the page."""

    example: JudgedExample
    source: str


@dataclass(frozen=True)
class ReportPage:
    """What the template shows."""

    name: str
    summary: str
    warnings: tuple[str, ...]
    figure_title: str
    figure: Markup
    distribution: Markup
    tables: tuple[Table, ...]
    baseline: str
    examples: tuple[ShownExample, ...]


def write_report(store: Store, folder: Path, out: Path, choices: Choices) -> Findings:
    """Write report.html, report.md and the tables into a new folder."""
    findings = find(store, choices)
    page, ratings = _page(store, folder, findings, choices), findings.ratings
    contents = {
        "report.html": render("report.html", page, "spidercap.study"),
        "report.md": markdown(page),
        "ratings.csv": raw_ratings(ratings),
        "items.csv": aggregated(ratings, store.settings.scale),
        "log.csv": log(store),
    }
    if store.settings.scale_name != PAIRWISE.name:
        for number, (system, text) in enumerate(judgements(ratings, store.settings).items(), 1):
            contents[f"judgements-{number}-{re.sub(r'[^A-Za-z0-9.-]+', '_', system)}.csv"] = text
    with new_folder(out) as temporary:
        for name, text in contents.items():
            with new_file(temporary / name) as file:
                file.write(text)
    return findings


def live_report(store: Store, folder: Path) -> tuple[str, str]:
    """The page of the study as it stands, and the policy that allows its own style and pictures and nothing else."""
    choices = Choices()
    html = render("report.html", _page(store, folder, find(store, choices), choices), "spidercap.study")
    style = html[html.index("<style>") + len("<style>") : html.index("</style>")]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return html, f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; frame-ancestors 'none'"


def _page(store: Store, folder: Path, findings: Findings, choices: Choices) -> ReportPage:
    pairwise = store.settings.scale_name == PAIRWISE.name
    standings = [*findings.standings, *([findings.control] if findings.control else [])]
    points = [
        Difference(s.name, s.difference, s.difference_interval) for s in findings.standings if s.difference is not None
    ]
    figure = difference_figure(points, findings.baseline) if points else ""
    decided = [(standing.name, standing.counts) for standing in standings if standing.known]
    what = "Preferred to" if pairwise else "“Not bad” above"
    return ReportPage(
        name=store.settings.name,
        summary=_summary(store, findings, choices),
        warnings=findings.warnings,
        figure_title=f"{what} {findings.baseline}, in percentage points",
        figure=Markup(figure),
        distribution=Markup(distribution_figure(decided) if decided else ""),
        tables=tuple(tables_of(store, findings, choices)),
        baseline=findings.baseline,
        examples=tuple(_shown(example, folder) for example in findings.examples),
    )


def _summary(store: Store, findings: Findings, choices: Choices) -> str:
    settings, items = store.settings, findings.ratings.items
    answers = sum(len(choices) for choices in findings.ratings.choices())
    wanted = sum(item.needed for item in items)
    parts = [
        f"{len(items):,} items, {answers:,} of {wanted:,} answers ({settings.raters} an item), "
        f"{amount(len(findings.raters), 'rater')}; scale: {settings.scale_name}."
    ]
    if findings.late:
        parts.append(f"{amount(findings.late, 'answer')} came late, when the item was full: kept but not counted.")
    if choices.without:
        parts.append(f"Without the answers of {', '.join(choices.without)}.")
    return " ".join(parts)


def _shown(example: JudgedExample, folder: Path) -> ShownExample:
    from spidercap.vision.pictures import open_picture

    picture = open_picture(folder / PICTURES / f"{example.picture}.jpg")
    picture.thumbnail((THUMBNAIL, THUMBNAIL))
    content = io.BytesIO()
    picture.save(content, "JPEG", quality=85)
    return ShownExample(example, "data:image/jpeg;base64," + base64.b64encode(content.getvalue()).decode())


def markdown(page: ReportPage) -> str:
    """The report without its pictures."""
    parts = [
        f"# {_plain(page.name)}",
        _plain(page.summary),
        *(f"**Note:** {_plain(warning)}." for warning in page.warnings),
    ]
    for table in page.tables:
        parts += [f"## {table.title}", _plain(table.note), "\n".join(_markdown_rows(table))]
    if page.examples:
        rows = [
            (
                one.example.system,
                "won" if one.example.won else "lost",
                one.example.image,
                one.example.caption,
                one.example.baseline_caption,
            )
            for one in page.examples
        ]
        head = ("system", "outcome", "image", "its caption", f"{page.baseline}'s caption")
        parts += ["## Examples", "\n".join(_markdown_rows(Table("", "", head, tuple(rows))))]
    return "\n\n".join(parts) + "\n"


def _markdown_rows(table: Table) -> Iterator[str]:
    yield _line([_plain(cell) for cell in table.head])
    yield _line(["---"] * len(table.head))
    yield from (_line([_plain(cell) for cell in row]) for row in table.rows)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))
