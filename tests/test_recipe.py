"""Recipes: defaults < file < settings; each mistake is told with its remedy."""

import pytest

from spidercap.config import Config
from spidercap.errors import UsageError
from spidercap.recipe import as_tables, describe_keys, first_difference, load_recipe, load_tables


@pytest.fixture
def recipe(tmp_path):
    """A function that writes a recipe."""

    def write(text):
        path = tmp_path / "recipe.toml"
        path.write_text(text)
        return path

    return write


def test_settings_win_over_the_file_and_the_file_over_defaults(recipe):
    path = recipe('[train]\nbatch = 32\nepochs = 3\nmetrics = ["CIDEr"]\n[data]\nfolder = "x"\n')
    config = load_recipe(path, {"train.batch": 16, "train.clip": "2", "encoder.finetune": True})
    assert (config.train.batch, config.train.epochs, config.train.clip) == (16, 3.0, 2.0)
    assert config.train.metrics == ("CIDEr",)
    assert config.data.folder == "x"
    assert config.encoder.finetune
    assert config.model == Config().model


def test_the_resolved_form_can_be_read_again():
    config = load_recipe(None, {"train.metrics": "CIDEr,SPICE", "train.learning_rate": 3e-4})
    assert load_tables(as_tables(config), "x") == config
    assert first_difference(config, config) is None
    assert first_difference(Config(), config) == "train.learning_rate is 0.0 there and 0.0003 here"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[train]\nlearning_rat = 1", r"recipe.toml: unknown key train.learning_rat; did you mean learning_rate\?"),
        ("[trian]\nbatch = 1", r"recipe.toml: unknown section \[trian\]; did you mean train\?"),
        ("train = 3", r"\[train\] must be a section with keys, found 3"),
        ('[train]\nbatch = "many"', "train.batch must be a whole number, got 'many'"),
        ("[train]\nbatch = true", "train.batch must be a whole number, got True"),
        ("[train]\nmetrics = [1]", r"train.metrics must be a list of names, got \[1\]"),
        ("[train\n", "recipe.toml is not TOML"),
        ("[train]\nbatch = 0", "train.batch must be at least 1, got 0"),
        ("[train]\nseed = -1", "train.seed must be between 0 and 18446744073709551615, got -1"),
        ("[train]\nseed = 99999999999999999999999", "train.seed must be between 0 and .*, got 99999999999999999999999"),
        ("[train]\nweight_decay = inf", "train.weight_decay must be at most 1,000,000,000,000, got inf"),
        ("[train]\nepochs = 1e300", r"train.epochs must be at most 1,000,000,000,000, got 1e\+300"),
        (
            '[learn]\nalgorithm = "pg"\nbaseline_weight = inf',
            "learn.baseline_weight must be at most 1,0.*, got inf",
        ),
        ("[train]\nlearning_rate = -1", "train.learning_rate must be 0 or more, got -1.0"),
        ("[train]\nlearning_rate = nan", "train.learning_rate must be 0 or more, got nan"),
        ("[model]\ndropout = 1.0", r"model.dropout must be in \[0, 1\), got 1.0"),
        ('[learn]\nalgorithm = "sgd"', "learn.algorithm must be one of mle"),
        (
            '[train]\nschedule = "stairs"',
            "train.schedule must be one of constant, linear, cosine, exponential, got stairs",
        ),
    ],
)
def test_mistakes_in_a_file(recipe, text, message):
    with pytest.raises(UsageError, match=message):
        load_recipe(recipe(text))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"train.bach": 3}, r"unknown key train.bach; did you mean batch\?"),
        ({"tarin.batch": 3}, r"tarin.batch: unknown section 'tarin'; did you mean train\?"),
        ({"batch": 3}, "batch: unknown section 'batch'; did you mean"),
        ({"train": 3}, "unknown key train.; expected one of seed, batch"),
        ({"train.batch": 3.5}, "train.batch must be a whole number, got 3.5"),
        ({"train.batch": "3.5"}, "train.batch must be a whole number, got '3.5'"),
        ({"encoder.finetune": "perhaps"}, "encoder.finetune must be true or false, got 'perhaps'"),
        (
            {"train.select": "spice", "train.metrics": "coco"},
            r"train.select must be one of train.metrics \(Bleu_1, ",
        ),
        ({"train.select": "bleu"}, "'bleu' stands for several metrics"),
        ({"train.metrics": ["CIDR"]}, r"unknown metric 'CIDR'; did you mean CIDEr\?"),
        ({"train.metrics": ","}, "no metric was asked for"),
    ],
)
def test_mistakes_in_settings(settings, message):
    with pytest.raises(UsageError, match=message):
        load_recipe(None, settings)


def test_a_recipe_may_hold_settings_of_several_algorithms_and_single_ones_must_belong_to_the_chosen_one(recipe):
    path = recipe('[learn]\nalgorithm = "scst"\nrollouts = 9\nmixer_words = 2\nlabel_smoothing = 0.1\npaths = 3\n')
    config = load_recipe(path)
    assert as_tables(config)["learn"] == {
        "algorithm": "scst",
        "reward": "SPIDEr",
        "eos_token": True,
        "sharpen": 1.0,
        "paths": 3,
    }
    assert load_recipe(path, {"learn.algorithm": "pg"}).learn.rollouts == 9
    with pytest.raises(UsageError, match=r"learn.rollouts has no part in scst, only in pg; leave it out, or choose"):
        load_recipe(path, {"learn.rollouts": 9})
    with pytest.raises(UsageError, match=r"learn.reward has no part in mle, only in pg, mixer, scst, rloo; leave it"):
        load_recipe(None, {"learn.reward": "CIDEr"})


def test_the_settings_of_0_1_0_are_read():
    """They held the keys of all algorithms, whichever was trained."""
    learn = {"algorithm": "pg", "label_smoothing": 0.1, "scheduled_sampling": 0.0, "reward": "CIDEr", "eos_token": True}
    learn |= {"sharpen": 2.0, "rollouts": 2, "paths": 0, "reuse_rollouts": True, "count_path": True}
    learn |= {"baseline_width": 512, "baseline_learning_rate": 0.001, "baseline_steps": 100, "baseline_weight": 1.0}
    learn |= {"mixer_words": 6, "mixer_fall": 6, "mixer_share": 0.5}
    config = load_tables({"learn": learn}, "config.json")
    assert (config.learn.reward, config.learn.sharpen, config.learn.rollouts) == ("CIDEr", 2.0, 2)
    assert load_tables({"learn": learn | {"algorithm": "mle"}}, "config.json").learn.label_smoothing == 0.1


def test_a_missing_file_is_told(tmp_path):
    from spidercap.errors import DataError

    with pytest.raises(DataError, match="missing.toml does not exist"):
        load_recipe(tmp_path / "missing.toml")


def test_every_key_is_explained():
    for key, _, text in describe_keys():
        assert text, key


def test_every_key_is_documented_with_its_default():
    from pathlib import Path

    table = (Path(__file__).parents[1] / "docs" / "training.md").read_text()
    for key, default, text in describe_keys():
        assert f"| `{key}` | {f'`{default}`' if default else ''} | {text} |" in table, key
