"""Tokenizer speed, captions per CPU-second on one core, beside the Java tokenizer where pycocoevalcap is installed.

    python bench/tokenizer.py CAPTIONS.jsonl.xz [--captions 20000] [--repeats 7] [--reference PYTHON]

CAPTIONS has one {"image_id", "captions"} object a line. `--reference` is a Python that can import pycocoevalcap; its
tokenizer runs as a black box. Repeats of all rows are interleaved and the table shows medians.
"""

import argparse
import json
import lzma
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from spidercap._native import tokenize

# Times the reference inside its own Python; prints CPU seconds of it and its children for a small and the whole batch.
REFERENCE_SCRIPT = """
import json, resource, sys
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
captions = json.load(sys.stdin)
def cpu():
    usage = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usage)
def run(batch):
    start = cpu()
    PTBTokenizer().tokenize({i: [{"caption": c}] for i, c in enumerate(batch)})
    return cpu() - start
print("RESULT", run(captions[:1]), run(captions))
"""


def read_captions(path: Path, count: int) -> list[str]:
    """The first captions of a file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        captions = [caption for line in lines for caption in json.loads(line)["captions"]]
    return captions[:count]


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU time of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def reference_seconds(python: str, captions: list[str]) -> tuple[float, float]:
    """CPU seconds of the Java tokenizer: its start, and the work on all captions without it."""
    run = subprocess.run([python, "-c", REFERENCE_SCRIPT], input=json.dumps(captions), capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"tokenizer: the reference failed: {run.stderr.strip().splitlines()[-1]}")
    start, whole = map(float, run.stdout.split("RESULT")[1].split())
    return start, whole - start


def measure(captions: list[str], repeats: int, python: str | None) -> dict[str, list[float]]:
    """CPU seconds of every row, interleaved."""
    seconds: dict[str, list[float]] = {"stand-alone": [], "compat": [], "reference": [], "reference start-up": []}
    for _ in range(repeats):
        seconds["stand-alone"].append(cpu_seconds(lambda: tokenize(captions)))
        seconds["compat"].append(cpu_seconds(lambda: tokenize(captions, together=True)))
        if python:
            start, work = reference_seconds(python, captions)
            seconds["reference start-up"].append(start)
            seconds["reference"].append(work)
    return seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("captions", type=Path)
    parser.add_argument("--captions", dest="count", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--reference", help="a Python with pycocoevalcap")
    options = parser.parse_args()
    captions = read_captions(options.captions, options.count)
    seconds = measure(captions, options.repeats, options.reference)
    print(f"{len(captions):,} captions, medians of {options.repeats} interleaved repeats\n")
    print("| tokenizer | captions per CPU-second | times the reference |\n| --- | ---: | ---: |")
    for name in ("stand-alone", "compat", "reference"):
        if seconds[name]:
            ratios = [other / own for other, own in zip(seconds["reference"], seconds[name], strict=False)]
            ratio = f"{statistics.median(ratios):,.0f}" if ratios else ""
            print(f"| {name} | {len(captions) / statistics.median(seconds[name]):,.0f} | {ratio} |")
    if seconds["reference start-up"]:
        print(f"\nReference start-up: {statistics.median(seconds['reference start-up']):.2f} CPU-seconds, not counted.")


if __name__ == "__main__":
    main()
