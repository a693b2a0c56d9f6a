"""`spidercap.score` and the command on the golden sets: what the reference tools gave, from the raw captions."""

import gzip
import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import spidercap

GOLDEN = Path(__file__).parents[2] / ".." / "shared" / "golden"
pytestmark = [
    pytest.mark.skipif(not GOLDEN.exists(), reason="the golden files are not here"),
    pytest.mark.skipif(find_spec("pycocoevalcap") is None, reason="METEOR's paraphrase table is not installed"),
]
METRICS = ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR", "ROUGE_L", "CIDEr"]
# users.md and worked_examples.json: Kendall's tau_c times 100 on Flickr8k-Expert.
TAU_C = {
    "Bleu_1": 32.32,
    "Bleu_2": 32.51,
    "Bleu_3": 31.49,
    "Bleu_4": 30.78,
    "METEOR": 41.82,
    "ROUGE_L": 32.31,
    "CIDEr": 43.89,
}


def read(name):
    content = (GOLDEN / name).read_bytes()
    return json.loads(gzip.decompress(content) if name.endswith(".gz") else content)


def tolerance(metric):
    return 1e-6 if metric == "METEOR" else 1e-9


def close(found, expected):
    return all(abs(found[metric] - expected[metric]) <= tolerance(metric) for metric in METRICS)


@pytest.fixture(scope="module")
def coco():
    """Captions, references and golden scores of 1,000 COCO images."""
    golden = read("coco_val2014_1000.json.gz")
    images = {image["image_id"]: image for image in golden["images"]}
    captions = {identity: image["candidate"] for identity, image in images.items()}
    references = {identity: image["references"] for identity, image in images.items()}
    return captions, references, {identity: image["scores"] for identity, image in images.items()}, golden["corpus"]


@pytest.fixture(scope="module")
def flickr8k():
    """The 5,664 pairs of Flickr8k-Expert; the same image is several entries of the set."""
    golden = read("flickr8k_expert_5664.json.gz")
    pairs = dict(enumerate(golden["pairs"]))
    captions = {number: pair["candidate"] for number, pair in pairs.items()}
    references = {number: golden["references"][pair["image"]] for number, pair in pairs.items()}
    ratings = {number: pair["ratings"] for number, pair in pairs.items()}
    return captions, references, {number: pair["scores"] for number, pair in pairs.items()}, golden["corpus"], ratings


@pytest.mark.parametrize("tokenizer", ["ptb", "ptb-compat"])
@pytest.mark.parametrize("name", ["coco", "flickr8k"])
def test_every_image_and_the_corpus(name, tokenizer, request):
    captions, references, per_image, corpus, *_ = request.getfixturevalue(name)
    found = spidercap.score(captions, references, "coco", tokenizer=tokenizer)
    assert close(found.corpus, corpus)
    assert list(found.per_image) == list(references)
    assert [image for image in per_image if not close(found.per_image[image], per_image[image])] == []
    assert found.warnings == ()


def test_the_reward_of_every_image(coco):
    captions, references, per_image, _ = coco
    rewards = spidercap.Scorer("CIDEr + METEOR", references).score(list(captions), list(captions.values()))
    expected = [per_image[image]["CIDEr"] + per_image[image]["METEOR"] for image in captions]
    assert rewards.tolist() == pytest.approx(expected, rel=0, abs=1e-6)


def command(*arguments):
    run = subprocess.run(
        [sys.executable, "-m", "spidercap", "score", *map(str, arguments)], capture_output=True, text=True, check=True
    )
    # COCO's captions often end in a line break.
    assert run.stderr == "" or re.fullmatch(r"warning: references: \d+ captions with line separators, .*\n", run.stderr)
    return run.stdout


def test_the_command_and_its_per_image_file(coco, tmp_path):
    captions, references, per_image, corpus = coco
    results, truths, out = tmp_path / "model.json", tmp_path / "captions_val.json", tmp_path / "images.jsonl"
    results.write_text(json.dumps([{"image_id": i, "caption": text} for i, text in reversed(captions.items())]))
    texts = [(image, text) for image, listed in references.items() for text in listed]
    annotations = [{"id": number, "image_id": image, "caption": text} for number, (image, text) in enumerate(texts)]
    truths.write_text(json.dumps({"images": [{"id": image} for image in references], "annotations": annotations}))
    printed = json.loads(command(results, "--refs", truths, "--metrics", "coco", "--json", "--per-image", out))
    (system,) = printed["systems"]
    assert (system["name"], system["images"]) == ("model", 1000)
    assert close({metric: score["value"] for metric, score in system["scores"].items()}, corpus)
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(records) == 1000
    assert all(close(record["scores"], per_image[int(record["id"])]) for record in records)
    assert all(record["caption"] == captions[int(record["id"])] for record in records)


def test_the_command_on_text_files_and_the_correlation_with_people(flickr8k, tmp_path):
    captions, references, _, corpus, ratings = flickr8k
    results, truths, judged = (
        tmp_path / "pairs.txt",
        [tmp_path / f"{n}.txt" for n in range(5)],
        tmp_path / "ratings.csv",
    )
    results.write_text("".join(f"{text}\n" for text in captions.values()))
    for number, path in enumerate(truths):
        path.write_text("".join(f"{texts[number]}\n" for texts in references.values()))
    rows = [f"{pair + 1},{rating:g}\n" for pair, given in ratings.items() for rating in given]
    judged.write_text("id,rating\n" + "".join(rows))
    asked = (results, "--refs", *truths, "--metrics", "coco", "--json")
    streamed = json.loads(command(*asked))["systems"][0]
    loaded = json.loads(command(*asked, "--correlate", judged))["systems"][0]
    assert streamed["scores"] == loaded["scores"]
    assert close({metric: score["value"] for metric, score in streamed["scores"].items()}, corpus)
    found = {one["metric"]: 100 * one["kendall_c"] for one in loaded["correlations"]}
    assert found == pytest.approx(TAU_C, abs=0.1)
    assert loaded["correlations"][0]["judgements"] == 16992


def test_metric_vectors_without_a_tokenizer():
    for vector in read("ngram_metric_vectors.json"):
        found = spidercap.score(vector["cand"], vector["refs"], ["bleu", "rouge", "cider"], tokenizer="none")
        expected = [*vector["bleu"], vector["rouge"], vector["cider"] or 0.0]
        assert list(found.corpus.values()) == pytest.approx(expected, rel=0, abs=1e-9), vector["name"]
        assert found.per_image.column("CIDEr").tolist() == pytest.approx(
            vector.get("cider_per", [0.0] * len(vector["cand"])), rel=0, abs=1e-9
        )
        assert found.per_image.column("ROUGE_L").tolist() == pytest.approx(vector["rouge_per"], rel=0, abs=1e-9)
        assert found.per_image.column("Bleu_4").tolist() == pytest.approx(
            [orders[3] for orders in vector["bleu_per"]], rel=0, abs=1e-9
        )


@pytest.mark.parametrize(
    "name", ["nlg_eval_example", "language_evaluation", "aac_metrics", "clipscore_good", "clipscore_bad"]
)
def test_worked_examples_of_other_tools(name):
    examples = read("worked_examples.json")
    example = examples[name]
    references = list(examples["clipscore_refs"].values()) if name.startswith("clipscore") else example["refs"]
    found = spidercap.score(example["hyp"], references, "coco")
    expected = [*example["Bleu"], example["METEOR"], example["ROUGE_L"], example["CIDEr"]]
    assert list(found.corpus.values()) == pytest.approx(expected, abs=6e-7)
