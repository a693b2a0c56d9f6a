"""`spidercap explain` on a small run: the numbers on the page are those of the equations."""

import re
import shutil

import pytest
import torch

from spidercap.cli import main
from spidercap.cli.train import read_recipe
from spidercap.data.captions import Dataset
from spidercap.decode.rollout import Sampling
from spidercap.errors import DataError, UsageError
from spidercap.learn.policy import Policy
from spidercap.learn.word_values import explain
from spidercap.reward.reward import make_reward
from spidercap.train.checkpoint import save_checkpoint
from spidercap.train.explained_image import explain_image, find_image, reward_of_image
from spidercap.train.run_folder import RunFolder
from spidercap.train.start import train_run
from spidercap.vision.feature_store import FeatureStore

IMAGE = "red-dog-grass"


@pytest.fixture(scope="module")
def runs(small, tmp_path_factory):
    """A run of maximum likelihood, and one of policy gradient that started from it."""
    flags = [f"--data.folder={small / 'data'}", f"--features.folder={small / 'features'}", "--model.embedding=16"]
    flags += ["--model.hidden=16", "--train.batch=16", "--train.learning_rate=0.01", "--train.metrics=CIDEr"]
    folder = tmp_path_factory.mktemp("explained")
    train_run(read_recipe(None, [*flags, "--train.epochs=6"]), folder / "mle")
    more = ["--learn.algorithm=pg", "--reward=CIDEr", "--learn.baseline_steps=2", "--train.epochs=1"]
    train_run(read_recipe(None, [*flags, *more]), folder / "pg", folder / "mle")
    return folder


def run(*arguments):
    with pytest.raises(SystemExit) as stopped:
        main([*map(str, arguments)])
    return stopped.value.code


def test_values_are_means_of_rollouts_and_advantages_differences(runs, small):
    finished, dataset = RunFolder(runs / "pg").finished(), Dataset.load(small / "data")
    reward = reward_of_image("CIDEr", dataset, find_image(dataset, IMAGE))
    features = torch.from_numpy(FeatureStore.open(small / "features").rows([IMAGE]))
    found = explain(Policy(finished.captioner, reward, 3), finished.baseline, IMAGE, features, Sampling(rollouts=4))
    *middle, last = found.words
    assert middle
    for position, word in enumerate(middle):
        assert len(word.rollouts) == 4
        assert word.value == pytest.approx(sum(each.reward for each in word.rollouts) / 4)
        assert word.advantage == pytest.approx(word.value - word.baseline)
        prefix = " ".join(each.word for each in middle[: position + 1])
        for each in word.rollouts:
            assert prefix == word.prefix
            caption = prefix + each.continuation
            assert each.reward == pytest.approx(float(reward([IMAGE], [caption], [True])[0]), abs=1e-6)
    assert last.rollouts == ()
    assert last.value == pytest.approx(found.reward)
    assert found.caption == " ".join(word.word for word in middle)


def test_the_page(runs, tmp_path, capsys):
    out = tmp_path / "page.html"
    assert run("explain", runs / "pg", "--image", IMAGE, "--rollouts", 2, "--out", out) == 0
    page, printed = out.read_text(), capsys.readouterr()
    words = re.findall(r'class="word">([^<]+)<', page)
    assert f"{len(words) - 1} words and the caption's end explained" in printed.out
    assert "note: the page has no picture, " in printed.err
    assert "give the folder of the pictures by --images" in printed.err
    assert page.count("the end of the caption") == 1
    # Said of <unk> where it occurs, and only there.
    assert ("stands for a word" in page) == (page.count("&lt;unk&gt;") > 1)
    assert words[-1] == "&lt;eos&gt;"
    assert page.count("<data") == 2 * (len(words) - 1)
    assert page.count("Q − B ") >= len(words)
    assert "<li>a red dog on the grass</li>" in page


def test_a_word_outside_the_vocabulary_is_explained(runs, tmp_path, capsys, monkeypatch):
    finished = RunFolder(runs / "pg").finished()
    with torch.no_grad():
        finished.captioner.output.bias[finished.captioner.vocabulary.unk] += 30
    monkeypatch.setattr(RunFolder, "finished", lambda self: finished)
    out = tmp_path / "page.html"
    assert run("explain", runs / "pg", "--image", IMAGE, "--out", out) == 0
    page, printed = out.read_text(), capsys.readouterr().out
    assert "a word outside the vocabulary" in page
    assert "&lt;unk&gt; stands for a word that is not in the captioner&#39;s vocabulary" in page.replace("'", "&#39;")
    assert re.search(r"\d+ words explained", printed)


@pytest.mark.parametrize("reward", ["CIDEr", "SPIDEr"])
def test_the_reward_is_that_of_training(small, reward):
    dataset = Dataset.load(small / "data")
    image = dataset.split("train")[0]
    training = make_reward(reward, {each.id: each.captions for each in dataset.split("train")}, eos_token=True)
    caption = [image.id], [f"{image.captions[0]} with a"], [True]
    paid = reward_of_image(reward, dataset, image, eos_token=True)
    assert paid(*caption) == pytest.approx(training(*caption), abs=1e-12)
    assert paid(*caption) != pytest.approx(reward_of_image(reward, dataset, image)(*caption))


def test_value_and_baseline_are_of_the_same_reward(runs, small, tmp_path):
    finished, dataset = RunFolder(runs / "pg").finished(), Dataset.load(small / "data")
    image = find_image(dataset, IMAGE)
    own = explain_image(finished, dataset, image)
    marked = reward_of_image("CIDEr", dataset, image, eos_token=True)
    assert own.explanation.reward == pytest.approx(float(marked([IMAGE], [own.explanation.caption], [True])[0]))
    assert own.note == "BLEU, ROUGE-L and CIDEr in the reward see the end symbol (learn.eos_token)."
    other = explain_image(finished, dataset, image, reward="Bleu_1")
    assert all(word.baseline is None for word in other.explanation.words)
    assert other.note.endswith("The run's baseline learnt CIDEr: B and Q − B are left out.")
    out = tmp_path / "page.html"
    assert run("explain", runs / "pg", "--image", IMAGE, "--reward", "Bleu_1", "--out", out) == 0
    assert "learnt CIDEr: B and Q − B are left out" in out.read_text()
    assert "pushed up or down" not in out.read_text()


def test_a_run_without_a_baseline_shows_values_only(runs, tmp_path):
    out = tmp_path / "page.html"
    assert run("explain", runs / "mle", "--image", IMAGE, "--reward", "Bleu_1", "--out", out) == 0
    assert 'class="up"' not in out.read_text()
    assert 'class="down"' not in out.read_text()


@pytest.mark.parametrize("state", [{}, {"module": {"algorithm.baseline.layer.bias": torch.zeros(3)}}])
def test_a_checkpoint_without_its_weights_is_named(runs, tmp_path, state):
    shutil.copytree(runs / "pg", tmp_path / "pg")
    save_checkpoint(tmp_path / "pg" / "last" / "training.pt", state)
    with pytest.raises(DataError, match=r"training\.pt lacks weights of the run \(.*\); copy the run again"):
        RunFolder(tmp_path / "pg").finished()


def test_what_cannot_be_explained(runs, small, tmp_path, capsys):
    with pytest.raises(UsageError, match="is not a run of `spidercap train`"):
        RunFolder(tmp_path).finished()
    with pytest.raises(DataError, match="has no image 'nobody'"):
        find_image(Dataset.load(small / "data"), "nobody")
    assert run("explain", runs / "pg", "--image", IMAGE, "--rollouts", 0, "--out", tmp_path / "x") == 2
    assert "--rollouts must be at least 1, got 0" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
    assert run("explain", tmp_path, "--image", IMAGE, "--out", tmp_path / "nowhere" / "x.html") == 1
    assert "nowhere is not a folder; make it first" in capsys.readouterr().err
