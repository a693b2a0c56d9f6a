"""Scoring of 10,000 to 1,000,000 captions by the command: seconds and peak memory, which must grow no faster.

Usage: python bench/streaming.py CAPTIONS [--sizes 10000 100000 1000000] [--metrics coco] [--threads 2]

CAPTIONS is COCO's captions, one {"image_id", "captions"} object a line. Images beyond its own are its captions with one
word changed at random, so that n-grams do not merely repeat. Each row is one process, start included. Prints Markdown.
"""

import argparse
import json
import lzma
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

REFERENCES = 5


def images(captions: Path, count: int) -> Iterator[list[str]]:
    """Six captions an image: the candidate, which is another image's, and five references."""
    with lzma.open(captions, "rt", encoding="utf-8") as file:
        known = [json.loads(line)["captions"][:REFERENCES] for line in file]
    words = [word for texts in known[:2000] for text in texts for word in text.split()]
    dice = random.Random(0)
    for number in range(count):
        texts = [known[(number * 7 + 3) % len(known)][0], *known[number % len(known)]]
        texts = [" ".join(text.split()) for text in texts]
        yield texts if number < len(known) else [_changed(text, dice.choice(words), dice) for text in texts]


def _changed(text: str, word: str, dice: random.Random) -> str:
    pieces = text.split() or [word]
    pieces[dice.randrange(len(pieces))] = word
    return " ".join(pieces)


def write(captions: Path, folder: Path, count: int) -> list[Path]:
    """The line-aligned files of some images."""
    paths = [folder / f"{name}.txt" for name in ("candidates", *(f"r{number}" for number in range(REFERENCES)))]
    files = [path.open("w", encoding="utf-8") for path in paths]
    for texts in images(captions, count):
        for file, text in zip(files, texts, strict=True):
            file.write(text + "\n")
    for file in files:
        file.close()
    return paths


def run(arguments: list[str]) -> tuple[float, float, float]:
    """Seconds, CPU-seconds and peak megabytes of a command."""
    started = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-m", "spidercap", *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"spidercap {' '.join(arguments)} failed")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("captions", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--metrics", nargs="+", default=["coco"])
    parser.add_argument("--threads", default="2")
    asked = parser.parse_args()
    print("| captions | df | seconds | CPU-seconds | captions a CPU-second | peak memory |")
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    for count in asked.sizes:
        with tempfile.TemporaryDirectory() as folder:
            candidates, *references = map(str, write(asked.captions, Path(folder), count))
            for df in ("coco", "corpus"):
                command = ["score", candidates, "--refs", *references, "--df", df, "--threads", asked.threads]
                seconds, cpu, memory = run([*command, "--metrics", *asked.metrics])
                rate = count / cpu
                print(f"| {count:,} | {df} | {seconds:.1f} | {cpu:.1f} | {rate:,.0f} | {memory:,.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
