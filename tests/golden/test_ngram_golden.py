"""Tokenizer, BLEU, ROUGE-L and CIDEr-D against what the reference tools gave."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spidercap._native import NgramReferences, bleu_from_statistics, tokenize

GOLDEN = Path(__file__).parents[2] / ".." / "shared" / "golden"
pytestmark = pytest.mark.skipif(not GOLDEN.exists(), reason="the golden files are not here")

METRICS = ["bleu", "rouge_l", "cider_d"]
BLEU_NAMES = ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4"]


def read(name: str) -> Any:
    content = (GOLDEN / name).read_bytes()
    return json.loads(gzip.decompress(content) if name.endswith(".gz") else content)


def corpus_values(result: dict[str, np.ndarray]) -> list[float]:
    bleu = bleu_from_statistics(result["bleu_statistics"].sum(axis=0, keepdims=True))[0]
    return [*bleu.tolist(), result["rouge_l"].mean(), result["cider_d"].mean()]


def check_scores(references: list[list[str]], candidates: list[str], per_image: list[dict], corpus: dict) -> None:
    """Per image the last bit agrees."""
    result = NgramReferences(references).score(np.arange(len(references)), candidates, METRICS)
    assert result["bleu"].tolist() == [[scores[name] for name in BLEU_NAMES] for scores in per_image]
    assert result["rouge_l"].tolist() == [scores["ROUGE_L"] for scores in per_image]
    assert result["cider_d"].tolist() == [scores["CIDEr"] for scores in per_image]
    expected = [corpus[name] for name in [*BLEU_NAMES, "ROUGE_L", "CIDEr"]]
    assert corpus_values(result) == pytest.approx(expected, rel=0, abs=1e-12)


def test_tokenizer_vectors():
    vectors = read("tokenizer_vectors.json")
    tokens = tokenize([caption for caption, _ in vectors])
    wrong = [(vector, found) for vector, found in zip(vectors, tokens, strict=True) if vector[1] != found]
    assert len(vectors) == 9282
    assert wrong == []


@pytest.mark.parametrize("together", [False, True])
def test_tokenized_coco_captions(together):
    images = read("coco_val2014_1000.json.gz")["images"]
    candidates = [image["candidate"] for image in images]
    references = [reference for image in images for reference in image["references"]]
    assert tokenize(candidates, together) == [image["tokenized_candidate"] for image in images]
    expected = [reference for image in images for reference in image["tokenized_references"]]
    assert tokenize(references, together) == expected


def test_coco_scores():
    golden = read("coco_val2014_1000.json.gz")
    references = [tokenize(image["references"]) for image in golden["images"]]
    candidates = tokenize([image["candidate"] for image in golden["images"]])
    check_scores(references, candidates, [image["scores"] for image in golden["images"]], golden["corpus"])


@pytest.mark.parametrize("together", [False, True])
def test_flickr8k_scores(together):
    golden = read("flickr8k_expert_5664.json.gz")
    names = list(golden["references"])
    tokens = iter(tokenize([caption for name in names for caption in golden["references"][name]], together))
    tokenized = {name: [next(tokens) for _ in golden["references"][name]] for name in names}
    references = [tokenized[pair["image"]] for pair in golden["pairs"]]
    candidates = tokenize([pair["candidate"] for pair in golden["pairs"]], together)
    check_scores(references, candidates, [pair["scores"] for pair in golden["pairs"]], golden["corpus"])


def test_metric_vectors():
    for vector in read("ngram_metric_vectors.json"):
        images = len(vector["refs"])
        result = NgramReferences(vector["refs"]).score(np.arange(images), vector["cand"], METRICS)
        assert result["bleu"].tolist() == vector["bleu_per"], vector["name"]
        assert result["rouge_l"].tolist() == vector["rouge_per"], vector["name"]
        # Where the reference fails because no reference has a word, ours is 0.
        assert result["cider_d"].tolist() == vector.get("cider_per", [0.0] * images), vector["name"]
        expected = [*vector["bleu"], vector["rouge"], vector["cider"] or 0.0]
        assert corpus_values(result) == pytest.approx(expected, rel=0, abs=1e-12), vector["name"]


@pytest.mark.parametrize("name", ["nlg_eval_example", "language_evaluation", "aac_metrics", "clipscore_good"])
def test_worked_examples(name):
    examples = read("worked_examples.json")
    example = examples[name]
    references = list(examples["clipscore_refs"].values()) if name == "clipscore_good" else example["refs"]
    digest = NgramReferences([tokenize(captions) for captions in references])
    result = digest.score(np.arange(len(references)), tokenize(example["hyp"]), METRICS)
    expected = [*example["Bleu"], example["ROUGE_L"], example["CIDEr"]]
    assert corpus_values(result) == pytest.approx(expected, abs=6e-7)
