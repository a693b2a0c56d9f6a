"""`spidercap features` from the command line."""

import json
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from spidercap.cli import main
from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.vision import encoders
from spidercap.vision.feature_store import FeatureStore


class CornerEncoder:
    """The vector of a picture is its first pixel."""

    network, width, size = "corner", 3, 4

    def encode(self, pictures):
        return pictures[:, 0, 0].astype(np.float32)


@pytest.fixture(autouse=True)
def small_encoder(monkeypatch):
    monkeypatch.setitem(encoders.ENCODERS, "torch", CornerEncoder)


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for number, colour in enumerate(("red", "lime", "blue")):
        Image.new("RGB", (9, 7), colour).save(folder / f"p{number}.png")
    return folder


@pytest.fixture
def run(capsys):
    """Run a verb; gives its exit code, output and errors."""

    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            main(["features", *map(str, arguments)])
        output = capsys.readouterr()
        return stop.value.code, output.out, output.err

    return call


def test_folder_of_pictures(photos, tmp_path, run):
    code, output, _ = run(photos, "--out", tmp_path / "store")
    assert code == 0
    assert f"3 vectors of width 3 written to {tmp_path / 'store'}; 0 pictures skipped" in output
    assert FeatureStore.open(tmp_path / "store").rows(["p2"]).tolist() == [[0, 0, 255]]


def test_again_is_not_an_error_and_draws_no_bar(photos, tmp_path, run):
    run(photos, "--out", tmp_path / "store")
    assert run(photos, "--out", tmp_path / "store") == (
        0,
        f"3 vectors of width 3 already in {tmp_path / 'store'}; 0 pictures skipped\n",
        "",
    )


def test_prepared_dataset_with_its_pictures_elsewhere(photos, tmp_path, run):
    dataset = tmp_path / "dataset"
    dataset.mkdir()
    images = (CaptionedImage(f"image {n}", f"p{n}.png", "train", ("x",)) for n in (2, 0))
    Dataset("photos", tuple(images)).save(dataset)
    code, _, _ = run(dataset, "--images", photos, "--out", tmp_path / "store", "--dtype", "float16")
    assert code == 0
    assert FeatureStore.open(tmp_path / "store").ids == ("image 2", "image 0")


def test_bad_pictures_are_named_at_the_end(photos, tmp_path, run):
    (photos / "p1.png").write_bytes(b"")
    code, output, errors = run(photos, "--out", tmp_path / "store")
    assert code == 0
    assert errors.endswith(f"skipped: {photos / 'p1.png'} is empty (0 bytes)\n")
    assert output.endswith("; 1 picture skipped\n")


def test_many_bad_pictures_are_listed_in_the_store(photos, tmp_path, run):
    for number in range(25):
        (photos / f"bad{number:02}.png").touch()
    _, _, errors = run(photos, "--out", tmp_path / "store")
    assert errors.count("skipped: ") == 21
    assert f"5 more, listed in {tmp_path / 'store' / 'features.json'}" in errors
    assert len(json.loads((tmp_path / "store" / "features.json").read_text(encoding="utf-8"))["skipped"]) == 25


def test_bad_picture_may_be_fatal(photos, tmp_path, run):
    (photos / "p1.png").write_bytes(b"")
    code, _, errors = run(photos, "--out", tmp_path / "store", "--on-error", "fail")
    assert code == 1
    assert f"spidercap: {photos / 'p1.png'} is empty (0 bytes); mend or remove it" in errors
    assert not (tmp_path / "store").exists()


def test_import(tmp_path, run):
    np.save(tmp_path / "clip.npy", np.ones((2, 5), np.float16))
    (tmp_path / "ids.txt").write_text("train/a.jpg\nval/b.jpg\n", encoding="utf-8")
    given = ("--import", tmp_path / "clip.npy", "--ids", tmp_path / "ids.txt")
    code, output, _ = run(*given, "--out", tmp_path / "plain")
    assert (code, output) == (0, f"2 vectors of width 5 written to {tmp_path / 'plain'}\n")
    assert FeatureStore.open(tmp_path / "plain").ids == ("train/a.jpg", "val/b.jpg")
    run(*given, "--ids-are-files", "--out", tmp_path / "named")
    assert FeatureStore.open(tmp_path / "named").ids == ("a", "b")


def test_file_names_that_become_equal_ids(tmp_path, run):
    np.save(tmp_path / "v.npy", np.ones((2, 5)))
    (tmp_path / "ids.txt").write_text("x/a.jpg\ny/a.png\n", encoding="utf-8")
    given = ("--import", tmp_path / "v.npy", "--ids", tmp_path / "ids.txt", "--ids-are-files")
    code, _, errors = run(*given, "--out", tmp_path / "store")
    assert code == 1
    assert "the id 'a' occurs twice" in errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either IMAGES"),
        (["x", "--import", "y", "--ids", "z"], "give either IMAGES"),
        (["--import", "y"], "--import and --ids go together"),
        (["x", "--ids", "z"], "--import and --ids go together"),
        (["--import", "y", "--ids", "z", "--images", "w"], "--images goes with IMAGES, not with --import"),
        (["x", "--ids-are-files"], "--ids-are-files goes with --ids"),
        (["x", "--batch", "0"], "--batch must be at least 1, got 0"),
        (["x", "--encoder", "abacus"], "abacus"),
    ],
)
def test_wrong_use(tmp_path, run, arguments, message):
    code, _, errors = run(*arguments, "--out", tmp_path / "store")
    assert code == 2
    assert message in errors
    assert errors.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("module", ["torch", "PIL", "safetensors"])
def test_missing_package_is_told_with_its_cure(photos, tmp_path, module):
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        f"from spidercap.cli import main; main(['features', {str(photos)!r}, '--out', {str(tmp_path / 's')!r}])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.endswith("is not installed; run: pip install 'spidercap[caption]'\n")
    assert run.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == [photos]


def test_missing_openvino_is_told_with_its_cure(photos, tmp_path, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "openvino", None)
    monkeypatch.delitem(sys.modules, "spidercap.vision.openvino_encoder", raising=False)
    monkeypatch.setattr(encoders, "load_inception", lambda: None)
    code, _, errors = run(photos, "--encoder", "openvino", "--out", tmp_path / "store")
    assert code == 2
    assert "pip install 'spidercap[openvino]'" in errors


def test_import_needs_neither_torch_nor_pillow(tmp_path):
    np.save(tmp_path / "v.npy", np.ones((1, 5)))
    (tmp_path / "ids.txt").write_text("a\n", encoding="utf-8")
    arguments = ["features", "--import", "v.npy", "--ids", "ids.txt", "--out", "store"]
    code = f"import sys; sys.modules.update(torch=None, PIL=None)\nfrom spidercap.cli import main; main({arguments})"
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
