"""One process: it learns, keeps what it should, and says clearly what is wrong."""

import json
import resource
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from spidercap.cli.prepare import prepare
from spidercap.cli.train import read_recipe
from spidercap.errors import DataError, UsageError
from spidercap.model.folder import load_model
from spidercap.train.automatic_settings import order_of, own_steps
from spidercap.train.checkpoint import load_checkpoint
from spidercap.train.data import load_data
from spidercap.train.loop import InterruptedRunError
from spidercap.train.run_folder import RunFolder
from spidercap.train.start import describe, train_run
from spidercap.vision.feature_store import import_vectors


def go(settings, out, *more, init=None):
    return train_run(read_recipe(None, [*settings, *more]), out, init)


def lines(run, kind):
    return [line for line in map(json.loads, (run / "metrics.jsonl").read_text().splitlines()) if line["kind"] == kind]


def test_a_run_learns_and_leaves_what_is_promised(settings, tmp_path):
    out = tmp_path / "run"
    done = go(settings, out, "--train.epochs=40", "--train.log_every=5", "--model.dropout=0")
    training, validation = lines(out, "train"), lines(out, "validation")
    assert training[-1]["loss"] < 0.4 * training[0]["loss"]
    assert {"loss", "gradient", "learning_rate", "words_per_second", "input_wait", "seconds"} <= training[0].keys()
    assert done.best == max(line["CIDEr"] for line in validation) > 1
    best = load_model(out / "best")
    assert best.facts["steps"] == done.best_step
    assert best.facts["metrics"]["CIDEr"]["value"] == done.best
    assert "CIDEr-D" in best.facts["metrics"]["CIDEr"]["signature"]
    captions = json.loads((out / "captions" / f"step-{done.step:08}.json").read_text())
    assert len(captions) == len(load_data(read_recipe(None, settings)).validation)
    assert list((out / "tensorboard").iterdir())
    assert json.loads((out / "config.json").read_text())["train"]["epochs"] == 40


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(settings, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        go(settings, tmp_path / name, "--train.epochs=2", f"--train.seed={seed}")
    a, b, c = (load_file(tmp_path / name / "best" / "model.safetensors") for name in "abc")
    assert all(torch.equal(a[key], b[key]) for key in a)
    assert not all(torch.equal(a[key], c[key]) for key in a)


@pytest.mark.parametrize("key", ["learn.label_smoothing", "learn.scheduled_sampling", "train.weight_decay"])
def test_options_change_what_is_learnt(settings, tmp_path, key):
    go(settings, tmp_path / "without", "--train.epochs=3")
    go(settings, tmp_path / "with", "--train.epochs=3", f"--{key}=0.3")
    without, with_option = (lines(tmp_path / name, "train")[-1]["loss"] for name in ("without", "with"))
    assert without != with_option
    assert with_option < 4


def test_patience_ends_a_run_that_no_longer_improves(settings, tmp_path):
    flags = ("--train.epochs=60", "--train.patience=2", "--train.validate_every=3")
    done = go(settings, tmp_path / "run", *flags)
    assert done.stale == 2
    assert done.step < plan_steps(settings, "--train.epochs=60")
    assert go(settings, tmp_path / "run", *flags) == done


def plan_steps(settings, *more):
    config = read_recipe(None, [*settings, *more])
    return own_steps(config, order_of(config, load_data(config)))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_and_says_how_to_go_on(settings, tmp_path, number, monkeypatch):
    from spidercap.train import loop

    steps = []
    original = loop.Trainer._step

    def step(self, batch):
        original(self, batch)
        steps.append(self.counters.step)
        if len(steps) == 4:
            signal.raise_signal(number)

    monkeypatch.setattr(loop.Trainer, "_step", step)
    with pytest.raises(InterruptedRunError, match="stopped at step 5 of 24; its state is in .*run: run the same"):
        go(settings, tmp_path / "run", "--train.epochs=3", "--train.validate_every=20")
    assert load_checkpoint(tmp_path / "run" / "last" / "training.pt")["counters"]["step"] == 5
    assert go(settings, tmp_path / "run", "--train.epochs=3", "--train.validate_every=20").step == 24


def test_a_full_disk_leaves_the_last_good_checkpoint(settings, tmp_path):
    out = tmp_path / "run"
    go(settings, out, "--train.epochs=1")
    before = (out / "last" / "training.pt").read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, hard))
    try:
        with pytest.raises(DataError, match=r"training.pt cannot be written: File too large"):
            go(settings, tmp_path / "other", "--train.epochs=1", "--train.checkpoint_every=1")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list((tmp_path / "other" / "last").iterdir())
    assert (out / "last" / "training.pt").read_bytes() == before


def test_a_run_goes_on_only_with_the_same_settings(settings, tmp_path):
    go(settings, tmp_path / "run", "--train.epochs=1")
    with pytest.raises(UsageError, match=r"other settings: train.epochs is 1.0 there and 2.0 here; choose another"):
        go(settings, tmp_path / "run", "--train.epochs=2")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    with pytest.raises(UsageError, match="exists and is not a run of spidercap"):
        go(settings, tmp_path / "full", "--train.epochs=1")


def test_a_run_goes_on_only_with_the_same_captions(settings, small, tmp_path):
    captions = json.loads((small / "captions.json").read_text())
    first, second, *_ = captions
    run, flags = tmp_path / "run", ("--train.epochs=1", f"--data.folder={tmp_path / 'data'}")
    prepare_again(captions, tmp_path)
    go(settings, run, *flags)
    prepare_again(captions | {first: captions[second], second: captions[first]}, tmp_path)
    with pytest.raises(DataError, match=r"run is a run on other data: captions_sha256 is \w{8} there and \w{8} here"):
        go(settings, run, *flags)
    forget_data(run)
    go(settings, run, *flags)
    prepare_again(captions | {first: ["zebras, okapis, gnus and tapirs"]}, tmp_path)
    with pytest.raises(
        DataError, match=r"training.pt is not the state of a run with this model and these data; choose"
    ):
        go(settings, run, *flags)


def prepare_again(captions, folder, minimum_count=1):
    """The dataset `data` in the folder, made from these captions."""
    (folder / "captions.json").write_text(json.dumps(captions))
    shutil.rmtree(folder / "data", ignore_errors=True)
    prepare([str(folder / "captions.json")], out=folder / "data", split="0.6,0.2,0.2", minimum_count=minimum_count)


def forget_data(run):
    """The checkpoint as it was before it said what it was trained on."""
    state = load_checkpoint(run / "last" / "training.pt")
    del state["data"]
    torch.save(state, run / "last" / "training.pt")


def test_a_run_goes_on_only_with_the_same_vocabulary_and_width(settings, small, tmp_path):
    captions = json.loads((small / "captions.json").read_text())
    prepare_again(captions, tmp_path)
    shutil.copytree(small / "features", tmp_path / "vectors")
    flags = ("--train.epochs=1", f"--data.folder={tmp_path / 'data'}", f"--features.folder={tmp_path / 'vectors'}")
    go(settings, tmp_path / "run", *flags)
    prepare_again(captions, tmp_path, minimum_count=20)
    with pytest.raises(DataError, match=r"vocabulary_sha256 is \w{8} there and \w{8} here"):
        go(settings, tmp_path / "run", *flags)
    prepare_again(captions, tmp_path)
    np.save(tmp_path / "wide.npy", np.random.default_rng(0).random((60, 5), dtype=np.float32))
    ids = (small / "features" / "ids.txt").read_text().split()
    shutil.rmtree(tmp_path / "vectors")
    import_vectors(tmp_path / "wide.npy", ids, tmp_path / "vectors")
    with pytest.raises(DataError, match="width of the vectors is 12 there and 5 here; make the data as they were, or"):
        go(settings, tmp_path / "run", *flags)


def test_two_processes_cannot_train_in_one_folder(settings, tmp_path):
    go(settings, tmp_path / "run", "--train.epochs=1")
    with (
        RunFolder(tmp_path / "run").held(),
        pytest.raises(DataError, match=r"another process is training in .*run; wait for it, or choose another `out`"),
    ):
        go(settings, tmp_path / "run", "--train.epochs=1")
    go(settings, tmp_path / "run", "--train.epochs=1")


def test_a_loss_that_explodes_stops_with_the_last_checkpoint_kept(settings, tmp_path):
    message = r"the loss of step \d+ is \S+ and its gradient's length .* \(images \S+, .*\); "
    with pytest.raises(DataError, match=message + r"the last good checkpoint is kept in .*run: lower train"):
        go(settings, tmp_path / "run", "--train.learning_rate=1e20", "--train.checkpoint_every=1")
    with pytest.raises(DataError, match=message + r"no checkpoint yet: lower train.learning_rate"):
        go(settings, tmp_path / "none", "--train.learning_rate=1e20")
    state = load_checkpoint(tmp_path / "run" / "last" / "training.pt")
    assert all(torch.isfinite(value).all() for value in state["optimizer"]["state"][0].values())


def test_a_start_must_have_the_same_words_and_sizes(settings, small, tmp_path):
    go(settings, tmp_path / "start", "--train.epochs=1")
    go(settings, tmp_path / "next", "--train.epochs=1", init=tmp_path / "start")
    with pytest.raises(DataError, match="has hidden = 16, and this run has 8; they must be equal"):
        go(settings, tmp_path / "small", "--model.hidden=8", init=tmp_path / "start")
    np.save(tmp_path / "wide.npy", np.random.default_rng(0).random((60, 5), dtype=np.float32))
    ids = (small / "features" / "ids.txt").read_text().split()
    import_vectors(tmp_path / "wide.npy", ids, tmp_path / "wide")
    with pytest.raises(DataError, match="has features = 12, and this run has 5"):
        go(settings, tmp_path / "w", f"--features.folder={tmp_path / 'wide'}", init=tmp_path / "start")


def test_vectors_must_tell_something_and_be_of_all_images(settings, small, tmp_path):
    ids = (small / "features" / "ids.txt").read_text().split()
    np.save(tmp_path / "flat.npy", np.ones((60, 5), dtype=np.float32))
    import_vectors(tmp_path / "flat.npy", ids, tmp_path / "flat")
    with pytest.raises(DataError, match="all numbers in .*flat are 1; the vectors tell nothing"):
        go(settings, tmp_path / "run", f"--features.folder={tmp_path / 'flat'}")
    np.save(tmp_path / "few.npy", np.ones((2, 5), dtype=np.float32))
    import_vectors(tmp_path / "few.npy", ids[:2], tmp_path / "few")
    with pytest.raises(DataError, match="has no vector for .* of .* images"):
        go(settings, tmp_path / "run", f"--features.folder={tmp_path / 'few'}")
    assert not (tmp_path / "run").exists()


def test_the_vocabulary_must_be_the_datasets_own(settings, small, tmp_path):
    shutil.copytree(small / "data", tmp_path / "data")
    (tmp_path / "data" / "vocabulary.txt").write_text("<bos>\n<eos>\n<unk>\ndog\n")
    with pytest.raises(DataError, match="is not the vocabulary of this dataset; prepare the dataset again"):
        go(settings, tmp_path / "run", f"--data.folder={tmp_path / 'data'}")


def test_splits_must_not_be_empty(settings, small, tmp_path):
    prepare([str(small / "captions.json")], out=tmp_path / "data", split="1,0,0", minimum_count=1)
    with pytest.raises(DataError, match="has no image in the split 'val'"):
        go(settings, tmp_path / "run", f"--data.folder={tmp_path / 'data'}")


def test_folders_must_be_named(settings):
    with pytest.raises(UsageError, match="features.folder is not set; name the folder that `spidercap features` made"):
        load_data(read_recipe(None, settings[:1]))


@pytest.mark.parametrize(("metrics", "select", "name"), [("cider", "CIDErD", "CIDEr"), ("bleu", "bleu-4", "Bleu_4")])
def test_metrics_may_be_written_in_any_usual_way(settings, tmp_path, metrics, select, name):
    done = go(settings, tmp_path / "run", "--train.epochs=1", f"--train.metrics={metrics}", f"--train.select={select}")
    assert lines(tmp_path / "run", "validation")[0][name] == done.best
    go(settings, tmp_path / "run", "--train.epochs=1", f"--train.metrics={metrics}", f"--train.select={name}")


def test_a_plan_tells_size_and_steps(settings):
    facts = describe(read_recipe(None, [*settings, "--train.epochs=3"])).facts
    assert facts["steps"].startswith("24 (8 an epoch, 120 examples)")
    assert "MiB" in facts["memory"]


@pytest.mark.parametrize(
    ("reward", "message"),
    [("Foo", "unknown metric 'Foo'"), ("CIDEr +", "cannot read it from"), ("no_module:f", "cannot import the module")],
)
def test_a_plan_and_a_run_refuse_what_is_no_reward(settings, tmp_path, reward, message):
    flags = [*settings, "--learn.algorithm=pg", f"--reward={reward}"]
    with pytest.raises(UsageError, match=message):
        describe(read_recipe(None, flags))
    with pytest.raises(UsageError, match=message):
        go(flags, tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("content", ["[]", "3", '{"train": {}}'])
def test_damaged_settings_are_named(settings, tmp_path, content):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text(content)
    with pytest.raises(DataError, match=r"run is not a run; expected a folder made by .*, with its settings in config"):
        go(settings, tmp_path / "run")


def test_a_damaged_checkpoint_is_named(settings, tmp_path):
    go(settings, tmp_path / "run", "--train.epochs=1")
    checkpoint = tmp_path / "run" / "last" / "training.pt"
    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    with pytest.raises(DataError, match="training.pt is not a whole checkpoint"):
        go(settings, tmp_path / "run", "--train.epochs=1")
    torch.save({"version": 99}, checkpoint)
    with pytest.raises(DataError, match="has version 99, expected 1"):
        go(settings, tmp_path / "run", "--train.epochs=1")
    torch.save({"version": 1, "counters": 3}, checkpoint)
    with pytest.raises(DataError, match=r"training.pt is not the state of a run with this model"):
        go(settings, tmp_path / "run", "--train.epochs=1")
    torch.save({"x": Path("/")}, checkpoint)
    with pytest.raises(DataError, match="is not a whole checkpoint"):
        go(settings, tmp_path / "run", "--train.epochs=1")
