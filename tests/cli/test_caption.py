"""`spidercap caption` from the command line, with a tiny model and an encoder that looks at one pixel."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest
import torch
from PIL import Image

from spidercap.cli import main
from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.data.results import read_results
from spidercap.model import folder as folder_module
from spidercap.model.folder import save_model
from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.text.vocabulary import Vocabulary
from spidercap.vision import encoders
from spidercap.vision.feature_store import import_vectors

WORDS = ("a", "dog", "sleeps", "red", "car")


class CornerEncoder:
    """The vector of a picture is its first pixel."""

    network, width, size = "corner", 3, 4

    def encode(self, pictures):
        return pictures[:, 0, 0].astype(np.float32) / 255


@pytest.fixture(autouse=True)
def small_encoder(monkeypatch):
    monkeypatch.setitem(encoders.ENCODERS, "torch", CornerEncoder)


def _captioner(features=3, network="corner"):
    vocabulary = Vocabulary(WORDS)
    model = ShowAndTell(ModelSizes(features, vocabulary.size, embedding=6, hidden=6), vocabulary, seed=1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    model.facts = {"features": {"network": network, "width": features}}
    return model


@pytest.fixture
def model(tmp_path):
    save_model(tmp_path / "model", _captioner())
    return tmp_path / "model"


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "photos"
    (folder / "below").mkdir(parents=True)
    for name, colour in (("COCO_val2014_000000000042", "red"), ("below/b", "lime"), ("7", "blue")):
        Image.new("RGB", (9, 7), colour).save(folder / f"{name}.png")
    return folder


@pytest.fixture
def store(tmp_path):
    np.save(tmp_path / "v.npy", np.eye(3, dtype=np.float32))
    import_vectors(tmp_path / "v.npy", ["1", "2", "x"], tmp_path / "store")
    return tmp_path / "store"


@pytest.fixture
def dataset(tmp_path):
    (tmp_path / "dataset").mkdir()
    images = [CaptionedImage(each, f"{each}.png", split, ("x",)) for each, split in (("7", "train"), ("2", "val"))]
    Dataset("photos", tuple(images)).save(tmp_path / "dataset")
    return tmp_path / "dataset"


@pytest.fixture
def run(capsys, model):
    """Caption with the tiny model; gives the exit code, output and errors."""

    def call(*arguments, model=model):
        with pytest.raises(SystemExit) as stop:
            main(["caption", *map(str, arguments), *(["--model", str(model)] if model else [])])
        output = capsys.readouterr()
        return stop.value.code, output.out, output.err

    return call


def test_a_folder_gives_one_line_a_picture(photos, run):
    code, output, _ = run(photos)
    assert code == 0
    lines = [line.split("\t") for line in output.splitlines()]
    names = ("7.png", "COCO_val2014_000000000042.png", "below/b.png")
    assert [file for file, _ in lines] == [str(photos / name) for name in names]
    assert all(set(caption.split()) <= set(WORDS) for _, caption in lines)
    assert len({caption for _, caption in lines}) > 1


def test_a_store_of_the_same_vectors_gives_the_same_captions(tmp_path, photos, run):
    np.save(tmp_path / "v.npy", np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], np.float32))
    import_vectors(tmp_path / "v.npy", ["7", "42", "b"], tmp_path / "same")
    _, by_picture, _ = run(photos)
    _, by_vector, errors = run(tmp_path / "same")
    assert [line.split("\t")[1] for line in by_vector.splitlines()] == [
        line.split("\t")[1] for line in by_picture.splitlines()
    ]
    assert "note: the model was trained on features 'corner', these are 'imported from v.npy'" in errors


def test_json_with_explanations(photos, run):
    code, output, _ = run(photos / "7.png", "--json", "--explain")
    assert code == 0
    (image,) = json.loads(output)["images"]
    assert (image["id"], image["file"]) == ("7", str(photos / "7.png"))
    (best,) = image["captions"]
    words = [each["word"] for each in best["words"]]
    assert " ".join(word for word in words if word != "<eos>") == best["caption"]
    assert best["finished"] == (words[-1] == "<eos>")
    assert math.log(math.prod(each["probability"] for each in best["words"])) == pytest.approx(best["log_probability"])


def test_explanations_in_the_terminal(photos, run):
    code, output, _ = run(photos / "7.png", "--explain")
    first, *rows = output.splitlines()
    assert code == 0
    caption = first.split("  ")[1]
    assert first == f"{photos / '7.png'}  {caption}  (log probability {first.split()[-1]}"
    assert [row.split()[0] for row in rows][: len(caption.split())] == caption.split()
    assert all(0 <= float(row.split()[1]) <= 1 and "█" in row for row in rows)


def test_results_file_is_what_score_reads_and_coco_expects(photos, tmp_path, run):
    out = tmp_path / "captions_val2014_tiny_results.json"
    code, output, _ = run(photos, "--out", out)
    assert (code, output) == (0, f"3 captions written to {out}; 0 pictures skipped\n")
    records = json.loads(out.read_text(encoding="utf-8"))
    assert [record["image_id"] for record in records] == [7, 42, "b"]
    assert all(set(record) == {"image_id", "caption"} for record in records)
    assert set(read_results(out).captions) == {"7", "42", "b"}


def test_an_existing_results_file_stays(photos, tmp_path, run):
    out = tmp_path / "r.json"
    out.write_text("mine")
    code, _, errors = run(photos, "--out", out)
    assert (code, out.read_text()) == (1, "mine")
    assert "r.json already exists; choose another --out or remove it first" in errors


def test_a_results_file_that_cannot_be_is_told_before_any_picture_is_read(tmp_path, run):
    code, _, errors = run(tmp_path / "nothing", "--out", tmp_path / "nowhere" / "r.json")
    assert code == 1
    assert "r.json cannot be written: " in errors


def test_names_of_coco_in_a_store_become_numbers_and_ids_of_a_dataset_stay(tmp_path, run):
    name = "COCO_test2014_000000000042"
    np.save(tmp_path / "v.npy", np.eye(3, dtype=np.float32))
    import_vectors(tmp_path / "v.npy", [name, "000000000007", "x"], tmp_path / "named")
    run(tmp_path / "named", "--out", tmp_path / "store.json")
    records = json.loads((tmp_path / "store.json").read_text())
    assert [record["image_id"] for record in records] == [42, 7, "x"]
    (tmp_path / "data").mkdir()
    Dataset("photos", (CaptionedImage(name, f"{name}.jpg", "train", ("x",)),)).save(tmp_path / "data")
    run(tmp_path / "data", "--features", tmp_path / "named", "--out", tmp_path / "data.json")
    assert json.loads((tmp_path / "data.json").read_text())[0]["image_id"] == name


def test_the_best_of_a_beam(photos, run):
    code, output, _ = run(photos / "7.png", "--n-best", 3)
    assert code == 0
    lines = [line.split("\t") for line in output.splitlines()]
    assert len({caption for _, caption, _ in lines}) == 3
    assert all(float(logp) < 0 for _, _, logp in lines)
    _, wide, _ = run(photos / "7.png", "--beam", 5)
    assert wide.split("\t")[1].strip() == lines[0][1]


def test_samples_depend_on_the_seed_and_the_image_alone(photos, run):
    options = ("--sample", "--n-best", 4, "--temperature", 1.5, "--top-k", 4, "--top-p", 0.95, "--seed", 3)
    _, together, _ = run(photos, *options)
    _, alone, _ = run(photos / "7.png", *options)
    assert together.splitlines()[:4] == alone.splitlines()
    _, other, _ = run(photos, *options[:-1], 4)
    assert other != together


def test_a_dataset_by_its_pictures_and_by_its_store(dataset, photos, store, run):
    code, output, _ = run(dataset, "--images", photos, "--split", "train")
    assert (code, output.split("\t")[0]) == (0, str(photos / "7.png"))
    code, output, _ = run(dataset, "--features", store, "--split", "val")
    assert (code, output.split("\t")[0], output.count("\n")) == (0, "2", 1)
    code, _, errors = run(dataset, "--features", store)
    assert code == 1
    assert "has no vector for 1 of 2 images, the first is '7'" in errors
    code, _, errors = run(dataset, "--features", store, "--split", "test")
    assert code == 1
    assert "no image is in the split 'test'; it has train, val" in errors


def test_bad_pictures_are_named_and_left_out(photos, run):
    (photos / "7.png").write_bytes(b"")
    code, output, errors = run(photos, "--json")
    assert code == 0
    assert json.loads(output)["skipped"] == [f"{photos / '7.png'} is empty (0 bytes)"]
    assert len(json.loads(output)["images"]) == 2
    assert errors.endswith(f"skipped: {photos / '7.png'} is empty (0 bytes)\n")


@pytest.mark.parametrize("more", [[], ["--json"], ["--out", "r.json"]])
def test_no_picture_can_be_read(tmp_path, run, more, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.png").write_bytes(b"x")
    code, output, errors = run("bad.png", *more)
    assert (code, output) == (1, "")
    assert errors.splitlines()[-1].startswith("spidercap: bad.png is not")
    assert not (tmp_path / "r.json").exists()


def test_without_a_model_the_way_to_one_is_told(photos, run, monkeypatch, tmp_path):
    monkeypatch.setattr(folder_module, "SHIPPED", tmp_path / "none")
    code, _, errors = run(photos, model=None)
    assert code == 2
    assert "no model comes with this version of spidercap; train one with spidercap train" in errors


def test_a_model_put_into_the_package_is_used(photos, run, monkeypatch, model):
    monkeypatch.setattr(folder_module, "SHIPPED", model)
    assert run(photos, model=None) == run(photos)


def test_a_run_folder_gives_its_best(photos, tmp_path, run):
    save_model(tmp_path / "run" / "best", _captioner())
    assert run(photos, model=tmp_path / "run") == run(photos)


@pytest.mark.parametrize(
    ("captioner", "sentence"),
    [
        (
            _captioner(features=5),
            "the encoder of pictures gives vectors of width 3, the model needs 5; caption a feature",
        ),
        (
            _captioner(network="clip"),
            "gives vectors of corner, the model was trained on those of clip; caption a feature",
        ),
    ],
)
def test_a_model_of_other_features(photos, tmp_path, run, captioner, sentence):
    save_model(tmp_path / "other", captioner)
    code, output, errors = run(photos, model=tmp_path / "other")
    assert (code, output, errors.count("\n")) == (1, "", 1)
    assert sentence in errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["photos", "--top-p", "1.3", "--sample"], "--top-p must be in (0, 1], got 1.3"),
        (["photos", "--top-p", "0.5"], "--top-p goes with --sample"),
        (["photos", "--seed", "0"], "--seed goes with --sample"),
        (["photos", "--beam", "3", "--sample"], "--beam goes without --sample"),
        (["photos", "--length-penalty", "3"], "--length-penalty goes with a beam; add --beam, such as --beam 5"),
        (["photos", "--length-penalty", "3", "--beam", "1"], "--length-penalty goes with a beam"),
        (["photos", "--beam", "0"], "beam must be at least 1, got 0"),
        (["photos", "--beam", "1", "--n-best", "2"], "--n-best must be in 1 to the width of the beam (1), got 2"),
        (["photos", "--n-best", "0"], "--n-best must be at least 1, got 0"),
        (["photos", "--limit", "0"], "limit must be at least 1, got 0"),
        (["photos", "--batch", "0"], "--batch must be at least 1, got 0"),
        (["photos", "--out", "r.json", "--n-best", "2"], "a results file holds one caption an image"),
        (["photos", "--out", "r.json", "--json"], "--json, --explain and --n-best go without --out"),
        (["photos", "--out", "r.txt"], "--out must end in .json, got r.txt"),
        (["photos", "--split", "val"], "--split and --features go with one prepared dataset"),
        (["photos", "store"], "a feature store is captioned alone"),
        (["dataset", "--features", "store", "--images", "photos"], "give either --images or --features"),
    ],
)
def test_wrong_use(tmp_path, photos, store, dataset, run, arguments, message, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, output, errors = run(*arguments)
    assert (code, output, errors.count("\n")) == (2, "", 1)
    assert message in errors
    assert not (tmp_path / "r.json").exists()


def loaded_modules(*arguments):
    """The modules of torch and its compiler that a command has loaded when it ends."""
    code = "import atexit, sys; atexit.register(lambda: print([m for m in ('torch', 'torch._dynamo', 'sympy') "
    code += "if m in sys.modules])); from spidercap.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[-1]


def test_a_folder_without_pictures_is_told_before_torch_is_loaded(tmp_path):
    assert loaded_modules("caption", tmp_path) == "[]"


def test_a_model_is_loaded_without_the_compiler_of_torch(store, model):
    assert loaded_modules("caption", store, "--model", model) == "['torch']"


def test_what_is_left_out_is_told(photos, run):
    (photos / "x.nef").touch()
    code, _, told = run(photos)
    assert code == 0
    assert f"left out: 1 .nef picture ({photos / 'x.nef'}) cannot be read: expected JPEG" in told
