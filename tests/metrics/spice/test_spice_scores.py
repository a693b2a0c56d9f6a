"""SPICE and SPIDEr through the scoring layer: raw captions in, scores with signatures out."""

import numpy as np
import pytest

import spidercap
from spidercap.metrics.caption_metric import CaptionMetric
from spidercap.metrics.resampling import confidence_intervals
from spidercap.metrics.spice_parser import caption_parser

CAPTIONS = {"1": "a brown dog running in the snow", "2": "two men riding horses", "3": "a plate of food on a table"}
REFERENCES = {
    "1": ["a dog runs through the snow", "a brown dog in snow"],
    "2": ["two men on horses", "men ride brown horses on a beach"],
    "3": ["a table with a red plate", "some food on a plate"],
}


@pytest.fixture(scope="module")
def scores():
    return spidercap.score(CAPTIONS, REFERENCES, ["SPICE", "CIDEr", "SPIDEr"])


def test_a_caption_worked_by_hand():
    # Candidate: dog, (dog, brown); references: dog, cat, (dog, brown). Matched 2 of 2 and 2 of 3: F = 2·1·⅔ / (1 + ⅔).
    found = spidercap.score(["a brown dog"], [["a brown dog", "the cat"]], ["SPICE"])
    assert found.corpus["SPICE"] == pytest.approx(0.8)


def test_spider_is_the_mean_of_spice_and_cider(scores):
    for image in CAPTIONS:
        values = scores.per_image[image]
        assert values["SPIDEr"] == (values["SPICE"] + values["CIDEr"]) / 2
    assert scores.corpus["SPIDEr"] == pytest.approx((scores.corpus["SPICE"] + scores.corpus["CIDEr"]) / 2, abs=1e-15)
    assert scores.corpus["SPICE"] == pytest.approx(np.mean([scores.per_image[i]["SPICE"] for i in CAPTIONS]), abs=1e-15)
    assert 0 < scores.corpus["SPICE"] < 1


def test_signatures_name_the_parser(scores):
    parser = f"parser:{caption_parser().hash[:8]}"
    assert parser in scores.signature["SPICE"]
    assert parser in scores.signature["SPIDEr"]
    assert "df:corpus(3)" in scores.signature["SPIDEr"]


def test_the_reward_is_the_score(scores):
    reward = spidercap.Scorer("SPIDEr", REFERENCES).score(list(CAPTIONS), list(CAPTIONS.values()))
    assert reward.tolist() == [scores.per_image[image]["SPIDEr"] for image in CAPTIONS]
    mixed = spidercap.Scorer("1.0*CIDEr + 1.0*SPICE", REFERENCES).score(["2"], [CAPTIONS["2"]])
    assert mixed[0] == pytest.approx(2 * scores.per_image["2"]["SPIDEr"], abs=1e-12)


def test_batches_and_intervals(scores):
    metric = CaptionMetric(["SPIDEr"], df="corpus")
    for image in CAPTIONS:
        metric.update([CAPTIONS[image]], [REFERENCES[image]])
    assert metric.compute() == {"SPIDEr": scores.corpus["SPIDEr"]}
    interval = confidence_intervals(scores.rows, resamples=50)["SPIDEr"]
    assert interval.low <= scores.corpus["SPIDEr"] <= interval.high


@pytest.mark.parametrize("caption", ["", "dog", "!!! ...", "犬が走る", "🐶🐶", "dog " * 1000])
def test_any_caption_gets_a_score(caption):
    found = spidercap.score([caption], [["a dog", ""]], ["SPICE"])
    assert 0 <= found.corpus["SPICE"] <= 1


def test_threads_do_not_change_a_number():
    captions, references = list(CAPTIONS.values()) * 200, list(REFERENCES.values()) * 200
    one = spidercap.score(captions, references, ["SPICE"], threads=1)
    two = spidercap.score(captions, references, ["SPICE"], threads=2)
    assert one.rows["spice"].tolist() == two.rows["spice"].tolist()
