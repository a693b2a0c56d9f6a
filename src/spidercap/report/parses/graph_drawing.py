"""Scene graphs as SVG: a caption beside its references, matched tuples in blue with whole lines, others dashed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from spidercap.metrics.spice.spice_digest import SpiceDetails
from spidercap.report.parses.graph_layout import (
    FONT,
    LINE,
    PADDING,
    PILL,
    SMALL_FONT,
    Arrow,
    Card,
    SceneLayout,
    lay_out,
    text_width,
    wrapped,
)

# Okabe and Ito's blue and vermillion, lighter on dark paper: people of all kinds of colour vision tell them apart.
STYLE = """
.scene { font: 13px system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
.scene .paper { fill: #ffffff; }
.scene text { fill: #1d2330; }
.scene .quiet { fill: #5c6577; }
.scene .heading { font-weight: 600; font-size: 15px; }
.scene .small { font-size: 12px; }
.scene .middle { text-anchor: middle; }
.scene .card, .scene .pill { stroke-width: 1.4; }
.scene .arrow { fill: none; stroke-width: 1.4; }
.scene .plain .card { fill: #f3f5f8; stroke: #5c6577; }
.scene .plain .pill { fill: #ffffff; stroke: #5c6577; }
.scene .plain .arrow { stroke: #5c6577; }
.scene .plain .head { fill: #5c6577; }
.scene .matched .card { fill: #e3f0f9; stroke: #0072b2; stroke-width: 2; }
.scene .matched .pill { fill: #ffffff; stroke: #0072b2; stroke-width: 2; }
.scene .matched .arrow { stroke: #0072b2; stroke-width: 2; }
.scene .matched .head { fill: #0072b2; }
.scene .unmatched .card { fill: #fdf1ea; stroke: #b84f00; stroke-dasharray: 5 4; }
.scene .unmatched .pill { fill: #ffffff; stroke: #b84f00; stroke-dasharray: 4 3; }
.scene .unmatched .arrow { stroke: #b84f00; stroke-dasharray: 5 4; }
.scene .unmatched .head { fill: #b84f00; }
@media (prefers-color-scheme: dark) {
.scene .paper { fill: #161a22; }
.scene text { fill: #e8ebf1; }
.scene .quiet { fill: #a3adbd; }
.scene .plain .card { fill: #232a36; stroke: #a3adbd; }
.scene .plain .pill { fill: #161a22; stroke: #a3adbd; }
.scene .plain .arrow { stroke: #a3adbd; }
.scene .plain .head { fill: #a3adbd; }
.scene .matched .card { fill: #14304a; stroke: #56b4e9; }
.scene .matched .pill { fill: #161a22; stroke: #56b4e9; }
.scene .matched .arrow { stroke: #56b4e9; }
.scene .matched .head { fill: #56b4e9; }
.scene .unmatched .card { fill: #3a2418; stroke: #f08a4b; }
.scene .unmatched .pill { fill: #161a22; stroke: #f08a4b; }
.scene .unmatched .arrow { stroke: #f08a4b; }
.scene .unmatched .head { fill: #f08a4b; }
}
"""
MARGIN, PANEL_GAP, NARROWEST = 20.0, 44.0, 330.0
EMPTY_HEIGHT = 30.0
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Panel:
    """One scene graph with its heading; `judged` where its tuples were compared with others."""

    heading: str
    layout: SceneLayout
    judged: bool

    @property
    def width(self) -> float:
        """The width of heading and graph."""
        return max(self.layout.width, text_width(self.heading, 15))

    @property
    def height(self) -> float:
        """The height of heading and graph."""
        return 30 + (self.layout.height or EMPTY_HEIGHT)


def graph_panels(details: SpiceDetails, references: int) -> list[Panel]:
    """The panel of a caption, and that of its references where it has any."""
    judged = references > 0
    panels = [Panel("Caption", lay_out(details.candidate), judged)]
    if judged:
        merged = "1 reference" if references == 1 else f"{references} references, merged"
        panels.append(Panel(merged, lay_out(details.references), judged))
    return panels


def graph_svg(caption: str, details: SpiceDetails, references: int) -> str:
    """One self-contained SVG: the caption, its scores, both graphs side by side, and a legend."""
    panels = graph_panels(details, references)
    width = max(NARROWEST, sum(panel.width for panel in panels) + PANEL_GAP * (len(panels) - 1))
    lines = wrapped(re.split(r"(?<=\s)", printable(caption)), width, 15) if caption.strip() else ["(empty caption)"]
    texts = [(line, "heading") for line in lines] + ([(score_line(details), "quiet")] if references else [])
    top = MARGIN + 20.0 * len(texts) + 16
    height = top + max(panel.height for panel in panels) + (48 if references else 16)
    root = svg_root(width + 2 * MARGIN, height, f"Scene graph of the caption: {caption}")
    SubElement(root, "style").text = STYLE
    _box(root, "paper", (0, 0), (width + 2 * MARGIN, height), 0)
    for number, (text, kind) in enumerate(texts):
        _text(root, text, MARGIN, MARGIN + 12 + 20 * number, kind)
    x = MARGIN
    for panel in panels:
        draw_panel(root, panel, x, top)
        x += panel.width + PANEL_GAP
    if references:
        draw_legend(root, MARGIN, height - 30)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def score_line(details: SpiceDetails) -> str:
    """F, precision and recall over all tuples."""
    score = details.scores["All"]
    return f"SPICE {score['f']:.4f} · precision {score['pr']:.4f} · recall {score['re']:.4f}"


def printable(text: str) -> str:
    """The text without what XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def svg_root(width: float, height: float, title: str) -> Element:
    """An empty drawing that a page may make narrower."""
    size = {"width": f"{width:.0f}", "height": f"{height:.0f}", "viewBox": f"0 0 {width:.0f} {height:.0f}"}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": "scene", "role": "img"} | size)
    SubElement(root, "title").text = printable(title)
    return root


def draw_panel(root: Element, panel: Panel, x: float, y: float) -> None:
    """Draw a heading and its graph with the upper left corner at (x, y)."""
    _text(root, panel.heading, x, y + 12, "quiet heading")
    group = SubElement(root, "g", {"transform": f"translate({x:.1f} {y + 30:.1f})"})
    if not panel.layout.cards:
        _text(group, "no objects", 0, 14, "quiet")
    for arrow in sorted(panel.layout.arrows, key=lambda arrow: arrow.matched):
        _draw_arrow(_part(group, arrow.matched, panel.judged, arrow.full), arrow, panel.layout.card_width)
    for card in panel.layout.cards:
        _draw_card(group, card, panel)


def draw_legend(root: Element, x: float, y: float) -> None:
    """What colours and dashes mean."""
    for matched, text in ((True, "matched"), (False, "not matched")):
        part = _part(root, matched, True, "")
        _box(part, "card", (x, y), (26, 16), 5)
        _text(part, text, x + 34, y + 12.5, "small")
        x += 34 + text_width(text, SMALL_FONT) + 24


def _part(parent: Element, matched: bool, judged: bool, title: str) -> Element:
    """A group of its kind, whose whole text shows where the pointer rests."""
    kind = ("matched" if matched else "unmatched") if judged else "plain"
    group = SubElement(parent, "g", {"class": kind})
    if title:
        SubElement(group, "title").text = printable(title)
    return group


def _draw_card(parent: Element, card: Card, panel: Panel) -> None:
    group = _part(parent, card.matched, panel.judged, card.name)
    _box(group, "card", (0, card.y), (panel.layout.card_width, card.height), 9)
    for number, line in enumerate(card.lines):
        _text(group, line, PADDING, card.y + PADDING + FONT - 1 + LINE * number, "")
    for pill in card.pills:
        part = _part(parent, pill.matched, panel.judged, pill.full)
        _box(part, "pill", (pill.x, pill.y), (pill.width, PILL), PILL / 2)
        _text(part, pill.text, pill.x + pill.width / 2, pill.y + 15, "small middle")


def _draw_arrow(group: Element, arrow: Arrow, left: float) -> None:
    """Out to the lane, along it with rounded corners, and back to the other card."""
    bend = min(5.0, abs(arrow.end - arrow.start) / 2)
    down = bend if arrow.end >= arrow.start else -bend
    path = (
        f"M{left:.1f} {arrow.start:.1f}H{arrow.lane - bend:.1f}"
        f"q{bend:.1f} 0 {bend:.1f} {down:.1f}V{arrow.end - down:.1f}q0 {down:.1f} {-bend:.1f} {down:.1f}H{left + 8:.1f}"
    )
    SubElement(group, "path", {"class": "arrow", "d": path})
    tip = f"M{left + 1:.1f} {arrow.end:.1f}l9 -4.5v9z"
    SubElement(group, "path", {"class": "head", "d": tip})
    _text(group, arrow.label, left + 8, arrow.start - 4, "small")


def _box(parent: Element, kind: str, corner: Sequence[float], size: Sequence[float], radius: float) -> None:
    place = {"x": f"{corner[0]:.1f}", "y": f"{corner[1]:.1f}", "rx": f"{radius:.1f}"}
    SubElement(parent, "rect", {"class": kind, "width": f"{size[0]:.1f}", "height": f"{size[1]:.1f}"} | place)


def _text(parent: Element, text: str, x: float, y: float, kind: str) -> None:
    found = SubElement(parent, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}"} | ({"class": kind} if kind else {}))
    found.text = printable(text)
