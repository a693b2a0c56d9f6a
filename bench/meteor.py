"""METEOR beside the reference tool: captions a CPU-second, start-up, digestion, memory, and hard input.

Usage: python bench/meteor.py [repeats]

Takes the 1,000 tokenised COCO images of ../shared/golden, five references each. The reference tool is run as users run
it, one line a caption over a pipe, and only where Java and the package pycocoevalcap are installed. Its rounds and ours
alternate; figures are medians. Prints Markdown.
"""

import gzip
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from spidercap._native import MeteorReferences
from spidercap.metrics.meteor_data import index_path, meteor_resources

GOLDEN = Path(__file__).resolve().parents[1] / ".." / "shared" / "golden" / "coco_val2014_1000.json.gz"
OURS_PER_ROUND = 20
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class ReferenceTool:
    """The reference tool over its pipe."""

    def __init__(self, jar: Path) -> None:
        command = ["java", "-jar", "-Xmx2G", jar.name, "-", "-", "-stdio", "-l", "en", "-norm"]
        started = time.perf_counter()
        self.process = subprocess.Popen(
            command, cwd=jar.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.statistics("a dog", ["a dog"])
        self.start_seconds = time.perf_counter() - started

    def statistics(self, caption: str, references: list[str]) -> list[int]:
        """The 23 statistics of one caption."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(" ||| ".join(["SCORE", *references, caption]) + "\n")
        self.process.stdin.flush()
        return [int(float(number)) for number in self.process.stdout.readline().split()]

    def cpu_seconds(self) -> float:
        """Processor time of all threads of the JVM so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def resident_megabytes(self) -> float:
        """Memory that the JVM holds now."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def close(self) -> None:
        """End the JVM."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def find_reference_tool() -> Path | None:
    """The jar of the installed package, if there is one that can be run and measured here."""
    found = find_spec("pycocoevalcap")
    folders = list((found and found.submodule_search_locations) or ())
    jars = [path for folder in folders if (path := Path(folder) / "meteor" / "meteor-1.5.jar").is_file()]
    return jars[0] if jars and shutil.which("java") and Path("/proc/self/stat").exists() else None


def seconds(clock: Callable[[], float], work: Callable[[], Any]) -> float:
    """How long the work takes on a clock."""
    before = clock()
    work()
    return clock() - before


def rates(
    images: list[dict[str, Any]], digest: MeteorReferences, tool: ReferenceTool | None, repeats: int
) -> list[float]:
    """Captions a CPU-second of ours and, if it is there, of the reference tool: medians of alternating rounds."""
    captions = [image["tokenized_candidate"] for image in images]
    places = np.tile(np.arange(len(images)), OURS_PER_ROUND)
    ours, theirs = [], []
    for _ in range(repeats):
        took = seconds(time.process_time, lambda: digest.statistics(places, captions * OURS_PER_ROUND))
        ours.append(len(places) / took)
        if tool:
            took = seconds(
                tool.cpu_seconds,
                lambda: [tool.statistics(c, i["tokenized_references"]) for c, i in zip(captions, images, strict=True)],
            )
            theirs.append(len(images) / took)
    return [median(ours), *([median(theirs)] if tool else [])]


def check_equal(images: list[dict[str, Any]], digest: MeteorReferences, tool: ReferenceTool) -> int:
    """How many of the images have other statistics in the reference tool."""
    ours = digest.statistics(np.arange(len(images)), [image["tokenized_candidate"] for image in images]).tolist()
    return sum(
        tool.statistics(image["tokenized_candidate"], image["tokenized_references"]) != row
        for image, row in zip(images, ours, strict=True)
    )


def hard_inputs() -> list[tuple[str, str, str]]:
    """Captions and references on which the search has most to do."""
    hard = [(f"one word {n:,} times on both sides", "dog " * n, "dog " * n) for n in (100, 300, 1000, 2000)]
    hard += [
        (f"a word and its plural, {n:,} words", "dog dogs " * (n // 2), "dogs dog " * (n // 2)) for n in (1000, 2000)
    ]
    cycle = "a man in front of a large dog is before the many people "
    hard += [(f"{12 * n:,} words of one sentence repeated", cycle * n, cycle * (n - 1)) for n in (8, 80)]
    return [*hard, ("200,000 words against 12", cycle * 16667, cycle)]


def main(repeats: int = 5) -> None:
    """Measure and print."""
    images = json.loads(gzip.decompress(GOLDEN.read_bytes()))["images"]
    meteor_resources()
    meteor_resources.cache_clear()
    start = seconds(time.perf_counter, meteor_resources)
    references = [image["tokenized_references"] for image in images]
    digesting = median(
        seconds(time.process_time, lambda: MeteorReferences(meteor_resources(), references)) for _ in range(repeats)
    )
    digest = MeteorReferences(meteor_resources(), references)
    jar = find_reference_tool()
    tool = ReferenceTool(jar) if jar else None
    ours, *theirs = rates(images, digest, tool, repeats)
    print("| METEOR, 5 references | reference tool | spidercap | ratio |\n| --- | --- | --- | --- |")
    their_rate = f"{theirs[0]:,.0f}" if theirs else "no Java"
    print(f"| captions a CPU-second, references digested | {their_rate} | {ours:,.0f} | {ratio(ours, theirs)} |")
    with_digest = 1 / (1 / ours + digesting / len(images))
    print(f"| the same, digestion included | {their_rate} | {with_digest:,.0f} | {ratio(with_digest, theirs)} |")
    their_start = f"{tool.start_seconds:.2f} s" if tool else ""
    print(f"| start-up (tables loaded) | {their_start} | {start:.3f} s | |")
    their_memory = f"{tool.resident_megabytes():,.0f} MB" if tool else ""
    our_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| resident memory | {their_memory} | {our_memory:,.0f} MB (peak, Python included) | |")
    print(f"| digestion of a reference | | {digesting / len(images) / 5 * 1e6:.1f} µs | |")
    if tool:
        print(f"\nStatistics that differ on the 1,000 images: {check_equal(images, digest, tool)}.")
        tool.close()
    print(f"\nIndex: {index_path().stat().st_size / 1e6:.0f} MB.\n\n| hard input | seconds |\n| --- | --- |")
    for name, caption, reference in hard_inputs():
        hard = MeteorReferences(meteor_resources(), [[reference]])
        took = seconds(time.process_time, partial(hard.score, np.array([0]), [caption]))
        print(f"| {name} | {took:.3f} |")


def ratio(ours: float, theirs: list[float]) -> str:
    """Ours over theirs, if theirs is known."""
    return f"{ours / theirs[0]:.0f} ×" if theirs else ""


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
