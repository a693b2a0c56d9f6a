"""What every metric of the catalogue promises, and how scores that are undefined for some images add up."""

import math
from dataclasses import replace

import numpy as np
import pytest

import spidercap
from spidercap.metrics.catalogue import MEANS, METRIC_OF, METRICS, metrics_of, parts_of
from spidercap.metrics.names import DEFAULT_METRICS, METRIC_NAMES
from spidercap.metrics.resampling import compare, confidence_intervals
from spidercap.metrics.rouge import ROUGE_L
from spidercap.metrics.sums import Sums, corpus_scores

PARTIAL = replace(ROUGE_L, key="partial", names=("A", "B"), width=2, may_be_undefined=True, titles={}, aliases={})
ROWS = np.array([[0.5, math.nan], [0.25, math.nan], [math.nan, math.nan], [1.0, math.nan]])


@pytest.fixture
def partial(monkeypatch):
    monkeypatch.setitem(METRICS, "partial", PARTIAL)


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.key)
def test_captions_add_up_to_their_corpus(metric):
    captions, references = ["a man on a horse", "two dogs"], [["a man rides a horse"], ["two dogs play"]]
    found = spidercap.score(captions, references, metric.names, df="coco", paraphrases=False)
    rows = found.rows[metric.key]
    assert rows.shape == (2, metric.width)
    additive = metric.additive(rows)
    assert additive.shape == (2, metric.columns)
    (corpus,) = metric.corpus(additive.sum(axis=0, keepdims=True), 2)
    assert corpus.tolist() == pytest.approx(list(found.corpus.values()), rel=1e-15)


def test_names_are_told_apart():
    names = [name for metric in METRICS.values() for name in metric.names] + list(MEANS)
    assert sorted(names) == sorted(set(names)) == sorted(METRIC_NAMES)
    assert all(metric.key == key for key, metric in METRICS.items())
    assert all(set(mean.parts) <= set(METRIC_OF) for mean in MEANS.values())


def test_only_original_cider_must_be_asked_for():
    assert [name for name in METRIC_NAMES if name not in DEFAULT_METRICS] == ["CIDEr_original"]


def test_a_mean_needs_the_rows_of_its_parts():
    assert parts_of("SPIDEr") == ("SPICE", "CIDEr")
    assert [metric.key for metric in metrics_of(["SPIDEr", "CIDEr", "Bleu_2", "Bleu_4"])] == ["spice", "cider", "bleu"]


def test_the_mean_is_over_the_images_that_have_a_score(partial):
    found = corpus_scores({"partial": ROWS}, ["A", "B"])
    assert found["A"] == (0.5 + 0.25 + 1.0) / 3
    assert math.isnan(found["B"])


def test_sums_of_undefined_scores_merge_exactly(partial):
    parts = [Sums(["partial"]) for _ in range(2)]
    for part, rows in zip(parts, (ROWS[:3], ROWS[3:]), strict=True):
        part.add({"partial": rows})
    parts[0].merge(Sums.from_json(parts[1].as_json()))
    whole = Sums(["partial"])
    whole.add({"partial": ROWS})
    assert parts[0].as_json() == whole.as_json()


def test_intervals_leave_out_what_is_undefined(partial):
    intervals = confidence_intervals({"partial": ROWS}, resamples=200)
    assert 0.25 <= intervals["A"].low < 0.5833 < intervals["A"].high <= 1.0
    assert math.isnan(intervals["B"].low)
    better = {"partial": ROWS + 0.25}
    compared = compare({"partial": ROWS}, better, ("worse", "better"), resamples=200)
    assert compared[0].difference == pytest.approx(0.25)
    assert compared[0].interval.low == pytest.approx(0.25)
    assert math.isnan(compared[1].difference)
