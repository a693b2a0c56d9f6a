"""What SPICE sees in a caption: the parts agree with each other and with what is scored."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spidercap
from spidercap.metrics.spice.caption_parse import _read_tree, compare_caption, leaves, parse_caption

ODD = [
    "",
    "dog",
    "!!! ...",
    "犬が走る",
    "🐶🐶",
    "smile :-) (: ;-( here",
    "<b>&amp; [x]",
    "a dog " * 500,
    "\x01\x02 a\u0301",
]


def test_a_caption_worked_by_hand():
    found = parse_caption("A man riding a horse.")
    assert found.tokens == ("a", "man", "riding", "a", "horse")
    assert found.tags == ("DT", "NN", "VBG", "DT", "NN")
    assert found.labels[0] == "det"
    assert found.heads[0] == 2
    assert found.heads.count(0) == 1
    assert found.whole
    assert sorted(found.objects) == [("horse",), ("man",)]


def test_relations_read_from_subject_to_object():
    found = parse_caption("a brown dog on a hill")
    assert ("dog", "hill", "on") in found.tuples
    assert found.relations == [("dog", "on", "hill")]
    assert found.attributes == [("dog", "brown")]


@pytest.mark.parametrize("caption", ODD)
def test_any_caption_has_a_parse(caption):
    found = parse_caption(caption)
    assert [(node.label, node.word) for node in leaves(found.tree)] == list(zip(found.tags, found.tokens, strict=True))
    assert len(found.heads) == len(found.labels) == len(found.tokens)
    assert json.loads(json.dumps(found.as_json(), allow_nan=False))["tokens"] == list(found.tokens)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60))
@settings(deadline=None, max_examples=200)
def test_any_text_has_a_tree_of_its_tokens(caption):
    found = parse_caption(caption)
    assert tuple(node.word for node in leaves(found.tree)) == found.tokens


def test_a_comparison_is_what_is_scored():
    caption, references = "a brown dog on a hill", ["a dog on a green hill", "the brown dog"]
    found = compare_caption(caption, references)
    assert found.scores["All"]["f"] == spidercap.score([caption], [references], "SPICE").corpus["SPICE"]
    assert dict(found.candidate)[("dog", "brown")] is True
    assert dict(found.references)[("hill", "green")] is False


def test_without_references_nothing_is_matched():
    found = compare_caption("a brown dog", [])
    assert [elements for elements, _ in found.candidate] == [("dog",), ("dog", "brown")]
    assert not any(matched for _, matched in found.candidate)
    assert found.references == []


def test_words_may_hold_brackets():
    tree = _read_tree("(ROOT (NP (NN :-)) (NN ()) (VP (VB go)))", (":-)", "(", "go"), ("NN", "NN", "VB"))
    assert [node.word for node in leaves(tree)] == [":-)", "(", "go"]
    assert [child.label for child in tree.children] == ["NP", "VP"]
