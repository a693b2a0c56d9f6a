"""Agreement and speed of the parser on held-out captions, with and without the limits of its search.

python bench/parser.py ../shared/data/spice_parses/heldout_40800.jsonl.xz --captions 4000 [--model FILE]
"""

import argparse
import json
import lzma
import random
import time
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from spidercap._native import CaptionParser

SHIPPED = str(files("spidercap") / "metrics" / "data" / "spice_parser.bin")
SETTINGS: dict[str, dict[str, Any]] = {
    "shipped limits": {},
    "wide limits": {"tag_beam": 14.0, "label_beam": 18.0, "remainder_beam": 18.0, "filter_beam": 1e30},
    "no limits": {
        "tag_beam": 1e30,
        "label_beam": 1e30,
        "remainder_beam": 1e30,
        "neighbours": False,
        "filter_beam": 1e30,
    },
}
SLOW = {"no limits": 300}
"""Captions tried where all of them would take hours."""


def read(path: Path, count: int) -> list[dict[str, Any]]:
    """A fixed random sample of the file's captions."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        captions = [json.loads(line) for line in lines]
    return random.Random(1).sample(captions, min(count, len(captions)))


def agreement(model: str, captions: list[dict[str, Any]], settings: dict[str, Any]) -> tuple[dict[str, str], float]:
    """Shares of identical trees by kind, and captions per CPU-second."""
    parser = CaptionParser(model, **settings)
    started = time.process_time()
    trees = parser.trees([caption["s"][0]["w"] for caption in captions])
    speed = len(captions) / (time.process_time() - started)
    same: dict[str, list[bool]] = defaultdict(list)
    for caption, (tree, _, _) in zip(captions, trees, strict=True):
        kinds = [caption["k"], "natural" if caption["k"] in ("coco", "flickr8k") else "other"]
        for kind in kinds:
            same[kind].append(tree == caption["s"][0]["m"])
    return {kind: f"{100 * sum(hits) / len(hits):.2f} %" for kind, hits in sorted(same.items())}, speed


def whole_dependencies(model: str, captions: list[dict[str, Any]]) -> float:
    """Share of natural captions whose tags, heads and labels are all the reference's."""
    natural = [caption["s"][0] for caption in captions if caption["k"] in ("coco", "flickr8k")]
    found = CaptionParser(model).dependencies([sentence["w"] for sentence in natural])
    same = [
        (" ".join(tags), heads, " ".join(labels)) == (sentence["t"], sentence["h"], sentence["r"])
        for sentence, (_, tags, heads, labels) in zip(natural, found, strict=True)
    ]
    return sum(same) / len(same)


def speed_by_length(model: str, captions: list[dict[str, Any]]) -> None:
    """How the time of a caption grows with its words."""
    parser = CaptionParser(model)
    groups: dict[int, list[str]] = defaultdict(list)
    for caption in captions:
        groups[len(caption["s"][0]["w"].split()) // 4 * 4].append(caption["s"][0]["w"])
    groups[1000] = [" ".join(" ".join(groups[8]).split()[:1000])]
    for length, texts in sorted(groups.items()):
        started = time.process_time()
        parser.trees(texts)
        print(f"{length:5d} words: {1e6 * (time.process_time() - started) / len(texts):9.0f} microseconds a caption")


def main() -> None:
    """Print one line a setting, then speed by length."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("heldout", type=Path)
    arguments.add_argument("--captions", type=int, default=4000)
    arguments.add_argument("--model", default=SHIPPED, help="model file (default: the shipped one)")
    chosen = arguments.parse_args()
    captions = read(chosen.heldout, chosen.captions)
    for name, settings in SETTINGS.items():
        shares, speed = agreement(chosen.model, captions[: SLOW.get(name, len(captions))], settings)
        print(f"{name}: {shares}, {speed:.0f} captions per CPU-second", flush=True)
    whole = 100 * whole_dependencies(chosen.model, captions)
    print(f"tags, heads and labels all identical, natural captions: {whole:.2f} %")
    speed_by_length(chosen.model, captions)


if __name__ == "__main__":
    main()
