"""A run folder in the layout of 0.1.0, written down here, is read, explained, and goes on."""

import json

import pytest
import torch

from spidercap.cli.train import read_recipe
from spidercap.model.folder import load_model
from spidercap.train.checkpoint import load_checkpoint
from spidercap.train.run_folder import RunFolder
from spidercap.train.start import train_run

CAPTIONER = ("embedding.weight", "lstm.bias", "lstm.input_weight", "lstm.recurrent_weight")
CAPTIONER = (*CAPTIONER, "output.bias", "output.weight", "projection.bias", "projection.weight")
BASELINE = ("layer.bias", "layer.weight", "output.bias", "output.weight")
WEIGHTS = {*(f"algorithm.model.{name}" for name in CAPTIONER), *(f"algorithm.baseline.{name}" for name in BASELINE)}
OTHERS = {
    "label_smoothing": 0.0,
    "scheduled_sampling": 0.0,
    "mixer_words": 6,
    "mixer_fall": 6,
    "mixer_share": 0.5,
}
"""Keys of other algorithms, which every run had."""


@pytest.fixture
def old(settings, tmp_path):
    """A run of policy gradient as 0.1.0 left it, and how it was asked for."""
    flags = [*(each for each in settings if "warmup" not in each), "--train.epochs=2"]
    train_run(read_recipe(None, flags), tmp_path / "mle")
    pg = read_recipe(None, [*flags, "--learn.algorithm=pg", "--reward=CIDEr", "--learn.baseline_width=8"])
    fixed = [*flags, "--learn.algorithm=pg", "--reward=CIDEr", "--learn.baseline_width=8", "--learn.baseline_steps=2"]
    fixed += ["--train.warmup_steps=100", "--train.validate_every=0", "--train.log_every=1"]
    train_run(read_recipe(None, fixed), tmp_path / "pg", tmp_path / "mle")
    config = json.loads((tmp_path / "pg" / "config.json").read_text())
    config["learn"] |= OTHERS
    config["train"]["log_every"] = 50
    (tmp_path / "pg" / "config.json").write_text(json.dumps(config))
    log = tmp_path / "pg" / "metrics.jsonl"
    log.write_text(log.read_text().replace('"repeated_bigram_rate"', '"repetition_rate"'))
    return tmp_path / "pg", pg, tmp_path / "mle"


def test_it_is_read(old):
    run, _, _ = old
    record = RunFolder(run).record()
    assert (record.config.learn.reward, record.config.learn.baseline_steps) == ("CIDEr", 2)
    assert all("repeated_bigram_rate" in line for line in record.training)
    finished = RunFolder(run).finished()
    assert finished.baseline is not None
    assert load_model(run / "best").facts["algorithm"] == "pg"


def test_its_weights_have_the_names_they_had(old):
    run, _, _ = old
    state = load_checkpoint(run / "last" / "training.pt")
    assert state["module"].keys() == WEIGHTS
    assert {group["part"] for group in state["optimizer"]["param_groups"]} == {"algorithm", "baseline"}


def test_it_goes_on_with_the_command_that_began_it(old):
    """The settings that were fixed numbers in 0.1.0 and are automatic now are taken from the run."""
    run, config, start = old
    before = load_checkpoint(run / "last" / "training.pt")
    done = train_run(config, run, start)
    assert done.step == before["counters"]["step"]
    after = load_checkpoint(run / "last" / "training.pt")
    assert all(torch.equal(before["module"][name], value) for name, value in after["module"].items())
