"""What the parser's training concludes from weights: shared remainders, the steps they share, tags of known words."""

import itertools
import math
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools" / "parser"
OUTER, INNER = ("DT", "CD", "PRP$"), ("JJ", "NN", "VBG")


@pytest.fixture(autouse=True)
def tools(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))


def noun_phrases(own=()):
    """Rules `NP -> outer JJ inner NN`: after `own` outer words the inner ones have other weights."""
    return {
        ("NP", outer, "JJ", inner, "NN"): -1.0 * OUTER.index(outer) - (inner == "NN") * (0.5 if outer in own else 2.0)
        for outer, inner in itertools.product(OUTER, INNER)
    }


def test_remainders_that_go_on_alike_forget_their_first_child():
    from histories import forgotten_states

    assert forgotten_states(noun_phrases()) == {f"@NP NN <{outer} <JJ" for outer in OUTER}


def test_a_remainder_that_goes_on_otherwise_remembers_both():
    from histories import forgotten_states

    assert forgotten_states(noun_phrases(own=["CD"])) == {"@NP NN <DT <JJ", "@NP NN <PRP$ <JJ"}


def test_steps_are_guessed_from_remainders_of_the_same_state_only():
    from histories import guessed_steps

    rules = [("NP", "DT", "JJ", "NN", "NN"), ("NP", "CD", "JJ", "VBG", "NN"), ("NP", "PRP$", "JJ", "JJ", "NN")]
    forgotten = frozenset({"@NP NN <DT <JJ", "@NP NN <CD <JJ"})
    assert guessed_steps(rules, forgotten) == {
        ("@NP NN <CD <JJ", "NN", "NN"): ("@NP NN ~<JJ", "NN", "NN"),
        ("@NP NN <DT <JJ", "VBG", "NN"): ("@NP NN ~<JJ", "VBG", "NN"),
    }


def flat_phrases(place, constant, left_out=()):
    """Steps of a flat noun phrase in a place; what the remainder's name costs is added and taken off again."""
    phrase, rest = f"NP^{place}-B", f"@NP^{place}-B NN^NP <DT^NP"
    ways = {"JJ^NP": 0.5, "NN^NP": 0.3, "VBG^NP": 0.2}
    steps = {(rest, tag, "NN^NP"): math.log(share) + constant for tag, share in ways.items() if tag not in left_out}
    return {(phrase, "DT^NP", rest): -1.0 - constant} | steps


def test_a_likely_step_that_two_other_places_show_is_carried_over():
    from places import carried_steps

    weights = flat_phrases("PP", 0.0) | flat_phrases("S", 3.0) | flat_phrases("VP", -1.0, left_out=["VBG^NP"])
    carried = carried_steps(weights)
    step = ("@NP^VP-B NN^NP <DT^NP", "VBG^NP", "NN^NP")
    assert carried.keys() == {step}
    alike = math.log(1 / 0.8)
    assert carried[step] == pytest.approx(
        weights["@NP^VP-B NN^NP <DT^NP", "JJ^NP", "NN^NP"] + math.log(0.2 / 0.5), abs=alike
    )


def test_one_other_place_is_not_enough_to_carry_a_step_over():
    from places import carried_steps

    assert carried_steps(flat_phrases("PP", 0.0) | flat_phrases("VP", -1.0, left_out=["VBG^NP"])) == {}


def test_words_keep_a_rejected_tag_that_trees_surely_show():
    from grammar import IMPOSSIBLE, States, word_arrays
    from words import SHAPE, UNSEEN, WordModel

    states = States(["CD", "NN"], {"CD": 0, "NN": 1}, 2, 2)
    words = WordModel(
        frozenset(),
        {"kite": -0.5, "tree": -0.25},
        frozenset({("CD", "kite"), ("CD", "tree")}),
        frozenset({("CD", "tree")}),
    )
    weights = {
        ("CD", UNSEEN, ""): -9.0,
        ("NN", "kite", ""): -3.0,
        ("NN", "tree", ""): -4.0,
        ("NN", SHAPE + ".", ""): -5.0,
    }
    arrays = word_arrays(states, weights, words, frozenset({"CD"}))
    assert arrays["unseen_weight"].tolist() == pytest.approx([IMPOSSIBLE, IMPOSSIBLE])
    assert arrays["word_entries"].tolist() == [0, 2, 3]
    assert arrays["entry_tag"].tolist() == [0, 1, 1]
    assert arrays["entry_weight"].tolist() == [-9.5, -3.0, -4.0]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("17:52", "0"),
        ("-3", "0"),
        ("17th", "0a"),
        ("7-sided", "0-a"),
        ("dog", "."),
        ("giraffe", ".e"),
        ("t-shirt", "-.t"),
    ],
)
def test_shapes_of_words(word, expected):
    from words import shape

    assert shape(word) == expected


def test_a_word_with_a_blank_inside_is_one_word():
    from treebank import local_rules

    rules = local_rules("(NP (CD^NP 4 1/2) (NNS^NP dogs))")
    assert rules == [("NP", "CD^NP", "NNS^NP"), ("CD^NP", "4\u00a01/2", ""), ("NNS^NP", "dogs", "")]
