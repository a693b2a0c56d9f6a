"""Speed of BLEU, ROUGE-L and CIDEr-D, captions per CPU-second on one core, beside pycocoevalcap where it is installed.

    python bench/ngram.py CAPTIONS.jsonl.xz [--images 5000] [--repeats 7] [--reference PYTHON]

CAPTIONS has one {"image_id", "captions"} object a line; the candidate of an image is the first caption of another one,
its references are its own captions. Our digestion of references is told apart; the reference tool digests them inside
every call. Repeats are interleaved and the table shows medians.
"""

import argparse
import json
import lzma
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from spidercap._native import NgramReferences, tokenize

REFERENCE_SCRIPT = """
import contextlib, io, json, sys, time
from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge
references, candidates = json.load(sys.stdin)
gts = dict(enumerate(references))
res = {i: [c] for i, c in enumerate(candidates)}
seconds = {}
for name, metric in (("bleu", Bleu(4)), ("rouge_l", Rouge()), ("cider_d", Cider())):
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        metric.compute_score(gts, res)
    seconds[name] = time.process_time() - start
print("RESULT", json.dumps(seconds))
"""

ROWS = {
    "BLEU-1..4": ["bleu"],
    "ROUGE-L": ["rouge_l"],
    "CIDEr-D": ["cider_d"],
    "CIDEr (original)": ["cider"],
    "all four": ["bleu", "rouge_l", "cider_d", "cider"],
}


def read_images(path: Path, count: int) -> tuple[list[list[str]], list[str]]:
    """Tokenized references of the first images, and a candidate for each."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        raw = [json.loads(line)["captions"] for line in lines][:count]
    references = [tokenize(captions) for captions in raw]
    candidates = [references[(7 * i + 13) % len(references)][0] for i in range(len(references))]
    return references, candidates


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU time of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def reference_seconds(python: str, references: list[list[str]], candidates: list[str]) -> dict[str, float]:
    """CPU seconds of the reference tool per metric, references digested inside."""
    given = json.dumps([references, candidates])
    run = subprocess.run([python, "-c", REFERENCE_SCRIPT], input=given, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"ngram: the reference failed: {run.stderr.strip().splitlines()[-1]}")
    return {name: float(value) for name, value in json.loads(run.stdout.split("RESULT")[1]).items()}


def measure(
    references: list[list[str]], candidates: list[str], repeats: int, python: str | None
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """CPU seconds of our rows and of the reference's, interleaved."""
    ours: dict[str, list[float]] = {name: [] for name in [*ROWS, "digestion"]}
    theirs: dict[str, list[float]] = {name: [] for name in ROWS}
    digest = NgramReferences(references)
    images = np.arange(len(references))
    for _ in range(repeats):
        ours["digestion"].append(cpu_seconds(lambda: NgramReferences(references)))
        for name, metrics in ROWS.items():
            ours[name].append(cpu_seconds(partial(digest.score, images, candidates, metrics, threads=1)))
        found = reference_seconds(python, references, candidates) if python else {}
        for name, metrics in ROWS.items():
            theirs[name] += [found[metrics[0]]] if len(metrics) == 1 and metrics[0] in found else []
    return ours, theirs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("captions", type=Path)
    parser.add_argument("--images", type=int, default=5000)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--reference", help="a Python with pycocoevalcap")
    options = parser.parse_args()
    references, candidates = read_images(options.captions, options.images)
    ours, theirs = measure(references, candidates, options.repeats, options.reference)
    count = len(candidates)
    print(f"{count:,} images, {sum(map(len, references)):,} references; medians of {options.repeats} repeats\n")
    print("| metric | captions per CPU-second | reference | times | ours with digestion, times |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name in ROWS:
        own, other = ours[name], theirs[name]
        row = f"| {name} | {count / statistics.median(own):,.0f} |"
        if other:
            times = statistics.median(b / a for a, b in zip(own, other, strict=True))
            whole = statistics.median(b / (a + d) for a, b, d in zip(own, other, ours["digestion"], strict=True))
            row += f" {count / statistics.median(other):,.0f} | {times:,.0f} | {whole:,.0f} |"
        print(row if other else row + " | | |")
    print(f"\nDigestion of the references: {statistics.median(ours['digestion']):.3f} CPU-seconds, once.")


if __name__ == "__main__":
    main()
