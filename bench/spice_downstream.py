"""Time of SPICE downstream of the parse: graph, tuples, merging and matching, per caption.

Usage: python bench/spice_downstream.py PARSES.jsonl.xz [THREADS]
"""

import json
import lzma
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from spidercap import _native
from spidercap.metrics.spice.lexicon import load_lexicon

REFERENCES = 5
REPEATS = 9


def read(path: str) -> _native.ParsedCaptions:
    captions = _native.ParsedCaptions()
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for parse in map(json.loads, lines):
            captions.start_caption()
            for sentence in parse["s"]:
                words, tags, labels = (sentence[key].split(" ") for key in ("w", "t", "r"))
                captions.add_sentence(words, tags, sentence["h"], labels)
    return captions


def median_seconds(work: Callable[[], object], clock: Callable[[], float]) -> float:
    times = []
    for _ in range(REPEATS):
        start = clock()
        work()
        times.append(clock() - start)
    return statistics.median(times)


def main(path: str, threads: int) -> None:
    captions = read(path)
    count = len(captions) // REFERENCES * REFERENCES
    references, nothing = (_native.SpiceReferences(load_lexicon()) for _ in range(2))
    nothing.add([])
    start = time.process_time()
    for first in range(0, count, REFERENCES):
        references.add_parsed(captions, first, first + REFERENCES)
    print(f"digest of references: {(time.process_time() - start) / count * 1e6:.1f} µs a caption")
    # Candidates meet the references of other images, whose digests are cold in the cache, as in training.
    images = np.arange(len(captions), dtype=np.int64) * 7919 % len(references)
    for name, scored, ids in (
        ("graph, tuples, merging", nothing, np.zeros_like(images)),
        ("and matching", references, images),
    ):
        clocks = {"CPU": time.process_time, "wall": time.perf_counter}
        measured = {
            what: median_seconds(partial(scored.score, ids, captions, threads), clock) for what, clock in clocks.items()
        }
        figures = ", ".join(f"{seconds / len(captions) * 1e6:.1f} µs {what}" for what, seconds in measured.items())
        print(f"{name}: {figures} a caption on {threads} thread(s)")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)
