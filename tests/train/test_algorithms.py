"""Every algorithm through the whole loop: it learns, resumes exactly, and two processes equal one."""

import json
from itertools import pairwise

import pytest
import torch

from spidercap.cli.train import read_recipe
from spidercap.errors import UsageError
from spidercap.learn.algorithms import ALGORITHMS
from spidercap.learn.diagnostics import warmup_note
from spidercap.train.checkpoint import load_checkpoint
from spidercap.train.loop import Trainer
from spidercap.train.start import train_run

SAMPLING = sorted(ALGORITHMS.keys() - {"mle"})
QUICK = ("--train.log_every=1", "--train.batch=12", "--decode.limit=12")
RECIPE = """
[learn]
reward = "CIDEr"
baseline_steps = 3
"""
"""Settings of several algorithms; each takes its own."""
WATCHED = {
    *("reward", "length", "cut_rate", "bad_ending_rate", "repeated_bigram_rate", "entropy"),
    *("value", "advantage", "advantage_variance", "explained_variance"),
}


def go(settings, out, *more, init=None):
    return train_run(read_recipe(recipe(out.parent), [*settings, *QUICK, *more]), out, init)


def recipe(folder):
    (folder / "quick.toml").write_text(RECIPE)
    return folder / "quick.toml"


def without_given_words(algorithm):
    """MIXER that learns nothing by cross-entropy."""
    return ["--learn.mixer_words=0"] if algorithm == "mixer" else []


def lines(run, kind):
    return [line for line in map(json.loads, (run / "metrics.jsonl").read_text().splitlines()) if line["kind"] == kind]


def mean(found, name):
    return sum(line[name] for line in found) / len(found)


@pytest.fixture(scope="module")
def start(small, tmp_path_factory):
    """A captioner that maximum likelihood has half taught."""
    flags = [f"--data.folder={small / 'data'}", f"--features.folder={small / 'features'}", "--model.embedding=16"]
    flags += ["--model.hidden=16", "--model.dropout=0", "--train.batch=16", "--train.learning_rate=0.01"]
    flags += ["--train.metrics=CIDEr", "--train.epochs=15"]
    out = tmp_path_factory.mktemp("start") / "mle"
    train_run(read_recipe(None, flags), out)
    return out


@pytest.mark.parametrize("algorithm", SAMPLING)
def test_the_reward_rises(settings, start, tmp_path, algorithm):
    out = tmp_path / "run"
    more = ("--train.epochs=40", "--train.warmup_steps=0", "--train.validate_every=1000")
    go(settings, out, f"--learn.algorithm={algorithm}", *more, *without_given_words(algorithm), init=start)
    found = lines(out, "train")
    assert mean(found[-20:], "reward") > mean(found[:20], "reward") + 0.3
    assert found[-1].keys() >= WATCHED
    # Single steps are noisy, and their numbers differ from machine to machine.
    assert mean(found[-20:], "entropy") < mean(found[:20], "entropy")
    distances = [line["kl"] for line in found if "kl" in line]
    assert distances[0] == pytest.approx(0, abs=1e-6)
    assert distances[-1] > 0.01
    assert [line["step"] for line in lines(out, "validation")] == [0, len(found)]


def test_the_baseline_learns_first_and_alone(settings, start, tmp_path):
    out = tmp_path / "run"
    go(settings, out, "--learn.algorithm=pg", "--learn.baseline_steps=30", "--train.epochs=0.1", init=start)
    found = lines(out, "train")
    assert len(found) == 31
    assert found[29]["explained_variance"] > found[2]["explained_variance"]
    assert [line["kl"] for line in found if "kl" in line] == pytest.approx([0, 0, 0, 0], abs=1e-6)
    assert found[30]["learning_rate"] > 0


def test_what_the_warm_up_says():
    assert "explains 45 % of the variance of the values (target: 20 %, enough)" in warmup_note(0.45)
    assert "more learn.baseline_steps may help" in warmup_note(0.1)


@pytest.mark.parametrize("algorithm", SAMPLING)
def test_an_interrupted_run_ends_with_the_same_weights(settings, start, tmp_path, algorithm, monkeypatch):
    more = (f"--learn.algorithm={algorithm}", "--train.epochs=4", "--train.checkpoint_every=2", "--learn.sharpen=1.5")
    go(settings, tmp_path / "calm", *more, init=start)
    step = Trainer._step

    def stumbling(self, batch):
        if self.counters.step == 7:
            raise KeyboardInterrupt
        step(self, batch)

    monkeypatch.setattr(Trainer, "_step", stumbling)
    with pytest.raises(KeyboardInterrupt):
        go(settings, tmp_path / "stopped", *more, init=start)
    monkeypatch.setattr(Trainer, "_step", step)
    go(settings, tmp_path / "stopped", *more, init=start)
    calm, stopped = (load_checkpoint(tmp_path / name / "last" / "training.pt") for name in ("calm", "stopped"))
    assert calm["module"].keys() == stopped["module"].keys()
    assert all(torch.equal(calm["module"][name], value) for name, value in stopped["module"].items())
    rewards = [[line["reward"] for line in lines(tmp_path / name, "train")] for name in ("calm", "stopped")]
    assert rewards[0] == rewards[1]


@pytest.mark.parametrize("algorithm", SAMPLING)
def test_a_sharpened_start_says_the_same_greedy_captions_and_samples_closer_to_them(
    settings, start, tmp_path, algorithm
):
    more = [f"--learn.algorithm={algorithm}", "--train.epochs=0.1", *without_given_words(algorithm)]
    for name, factor in (("plain", 1), ("sharp", 3)):
        go(settings, tmp_path / name, *more, f"--learn.sharpen={factor}", init=start)
    plain, sharp = (tmp_path / name for name in ("plain", "sharp"))
    captions = [(run / "captions" / "step-00000000.json").read_text() for run in (plain, sharp)]
    assert captions[0] == captions[1]
    first = {run: lines(run, "train")[0] for run in (plain, sharp)}
    assert first[sharp]["entropy"] < 0.7 * first[plain]["entropy"]
    assert first[sharp]["reward"] > first[plain]["reward"]
    assert first[sharp]["kl"] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("algorithm", ["pg", "mixer"])
def test_two_processes_give_the_numbers_of_one(settings, start, tmp_path, two_processes, algorithm):
    # 36 images in batches of 7: the last batch holds one, and the second process has nothing to do there.
    more = (f"--learn.algorithm={algorithm}", "--train.epochs=3", "--train.batch=7")
    go(settings, tmp_path / "one", *more, init=start)
    two_processes(["train", recipe(tmp_path), *settings, *QUICK, *more, "--init", start, "--out", tmp_path / "two"])
    for kind in ("train", "validation"):
        one, two = lines(tmp_path / "one", kind), lines(tmp_path / "two", kind)
        assert len(one) == len(two)
        for expected, found in zip(one, two, strict=True):
            names = expected.keys() - {"kind", "seconds", "words_per_second", "input_wait"}
            assert {name: found[name] for name in names} == pytest.approx(
                {name: expected[name] for name in names}, rel=1e-3, abs=1e-4
            )


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("--learn.algorithm=pgg", "learn.algorithm must be one of mle, pg, mixer, scst, rloo, got pgg"),
        ("--learn.rollouts=-1", "learn.rollouts must be at least 1, got -1"),
        ("--learn.rollouts=0", "learn.rollouts must be at least 1, got 0"),
        ("--learn.sharpen=0", "learn.sharpen must be a positive number, got 0"),
        ("--learn.paths=-2", "learn.paths must be at least 0, got -2"),
        ("--learn.mixer_share=0.5", "learn.mixer_share has no part in pg, only in mixer; leave it out, or choose"),
        ("--train.optimizer=adm", "train.optimizer must be one of adam, sgd, got adm"),
        ("--reward=CIDErr", "unknown metric 'CIDErr'; did you mean CIDEr"),
    ],
)
def test_what_cannot_be_trained(settings, start, tmp_path, flag, message):
    with pytest.raises(UsageError, match=message):
        go(settings, tmp_path / "run", "--learn.algorithm=pg", flag, init=start)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("algorithm", ["pg", "scst", "rloo"])
def test_a_trained_start_is_needed(settings, tmp_path, algorithm):
    with pytest.raises(UsageError, match=f"learn.algorithm {algorithm} starts from a trained captioner.*`init`"):
        go(settings, tmp_path / "run", f"--learn.algorithm={algorithm}")


def test_mixer_by_gradient_descent_with_a_fixed_decay(settings, start, tmp_path):
    out = tmp_path / "run"
    more = ("--train.optimizer=sgd", "--train.schedule=exponential", "--train.last_learning_rate=0.1")
    go(settings, out, "--learn.algorithm=mixer", "--train.epochs=4", "--train.warmup_steps=0", *more, init=start)
    rates = [line["learning_rate"] for line in lines(out, "train")]
    assert rates[0] == pytest.approx(0.01)
    assert rates[-1] == pytest.approx(0.001, rel=0.1)
    ratios = [after / before for before, after in pairwise(rates)]
    assert ratios == pytest.approx([ratios[0]] * len(ratios))
    words = [line["mixer_words"] for line in lines(out, "train")]
    assert words[0] == 6
    assert words[-1] == 0
