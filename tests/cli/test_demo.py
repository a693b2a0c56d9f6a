"""The methods of `spidercap demo`; that it runs is checked by the example of its help (tests/smoke)."""

from pathlib import Path

from spidercap.cli.demo import METHODS, RECIPE
from spidercap.recipe import load_recipe
from spidercap.report.training.published import PAPER
from spidercap.report.training.runs import method_name

ROOT = Path(__file__).parents[2]


def test_the_methods_are_those_of_the_papers_table_and_one_more():
    configs = [load_recipe(RECIPE, settings) for settings in METHODS.values()]
    assert {method_name(config) for config in configs} == {*PAPER, "PG-SPICE"}
    assert method_name(configs[0]) == "MLE"


def test_every_method_but_mle_is_selected_by_a_metric_of_its_reward():
    for name, settings in METHODS.items():
        config = load_recipe(RECIPE, settings)
        assert config.train.select in config.train.metrics
        assert name == "mle" or config.learn.reward in (config.train.select, "BCMR")


def test_the_recipe_is_the_one_that_people_find():
    assert (ROOT / "recipes" / "demo.toml").read_text() == RECIPE.read_text()
