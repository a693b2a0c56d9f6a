"""Every command of the tutorial and of the page on COCO runs, in order, on pictures made here."""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from spidercap.compat import COCO, COCOEvalCap
from spidercap.data import coco
from spidercap.data.captions import Dataset
from spidercap.data.scenes import draw_scene, scene_images
from spidercap.extras import PARTS
from spidercap.model.folder import load_model
from spidercap.vision import encoders

ROOT = Path(__file__).parents[2]
HELD_OUT = 24
PARTS_OF_COCO = {"train2014": range(140), "val2014": range(140, 200), "test2014": range(200, 208)}


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Small models gain nothing from threads."""
    torch.set_num_threads(1)


class GridEncoder:
    """Stands in for Inception-V3, which would take minutes: the mean colours of a grid of 8 × 8."""

    network, width, size = "grid", 192, 32

    def encode(self, pictures):
        cells = pictures.reshape(len(pictures), 8, 4, 8, 4, 3).mean(axis=(2, 4))
        return (cells.reshape(len(pictures), -1) / 128 - 1).astype(np.float32)


def number_of(scene):
    return 1000 + 7 * scene


def write_miniature(folder):
    """COCO's layout: annotations with images and captions of two parts, and the pictures of three."""
    (folder / "annotations").mkdir(parents=True)
    scenes = list(scene_images(208, 3))
    for part, members in PARTS_OF_COCO.items():
        (folder / part).mkdir()
        names = {scene: f"COCO_{part}_{number_of(scene):012}.jpg" for scene in members}
        for scene, name in names.items():
            draw_scene(scene, 3, 32).save(folder / part / name)
        if part == "test2014":
            continue
        images = [{"id": number_of(scene), "file_name": name} for scene, name in names.items()]
        texts = [(scene, text) for scene in members for text in scenes[scene].captions]
        annotations = [
            {"id": members[0] * 10 + count, "image_id": number_of(scene), "caption": text}
            for count, (scene, text) in enumerate(texts)
        ]
        content = {"info": {}, "images": images, "licenses": [], "type": "captions", "annotations": annotations}
        (folder / "annotations" / f"captions_{part}.json").write_text(json.dumps(content))
    (folder / "annotations" / "instances_val2014.json").write_text("{}")


@pytest.fixture(scope="module")
def miniature(tmp_path_factory, play):
    """The folder in which the page on COCO was played."""
    folder = tmp_path_factory.mktemp("coco")
    write_miniature(folder / "COCO")
    shutil.copytree(ROOT / "recipes", folder / "recipes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(encoders.ENCODERS, "torch", GridEncoder)
        patch.setattr(coco, "HELD_OUT", HELD_OUT)
        play("coco.md", folder)
    return folder


def test_the_paper_holds_images_out_and_learns_from_all_others(miniature):
    dataset = Dataset.load(miniature / "runs" / "coco" / "data")
    held_out = dataset.split("val")
    assert len(held_out) == HELD_OUT
    assert {image.origin for image in held_out} == {"val2014"}
    assert len(dataset.split("train")) == 200 - HELD_OUT


@pytest.mark.parametrize("part", ["val2014", "test2014"])
def test_the_server_accepts_the_results(miniature, part):
    records = json.loads((miniature / f"captions_{part}_pgspider_results.json").read_text())
    assert sorted(record["image_id"] for record in records) == [number_of(scene) for scene in PARTS_OF_COCO[part]]
    for record in records:
        assert list(record) == ["image_id", "caption"]
        assert type(record["image_id"]) is int
        assert type(record["caption"]) is str
        assert record["caption"]


def test_the_results_are_scored_against_the_official_file(miniature):
    references = COCO(str(miniature / "COCO" / "annotations" / "captions_val2014.json"))
    evaluation = COCOEvalCap(references, references.loadRes(str(miniature / "captions_val2014_pgspider_results.json")))
    evaluation.evaluate()
    assert len(evaluation.imgToEval) == 60
    assert evaluation.eval["Bleu_1"] > 0.3


def test_the_report_shows_the_pictures_of_coco(miniature):
    text = (miniature / "runs" / "coco" / "report.html").read_text()
    assert text.count("data:image/jpeg;base64,") == 6 + 3
    assert "PG-SPIDEr" in text


@pytest.fixture(scope="module")
def own(tmp_path_factory, play):
    """The folder in which the tutorial was played, with the real network."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "photos").mkdir()
    rows = [("file", "caption")]
    for number, image in enumerate(scene_images(40, 5)):
        name = {0: "dog-3.jpg", 1: "pier.jpg"}.get(number, f"photo-{number}.jpg")
        draw_scene(number, 5, 96).save(folder / "photos" / name)
        rows += [(name, caption) for caption in image.captions[:3]]
    with (folder / "captions.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    play("tutorial.md", folder)
    return folder


@pytest.mark.skipif(not PARTS["weights"].installed, reason=f"needs weights: {PARTS['weights'].command}")
def test_the_tutorial_ends_with_a_captioner_a_report_and_results(own):
    assert load_model(own / "runs" / "pg-spider" / "best").facts["algorithm"] == "pg"
    text = (own / "report.html").read_text()
    assert all(method in text for method in ("MLE", "PG-SPIDEr", "PG-CIDEr + 5*METEOR"))
    assert "data:image/jpeg;base64," in text
    assert "dog-3" in (own / "words.html").read_text()
    dataset = Dataset.load(own / "data")
    records = json.loads((own / "captions_test_pgspider_results.json").read_text())
    assert {record["image_id"] for record in records} == {image.id for image in dataset.split("test")}
