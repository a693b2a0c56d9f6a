"""A parse for the terminal: tree, dependencies and tuples, and what was matched."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from spidercap.metrics.spice.caption_parse import CaptionParse, TreeNode
from spidercap.metrics.spice.spice_digest import SpiceDetails, SpiceTuple
from spidercap.terminal import shown

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.tree import Tree


def print_parse(console: "Console", parse: CaptionParse, details: SpiceDetails | None) -> None:
    """Print one caption's parse, and what SPICE finds where it has references."""
    from rich.text import Text

    console.print(
        Text(shown(parse.caption) if parse.caption.strip() else "(empty caption)", style="bold"), soft_wrap=True
    )
    if not parse.tokens:
        console.print("no tokens, no tuples")
    else:
        for part in _parts(parse):
            console.print(part)
    if details is not None:
        for part in _comparison(details):
            console.print(part)
    console.print()


def _parts(parse: CaptionParse) -> Iterator["RenderableType"]:
    from rich.text import Text

    if not parse.whole:
        yield Text("the grammar covers this caption only in pieces", style="italic")
    yield _tree(parse.tree)
    table = _table(("#", "token", "tag", "label", "head"))
    for number, (token, tag, label, head) in enumerate(
        zip(parse.tokens, parse.tags, parse.labels, parse.heads, strict=True), 1
    ):
        above = f"{head} {parse.tokens[head - 1]}" if head else "–"
        table.add_row(*map(Text, (str(number), token, tag, label, above)))
    yield table
    tuples = _table(("tuples", ""))
    for kind, found in (
        ("objects", parse.objects),
        ("attributes", parse.attributes),
        ("relations", parse.relations),
    ):
        tuples.add_row(kind, Text(_listed(found)))
    yield tuples


def _tree(root: TreeNode) -> "Tree":
    """The tree of rich for a tree of a caption; not by recursion, for captions of any length."""
    from rich.text import Text
    from rich.tree import Tree

    drawn = Tree(Text(root.label, style="bold"))
    stack = [(root, drawn)]
    while stack:
        node, place = stack.pop()
        for child in node.children:
            text = Text.assemble((child.label, "dim" if child.word else "bold"), f" {child.word}" if child.word else "")
            stack.append((child, place.add(text)))
    return drawn


def _comparison(details: SpiceDetails) -> Iterator["RenderableType"]:
    from rich.text import Text

    scores = _table(("category", "F", "precision", "recall", "tp", "fp", "fn"), numbers=True)
    for category, values in details.scores.items():
        shares = (f"{values[name]:.4f}".replace("nan", "–") for name in ("f", "pr", "re"))
        scores.add_row(category, *shares, *(f"{values[name]:.0f}" for name in ("tp", "fp", "fn")))
    yield scores
    listing = _table(("", "of the caption", "of the references"))
    for kind, matched in (("matched", True), ("not matched", False)):
        sides = ([each for each, found in side if found == matched] for side in (details.candidate, details.references))
        listing.add_row(kind, *(Text(_listed(side)) for side in sides))
    yield listing


def _listed(tuples: Sequence[SpiceTuple]) -> str:
    return "  ".join(f"({', '.join(each)})" for each in tuples) or "–"


def _table(headings: Sequence[str], numbers: bool = False) -> "Table":
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if numbers and place else "left", overflow="fold")
    return table
