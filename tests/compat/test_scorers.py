"""Scripts written for pycocoevalcap: same methods, same returns, same exceptions."""

from importlib.util import find_spec

import numpy as np
import pytest

import spidercap
from spidercap.compat import Bleu, Cider, Meteor, PTBTokenizer, Rouge, Spice

with_paraphrases = pytest.mark.skipif(
    find_spec("pycocoevalcap") is None, reason="METEOR's paraphrase table is not installed"
)
GTS = {7: ["a man rides a horse", "a person on a horse"], "x": ["two dogs play in the snow"]}
RES = {"x": ["dogs run in snow"], 7: ["a man on a horse"]}


def test_bleu_gives_orders_and_images_in_the_order_of_gts():
    corpus, images = Bleu(4).compute_score(GTS, RES)
    assert corpus == pytest.approx([0.711766580212326, 0.49422585472236275, 0.3394613580480448, 5.684404483233366e-05])
    assert [len(order) for order in images] == [2, 2, 2, 2]
    assert images[0] == pytest.approx([1.0, 0.4548979945570264])
    assert all(isinstance(value, float) for value in corpus + images[3])
    assert Bleu(2).compute_score(GTS, RES, verbose=0) == (corpus[:2], images[:2])


def test_rouge_and_cider_give_a_number_and_an_array():
    for scorer, expected in ((Rouge(), [0.8, 0.5791139240506329]), (Cider(), [3.8095238095238098, 1.4481987601098405])):
        corpus, images = scorer.compute_score(GTS, RES)
        assert isinstance(images, np.ndarray)
        assert images.tolist() == pytest.approx(expected, abs=1e-12)
        assert corpus == pytest.approx(np.mean(expected), abs=1e-12)


def test_rouge_of_one_image():
    assert Rouge().calc_score(["a man on a horse"], GTS[7]) == pytest.approx(0.8)


@with_paraphrases
def test_meteor_gives_a_number_and_a_list():
    corpus, images = Meteor().compute_score(GTS, {7: ["a person on a horse"], "x": RES["x"]})
    assert images[0] == 1.0
    assert 0 < images[1] < 1
    assert isinstance(images, list)
    assert 0 < corpus < 1


def test_spice_gives_a_number_and_categories_of_images_in_sorted_order():
    gts = {9: ["a brown dog"], 10: ["a cat on a mat"], 2: ["a man"]}
    res = {9: ["a brown dog"], 2: ["a horse"], 10: ["the cat"]}
    corpus, images = Spice().compute_score(gts, res)
    values = [scores["All"]["f"] for scores in images]
    # 2: nothing is matched; 9: all is; 10: one of one tuple and one of three (cat; mat; cat, on, mat).
    assert values == [0.0, 1.0, 0.5]
    assert isinstance(images, list)
    assert corpus == pytest.approx(np.mean(values))
    assert type(corpus) is float
    for scores in images:
        assert set(scores) == {"All", "Object", "Attribute", "Relation", "Cardinality", "Color", "Size"}
        for category in scores.values():
            assert set(category) == {"pr", "re", "f", "tp", "fp", "fn", "numImages"}
            assert all(type(value) is float for value in category.values())
            assert category["numImages"] == 1.0


def test_spice_has_nan_where_the_references_have_nothing():
    _, (scores,) = Spice().compute_score({1: ["a dog"]}, {1: ["a brown dog"]})
    assert np.isnan(scores["Color"]["f"])
    assert scores["Color"]["fp"] == 1
    _, (scores,) = Spice().compute_score({1: [""]}, {1: ["a brown dog"]})
    assert (scores["All"]["f"], scores["All"]["pr"], scores["All"]["re"]) == (0, 0, 0)


def test_spice_is_the_score_of_tokens():
    gts = {"b": ["a man rides a horse", "a person on a horse"], "a": ["two dogs play in the snow"]}
    res = {"b": ["a man on a horse"], "a": ["dogs run in snow"]}
    corpus, images = Spice().compute_score(gts, res)
    captions = {image: texts[0] for image, texts in res.items()}
    expected = spidercap.score(captions, gts, "SPICE", tokenizer="none")
    assert corpus == expected.corpus["SPICE"]
    assert [scores["All"]["f"] for scores in images] == [expected.per_image[image]["SPICE"] for image in "ab"]


def test_ids_that_cannot_be_sorted_keep_their_order():
    _, images = Spice().compute_score(GTS, {7: ["a person on a horse"], "x": [""]})
    assert [scores["All"]["f"] > 0 for scores in images] == [True, False]


def test_methods_have_their_names():
    scorers = (Bleu(), Rouge(), Cider(), Meteor(), Spice())
    assert [scorer.method() for scorer in scorers] == ["Bleu", "Rouge", "CIDEr", "METEOR", "SPICE"]


def test_compute_score_does_not_tokenise():
    corpus, _ = Bleu(1).compute_score({1: ["A dog."]}, {1: ["a dog"]})
    assert corpus[0] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("scorer", [Bleu(), Rouge(), Cider(), Meteor(), Spice()])
@pytest.mark.parametrize(
    ("gts", "res", "message"),
    [
        (GTS, {7: ["a"]}, "the same image ids"),
        ({}, {}, "no image"),
        ({1: ["a"]}, {1: ["a", "b"]}, r"res\[1\] must be a list of exactly one caption"),
        ({1: ["a"]}, {1: []}, r"res\[1\] must be a list of exactly one caption"),
        ({1: ["a"]}, {1: "a"}, r"res\[1\] must be a list of exactly one caption"),
        ({1: []}, {1: ["a"]}, r"gts\[1\] must be a list of one or more captions"),
        ({1: "a"}, {1: ["a"]}, r"gts\[1\] must be a list of one or more captions"),
    ],
)
def test_the_checks_that_scripts_rely_on_are_assertion_errors(scorer, gts, res, message):
    with pytest.raises(AssertionError, match=message):
        scorer.compute_score(gts, res)


def test_what_is_not_defined_is_refused():
    with pytest.raises(ValueError, match=r"n must be in 1\.\.4, got 5"):
        Bleu(5)
    with pytest.raises(ValueError, match="n = 4 and sigma = 6, got n = 3 and sigma = 6"):
        Cider(n=3)


def test_the_tokenizer_takes_annotations_and_gives_strings():
    captions = {3: [{"caption": "A dog's ball.", "id": 1}, {"caption": "The letter K."}], "y": [{"caption": "A cat!"}]}
    assert PTBTokenizer().tokenize(captions) == {3: ["a dog 's ball", "the letter k"], "y": ["a cat"]}


def test_captions_never_shift():
    """The corruption that users complain of: a line break inside a caption moves all later ones to other images."""
    captions = {
        1: [{"caption": "one dog"}, {"caption": "two\rdogs"}],
        2: [{"caption": "three\u2028cats"}],
        3: [{"caption": "four cats"}, {"caption": "five cats"}],
    }
    expected = {1: ["one dog", "two dogs"], 2: ["three cats"], 3: ["four cats", "five cats"]}
    assert PTBTokenizer().tokenize(captions) == expected


def test_images_without_captions_are_missing_as_in_the_original():
    assert PTBTokenizer(verbose=False).tokenize({1: [], 2: [{"caption": "a"}]}) == {2: ["a"]}
