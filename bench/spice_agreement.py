"""SPICE from raw captions beside the reference's scores, trees and tuples, by kind of text, as Markdown.

python bench/spice_agreement.py ../shared/golden ../shared/data/spice_parses/heldout_*.jsonl.xz
python bench/spice_agreement.py ... --document docs/metrics/spice.md (puts the tables into the document)
"""

import argparse
import gzip
import json
import lzma
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import spidercap
from spidercap.metrics.correlation import correlate
from spidercap.metrics.spice.lexicon import load_lexicon
from spidercap.metrics.spice_parser import caption_parser

BEGIN, END = "<!-- bench/spice_agreement.py -->", "<!-- end of bench/spice_agreement.py -->"
KINDS = {
    "coco": "COCO captions",
    "flickr8k": "Flickr8k captions",
    "flickr30k": "Flickr30k captions",
    "audio": "sounds (AudioCaps, Clotho)",
    "noise": "mutated captions",
    "video": "videos (MSR-VTT)",
    "activitynet": "videos (ActivityNet)",
    "llm": "sentences by large models",
    "long": "long descriptions by people",
    "nlvr": "statements about photos (NLVR2)",
}


@dataclass(frozen=True)
class Row:
    """A caption with what the reference made of it; a golden one has tuples only."""

    caption: str
    tuples: list[list[str]]
    kind: str
    words: str = ""
    tree: str = ""
    marked: bool = False


def main(golden: Path, held_out: list[Path]) -> Iterator[str]:
    """The tables of docs/metrics/spice.md, line by line."""
    yield from ("| figure | value |", "| --- | --- |")
    yield from coco(_read(golden / "coco_val2014_1000.json.gz"))
    yield from flickr8k(_read(golden / "flickr8k_expert_5664.json.gz"))
    yield from (
        "",
        "| text | sentences | identical tree | identical tuple set | F1 of objects / attributes / relations |",
    )
    yield "| --- | --- | --- | --- | --- |"
    yield from agreement([row for path in held_out for row in held_out_rows(path)])
    golden_rows = _read(golden / "spice_tuples_14007.json.gz")
    yield from agreement([Row(caption, tuples, f"golden: {kind}") for caption, tuples, kind in golden_rows])


def put_into(document: Path, lines: list[str]) -> None:
    """Replace what stands between the marks in the document."""
    before, _, rest = document.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"{document} has no lines {BEGIN} and {END}")
    document.write_text("\n".join([before + BEGIN, *lines, END]) + after, encoding="utf-8")


def held_out_rows(path: Path) -> Iterator[Row]:
    """The captions of a held-out file; its trees have marks where they have scores."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            sentence = record["s"][0]
            # A caption that the reference took for several sentences has no one tree.
            tree = sentence["m"] if len(record["s"]) == 1 else "several"
            yield Row(record["c"], record["x"], record["k"], sentence["w"], tree, "p" in sentence)


def coco(golden: Any) -> Iterator[str]:
    """Per-image and corpus SPICE of the 1,000 COCO images."""
    images = golden["images"]
    scores = spidercap.score([x["candidate"] for x in images], [x["references"] for x in images], ["SPICE"])
    ours = scores.per_image.column("SPICE")
    theirs = np.array([x["spice"]["scores"]["All"]["f"] for x in images])
    yield f"| corpus SPICE (reference {golden['corpus']['SPICE']:.6f}) | {scores.corpus['SPICE']:.6f} |"
    yield f"| Pearson r of the images' scores | {np.corrcoef(ours, theirs)[0, 1]:.4f} |"
    yield f"| mean absolute difference | {np.abs(ours - theirs).mean():.5f} |"
    yield f"| images identical to 1e-9 | {(np.abs(ours - theirs) < 1e-9).mean():.1%} |"


def flickr8k(golden: Any) -> Iterator[str]:
    """Agreement with people on Flickr8k-Expert, and speed with all parses counted."""
    pairs = golden["pairs"]
    references = [golden["references"][pair["image"]] for pair in pairs]
    begin = time.process_time()
    scores = spidercap.score([pair["candidate"] for pair in pairs], references, ["SPICE"], threads=1)
    seconds = time.process_time() - begin
    values = scores.per_image.column("SPICE")
    judged = [(float(value), rating) for value, pair in zip(values, pairs, strict=True) for rating in pair["ratings"]]
    found = correlate("SPICE", [value for value, _ in judged], [rating for _, rating in judged])
    yield f"| Kendall τ_c × 100 on Flickr8k-Expert (reference 44.9) | {100 * (found.kendall_c or 0):.2f} |"
    captions = len(pairs) + sum(map(len, references))
    speed = f"{captions / seconds:,.0f}"
    yield f"| captions of Flickr8k-Expert a CPU-second, with references, those that repeat parsed once | {speed} |"


def agreement(rows: Iterable[Row]) -> Iterator[str]:
    """One line a kind: trees and raw tuples of our parses beside the reference's."""
    kinds: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        kinds[row.kind].append(row)
    for kind in sorted(kinds, key=lambda kind: list(KINDS).index(kind) if kind in KINDS else len(KINDS)):
        chosen = kinds[kind]
        same, f1 = tuple_agreement(chosen)
        trees = f"{same_trees(chosen) / len(chosen):.2%}" if chosen[0].tree else "–"
        scores = " / ".join(f"{value:.4f}" for value in f1)
        yield f"| {KINDS.get(kind, kind)} | {len(chosen):,} | {trees} | {same / len(chosen):.2%} | {scores} |"


def same_trees(rows: Sequence[Row]) -> int:
    """How many trees are the reference's."""
    found = caption_parser().trees([row.words for row in rows], rows[0].marked)
    return sum(tree == row.tree for row, (tree, _, _) in zip(rows, found, strict=True))


def tuple_agreement(rows: Sequence[Row]) -> tuple[int, list[float]]:
    """How many tuple sets are the reference's, and F1 of objects, attributes and relations."""
    parses, lexicon = caption_parser().parse([row.caption for row in rows]), load_lexicon()
    same, counts = 0, Counter[tuple[int, str]]()
    for number, row in enumerate(rows):
        ours, theirs = set(parses.tuples(number, lexicon)), set(map(tuple, row.tuples))
        same += ours == theirs
        for what, found in (("ours", ours), ("theirs", theirs), ("both", ours & theirs)):
            counts.update((len(entry), what) for entry in found)
    return same, [2 * counts[size, "both"] / (counts[size, "ours"] + counts[size, "theirs"]) for size in (1, 2, 3)]


def _read(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("golden", type=Path, help="folder of golden scores")
    parser.add_argument("held_out", type=Path, nargs="+", help="held-out parses, heldout_*.jsonl.xz")
    parser.add_argument("--document", type=Path, help="document to put the tables into")
    arguments = parser.parse_args()
    found = []
    for line in main(arguments.golden, arguments.held_out):
        print(line, flush=True)
        found.append(line)
    if arguments.document:
        put_into(arguments.document, found)
