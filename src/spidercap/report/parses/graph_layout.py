"""Where the parts of a scene graph go: cards in a column, pills on them, arrows in lanes beside them.

Objects are cards, attributes pills on their card, and relations arrows that leave a card on its right, run along a lane
and come back to another card. Nothing overlaps, and equal scenes are drawn equally.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from spidercap.metrics.spice.spice_digest import Listing
from spidercap.report.parses.graph_order import untangled

CARD_NARROWEST, CARD_WIDEST = 124.0, 176.0
PADDING, LINE, PILL, GAP = 10.0, 18.0, 22.0, 5.0
CARD_GAP, LANE = 14.0, 11.0
LABEL_WIDEST = 120.0
OUT_PORT, IN_PORT = 21.0, 13.0
FONT, SMALL_FONT = 13.0, 12.0
NARROW, WIDE = frozenset(" .,:;!|'ijl"), frozenset("mwMW@%")


@dataclass(frozen=True)
class Pill:
    """An attribute on its card."""

    text: str
    full: str
    matched: bool
    x: float
    y: float
    width: float


@dataclass(frozen=True)
class Card:
    """An object: the lines of its name, and its attributes."""

    lines: tuple[str, ...]
    name: str
    matched: bool
    y: float
    height: float
    pills: tuple[Pill, ...]


@dataclass(frozen=True)
class Arrow:
    """A relation: from the card edge at `start` along the vertical `lane` to the card edge at `end`."""

    label: str
    full: str
    matched: bool
    start: float
    end: float
    lane: float


@dataclass(frozen=True)
class SceneLayout:
    """A scene graph with all places decided; the cards begin at 0 and are `card_width` wide."""

    cards: tuple[Card, ...]
    arrows: tuple[Arrow, ...]
    card_width: float
    width: float
    height: float


@dataclass(frozen=True)
class _Relation:
    subject: int
    object: int
    name: str
    matched: bool


def lay_out(listing: Listing) -> SceneLayout:
    """The layout of a listing of merged tuples."""
    names, relations = _ordered(listing)
    matched = {elements[0]: found for elements, found in listing if len(elements) == 1}
    attributes = defaultdict(list)
    for elements, found in listing:
        if len(elements) == 2:
            attributes[elements[0]].append((elements[1], found))
    width = _card_width(names, [name for pairs in attributes.values() for name, _ in pairs])
    cards: list[Card] = []
    y = 0.0
    for number, name in enumerate(names):
        card = _card(name, matched[name], attributes[name], width, y, _port_heights(number, relations))
        cards.append(card)
        y += card.height + CARD_GAP
    arrows = _arrows(cards, relations, width)
    right = max([width, *(arrow.lane for arrow in arrows)]) + (6 if arrows else 0)
    return SceneLayout(tuple(cards), arrows, width, right, max(0.0, y - CARD_GAP))


def text_width(text: str, font: float = FONT) -> float:
    """About how wide text is in a sans-serif font; rather too wide than too narrow."""
    return font * sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    """The width of a letter as a share of the size of the font."""
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    return 0.36 if letter in NARROW else 0.95 if letter in WIDE else 0.62 if letter.islower() else 0.72


def fitted(text: str, width: float, font: float = FONT) -> str:
    """The text, cut with an ellipsis where it is too wide."""
    if text_width(text, font) <= width:
        return text
    while text and text_width(text + "…", font) > width:
        text = text[:-1]
    return text + "…"


def wrapped(parts: Sequence[str], width: float, font: float = FONT) -> list[str]:
    """Parts put into lines that are not too wide; a part that is gets a line of its own, cut."""
    lines = [""]
    for part in parts:
        if lines[-1] and text_width((lines[-1] + part).rstrip(), font) > width:
            lines.append("")
        lines[-1] += part
    return [fitted(line.rstrip(), width, font) for line in lines]


def _ordered(listing: Listing) -> tuple[list[str], list[_Relation]]:
    """The objects from top to bottom, matched ones first where relations do not say otherwise, and the relations."""
    names = [elements[0] for elements, _ in listing if len(elements) == 1]
    place = {name: number for number, name in enumerate(names)}
    relations = [
        _Relation(place[elements[0]], place[elements[2]], elements[1], found)
        for elements, found in listing
        if len(elements) == 3
    ]
    order = untangled(len(names), [(one.subject, one.object) for one in relations])
    place_of = {old: new for new, old in enumerate(order)}
    moved = [_Relation(place_of[one.subject], place_of[one.object], one.name, one.matched) for one in relations]
    return [names[old] for old in order], moved


def _card_width(names: Sequence[str], attributes: Sequence[str]) -> float:
    texts = [text_width(part) for name in names for part in name.split("/")]
    pills = [text_width(name, SMALL_FONT) + 14 for name in attributes]
    return min(CARD_WIDEST, max([CARD_NARROWEST, *(width + 2 * PADDING + 1 for width in [*texts, *pills])]))


def _card(
    name: str, matched: bool, attributes: Sequence[tuple[str, bool]], width: float, y: float, ports: float
) -> Card:
    parts = name.split("/")
    lines = wrapped([f"{part}/" for part in parts[:-1]] + parts[-1:], width - 2 * PADDING)
    pills, bottom = _pills(attributes, width, y + PADDING + LINE * len(lines))
    height = max(bottom - y + (8.0 if pills else PADDING), ports + 8)
    return Card(tuple(lines), name, matched, y, height, pills)


def _pills(attributes: Sequence[tuple[str, bool]], width: float, top: float) -> tuple[tuple[Pill, ...], float]:
    """Pills in rows, and where the last row ends."""
    pills: list[Pill] = []
    x, y = PADDING, top + 2
    for name, matched in attributes:
        text = fitted(name, width - 2 * PADDING - 14, SMALL_FONT)
        wide = text_width(text, SMALL_FONT) + 14
        if x > PADDING and x + wide > width - PADDING:
            x, y = PADDING, y + PILL + GAP
        pills.append(Pill(text, name, matched, x, y, wide))
        x += wide + GAP
    return tuple(pills), y + PILL if pills else top


def _port_heights(number: int, relations: Sequence[_Relation]) -> float:
    return sum(OUT_PORT * (one.subject == number) + IN_PORT * (one.object == number) for one in relations)


def _arrows(cards: Sequence[Card], relations: Sequence[_Relation], width: float) -> tuple[Arrow, ...]:
    ports = _ports(cards, relations)
    labels = [fitted(one.name, LABEL_WIDEST, SMALL_FONT) for one in relations]
    first = width + max([0.0, *(text_width(label, SMALL_FONT) for label in labels)]) + 22
    lanes = _lanes([sorted((ports[i, "out"], ports[i, "in"])) for i in range(len(relations))])
    return tuple(
        Arrow(label, one.name, one.matched, ports[i, "out"], ports[i, "in"], first + LANE * lanes[i])
        for i, (one, label) in enumerate(zip(relations, labels, strict=True))
    )


def _ports(cards: Sequence[Card], relations: Sequence[_Relation]) -> dict[tuple[int, str], float]:
    """Where each arrow leaves and enters: from the top those to near cards above, to far ones, and so on mirrored.

    Arrows between the same two cards end in one order above and in the other below, one around the other.
    """
    places: dict[tuple[int, str], float] = {}
    ends: list[list[tuple[int, int, int, str]]] = [[] for _ in cards]
    for i, one in enumerate(relations):
        away = one.object - one.subject
        for number, distance, end in ((one.subject, away, "out"), (one.object, -away, "in")):
            side = (distance > 0) - (distance < 0)
            ends[number].append((side, -distance, -i if side > 0 else i, end))
    for card, waiting in zip(cards, ends, strict=True):
        y = card.y + 4
        for _, _, i, end in sorted(waiting):
            y += OUT_PORT if end == "out" else IN_PORT
            places[abs(i), end] = y - 4
    return places


def _lanes(spans: Sequence[Sequence[float]]) -> list[int]:
    """The innermost lane for each vertical span that no other span of the lane touches, short spans first."""
    taken: list[list[Sequence[float]]] = []
    lanes = [0] * len(spans)
    for i in sorted(range(len(spans)), key=lambda i: (spans[i][1] - spans[i][0], i)):
        low, high = spans[i]
        free = (n for n, lane in enumerate(taken) if all(high + 8 < a or b + 8 < low for a, b in lane))
        lanes[i] = next(free, len(taken))
        if lanes[i] == len(taken):
            taken.append([])
        taken[lanes[i]].append(spans[i])
    return lanes
