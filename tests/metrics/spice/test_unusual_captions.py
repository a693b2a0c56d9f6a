"""What users have besides clean photo captions: unknown words, typos, sounds, videos. Own sentences throughout.

The expectations are what a reader would call right where the reference does too. It often reads the verb of a sound as
a noun ("water drips into ..."), and so do we: there the test asks for the objects only.
"""

import pytest

from spidercap.metrics.spice.lexicon import load_lexicon
from spidercap.metrics.spice_parser import caption_parser


def tuples_of(caption):
    return set(caption_parser().parse([caption]).tuples(0, load_lexicon()))


def tags_of(caption):
    words, tags, _, _ = caption_parser().dependencies([caption])[0]
    return dict(zip(words, tags, strict=True))


@pytest.mark.parametrize("word", ["florb", "zwickel", "quuxboard", "brumel"])
def test_an_unknown_word_after_an_article_is_a_noun_and_an_object(word):
    caption = f"a {word} on a table"
    assert tags_of(caption)[word] == "NN"
    assert {(word,), (word, "table", "on")} <= tuples_of(caption)


@pytest.mark.parametrize(("word", "lemma"), [("florbs", "florb"), ("gizzits", "gizzit")])
def test_an_unknown_plural_is_counted(word, lemma):
    caption = f"three {word} in the grass"
    assert tags_of(caption)[word] == "NNS"
    assert {(lemma,), (lemma, "three"), (lemma, "grass", "in")} <= tuples_of(caption)


@pytest.mark.parametrize("number", ["7391", "83", "17:52", "6.25", "1/7", "4,317"])
def test_an_unknown_number_is_a_number(number):
    assert tags_of(f"a bus with the number {number} on a street")[number] == "CD"
    assert tags_of(f"{number} people in a room")[number] == "CD"


@pytest.mark.parametrize("word", ["17th", "xk9", "90mm", "7-sided"])
def test_an_unknown_word_with_digits_before_a_noun_describes_it(word):
    assert tags_of(f"a {word} street")[word] == "JJ"


def test_an_unknown_verb_form_is_told_by_its_ending_and_place():
    caption = "a man is frobbing a ball"
    assert tags_of(caption)["frobbing"] == "VBG"
    assert {("man",), ("ball",)} <= tuples_of(caption)
    assert any(entry[:2] == ("man", "ball") for entry in tuples_of(caption))


def test_an_unknown_word_before_a_noun_describes_it():
    assert any(entry[0] == "dog" and entry[1:] == ("glorpy",) for entry in tuples_of("a glorpy dog runs"))


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("a blakc dog runs", {("dog",), ("dog", "blakc")}),
        ("a man ridding a hrose", {("man",), ("hrose",)}),
        ("a womn in a red dress", {("womn",), ("dress", "red"), ("womn", "dress", "in")}),
    ],
)
def test_a_typo_stays_local(caption, expected):
    assert expected <= tuples_of(caption)


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("a dog barks in the distance", {("dog",), ("distance",)}),
        ("a dog barks loudly", {("dog",), ("dog", "bark")}),
        ("an engine revs and then idles", {("engine",)}),
        ("water drips into a metal bucket", {("bucket", "metal")}),
        ("a man speaks while a crowd cheers", {("man",), ("crowd",)}),
    ],
)
def test_captions_of_sounds(caption, expected):
    assert expected <= tuples_of(caption)


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("a woman is slicing an onion", {("woman", "onion", "slice")}),
        ("someone is pouring milk into a bowl", {("milk",), ("bowl",), ("someone", "milk", "pour")}),
        ("a cartoon character is dancing on a stage", {("stage",)}),
    ],
)
def test_captions_of_videos(caption, expected):
    assert expected <= tuples_of(caption)


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("a plate with carrots and green beans and brown rice", {("bean", "green"), ("rice", "brown"), ("carrot",)}),
        (
            "a room with white cups and red plates and old spoons",
            {("cup", "white"), ("plate", "red"), ("spoon", "old")},
        ),
    ],
)
def test_every_conjunct_of_a_flat_list_keeps_its_own_words(caption, expected):
    assert expected <= tuples_of(caption)


def test_the_lemma_of_a_word_with_other_letters_is_whole_text():
    """A regular ending is cut off by bytes, which must not split a letter."""
    assert (">", "à!g") in tuples_of("à!g :0 < >")
