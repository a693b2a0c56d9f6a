"""A page that shows captions as SPICE sees them: scene graphs, scores by category and tuples; one file, no scripts."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from spidercap.metrics.spice.spice_digest import SpiceDetails
from spidercap.report.parses.graph_drawing import (
    STYLE,
    Panel,
    draw_legend,
    draw_panel,
    graph_panels,
    printable,
    svg_root,
)

PAGE_STYLE = """
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1200px; padding: 1.2rem 1rem 4rem; background: #ffffff; color: #1d2330;
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
h1 { font-size: 1.1rem; font-weight: 600; margin: 0 0 1.6rem; color: #5c6577; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2.long { font-size: 1rem; font-weight: 400; }
section { margin: 0 0 2.5rem; padding: 0 0 1.5rem; border-bottom: 1px solid #dfe3ea; }
ul { margin: 0 0 1rem; padding-left: 1.2rem; color: #5c6577; overflow-wrap: anywhere; }
.panels { display: flex; flex-wrap: wrap; gap: 1.5rem 3rem; align-items: flex-start; margin: 1rem 0; }
.panels svg { max-width: 100%; height: auto; display: block; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { padding: .2rem .8rem .2rem 0; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th { color: #5c6577; font-weight: 600; border-bottom: 1px solid #dfe3ea; }
th:first-child, td:first-child { text-align: left; }
th:last-child, td:last-child { padding-right: 0; }
@media (max-width: 480px) { th, td { padding-right: .45rem; } }
@media (prefers-color-scheme: dark) {
  body { background: #161a22; color: #e8ebf1; }
  h1, ul, th { color: #a3adbd; }
  section, th { border-color: #333b49; }
}
"""
# Letters of a caption that is no heading any more.
LONG = 200
COLUMNS = {"F": "f", "precision": "pr", "recall": "re"}


@dataclass(frozen=True)
class ComparedCaption:
    """A caption, its references, and what SPICE found."""

    caption: str
    references: Sequence[str]
    details: SpiceDetails


def graph_page(captions: Sequence[ComparedCaption]) -> str:
    """The page as one self-contained HTML text."""
    page = Element("html", {"lang": "en"})
    head = SubElement(page, "head")
    SubElement(head, "meta", {"charset": "utf-8"})
    SubElement(head, "meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"})
    SubElement(head, "title").text = "Captions as SPICE sees them"
    SubElement(head, "style").text = PAGE_STYLE + STYLE
    body = SubElement(page, "body")
    SubElement(body, "h1").text = "Captions as SPICE sees them"
    for caption in captions:
        _add_caption(body, caption)
    return "<!doctype html>\n" + ElementTree.tostring(page, encoding="unicode", method="html") + "\n"


def _add_caption(body: Element, compared: ComparedCaption) -> None:
    section = SubElement(body, "section")
    heading = SubElement(section, "h2", {"class": "long"} if len(compared.caption) > LONG else {})
    heading.text = printable(compared.caption) if compared.caption.strip() else "(empty caption)"
    if compared.references:
        listed = SubElement(section, "ul")
        for reference in compared.references:
            SubElement(listed, "li").text = printable(reference)
    panels = SubElement(section, "div", {"class": "panels"})
    for panel in graph_panels(compared.details, len(compared.references)):
        panels.append(_panel_svg(panel))
    if compared.references:
        _add_scores(panels, compared.details)


def _panel_svg(panel: Panel) -> Element:
    root = svg_root(panel.width + 4, panel.height + 4, f"Scene graph: {panel.heading}")
    draw_panel(root, panel, 2, 2)
    return root


def _add_scores(panels: Element, details: SpiceDetails) -> None:
    """The legend and the scores by category; a dash where the references have nothing in it."""
    scroll = SubElement(panels, "div", {"class": "scroll"})
    legend = svg_root(260, 26, "Legend")
    draw_legend(legend, 2, 2)
    scroll.append(legend)
    table = SubElement(scroll, "table")
    row = SubElement(table, "tr")
    for heading in ("category", *COLUMNS, "matched"):
        SubElement(row, "th", {"scope": "col"}).text = heading
    for category, values in details.scores.items():
        row = SubElement(table, "tr")
        numbers = [f"{values[name]:.3f}".replace("nan", "–") for name in COLUMNS.values()]
        for cell in (category, *numbers, f"{values['tp']:.0f} of {values['tp'] + values['fp']:.0f}"):
            SubElement(row, "td").text = cell
