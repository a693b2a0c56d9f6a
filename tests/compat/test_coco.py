"""`COCO` and `COCOEvalCap` as evaluation scripts use them."""

import gzip
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from spidercap.compat import COCO, COCOEvalCap, PTBTokenizer, Spice
from spidercap.errors import DataError

GOLDEN = Path(__file__).parents[2] / ".." / "shared" / "golden" / "coco_val2014_1000.json.gz"
with_paraphrases = pytest.mark.skipif(
    find_spec("pycocoevalcap") is None, reason="METEOR's paraphrase table is not installed"
)
ANNOTATIONS = {
    "images": [{"id": 9}, {"id": 4}, {"id": 7}],
    "annotations": [
        {"id": 1, "image_id": 4, "caption": "A man rides a horse."},
        {"id": 2, "image_id": 9, "caption": "Two dogs play in the snow."},
        {"id": 3, "image_id": 4, "caption": "A person on a horse"},
        {"id": 5, "image_id": 7, "caption": "A red bus"},
    ],
}
RESULTS = [
    {"image_id": 4, "caption": "a man on a horse"},
    {"image_id": 7, "caption": "a bus"},
    {"image_id": 9, "caption": "dogs run in snow"},
]


@pytest.fixture
def coco(tmp_path):
    path = tmp_path / "captions_val.json"
    path.write_text(json.dumps(ANNOTATIONS))
    return COCO(str(path))


def test_the_index(coco):
    assert coco.getImgIds() == [9, 4, 7]
    assert coco.getAnnIds() == [1, 3, 2, 5]
    assert coco.getAnnIds(imgIds=4) == [1, 3]
    assert coco.getAnnIds(imgIds=[9, 7]) == [2, 5]
    assert coco.loadAnns([5])[0]["caption"] == "A red bus"
    assert coco.loadAnns(5) == coco.loadAnns([5])
    assert coco.loadImgs(7) == coco.loadImgs([7]) == [{"id": 7}]
    assert [annotation["id"] for annotation in coco.imgToAnns[4]] == [1, 3]


def test_results_from_a_list_or_a_file(coco, tmp_path):
    path = tmp_path / "results.json"
    path.write_text(json.dumps(RESULTS))
    for given in (RESULTS, str(path), path):
        loaded = coco.loadRes(given)
        assert loaded.getImgIds() == [9, 4, 7]
        assert loaded.imgToAnns[7] == [{"image_id": 7, "caption": "a bus", "id": 2}]


def test_bad_results_are_assertion_errors(coco, tmp_path):
    with pytest.raises(AssertionError, match="results is not an array of objects"):
        coco.loadRes({"4": "a"})
    with pytest.raises(AssertionError, match="Results do not correspond to current coco set"):
        coco.loadRes([{"image_id": 5, "caption": "a"}])
    with pytest.raises(DataError, match="none.json does not exist"):
        coco.loadRes(tmp_path / "none.json")


@with_paraphrases
def test_the_evaluation_fills_its_attributes(coco, capsys):
    evaluation = COCOEvalCap(coco, coco.loadRes(RESULTS))
    evaluation.evaluate()
    assert list(evaluation.eval) == ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR", "ROUGE_L", "CIDEr", "SPICE"]
    assert [image["image_id"] for image in evaluation.evalImgs] == [9, 4, 7]
    assert evaluation.imgToEval[4]["ROUGE_L"] == pytest.approx(0.8)
    assert set(evaluation.imgToEval[4]) == {"image_id", *evaluation.eval}
    for image in (9, 4, 7):  # SPICE's values come in sorted order and must not be taken for those of 9, 4, 7
        gts = PTBTokenizer().tokenize({image: coco.imgToAnns[image]})
        res = PTBTokenizer().tokenize({image: evaluation.cocoRes.imgToAnns[image]})
        assert evaluation.imgToEval[image]["SPICE"]["All"]["f"] == Spice().compute_score(gts, res)[0]
    assert len({evaluation.imgToEval[image]["SPICE"]["All"]["f"] for image in (9, 4, 7)}) > 1
    assert f"CIDEr: {evaluation.eval['CIDEr']:.3f}" in capsys.readouterr().out


@with_paraphrases
def test_a_subset_by_params(coco):
    results = coco.loadRes(RESULTS[:2])
    evaluation = COCOEvalCap(coco, results)
    with pytest.raises(AssertionError, match="the same image ids"):
        evaluation.evaluate()
    evaluation.params["image_id"] = results.getImgIds()
    evaluation.evaluate()
    assert [image["image_id"] for image in evaluation.evalImgs] == [4, 7]


@pytest.mark.skipif(not GOLDEN.exists(), reason="the golden files are not here")
@with_paraphrases
def test_a_whole_script_gives_the_golden_numbers():
    golden = json.loads(gzip.decompress(GOLDEN.read_bytes()))
    coco = COCO()
    coco.dataset = {
        "images": [{"id": image["image_id"]} for image in golden["images"]],
        "annotations": [
            {"id": 10 * image["image_id"] + number, "image_id": image["image_id"], "caption": caption}
            for image in golden["images"]
            for number, caption in enumerate(image["references"])
        ],
    }
    coco.createIndex()
    results = [{"image_id": image["image_id"], "caption": image["candidate"]} for image in reversed(golden["images"])]
    evaluation = COCOEvalCap(coco, coco.loadRes(results))
    evaluation.evaluate()
    # SPICE's parser is fitted to the reference's, not equal to it: docs/metrics/spice.md says how close it comes.
    tolerance = {"METEOR": 1e-6, "SPICE": 3e-4}
    for metric, value in evaluation.eval.items():
        assert value == pytest.approx(golden["corpus"][metric], rel=0, abs=tolerance.get(metric, 1e-9))
    for image in golden["images"]:
        found = evaluation.imgToEval[image["image_id"]]
        assert all(found[m] == pytest.approx(value, rel=0, abs=1e-6) for m, value in image["scores"].items())
        assert found["SPICE"].keys() == image["spice"]["scores"].keys()
