"""Names of metrics as people write them."""

import pytest

from spidercap.errors import UsageError
from spidercap.metrics.names import COCO_METRICS, DEFAULT_METRICS, metric_name, metric_names, title


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Bleu_4", "Bleu_4"),
        ("bleu-4", "Bleu_4"),
        ("BLEU4", "Bleu_4"),
        ("meteor", "METEOR"),
        ("rouge_l", "ROUGE_L"),
        ("ROUGE-L", "ROUGE_L"),
        ("rouge", "ROUGE_L"),
        ("cider", "CIDEr"),
        ("cider_d", "CIDEr"),
        ("CIDEr-D", "CIDEr"),
        ("cider_original", "CIDEr_original"),
    ],
)
def test_usual_spellings(written, meant):
    assert metric_name(written) == meant


def test_several_names_keep_their_order_and_come_once():
    assert metric_names(["cider", "bleu", "Bleu_2"]) == ("CIDEr", "Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4")


def test_one_name_may_stand_alone():
    assert metric_names("cider") == ("CIDEr",)


def test_none_is_the_default():
    assert metric_names(None) == DEFAULT_METRICS


def test_a_group_stands_for_the_coco_evaluation():
    seven = ("Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR", "ROUGE_L", "CIDEr")
    assert metric_names(["coco"]) == COCO_METRICS == seven


def test_an_unknown_name_gets_the_nearest_one():
    with pytest.raises(
        UsageError, match=r"unknown metric 'cidr'; did you mean CIDEr\? known: Bleu_1, .*CIDEr_original"
    ):
        metric_name("cidr")


@pytest.mark.parametrize("name", ["xyzzy", "FOO", "loss", "precision"])
def test_a_name_like_no_other_gets_the_list(name):
    with pytest.raises(UsageError, match=rf"unknown metric '{name}'; known: Bleu_1, .*SPIDEr, bleu, coco$"):
        metric_name(name)


@pytest.mark.parametrize(("name", "meant"), [("coc", "coco"), ("bleus", "bleu"), ("BLUE-4", "Bleu_4")])
def test_a_suggestion_is_what_was_nearly_written(name, meant):
    with pytest.raises(UsageError, match=rf"did you mean {meant}\?"):
        metric_name(name)


def test_titles_inside_a_text():
    assert title("1.0*Bleu_4 + ROUGE_L - CIDEr") == "1.0*BLEU-4 + ROUGE-L - CIDEr"
    assert title("my_Bleu_4x") == "my_Bleu_4x"


def test_a_group_is_not_one_metric():
    with pytest.raises(UsageError, match=r"'bleu' stands for several metrics \(Bleu_1, Bleu_2, Bleu_3, Bleu_4\)"):
        metric_name("bleu")


def test_no_metric_at_all_is_an_error():
    with pytest.raises(UsageError, match="no metric was asked for"):
        metric_names([])
