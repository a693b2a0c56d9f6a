"""The captioner that comes with the package, made from a run and used without --model."""

import csv
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from spidercap.cli import main
from spidercap.errors import DataError
from spidercap.model import folder as folder_module
from spidercap.report.training.training_report import ReportRequest, make_report
from spidercap.vision import encoders
from spidercap.vision.feature_store import FeatureStore

TOOL = Path(__file__).parents[2] / "tools" / "captioner" / "ship.py"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("ship", TOOL)
    module = importlib.util.module_from_spec(spec)
    sys.modules["ship"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def store_encoder(trained, monkeypatch):
    """An encoder that tells a picture of the runs' dataset by its colour, and gives its stored vector."""
    store = FeatureStore.open(trained / "features")

    class StoreEncoder:
        network, width, size = "by-colour", store.width, 8

        def encode(self, pictures):
            numbers = np.rint(pictures[:, 4, 4, 0] / 8).astype(int)
            return np.stack([store.rows([store.ids[number]])[0] for number in numbers])

    monkeypatch.setitem(encoders.ENCODERS, "torch", StoreEncoder)


@pytest.fixture
def photos(trained):
    return trained / "data" / "images"


def caption_without_a_model(capsys, picture):
    with pytest.raises(SystemExit) as stopped:
        main(["caption", str(picture)])
    found = capsys.readouterr()
    assert not stopped.value.code, found.err
    return found.out.strip().split("\t")[1], found.err


def test_what_is_shipped_captions_pictures_without_a_model_named(tool, trained, photos, tmp_path, capsys, monkeypatch):
    tool.ship(trained / "pg", [photos], tmp_path / "shipped", [])
    monkeypatch.setattr(folder_module, "SHIPPED", tmp_path / "shipped")
    caption, note = caption_without_a_model(capsys, photos / "dog-grass.jpg")
    assert set(caption.split()) <= set(folder_module.load_model(trained / "pg" / "best").vocabulary.words)
    assert "note:" not in note


def test_weights_are_halved_and_the_scores_are_those_of_the_run(tool, trained, photos, tmp_path):
    scores = tool.ship(trained / "pg", [photos], tmp_path / "shipped", [])
    stored = load_file(tmp_path / "shipped" / "model.safetensors")
    assert {value.dtype for value in stored.values()} == {torch.float16}
    (row,) = make_report(ReportRequest([trained / "pg"], [], examples=0)).board.rows
    assert scores.corpus == pytest.approx({metric: cell.value for metric, cell in row.cells.items()}, abs=0.02)
    facts = folder_module.load_model(tmp_path / "shipped").facts
    assert facts["test"]["CIDEr"]["value"] == scores.corpus["CIDEr"]
    assert facts["features"] == {"network": "by-colour", "width": 11, "stored": "imported from vectors.npy"}
    card = (tmp_path / "shipped" / "MODEL_CARD.md").read_text()
    assert f"| CIDEr | {scores.corpus['CIDEr']:.3f} |" in card
    assert f"* `{scores.signature['SPICE']}`" in card
    assert card.count("None has been judged.") == 2
    assert "$" not in card


def test_the_same_run_gives_the_same_bytes(tool, trained, photos, tmp_path):
    for name in ("one", "two"):
        tool.ship(trained / "pg", [photos], tmp_path / name, [])
    files = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()} == files
    assert len(files) == 4


def test_examples_are_shown_with_the_caption_that_was_judged(tool, trained, photos, tmp_path, capsys, monkeypatch):
    tool.ship(trained / "pg", [photos], tmp_path / "shipped", [])
    monkeypatch.setattr(folder_module, "SHIPPED", tmp_path / "shipped")
    caption, _ = caption_without_a_model(capsys, photos / "dog-grass.jpg")
    path = tmp_path / "examples.tsv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerows([("picture", "verdict", "caption", "shows"), ("dog-grass", "bad", caption, "a flat colour")])
    tool.ship(trained / "pg", [photos], tmp_path / "shipped", tool.read_judged(path))
    assert f"| dog-grass | {caption} | a flat colour |" in (tmp_path / "shipped" / "MODEL_CARD.md").read_text()
    other = [tool.Judged("dog-grass", "good", "a cat", "a flat colour")]
    with pytest.raises(DataError, match=f"of dog-grass it says '{caption}', but 'a cat' was judged; judge it again"):
        tool.ship(trained / "pg", [photos], tmp_path / "not", other)
    assert not (tmp_path / "not").exists()
    with pytest.raises(DataError, match="the picture unicorn of an example is in none of the folders"):
        tool.ship(trained / "pg", [photos], tmp_path / "not", [tool.Judged("unicorn", "good", "a", "b")])


def test_a_verdict_is_good_or_bad(tool, tmp_path):
    path = tmp_path / "examples.tsv"
    path.write_text("picture\tverdict\tcaption\tshows\nx\tso so\ta dog\ta dog\n")
    with pytest.raises(DataError, match="x: the verdict must be one of good, bad, got 'so so'"):
        tool.read_judged(path)


def test_vectors_from_elsewhere_must_be_those_of_our_encoder(tool, trained, photos, tmp_path, monkeypatch):
    with pytest.raises(DataError, match="was imported; --photos must name some of its pictures"):
        tool.ship(trained / "pg", [], tmp_path / "shipped", [])

    class Other(encoders.ENCODERS["torch"]):
        def encode(self, pictures):
            return super().encode(pictures)[:, ::-1].copy()

    monkeypatch.setitem(encoders.ENCODERS, "torch", Other)
    with pytest.raises(DataError, match="holds other vectors than by-colour gives: cosine"):
        tool.ship(trained / "pg", [photos], tmp_path / "shipped", [])


def test_weights_that_are_too_large_are_refused(tool, trained, photos, tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "LARGEST", 1000)
    with pytest.raises(DataError, match="bytes of weights, at most 1,000 are shipped"):
        tool.ship(trained / "pg", [photos], tmp_path / "shipped", [])
