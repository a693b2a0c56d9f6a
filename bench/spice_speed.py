"""Speed of SPICE from raw text to score, references digested before: the split by stage, threads, growth with length.

python bench/spice_speed.py ../shared/golden/flickr8k_expert_5664.json.gz

The stages are those of distinct captions, each parsed once; the last figures are of all pairs, in which captions repeat
(a batch parses such captions once). CPU-seconds, the best of the rounds: a busy machine only slows.
"""

import argparse
import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spidercap import _native
from spidercap.metrics.spice.lexicon import load_lexicon
from spidercap.metrics.spice_parser import caption_parser
from spidercap.text.tokenize import tokenize

LENGTHS = (5, 10, 15, 20, 30, 40, 60, 61, 100, 200, 1000)
WORDS_A_LENGTH = 6000
"""Words parsed for a row of the table by length."""


def seconds(work: Callable[[], object], rounds: int, clock: Callable[[], float] = time.process_time) -> float:
    """The least time of several rounds."""
    times = []
    for _ in range(rounds):
        started = clock()
        work()
        times.append(clock() - started)
    return min(times)


def digest(references: list[list[str]]) -> _native.SpiceReferences:
    """The references' graphs, one image an entry."""
    parses = caption_parser().parse(tokenize([text for image in references for text in image], "ptb", 1), 1)
    digested, first = _native.SpiceReferences(load_lexicon()), 0
    for image in references:
        digested.add_parsed(parses, first, first + len(image))
        first += len(image)
    return digested


def split(captions: list[str], images: NDArray[np.int64], references: _native.SpiceReferences, rounds: int) -> None:
    """One row a stage, then the whole."""
    nothing = _native.SpiceReferences(load_lexicon())
    nothing.add([])
    tokens = tokenize(captions, "ptb", 1)
    parses = caption_parser().parse(tokens, 1)
    stages = {
        "tokenise": seconds(lambda: tokenize(captions, "ptb", 1), rounds),
        "parse": seconds(lambda: caption_parser().parse(tokens, 1), rounds),
        "graph and tuples": seconds(lambda: nothing.score(np.zeros_like(images), parses, 1), rounds),
    }
    stages["match"] = seconds(lambda: references.score(images, parses, 1), rounds) - stages["graph and tuples"]
    whole = seconds(lambda: score(captions, images, references, 1), rounds)
    print("| stage | µs a caption |\n| --- | --- |")
    for name, spent in stages.items():
        print(f"| {name} | {spent / len(captions) * 1e6:.1f} |")
    print(f"| raw text to score, timed whole | {whole / len(captions) * 1e6:.1f} |")
    print(f"\n{len(captions) / whole:,.0f} distinct captions per CPU-second")


def score(
    captions: list[str], images: NDArray[np.int64], references: _native.SpiceReferences, threads: int
) -> NDArray[np.float64]:
    """SPICE of each caption from its raw text."""
    return references.score(images, caption_parser().parse(tokenize(captions, "ptb", threads), threads), threads)


def threads(captions: list[str], images: NDArray[np.int64], references: _native.SpiceReferences, rounds: int) -> None:
    """Wall time on two threads against one: honest only where two cores are free."""
    one, two = (
        seconds(lambda count=count: score(captions, images, references, count), rounds, time.perf_counter)  # type: ignore[misc]
        for count in (1, 2)
    )
    print(f"2 threads: {one / two:.2f} times the captions of 1 in the same wall time")


def growth(captions: list[str], rounds: int) -> None:
    """Time of the parse by length: rows of the captions' words, cut at each length."""
    words = " ".join(tokenize(captions, "ptb", 1)).split()
    print("\n| words | µs a caption | µs a word |\n| --- | --- | --- |")
    for length in LENGTHS:
        count = max(1, WORDS_A_LENGTH // length)
        rows = [" ".join(words[start : start + length]) for start in range(0, count * length, length)]
        spent = seconds(lambda rows=rows: caption_parser().parse(rows, 1), rounds) / len(rows)  # type: ignore[misc]
        print(f"| {length:,} | {spent * 1e6:,.0f} | {spent * 1e6 / length:,.1f} |", flush=True)


def main() -> None:
    """Print all tables as Markdown."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("golden", type=Path)
    arguments.add_argument("--rounds", type=int, default=5)
    chosen = arguments.parse_args()
    golden: Any = json.loads(gzip.decompress(chosen.golden.read_bytes()))
    names = list(golden["references"])
    captions = [pair["candidate"] for pair in golden["pairs"]]
    images = np.array([names.index(pair["image"]) for pair in golden["pairs"]], np.int64)
    references = digest([golden["references"][name] for name in names])
    first = {caption: number for number, caption in reversed(list(enumerate(captions)))}
    distinct = sorted(first.values())
    split([captions[number] for number in distinct], images[distinct], references, chosen.rounds)
    spent = seconds(lambda: score(captions, images, references, 1), chosen.rounds)
    print(f"{len(captions) / spent:,.0f} pairs per CPU-second: {len(captions):,} pairs of {len(distinct):,} captions")
    threads(captions, images, references, chosen.rounds)
    growth(captions, chosen.rounds)


if __name__ == "__main__":
    main()
