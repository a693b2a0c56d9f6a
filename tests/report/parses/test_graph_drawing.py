"""Drawings of scene graphs: valid for any text, nothing overlaps, marks are right, the same each time."""

import html.parser
import itertools
from functools import partial
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spidercap.metrics.spice.caption_parse import compare_caption
from spidercap.metrics.spice.spice_digest import SpiceDetails
from spidercap.report.parses.graph_drawing import graph_svg
from spidercap.report.parses.graph_layout import fitted, lay_out, text_width, wrapped
from spidercap.report.parses.graph_order import untangled
from spidercap.report.parses.graph_page import ComparedCaption, graph_page

SVG = "{http://www.w3.org/2000/svg}"
REFERENCES = ["two brown dogs sit on a green field next to people", "people with their big dogs in a field"]
LONG = (
    "a large group of young people in red and white shirts standing next to two big brown dogs on a green field in "
    "front of an old stone house"
)
SCORE = {"pr": 0.5, "re": 0.5, "f": 0.5, "tp": 1, "fp": 1, "fn": 1}
NOTHING = {"pr": float("nan"), "re": float("nan"), "f": float("nan"), "tp": 0, "fp": 0, "fn": 0}
names = st.text(max_size=12)


@st.composite
def listings(draw):
    """Tuples of any texts over a few objects."""
    objects = draw(st.lists(names, max_size=6, unique=True))
    found = [((name,), draw(st.booleans())) for name in objects]
    if objects:
        node = st.sampled_from(objects)
        pairs = draw(st.lists(st.tuples(node, names), max_size=6))
        triples = draw(st.lists(st.tuples(node, names, node), max_size=8))
        found += [(each, draw(st.booleans())) for each in [*pairs, *triples]]
    return found


class Balance(html.parser.HTMLParser):
    """Checks that elements are closed in order."""

    VOID = ("meta",)

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check_page(page):
    balance = Balance()
    balance.feed(page)
    assert balance.open == []
    assert "script" not in balance.seen
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


@given(st.text(max_size=60), listings(), listings(), st.integers(0, 3))
@settings(deadline=None, max_examples=200)
def test_any_text_gives_valid_xml(caption, ours, theirs, references):
    details = SpiceDetails({"All": SCORE, "Color": NOTHING}, ours, theirs)
    drawing = graph_svg(caption, details, references)
    drawing.encode()
    ElementTree.fromstring(drawing.split("\n", 1)[1])
    page = graph_page([ComparedCaption(caption.replace("http", ""), ["<script>"] * references, details)])
    page.encode()
    check_page(page)


@pytest.mark.parametrize(
    "caption", ["", "horse", "!!! ...", "犬が走る", "🐶", "<b>&amp;\x01\ud800", LONG, "a dog " * 500]
)
@pytest.mark.parametrize("references", [[], REFERENCES])
def test_any_caption_can_be_drawn(caption, references):
    details = compare_caption(caption, references)
    root = ElementTree.fromstring(graph_svg(caption, details, len(references)).split("\n", 1)[1])
    cards = [each for each in root.iter(f"{SVG}rect") if each.get("class") == "card"]
    objects = sum(len(each) == 1 for listing in (details.candidate, details.references) for each, _ in listing)
    assert len(cards) == objects + (2 if references else 0)  # two of the legend
    check_page(graph_page([ComparedCaption(caption, references, details)] * 2))


def classes(root, kind):
    """How many of a kind are matched, unmatched and plain."""
    found = {"matched": 0, "unmatched": 0, "plain": 0}
    for group in root.iter(f"{SVG}g"):
        found_here = sum(each.get("class") == kind for each in group)
        if group.get("class") in found:
            found[group.get("class")] += found_here
    return found


def test_marks_are_those_of_the_listing():
    details = compare_caption(LONG, REFERENCES)
    root = ElementTree.fromstring(graph_svg(LONG, details, 2).split("\n", 1)[1])
    for size, kind in ((1, "card"), (2, "pill"), (3, "arrow")):
        marks = [
            matched for listing in (details.candidate, details.references) for e, matched in listing if len(e) == size
        ]
        legend = int(kind == "card")
        assert classes(root, kind) == {
            "matched": sum(marks) + legend, "unmatched": len(marks) - sum(marks) + legend, "plain": 0
        }  # fmt: skip
    plain = ElementTree.fromstring(graph_svg(LONG, compare_caption(LONG, []), 0).split("\n", 1)[1])
    assert classes(plain, "card")["matched"] == classes(plain, "card")["unmatched"] == 0
    assert classes(plain, "card")["plain"] > 3


def test_texts_are_in_the_drawing():
    drawing = graph_svg("a brown dog on a hill", compare_caption("a brown dog on a hill", ["a dog"]), 1)
    texts = ["".join(each.itertext()) for each in ElementTree.fromstring(drawing.split("\n", 1)[1]).iter(f"{SVG}text")]
    assert {"dog", "hill", "brown", "on", "Caption", "1 reference", "matched", "not matched"} <= set(texts)
    assert "SPICE 0.4000 · precision 0.2500 · recall 1.0000" in texts


def test_the_same_drawing_each_time():
    drawings = {graph_svg(LONG, compare_caption(LONG, REFERENCES), 2) for _ in range(3)}
    assert len(drawings) == 1


@given(listings())
@settings(deadline=None, max_examples=200)
def test_nothing_overlaps(listing):
    layout = lay_out(listing)
    for upper, lower in itertools.pairwise(layout.cards):
        assert upper.y + upper.height < lower.y
    for card in layout.cards:
        for pill in card.pills:
            assert card.y < pill.y
            assert pill.y + 22 <= card.y + card.height
            assert pill.x + pill.width <= layout.card_width
    ends = sorted(y for arrow in layout.arrows for y in (arrow.start, arrow.end))
    assert all(b - a > 8 for a, b in itertools.pairwise(ends))
    for one, other in itertools.combinations(layout.arrows, 2):
        if one.lane == other.lane:
            assert max(one.start, one.end) < min(other.start, other.end) or max(other.start, other.end) < min(
                one.start, one.end
            )
    for arrow in layout.arrows:
        assert layout.card_width + 8 + text_width(arrow.label, 12) < arrow.lane <= layout.width
        assert any(card.y < arrow.start < card.y + card.height for card in layout.cards)
    assert len(layout.cards) == sum(len(each) == 1 for each, _ in listing)
    assert len(layout.arrows) == sum(len(each) == 3 for each, _ in listing)


def test_arrows_are_short_where_they_can_be():
    objects = [((name,), False) for name in "abcdef"]
    relations = [(("a", "on", "f"), True), (("b", "on", "e"), True)]
    layout = lay_out([*objects, *relations])
    places = {card.name: number for number, card in enumerate(layout.cards)}
    assert abs(places["a"] - places["f"]) + abs(places["b"] - places["e"]) < 5 + 3


@pytest.mark.parametrize("text", ["", "dog", "a very long name of a thing", "犬" * 40, "e\u0301" * 50])
def test_text_is_cut_to_its_width(text):
    assert text_width(fitted(text, 80)) <= 80
    assert fitted(text, 10_000) == text


def test_lines_are_wrapped_between_parts():
    assert wrapped(["man/", "person/", "adult"], text_width("man/person/")) == ["man/person/", "adult"]


def crossings(layout):
    """How many arrows cross: one runs out past the lane of another, between its ends."""
    return sum(
        min(inner.start, inner.end) < y < max(inner.start, inner.end)
        for inner, outer in itertools.permutations(layout.arrows, 2)
        if inner.lane < outer.lane
        for y in (outer.start, outer.end)
    )


def scene(count, relations):
    """A listing of `count` objects and relations between them by number."""
    return [((f"o{n}",), False) for n in range(count)] + [((f"o{a}", "on", f"o{b}"), False) for a, b in relations]


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(*(st.integers(-1, node - 1) for node in range(n)))), st.randoms())
@settings(deadline=None, max_examples=200)
def test_arrows_without_a_circle_do_not_cross(parents, random):
    names = list(range(len(parents)))
    random.shuffle(names)
    edges = [(names[node], names[parent]) for node, parent in enumerate(parents) if parent >= 0]
    random.shuffle(edges)
    assert crossings(lay_out(scene(len(names), edges))) == 0


def test_arrows_between_the_same_two_objects_do_not_cross():
    assert crossings(lay_out(scene(2, [(0, 1), (1, 0), (0, 1), (0, 0)]))) == 0


def test_no_arrows_cross_needlessly_with_five_references():
    references = [
        "a man in a red shirt is riding a brown horse on a sandy beach next to the sea",
        "a young man rides a horse along the beach in front of blue waves",
        "the rider on a horse holds the reins in his hand near the water",
        "a man sitting on a horse with a dog running behind the horse on the sand",
        "a dog follows a man on a horse past some people with umbrellas on a beach",
    ]
    layout = lay_out(compare_caption("a man is riding a horse", references).references)
    assert len(layout.arrows) >= 15
    assert crossings(layout) == 0


@given(listings())
@settings(deadline=None, max_examples=100)
def test_no_object_has_a_place_with_fewer_crossings(listing):
    objects = sum(len(each) == 1 for each, _ in listing)
    place = {each[0]: n for n, (each, _) in enumerate(listing[:objects])}
    edges = [(place[each[0]], place[each[2]]) for each, _ in listing if len(each) == 3]
    order = untangled(objects, edges)
    assert sorted(order) == list(range(objects))
    for node in order:
        rest = [other for other in order if other != node]
        moved = [[*rest[:at], node, *rest[at:]] for at in range(objects)]
        assert min(map(partial(crossing_pairs, edges), moved)) == crossing_pairs(edges, order)


def crossing_pairs(edges, order):
    """How many pairs of edges cross, drawn as arcs beside the order."""
    spans = [sorted((order.index(a), order.index(b))) for a, b in edges]
    return sum(a[0] < b[0] < a[1] < b[1] for a, b in itertools.permutations(spans, 2))
