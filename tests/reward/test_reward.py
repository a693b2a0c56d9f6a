"""Rewards: the numbers of `score`, anyone's function, the end symbol, and what stops training."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from spidercap.cli import main
from spidercap.errors import DataError, MissingExtraError, UsageError
from spidercap.metrics import meteor
from spidercap.reward.end_symbol import marked_frequencies
from spidercap.reward.reward import make_reward

REFERENCES = {
    "a": ["a man rides a horse", "a person on a horse in a field"],
    "b": ["two dogs play in the snow", "dogs run through snow"],
    "c": ["a red bus on the street.", "A bus drives down a street", "the street"],
}
CAPTIONS = {"a": "a man on a horse", "b": "dogs run in the snow", "c": "A bus on a street with a"}
MODULE = """
def lengths(completions, **kwargs):
    return [len(text.split()) for text in completions]

def told(ids, completions, references, finished, **kwargs):
    calls.append((ids, completions, references, finished))
    return [1.0] * len(ids)

calls = []
def no_number(ids, **kwargs): return [float("nan")] * len(ids)
def too_few(ids, **kwargs): return [1.0]
def words(ids, **kwargs): return ["good"] * len(ids)
def strict(completions): return [0.0]
def fails(ids, **kwargs): return [1 / 0 for _ in ids]
def leaves(**kwargs): raise SystemExit(3)
constant = 3
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_rewards.py").write_text(MODULE)
    (tmp_path / "unwritten.py").write_text("def f(:\n")
    (tmp_path / "stopping.py").write_text("import sys\nsys.exit(3)\n")
    yield
    sys.modules.pop("own_rewards", None)


def reward_of(name, captions=CAPTIONS, finished=None, **options):
    finished = [True] * len(captions) if finished is None else finished
    return make_reward(name, REFERENCES, **options)(list(captions), list(captions.values()), finished)


@pytest.mark.parametrize("metric", ["SPIDEr", "CIDEr", "Bleu_4", "ROUGE_L"])
def test_a_reward_is_what_score_gives_with_the_training_df(metric, tmp_path, capsys):
    (tmp_path / "refs.json").write_text(json.dumps(REFERENCES))
    (tmp_path / "caps.json").write_text(json.dumps(CAPTIONS))
    out = tmp_path / "scores.jsonl"
    for arguments in (
        ["df", tmp_path / "refs.json", "--out", tmp_path / "df.tsv.gz"],
        ["score", tmp_path / "caps.json", "--refs", tmp_path / "refs.json", "--df", tmp_path / "df.tsv.gz",
         "--metrics", metric, "--per-image", out],
    ):  # fmt: skip
        with pytest.raises(SystemExit) as stopped:
            main([*map(str, arguments)])
        assert stopped.value.code == 0, capsys.readouterr().err
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    expected = {row["id"]: row["scores"][metric] for row in rows}
    assert dict(zip(CAPTIONS, reward_of(metric), strict=True)) == pytest.approx(expected, abs=1e-12)


def test_each_distinct_caption_is_scored_once(module):
    reward = make_reward("own_rewards:told", REFERENCES)
    found = reward(["a", "b", "a", "a"], ["x", "x", "x", "y"], [True, True, True, False])
    assert found.tolist() == [1.0] * 4
    [(ids, completions, references, finished)] = sys.modules["own_rewards"].calls
    assert (ids, completions) == (["a", "b", "a"], ["x", "x", "y"])
    assert references == [REFERENCES["a"], REFERENCES["b"], REFERENCES["a"]]
    assert finished == [True, True, False]


def test_a_function_of_ones_own(module):
    assert reward_of("own_rewards:lengths").tolist() == [5, 5, 7]


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("own_rewards:no_number", DataError, "gave nan for the caption 'a man on a horse' of the image a"),
        ("own_rewards:too_few", DataError, r"shape \(1,\) for 3 captions"),
        ("own_rewards:words", DataError, "must return a list of numbers"),
        ("own_rewards:strict", UsageError, r"add \*\*kwargs"),
        ("own_rewards:missing", UsageError, "has no missing"),
        ("own_rewards:constant", UsageError, "expected a function"),
        ("nowhere_at_all:f", UsageError, "cannot import the module nowhere_at_all"),
        ("unwritten:f", UsageError, r"cannot import the module unwritten \(SyntaxError: .*unwritten.py, line 1"),
        ("stopping:f", UsageError, r"cannot import the module stopping \(SystemExit: 3\)"),
        ("builtins:max", UsageError, "reward builtins:max cannot be called with the keywords ids"),
        (".own_rewards:lengths", UsageError, "write module:function"),
        ("own_rewards:fails", DataError, r":fails failed: ZeroDivisionError: .*own_rewards.py, line 1"),
        ("own_rewards:leaves", DataError, "the reward own_rewards:leaves failed: SystemExit: 3"),
        ("own rewards:f", UsageError, "write module:function"),
        ("CIDr", UsageError, "did you mean CIDEr"),
    ],
)
def test_what_stops_training(module, name, error, message):
    with pytest.raises(error, match=message):
        reward_of(name)


def test_a_missing_extra_is_said_at_once(monkeypatch):
    def missing(paraphrases):
        raise MissingExtraError("METEOR needs pip install 'spidercap[meteor]'")

    monkeypatch.setattr(meteor, "meteor_resources", missing)
    with pytest.raises(MissingExtraError, match="meteor"):
        make_reward("BCMR", REFERENCES)


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(DataError, match="2 ids, 1 captions and 1 ends"):
        make_reward("CIDEr", REFERENCES)(["a", "b"], ["x"], [True])


def test_no_captions_no_rewards():
    assert reward_of("CIDEr", captions={}).shape == (0,)


@pytest.mark.parametrize("metric", ["Bleu_2", "CIDEr"])
def test_the_end_symbol_makes_a_bad_ending_cost(metric):
    whole, broken = {"c": "a bus on a street"}, {"c": "a bus on a street with a"}
    gap = reward_of(metric, whole)[0] - reward_of(metric, broken)[0]
    marked_gap = reward_of(metric, whole, eos_token=True)[0] - reward_of(metric, broken, eos_token=True)[0]
    assert marked_gap > gap


def test_a_cut_caption_has_no_end_symbol():
    ended, cut = (reward_of("Bleu_1", {"a": "a man rides a horse"}, [end], eos_token=True)[0] for end in (True, False))
    assert ended == pytest.approx(1.0)
    assert cut < ended


def test_metrics_without_n_grams_do_not_see_the_end_symbol():
    assert reward_of("SPICE", eos_token=True).tolist() == reward_of("SPICE").tolist()


def test_a_mean_is_split_into_its_parts():
    parts = 0.5 * reward_of("CIDEr", eos_token=True) + 0.5 * reward_of("SPICE")
    np.testing.assert_allclose(reward_of("SPIDEr", eos_token=True), parts, rtol=1e-14)


def test_frequencies_counted_with_the_end_symbol_serve_other_images():
    frequencies = marked_frequencies(list(REFERENCES.values()), "all")
    alone = make_reward("CIDEr", {"c": REFERENCES["c"]}, frequencies, eos_token=True)
    expected = reward_of("CIDEr", {"c": CAPTIONS["c"]}, eos_token=True)
    np.testing.assert_allclose(alone(["c"], [CAPTIONS["c"]], [True]), expected, rtol=1e-14)


def test_the_end_symbol_needs_frequencies_counted_with_it(module):
    with pytest.raises(UsageError, match="leave `df` at corpus"):
        make_reward("CIDEr", REFERENCES, "coco", eos_token=True)
    with pytest.raises(UsageError, match="eos_token is for metrics"):
        make_reward("own_rewards:lengths", REFERENCES, eos_token=True)


def test_the_examples_of_the_page_run():
    page = (Path(__file__).parents[2] / "docs" / "rewards.md").read_text()
    short, trl = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    scope: dict = {}
    exec(short, scope)
    assert scope["short"](completions=["a dog", "a"], finished=[True, False], ids=["x", "y"]) == [1 / 3, 0.0]
    exec(trl, {})
