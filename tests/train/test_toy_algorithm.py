"""A new algorithm is one file (here: this one) and one line: its settings, training, resume, report and help."""

import json
from dataclasses import dataclass

import pytest
import torch

from spidercap.cli.train import read_recipe
from spidercap.errors import UsageError
from spidercap.learn.algorithm import Algorithm, AlgorithmSettings, Step
from spidercap.learn.algorithms import ALGORITHMS
from spidercap.model.captioner import Captioner
from spidercap.options import at_least, option
from spidercap.recipe import describe_keys
from spidercap.report.training.runs import load_runs
from spidercap.train.checkpoint import load_checkpoint
from spidercap.train.start import train_run


@dataclass(frozen=True)
class FirstWordsSettings(AlgorithmSettings):
    """Learn the first words of captions only."""

    algorithm = "first"
    title = "FIRST"
    meaning = "a toy"
    examples = "captions"
    needs_start = False
    learning_rate = 0.02

    first_words: int = option(2, "how many words of a caption are learnt")

    def __post_init__(self):
        at_least("learn", self, 1, "first_words")

    def make(self, setup):
        return FirstWords(setup.captioner, self.first_words)


@dataclass(frozen=True)
class FirstWords(Algorithm):
    """−Σ log p of the first words."""

    captioner: Captioner
    words: int

    logged = ("share_of_words",)
    module = property(lambda self: self.captioner)

    def loss(self, batch, step):
        first = batch.captions.positions < self.words
        logp_t = self.captioner.teacher_forced(batch.images, batch.captions).logp_t
        return Step(-logp_t[first].sum() / batch.global_words, {"share_of_words": float(first.float().mean())})


@pytest.fixture(autouse=True)
def listed(monkeypatch):
    monkeypatch.setitem(ALGORITHMS, "first", FirstWordsSettings)


def train(settings, out, *more):
    flags = ["--learn.algorithm=first", "--train.log_every=1", "--train.epochs=2", *more]
    return train_run(read_recipe(None, [*settings, *flags]), out)


def test_it_trains_goes_on_and_is_reported(settings, tmp_path):
    train(settings, tmp_path / "run", "--learn.first_words=3")
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    losses = [line["loss"] for line in lines if line["kind"] == "train"]
    assert losses[-1] < losses[0]
    assert 0 < lines[0]["share_of_words"] < 1
    assert json.loads((tmp_path / "run" / "config.json").read_text())["learn"] == {
        "algorithm": "first",
        "first_words": 3,
    }
    before = load_checkpoint(tmp_path / "run" / "last" / "training.pt")["module"]
    train(settings, tmp_path / "run", "--learn.first_words=3")
    after = load_checkpoint(tmp_path / "run" / "last" / "training.pt")["module"]
    assert all(torch.equal(before[name], value) for name, value in after.items())
    with pytest.raises(UsageError, match="is a run with other settings: learn.first_words is 3 there and 2 here"):
        train(settings, tmp_path / "run")
    (run,) = load_runs([tmp_path / "run"])
    assert run.name == "FIRST"


def test_its_settings_are_checked_and_explained(settings, tmp_path):
    with pytest.raises(UsageError, match="learn.first_words must be at least 1, got 0"):
        train(settings, tmp_path / "run", "--learn.first_words=0")
    with pytest.raises(UsageError, match="learn.first_words has no part in mle, only in first"):
        read_recipe(None, ["--learn.first_words=2"])
    with pytest.raises(UsageError, match="learn.algorithm must be one of mle, pg, mixer, scst, rloo, first, got frist"):
        read_recipe(None, ["--learn.algorithm=frist"])
    assert ("learn.first_words", "2", "first: how many words of a caption are learnt") in list(describe_keys())
