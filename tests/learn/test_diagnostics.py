"""The logged numbers, worked by hand."""

import copy
from dataclasses import replace

import pytest
import torch

from spidercap.decode.rollout import Sampling
from spidercap.learn.baseline import explained_variance
from spidercap.learn.diagnostics import caption_numbers, readable, value_numbers, word_numbers
from spidercap.learn.leave_one_out import LeaveOneOut
from spidercap.metrics.writing import caption_statistics


def test_captions_as_the_score_table_counts_them():
    """Endings and repeated pairs of words mean the same in the log as in `score`'s table."""
    captions = ["a dog with a", "a bus on the street with a bus", "", "a man and a woman"]
    numbers = caption_numbers(captions, torch.tensor([4, 8, 1, 5]), torch.tensor([True, True, True, False]), 4)
    assert numbers == {"length": 4.5, "cut_rate": 0.25, "bad_ending_rate": 0.25, "repeated_bigram_rate": 0.25}
    written = caption_statistics(captions)
    assert (written.bad_endings, written.repeated_bigrams) == (0.25, 0.25)


def test_sums_over_words_become_means_and_variances():
    q_t, b_t = torch.tensor([1.0, 2.0, 3.0, 6.0]), torch.tensor([1.0, 1.0, 4.0, 4.0])
    halves = [value_numbers(q_t[part], b_t[part], 2) for part in (slice(1), slice(1, None))]
    numbers = {name: halves[0][name] + halves[1][name] for name in halves[0]}
    found = readable(numbers | {"reward": 0.5})
    assert found == pytest.approx(
        {
            "reward": 0.5,
            "value": 3.0,
            "advantage": 0.5,
            "advantage_variance": 1.5 - 0.25,
            "explained_variance": 1 - 1.5 / 3.5,
        }
    )


def test_a_mean_over_no_words_is_left_out():
    assert readable({"kl/sum": 0.0, "kl/words": 0.0}) == {}
    assert readable(word_numbers({"entropy": torch.tensor([1.0, 3.0])}, 7)) == pytest.approx({"entropy": 2.0})


def test_explained_variance():
    assert explained_variance(0.0, 1.0, 5.0) == 1.0
    assert explained_variance(4.0, 1.0, 5.0) == 0.0
    assert explained_variance(0.0, 2.0, 4.0) == 0.0


def test_the_distance_to_the_start_is_0_at_the_start_and_grows(world):
    start = copy.deepcopy(world.policy.captioner)
    algorithm = LeaveOneOut(replace(world.policy, start=start), Sampling(50, limit=3))
    assert readable(algorithm.loss(world.batch(20), 0).log)["kl"] == pytest.approx(0.0)
    assert "kl" not in readable(algorithm.loss(world.batch(20), 1).log)
    with torch.no_grad():
        world.policy.captioner.output.bias[3] += 1.0
    assert readable(algorithm.loss(world.batch(20), 10).log)["kl"] > 0.01
