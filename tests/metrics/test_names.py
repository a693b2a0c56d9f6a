"""Names of metrics as people write them."""

import pytest

from spidercap.errors import UsageError
from spidercap.metrics.names import DEFAULT_METRICS, metric_name, metric_names


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


def test_none_is_the_coco_evaluation():
    assert metric_names(None) == DEFAULT_METRICS == metric_names(["coco"])


def test_an_unknown_name_gets_the_nearest_one():
    with pytest.raises(
        UsageError, match=r"unknown metric 'cidr'; did you mean CIDEr\? known: Bleu_1, .*CIDEr_original"
    ):
        metric_name("cidr")


def test_a_name_like_no_other_gets_the_list():
    with pytest.raises(UsageError, match=r"unknown metric 'xyzzy'; known: Bleu_1"):
        metric_name("xyzzy")


def test_a_group_is_not_one_metric():
    with pytest.raises(UsageError, match=r"'bleu' stands for several metrics \(Bleu_1, Bleu_2, Bleu_3, Bleu_4\)"):
        metric_name("bleu")


def test_no_metric_at_all_is_an_error():
    with pytest.raises(UsageError, match="no metric was asked for"):
        metric_names([])
