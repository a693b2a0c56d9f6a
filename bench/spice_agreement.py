"""SPICE from raw captions beside the reference's scores and tuples, as Markdown.

python bench/spice_agreement.py ../shared/golden ../shared/data/spice_parses/heldout_40800.jsonl.xz
"""

import gzip
import json
import lzma
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import spidercap
from spidercap.metrics.correlation import correlate
from spidercap.metrics.spice.lexicon import load_lexicon
from spidercap.metrics.spice_parser import caption_parser

# Caption, the reference's raw tuples, kind.
Row = tuple[str, list[list[str]], str]


def main(golden: Path, held_out: Path) -> None:
    """Print the figures of docs/metrics/spice.md as Markdown."""
    print("| figure | value |\n| --- | --- |")
    coco(_read(golden / "coco_val2014_1000.json.gz"))
    flickr8k(_read(golden / "flickr8k_expert_5664.json.gz"))
    print("\n| captions | identical tuple set | F1 of objects / attributes / relations |\n| --- | --- | --- |")
    with lzma.open(held_out, "rt", encoding="utf-8") as lines:
        tuples("held-out", [(row["c"], row["x"], row["k"]) for row in map(json.loads, lines)])
    tuples("golden", _read(golden / "spice_tuples_14007.json.gz"))


def coco(golden: Any) -> None:
    """Per-image and corpus SPICE of the 1,000 COCO images."""
    images = golden["images"]
    scores = spidercap.score([x["candidate"] for x in images], [x["references"] for x in images], ["SPICE"])
    ours = scores.per_image.column("SPICE")
    theirs = np.array([x["spice"]["scores"]["All"]["f"] for x in images])
    print(f"| corpus SPICE (reference {golden['corpus']['SPICE']:.6f}) | {scores.corpus['SPICE']:.6f} |")
    print(f"| Pearson r of the images' scores | {np.corrcoef(ours, theirs)[0, 1]:.4f} |")
    print(f"| mean absolute difference | {np.abs(ours - theirs).mean():.5f} |")
    print(f"| images identical to 1e-9 | {(np.abs(ours - theirs) < 1e-9).mean():.1%} |")


def flickr8k(golden: Any) -> None:
    """Agreement with people on Flickr8k-Expert, and speed with all parses counted."""
    pairs = golden["pairs"]
    references = [golden["references"][pair["image"]] for pair in pairs]
    begin = time.process_time()
    scores = spidercap.score([pair["candidate"] for pair in pairs], references, ["SPICE"], threads=1)
    seconds = time.process_time() - begin
    values = scores.per_image.column("SPICE")
    judged = [(float(value), rating) for value, pair in zip(values, pairs, strict=True) for rating in pair["ratings"]]
    found = correlate("SPICE", [value for value, _ in judged], [rating for _, rating in judged])
    print(f"| Kendall τ_c × 100 on Flickr8k-Expert (reference 44.9) | {100 * (found.kendall_c or 0):.2f} |")
    captions = len(pairs) + sum(map(len, references))
    print(f"| captions per CPU-second, raw text to score, references parsed too | {captions / seconds:,.0f} |")


def tuples(name: str, rows: Iterable[Row]) -> None:
    """Raw tuples of our parses beside the reference's, by kind; COCO and Flickr8k together are natural captions."""
    kinds: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        kinds["natural" if row[2] in ("coco", "flickr8k") else row[2]].append(row)
    for kind, chosen in kinds.items():
        parses = caption_parser().parse([caption for caption, _, _ in chosen])
        same, counts = 0, Counter[tuple[int, str]]()
        for number, (_, expected, _) in enumerate(chosen):
            ours, theirs = set(parses.tuples(number, load_lexicon())), set(map(tuple, expected))
            same += ours == theirs
            for what, found in (("ours", ours), ("theirs", theirs), ("both", ours & theirs)):
                counts.update((len(entry), what) for entry in found)
        f1 = (2 * counts[size, "both"] / (counts[size, "ours"] + counts[size, "theirs"]) for size in (1, 2, 3))
        print(f"| {name} {kind} ({len(chosen):,}) | {same / len(chosen):.2%} | {' / '.join(f'{x:.4f}' for x in f1)} |")


def _read(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
