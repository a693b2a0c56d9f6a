"""`spidercap train`: flags of settings; that it trains is checked in tests/train."""

from inspect import signature

import pytest

from spidercap.cli.train import OPTIONS, SHORT, read_recipe, train
from spidercap.errors import UsageError


def test_flags_win_over_the_file(tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text("[train]\nbatch = 32\nepochs = 3\n")
    flags = ["--train.batch", "16", "--train.clip=2", "--encoder.finetune=yes", "--train.batch=8"]
    config = read_recipe(path, [*flags, "--learn.algorithm=pg", "--reward", "CIDEr"])
    assert (config.train.batch, config.train.epochs, config.train.clip) == (8, 3.0, 2.0)
    assert config.encoder.finetune
    assert config.learn.reward == "CIDEr"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--train.bach", "3"], r"unknown key train.bach; did you mean batch\?"),
        (["--bach", "3"], r"--bach is no option; settings are written --section.key; did you mean --train.batch\?"),
        (["--dryrun"], r"--dryrun is no option; settings are written --section.key; did you mean --dry-run\?"),
        (["--otu", "runs/x"], r"--otu is no option; .*; did you mean --out\?"),
        (["--ot", "runs/x"], r"did you mean --out\?"),
        (["--inti=runs/x"], r"did you mean --init\?"),
        (["--rewrad", "CIDEr"], r"did you mean --reward\?"),
        (["--train.bach"], r"unknown key train.bach; did you mean batch\?"),
        (["--tarin.batch", "3"], r"unknown section 'tarin'; did you mean train\?"),
        (["--train.batch"], "--train.batch needs a value"),
        (["--train.batch", "--train.clip"], "--train.batch needs a value"),
        (["batch=3"], "'batch=3' is not a setting; write --section.key value"),
        (["--train.batch", "3.5"], "train.batch must be a whole number, got '3.5'"),
        (["--learn.algorithm", "scst", "--learn.rollouts", "9"], "learn.rollouts has no part in scst, only in pg"),
        (["--reward=CIDEr"], "learn.reward has no part in mle, only in pg, mixer, scst, rloo; leave it out"),
    ],
)
def test_mistakes_in_flags(flags, message):
    with pytest.raises(UsageError, match=message):
        read_recipe(None, flags)


def test_hints_know_the_options_of_the_command():
    assert {*OPTIONS} == {name.replace("_", "-") for name in signature(train).parameters} - {"settings"} | {*SHORT}
