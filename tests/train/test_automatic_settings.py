"""Settings that fit the size of the data: few steps get a short warm-up, and what makes no sense is said."""

import json

import pytest

from spidercap.cli.train import read_recipe
from spidercap.recipe import load_tables
from spidercap.train.automatic_settings import notes, order_of, resolved
from spidercap.train.data import load_data
from spidercap.train.start import describe, train_run


@pytest.fixture
def fit(settings):
    """A function that gives the resolved configuration, and its notes."""
    plain = [each for each in settings if "warmup" not in each]

    def made(*flags, earlier=None):
        config = read_recipe(None, [*plain, *flags])
        data = load_data(config)
        config = resolved(config, data, earlier)
        return config, list(notes(config, order_of(config, data)))

    return made


@pytest.mark.parametrize(
    ("flags", "warmup", "every"),
    [
        # 120 captions in batches of 16: 8 steps an epoch.
        (("--train.epochs=8",), 6, 10),
        (("--train.epochs=0.1",), 0, 10),
        (("--train.epochs=200",), 100, 10),
        (("--train.epochs=200", "--train.batch=4"), 100, 30),
        (("--train.epochs=8", "--train.warmup_steps=3", "--train.validate_every=0"), 3, 0),
    ],
)
def test_warm_up_and_validations_fit_the_run(fit, flags, warmup, every):
    config, said = fit(*flags)
    assert (config.train.warmup_steps, config.train.validate_every) == (warmup, every)
    assert said == []


@pytest.mark.parametrize(("flags", "steps"), [(("--train.epochs=4",), 12), (("--train.epochs=99",), 100)])
def test_the_baseline_has_no_more_steps_than_the_captioner(fit, flags, steps):
    config, said = fit("--learn.algorithm=pg", *flags)
    assert config.learn.baseline_steps == steps
    assert said == []


def test_settings_that_make_no_sense_are_told(fit):
    _, said = fit("--learn.algorithm=pg", "--learn.baseline_steps=100", "--train.epochs=4", "--train.warmup_steps=100")
    assert said == [
        "train.warmup_steps is 100 and the captioner learns in 12 steps: its learning rate never reaches "
        "train.learning_rate",
        "learn.baseline_steps is 100 and the captioner learns in 12 steps: most steps are not its own",
    ]
    _, said = fit("--train.batch=200")
    assert said == ["train.batch is 200 and there are 120 examples: every step takes all of them"]


def test_a_run_that_goes_on_keeps_what_it_began_with(fit):
    """0.1.0 began every run with 100 steps of warm-up, and validated once an epoch."""
    old = {"train": {"warmup_steps": 100, "validate_every": 0}, "learn": {"algorithm": "pg", "baseline_steps": 100}}
    config, _ = fit("--learn.algorithm=pg", "--train.epochs=4", earlier=load_tables(old, "config.json"))
    assert (config.train.warmup_steps, config.train.validate_every, config.learn.baseline_steps) == (100, 0, 100)


def test_the_run_folder_and_the_plan_have_the_decided_values(settings, tmp_path, capsys):
    plain = [*(each for each in settings if "warmup" not in each), "--train.epochs=3"]
    config = read_recipe(None, plain)
    assert describe(config).config.train.warmup_steps == 2
    train_run(config, tmp_path / "run")
    train = json.loads((tmp_path / "run" / "config.json").read_text())["train"]
    assert (train["warmup_steps"], train["validate_every"]) == (2, 10)
    train_run(config, tmp_path / "run")
    train_run(read_recipe(None, [*plain, "--train.warmup_steps=60"]), tmp_path / "noted")
    assert "note: train.warmup_steps is 60 and the captioner learns in 24 steps" in " ".join(
        capsys.readouterr().err.split()
    )
