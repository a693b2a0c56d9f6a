"""Time of the parser behind SPICE in several versions of spidercap, measured in turns, as Markdown.

python bench/parser_turns.py OLD/.venv/bin/python NEW/.venv/bin/python --golden ../shared/golden \\
    --heldout ../shared/data/spice_parses

Each Python has a version of spidercap installed; the first is what the others are compared with. A process of each runs
all the time, and they parse the same texts one after the other, turn by turn, so that a machine whose speed changes
is equally slow for all: look at the ratios, which are medians over the turns.
"""

import argparse
import gzip
import json
import lzma
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

MOST_SENTENCES = 400
"""Of each range of lengths."""


def texts_by_name(golden: Path, heldout: Path) -> dict[str, list[str]]:
    """Token strings: captions, then real sentences by length."""
    pairs = json.loads(gzip.decompress((golden / "flickr8k_expert_5664.json.gz").read_bytes()))["pairs"]
    texts = {"captions of Flickr8k-Expert": sorted({pair["candidate"] for pair in pairs})}
    by_length: dict[int, list[str]] = defaultdict(list)
    for name in ("heldout_domains", "heldout_40800"):
        with lzma.open(heldout / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                by_length[len(record["c"].split())].append(record["c"])
    for length in (10, 20, 30, 40):
        near = [text for words in range(length - 2, length + 3) for text in by_length[words]]
        step = max(1, len(near) // MOST_SENTENCES)
        texts[f"sentences of {length - 2} to {length + 2} words"] = near[::step][:MOST_SENTENCES]
    return texts


def work() -> None:
    """In a process of its own: tokenise what is given, parse it as often as asked for, print the seconds."""
    from spidercap.metrics.spice_parser import caption_parser
    from spidercap.text.tokenize import tokenize

    texts = {name: tokenize(captions, "ptb", 1) for name, captions in json.loads(sys.stdin.readline()).items()}
    parser = caption_parser()
    for name in map(str.rstrip, sys.stdin):
        started = time.process_time()
        parser.parse(texts[name], 1)
        print(time.process_time() - started, flush=True)


class Version:
    """A process with one version of spidercap."""

    def __init__(self, python: str, texts: dict[str, list[str]]) -> None:
        command = [python, str(Path(__file__).resolve()), "--work"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._tell(json.dumps(texts))

    def seconds(self, name: str) -> float:
        """CPU-seconds of one parse of these texts."""
        self._tell(name)
        answer = self.process.stdout.readline() if self.process.stdout else ""
        if not answer:
            raise SystemExit(f"{self.process.args!r} ended")
        return float(answer)

    def _tell(self, line: str) -> None:
        if self.process.stdin:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()


def table(versions: list[Version], texts: dict[str, list[str]], turns: int) -> None:
    """A row for each kind of text: times of each version, and how many times as fast as the first the others are."""
    numbers = range(1, len(versions) + 1)
    times = " | ".join(f"{number}: best, median µs" for number in numbers)
    ratios = "".join(f" | 1 to {number}: median (quartiles)" for number in numbers[1:])
    print(f"| texts | count | {times}{ratios} |\n{'| --- ' * (1 + 2 * len(versions))}|")
    for name, captions in texts.items():
        for version in versions:
            version.seconds(name)  # the first time is spent on tables of words
        rows: Any = [[version.seconds(name) / len(captions) * 1e6 for version in versions] for _ in range(turns)]
        columns = list(zip(*rows, strict=True))
        entries = [f"{min(column):,.0f}, {statistics.median(column):,.0f}" for column in columns]
        for other in range(1, len(versions)):
            low, middle, high = statistics.quantiles([row[0] / row[other] for row in rows], n=4)
            entries.append(f"{middle:.2f} ({low:.2f} to {high:.2f})")
        print(f"| {name} | {len(captions):,} | {' | '.join(entries)} |", flush=True)


def main() -> None:
    """Start a process for each version and compare."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("python", nargs="+", help="each with a version of spidercap")
    arguments.add_argument("--golden", type=Path, required=True)
    arguments.add_argument("--heldout", type=Path, required=True)
    arguments.add_argument("--turns", type=int, default=21)
    chosen = arguments.parse_args()
    texts = texts_by_name(chosen.golden, chosen.heldout)
    table([Version(python, texts) for python in chosen.python], texts, chosen.turns)


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        work()
    else:
        main()
