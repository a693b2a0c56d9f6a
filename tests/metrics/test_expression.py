"""Rewards as text."""

import pytest

from spidercap.errors import UsageError
from spidercap.metrics.expression import parse_expression


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("CIDEr", {"CIDEr": 1.0}),
        ("cider_d", {"CIDEr": 1.0}),
        ("1.0*CIDEr + 0.5*Bleu_4", {"CIDEr": 1.0, "Bleu_4": 0.5}),
        ("2*METEOR-CIDEr", {"METEOR": 2.0, "CIDEr": -1.0}),
        ("CIDEr-2*METEOR", {"CIDEr": 1.0, "METEOR": -2.0}),
        ("- .5 * ROUGE_L", {"ROUGE_L": -0.5}),
        ("1e-1*CIDEr", {"CIDEr": 0.1}),
        ("CIDEr + CIDEr", {"CIDEr": 2.0}),
        ("ROUGE-L + 2*BLEU-4", {"ROUGE_L": 1.0, "Bleu_4": 2.0}),
    ],
)
def test_sums_of_weighted_metrics(text, weights):
    assert parse_expression(text) == pytest.approx(weights)


def test_bcmr_is_the_mix_of_the_paper():
    assert parse_expression("2*bcmr + METEOR") == {
        "Bleu_1": 1.0,
        "Bleu_2": 1.0,
        "Bleu_3": 2.0,
        "Bleu_4": 2.0,
        "CIDEr": 2.0,
        "METEOR": 11.0,
        "ROUGE_L": 4.0,
    }


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "''"),
        ("   ", "'   '"),
        ("CIDEr +", "'\\+'"),
        ("CIDEr METEOR", "'METEOR'"),
        ("2 CIDEr", "'2 CIDEr'"),
        ("CIDEr * 2", "'\\* 2'"),
        ("CIDEr + + METEOR", "'\\+ \\+ METEOR'"),
        ("1.2.3*CIDEr", "'1.2.3\\*CIDEr'"),
        ("(CIDEr)", "'\\(CIDEr\\)'"),
    ],
)
def test_what_cannot_be_read_is_shown(text, place):
    with pytest.raises(UsageError, match=f"cannot read it from {place} on; write a sum such as"):
        parse_expression(text)


def test_a_weight_beyond_all_numbers_is_an_error():
    with pytest.raises(UsageError, match=r"the weight 1e999 of CIDEr is not a finite number"):
        parse_expression("1e999*CIDEr")


def test_unknown_metrics_are_named():
    with pytest.raises(UsageError, match="unknown metric 'CIDERR'; did you mean CIDEr"):
        parse_expression("CIDERR + METEOR")
    with pytest.raises(UsageError, match="unknown metric 'nan'"):
        parse_expression("nan*CIDEr")
