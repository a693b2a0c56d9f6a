"""What SPICE sees in a caption: tokens, tags, tree, dependencies and tuples."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spidercap.metrics.reference_digest import ReferenceTexts
from spidercap.metrics.settings import Settings
from spidercap.metrics.spice.spice_digest import SpiceDetails, SpiceDigest, SpiceTuple, raw_tuples
from spidercap.metrics.spice_parser import caption_parser
from spidercap.text.tokenize import tokenize_ptb


@dataclass(frozen=True)
class TreeNode:
    """A phrase with its parts, or a tag with its word."""

    label: str
    word: str = ""
    children: tuple["TreeNode", ...] = ()


@dataclass(frozen=True)
class CaptionParse:
    """One caption and its parse.

    `heads[i]` is the number of the token that token i hangs on, counted from 1, and 0 for the root; `labels[i]` says
    how. `whole` is false where the grammar covers the caption only in pieces. `tuples` are raw: in the order of the
    rules, repetitions included, relations as (subject, object, relation).
    """

    caption: str
    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    bracketed: str
    log_probability: float
    whole: bool
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    tuples: tuple[SpiceTuple, ...]

    @property
    def tree(self) -> TreeNode:
        """The tree that `bracketed` writes."""
        return _read_tree(self.bracketed, self.tokens, self.tags)

    @property
    def objects(self) -> list[SpiceTuple]:
        """The tuples of one string."""
        return [each for each in self.tuples if len(each) == 1]

    @property
    def attributes(self) -> list[SpiceTuple]:
        """(object, attribute)."""
        return [each for each in self.tuples if len(each) == 2]

    @property
    def relations(self) -> list[SpiceTuple]:
        """(subject, relation, object), as one reads them."""
        return [(each[0], each[2], each[1]) for each in self.tuples if len(each) == 3]

    def as_json(self) -> dict[str, Any]:
        """The shape that `parse --json` prints."""
        found = zip(self.labels, self.heads, range(1, len(self.tokens) + 1), strict=True)
        return {
            "caption": self.caption,
            "tokens": self.tokens,
            "tags": self.tags,
            "tree": self.bracketed,
            "log_probability": self.log_probability if math.isfinite(self.log_probability) else None,
            "whole": self.whole,
            "dependencies": [{"label": label, "head": head, "token": token} for label, head, token in found],
            "tuples": {"objects": self.objects, "attributes": self.attributes, "relations": self.relations},
        }


def parse_caption(caption: str) -> CaptionParse:
    """Tokenise and parse one caption as `score` does."""
    (text,) = tokenize_ptb([caption])
    ((bracketed, log_probability, whole),) = caption_parser().trees([text])
    ((tokens, tags, heads, labels),) = caption_parser().dependencies([text])
    tuples = tuple(raw_tuples(text))
    return CaptionParse(
        caption, tuple(tokens), tuple(tags), bracketed, log_probability, whole, tuple(heads), tuple(labels), tuples
    )


def compare_caption(caption: str, references: Sequence[str]) -> SpiceDetails:
    """What SPICE finds of a caption against its references; without any, nothing is matched."""
    text, *truths = tokenize_ptb([caption, *references])
    settings = Settings(threads=1)
    return SpiceDigest.of(ReferenceTexts([truths], settings, tokenised=True), settings).details(0, text)


def _read_tree(bracketed: str, tokens: Sequence[str], tags: Sequence[str]) -> TreeNode:
    """The tree of text such as `(NP (DT a) (NN man))`; a word may hold brackets, so the words are told."""
    words = zip(tags, tokens, strict=True)
    stack: list[tuple[str, list[TreeNode]]] = [("", [])]
    at = 0
    expected = next(words, None)
    while at < len(bracketed):
        if expected and bracketed.startswith(leaf := f"({expected[0]} {expected[1]})", at):
            stack[-1][1].append(TreeNode(*expected))
            at += len(leaf)
            expected = next(words, None)
        elif bracketed[at] == "(":
            end = min(place for place in (bracketed.find(c, at + 1) for c in " )") if place >= 0)
            stack.append((bracketed[at + 1 : end], []))
            at = end
        elif bracketed[at] == ")":
            label, children = stack.pop()
            stack[-1][1].append(TreeNode(label, children=tuple(children)))
            at += 1
        else:
            at += 1
    return stack[0][1][0]


def leaves(tree: TreeNode) -> Iterator[TreeNode]:
    """The tags of a tree with their words, from left to right."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if node.word:
            yield node
        stack.extend(reversed(node.children))
