"""The captioner trained end to end, from pictures."""

import json

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import load_file

from spidercap.cli.caption import caption
from spidercap.cli.prepare import prepare
from spidercap.cli.train import read_recipe
from spidercap.data.captions import Dataset
from spidercap.errors import DataError
from spidercap.report.training.training_report import ReportRequest, make_report
from spidercap.train import data
from spidercap.train.checkpoint import load_checkpoint
from spidercap.train.explained_image import explain_image
from spidercap.train.run_folder import RunFolder
from spidercap.train.start import describe, train_run
from spidercap.vision import tuned
from spidercap.vision.feature_store import import_vectors
from spidercap.vision.inception import Convolution, Inception, Pool
from spidercap.vision.pictures import decode
from spidercap.vision.tuned import TUNED_FILE

COLOURS = {"red": (220, 30, 30), "green": (30, 200, 30), "blue": (30, 30, 230)}
TINY = (Convolution("first", 8, (3, 3), stride=2, valid=True), Pool.HALVE, Convolution("second", 8))


def tiny_network():
    torch.manual_seed(3)
    return Inception(TINY).eval()


@pytest.fixture
def pictures(tmp_path, monkeypatch):
    """Plain pictures whose captions tell their colour, and a small network in place of Inception-V3."""
    monkeypatch.setattr(data, "load_inception", tiny_network)
    monkeypatch.setattr(data.PictureFeatures.__init__, "__defaults__", (31,))
    folder, rows, noise = tmp_path / "images", [], np.random.default_rng(0)
    folder.mkdir()
    for number in range(45):
        name = list(COLOURS)[number % 3]
        pixels = np.full((40, 50, 3), COLOURS[name]) + noise.integers(-20, 20, (40, 50, 3))
        Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(folder / f"{number}.png")
        rows += [f"{number}.png,a {name} picture", f"{number}.png,all of it is {name}"]
    (tmp_path / "captions.csv").write_text("\n".join(["file,caption", *rows]))
    prepare([str(tmp_path / "captions.csv")], out=tmp_path / "data", split="0.6,0.2,0.2", minimum_count=1)
    return [
        f"--data.folder={tmp_path / 'data'}",
        f"--data.images={folder}",
        "--encoder.finetune=true",
        "--encoder.learning_rate=0.003",
        "--model.embedding=12",
        "--model.hidden=12",
        "--model.dropout=0",
        "--train.metrics=ROUGE_L",
        "--train.select=ROUGE_L",
        "--train.batch=18",
        "--train.learning_rate=0.02",
        "--train.warmup_steps=2",
        "--train.log_every=3",
    ]


def test_the_encoder_learns_and_its_statistics_stay(pictures, tmp_path):
    done = train_run(read_recipe(None, [*pictures, "--train.epochs=12"]), tmp_path / "run")
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    losses = [line["loss"] for line in lines if line["kind"] == "train"]
    assert losses[-1] < 0.5 * losses[0]
    assert done.best > 0.5
    state = load_checkpoint(tmp_path / "run" / "last" / "training.pt")["module"]
    for name, before in tiny_network().state_dict().items():
        frozen = "running" in name or "num_batches" in name
        assert torch.equal(state[f"encoder.{name}"], before) == frozen, name


def test_policy_gradient_goes_on_with_the_encoder_of_its_start_and_trains_it(pictures, tmp_path):
    mle, pg = tmp_path / "mle", tmp_path / "pg"
    train_run(read_recipe(None, [*pictures, "--train.epochs=6"]), mle)
    more = (
        "--learn.algorithm=pg",
        "--reward=ROUGE_L",
        "--learn.baseline_steps=2",
        "--train.epochs=1",
        "--decode.limit=9",
    )
    train_run(read_recipe(None, [*pictures, *more]), pg, mle)
    first = json.loads((pg / "metrics.jsonl").read_text().splitlines()[0])
    best = max(
        (json.loads(line) for line in (mle / "metrics.jsonl").read_text().splitlines() if "validation" in line),
        key=lambda line: line["ROUGE_L"],
    )
    assert first["step"] == 0
    assert first["ROUGE_L"] == pytest.approx(best["ROUGE_L"])
    start = load_file(mle / "best" / TUNED_FILE)
    state = load_checkpoint(pg / "last" / "training.pt")["module"]
    assert not torch.equal(state["encoder.first.conv.weight"], start["first.conv.weight"])


def test_stored_vectors_do_not_fit_a_start_with_an_encoder_of_its_own(pictures, tmp_path):
    train_run(read_recipe(None, [*pictures, "--train.epochs=1"]), tmp_path / "mle")
    ids = [image.id for image in Dataset.load(tmp_path / "data").images]
    np.save(tmp_path / "vectors.npy", np.random.default_rng(0).random((len(ids), 8), np.float32))
    import_vectors(tmp_path / "vectors.npy", ids, tmp_path / "features")
    stored = [*pictures, "--encoder.finetune=false", f"--features.folder={tmp_path / 'features'}"]
    with pytest.raises(DataError, match=r"was trained along with its encoder.*encoder\.finetune = true"):
        train_run(read_recipe(None, stored), tmp_path / "run", tmp_path / "mle")


@pytest.fixture
def tiny_tuned(monkeypatch):
    """Trained encoders are read as the small network."""
    monkeypatch.setattr(tuned, "Inception", lambda: Inception(TINY))
    monkeypatch.setattr(tuned.TorchEncoder.__init__, "__defaults__", ("", 31))


def test_captions_of_pictures_are_made_with_the_trained_encoder(pictures, tmp_path, tiny_tuned, capsys):
    train_run(read_recipe(None, [*pictures, "--train.epochs=6"]), tmp_path / "run")
    validated = sorted((tmp_path / "run" / "captions").iterdir())
    best = json.loads((tmp_path / "run" / "best" / "config.json").read_text())["facts"]
    assert "-tuned-" in best["features"]["network"]
    kept = json.loads(next(path for path in validated if int(path.stem[5:]) == best["steps"]).read_text())
    capsys.readouterr()
    caption([tmp_path / "data"], model=tmp_path / "run", images=tmp_path / "images", split="val", json=True)
    found = {image["id"]: image["captions"][0]["caption"] for image in json.loads(capsys.readouterr().out)["images"]}
    assert found == {row["image_id"]: row["caption"] for row in kept}
    (tmp_path / "run" / "best" / tuned.TUNED_FILE).write_bytes(b"{}")
    with pytest.raises(DataError, match="encoder.safetensors is not a whole safetensors file"):
        caption([tmp_path / "data"], model=tmp_path / "run", images=tmp_path / "images", split="val", json=True)


def test_a_report_uses_the_trained_encoder(pictures, tmp_path, tiny_tuned):
    train_run(read_recipe(None, [*pictures, "--train.epochs=6"]), tmp_path / "run")
    (row,) = make_report(ReportRequest([tmp_path / "run"], [], split="val")).board.rows
    best = json.loads((tmp_path / "run" / "best" / "config.json").read_text())["facts"]["metrics"]
    assert row.cells["ROUGE_L"].value == pytest.approx(best["ROUGE_L"]["value"])
    test = Dataset.load(tmp_path / "data").split("test")[0]
    (tmp_path / "images" / test.file).write_bytes(b"no picture")
    with pytest.raises(DataError, match=f"{test.file}.*; a report needs every picture of the split test"):
        make_report(ReportRequest([tmp_path / "run"], [], split="test"))


def test_explain_uses_the_encoder_that_belongs_to_the_captioner(pictures, tmp_path, tiny_tuned):
    mle, pg = tmp_path / "mle", tmp_path / "pg"
    train_run(read_recipe(None, [*pictures, "--train.epochs=2"]), mle)
    more = ("--learn.algorithm=pg", "--reward=ROUGE_L", "--learn.baseline_steps=2", "--train.epochs=2")
    train_run(read_recipe(None, [*pictures, *more]), pg, mle)
    dataset = Dataset.load(tmp_path / "data")
    image = dataset.split("test")[0]
    pixels = np.stack([decode(tmp_path / "images" / image.file, 31)])
    last = load_checkpoint(pg / "last" / "training.pt")["module"]
    weights = {name.removeprefix("encoder."): value for name, value in last.items() if name.startswith("encoder.")}
    expected = tuned.encoder_of(weights).encode(pixels)
    assert RunFolder(pg).finished().encoder.encode(pixels) == pytest.approx(expected)
    assert RunFolder(mle).finished().encoder.encode(pixels) == pytest.approx(
        tuned.tuned_encoder(mle / "best", "torch").encode(pixels)
    )
    for folder in (mle, pg):
        assert explain_image(RunFolder(folder).finished(), dataset, image).explanation.words


def test_a_plan_counts_the_encoder(pictures):
    facts = describe(read_recipe(None, pictures)).facts
    assert "in all" in facts["parameters"]


def test_a_missing_picture_is_told_before_training(pictures, tmp_path):
    (tmp_path / "images" / "7.png").unlink()
    with pytest.raises(DataError, match=r"7.png \(image 7\) does not exist; of \d+ pictures 1 cannot be found"):
        train_run(read_recipe(None, pictures), tmp_path / "run")
    assert not (tmp_path / "run").exists()
