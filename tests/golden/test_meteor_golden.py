"""METEOR against the scores and statistics of the reference tool: 8,895 pairs, all equal."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from spidercap import _native
from spidercap._native import MeteorReferences, meteor_additive, meteor_score
from spidercap.errors import MissingExtraError
from spidercap.metrics.meteor_data import meteor_resources

GOLDEN = Path(__file__).parents[2] / ".." / "shared" / "golden"


def golden(name):
    path = GOLDEN / f"{name}.json.gz"
    if not path.exists():
        pytest.skip("needs the golden files")
    return json.loads(gzip.decompress(path.read_bytes()))


@pytest.fixture(scope="module")
def resources():
    try:
        return meteor_resources()
    except MissingExtraError as error:
        pytest.skip(str(error))


def corpus(statistics):
    return meteor_score(meteor_additive(statistics).sum(axis=0, keepdims=True))[0]


@pytest.mark.parametrize("kind", ["adversarial", "controlled"])
def test_vectors(resources, kind):
    vectors = golden("meteor_vectors")[kind]
    pairs = vectors["pairs"]
    digest = MeteorReferences(resources, [pair["references"] for pair in pairs])
    statistics = digest.statistics(np.arange(len(pairs)), [pair["candidate"] for pair in pairs], threads=2)
    assert np.array_equal(statistics, [pair["statistics"] for pair in pairs])
    assert meteor_score(statistics) == pytest.approx([pair["score"] for pair in pairs], abs=1e-12)
    assert corpus(statistics) == pytest.approx(vectors["corpus"], abs=1e-12)


def test_coco(resources):
    expected = golden("coco_val2014_1000")
    images = expected["images"]
    digest = MeteorReferences(resources, [image["tokenized_references"] for image in images])
    statistics = digest.statistics(np.arange(len(images)), [image["tokenized_candidate"] for image in images])
    assert meteor_score(statistics) == pytest.approx([image["scores"]["METEOR"] for image in images], abs=1e-12)
    assert corpus(statistics) == pytest.approx(expected["corpus"]["METEOR"], abs=1e-12)


def test_flickr8k(resources):
    expected = golden("flickr8k_expert_5664")
    tokenize = getattr(_native, "tokenize", None)
    if tokenize is None:
        pytest.skip("needs the PTB tokenizer")
    pairs = expected["pairs"]
    places = {image: place for place, image in enumerate(expected["references"])}
    digest = MeteorReferences(resources, [tokenize(captions) for captions in expected["references"].values()])
    indices = np.array([places[pair["image"]] for pair in pairs])
    statistics = digest.statistics(indices, tokenize([pair["candidate"] for pair in pairs]))
    assert meteor_score(statistics) == pytest.approx([pair["scores"]["METEOR"] for pair in pairs], abs=1e-12)
    assert corpus(statistics) == pytest.approx(expected["corpus"]["METEOR"], abs=1e-12)
