"""Agreement and speed of the parser on held-out captions, with and without the limits of its search.

python bench/parser.py ../shared/data/spice_parses/heldout_40800.jsonl.xz --captions 4000 [--model FILE]
python bench/parser.py ../shared/data/spice_parses/heldout_40800.jsonl.xz --captions 40800 --limits=16,-10,-12,-14,-12
"""

import argparse
import json
import lzma
import random
import time
from collections import Counter, defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from spidercap._native import CaptionParser

SHIPPED = str(files("spidercap") / "metrics" / "data" / "spice_parser.bin")
SETTINGS: dict[str, dict[str, Any]] = {
    "shipped limits": {},
    "wide limits": {
        "tag_beam": 18.0,
        "tag_odds": -15.0,
        "label_odds": -19.0,
        "active_odds": -19.0,
        "class_odds": -19.0,
    },
    "no limits": {
        "tag_beam": 1e30,
        "tag_odds": -1e30,
        "label_odds": -1e30,
        "active_odds": -1e30,
        "class_odds": -1e30,
    },
}
SLOW = {"no limits": 300}
"""Captions tried where all of them would take hours."""


def read(path: Path, count: int) -> list[dict[str, Any]]:
    """A fixed random sample of the file's captions."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        captions = [json.loads(line) for line in lines]
    return random.Random(1).sample(captions, min(count, len(captions)))


def kind_of(caption: dict[str, Any]) -> str:
    """Natural captions are those of photos; the others are of sounds, or mutated."""
    return "natural" if caption["k"] in ("coco", "flickr8k") else "other"


def parse(model: str, captions: list[dict[str, Any]], settings: dict[str, Any]) -> tuple[list[str], float]:
    """The trees, and the CPU time a caption in microseconds."""
    parser = CaptionParser(model, **settings)
    started = time.process_time()
    trees = parser.trees([caption["s"][0]["w"] for caption in captions])
    spent = time.process_time() - started
    return [tree for tree, _, _ in trees], 1e6 * spent / len(captions)


def agreement(captions: list[dict[str, Any]], trees: list[str]) -> dict[str, str]:
    """Shares of identical trees by kind."""
    same: dict[str, list[bool]] = defaultdict(list)
    for caption, tree in zip(captions, trees, strict=True):
        for kind in (caption["k"], kind_of(caption)):
            same[kind].append(tree == caption["s"][0]["m"])
    return {kind: f"{100 * sum(hits) / len(hits):.2f} %" for kind, hits in sorted(same.items())}


def compare_limits(model: str, captions: list[dict[str, Any]], limits: list[str]) -> None:
    """Trees that each set of limits changes, and its time to that of the shipped ones, run right before it."""
    wide, _ = parse(model, captions, SETTINGS["wide limits"])
    names = ("tag_beam", "tag_odds", "label_odds", "active_odds", "class_odds")
    print(
        "| tag beam, tag, label, active, class | time | natural trees unlike wide limits | other |\n"
        "| --- | --- | --- | --- |"
    )
    for chosen in ["shipped", *limits]:
        settings = {} if chosen == "shipped" else dict(zip(names, map(float, chosen.split(",")), strict=True))
        _, shipped = parse(model, captions, {})
        trees, spent = parse(model, captions, settings)
        lost = Counter(kind_of(row) for row, a, b in zip(captions, trees, wide, strict=True) if a != b)
        print(f"| {chosen} | {spent / shipped:.2f} | {lost['natural']} | {lost['other']} |", flush=True)


def whole_dependencies(model: str, captions: list[dict[str, Any]]) -> float:
    """Share of natural captions whose tags, heads and labels are all the reference's."""
    natural = [caption["s"][0] for caption in captions if kind_of(caption) == "natural"]
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
    arguments.add_argument("--limits", nargs="+", help="only compare these limits: tag beam,tag,label,active,class")
    chosen = arguments.parse_args()
    captions = read(chosen.heldout, chosen.captions)
    if chosen.limits:
        compare_limits(chosen.model, captions, chosen.limits)
        return
    for name, settings in SETTINGS.items():
        tried = captions[: SLOW.get(name, len(captions))]
        trees, spent = parse(chosen.model, tried, settings)
        print(f"{name}: {agreement(tried, trees)}, {1e6 / spent:.0f} captions per CPU-second", flush=True)
    whole = 100 * whole_dependencies(chosen.model, captions)
    print(f"tags, heads and labels all identical, natural captions: {whole:.2f} %")
    speed_by_length(chosen.model, captions)


if __name__ == "__main__":
    main()
