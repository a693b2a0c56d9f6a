"""Agreement with the reference on captions that training never saw: a fixed sample, every 60th held-out caption."""

import itertools
import json
import lzma
from importlib.resources import files
from pathlib import Path

import pytest

from spidercap._native import CaptionParser

HELDOUT = Path(__file__).parents[2] / ".." / "shared" / "data" / "spice_parses" / "heldout_40800.jsonl.xz"
MODEL = files("spidercap") / "metrics" / "data" / "spice_parser.bin"
NATURAL = {"coco", "flickr8k"}
STEP = 60

pytestmark = pytest.mark.skipif(not HELDOUT.exists(), reason="needs ../shared")


@pytest.fixture(scope="module")
def captions():
    with lzma.open(HELDOUT, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in itertools.islice(lines, 0, None, STEP)]


@pytest.fixture(scope="module")
def parser():
    return CaptionParser(str(MODEL))


def agreement(captions, results, expected):
    """Share of captions, natural and other, whose result is the expected one."""
    shares = {}
    for natural in (True, False):
        same = [
            result == expected(caption["s"][0])
            for caption, result in zip(captions, results, strict=True)
            if (caption["k"] in NATURAL) == natural
        ]
        shares[natural] = sum(same) / len(same)
    return shares[True], shares[False]


def test_whole_trees(captions, parser):
    trees = [tree for tree, _, _ in parser.trees([caption["s"][0]["w"] for caption in captions])]
    natural, other = agreement(captions, trees, lambda sentence: sentence["m"])
    assert natural >= 0.97
    assert other >= 0.90


def test_tags_heads_and_labels(captions, parser):
    found = [
        (" ".join(tags), heads, " ".join(labels))
        for _, tags, heads, labels in parser.dependencies([caption["s"][0]["w"] for caption in captions])
    ]
    natural, other = agreement(captions, found, lambda sentence: (sentence["t"], sentence["h"], sentence["r"]))
    assert natural >= 0.965
    assert other >= 0.85
