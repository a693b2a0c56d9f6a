"""How long all of COCO takes to prepare, and how much memory: the compact form and the official one.

Usage: python bench/prepare.py FOLDER [REPEATS]
FOLDER holds captions_train2014.jsonl.xz and captions_val2014.jsonl.xz; the official form is made from them.
"""

import json
import lzma
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PARTS = ("train2014", "val2014")
# Each measurement is a process of its own, so that its peak memory is its own.
CHILD = """
import resource, sys
from spidercap.cli import app
app(sys.argv[1:], result_action="return_value")
used = resource.getrusage(resource.RUSAGE_SELF)
print(f"{used.ru_utime + used.ru_stime} {used.ru_maxrss / 1024}", file=sys.stderr)
"""
LOAD = """
import sys, time
from pathlib import Path
from spidercap.data.captions import Dataset
start = time.perf_counter()
Dataset.load(Path(sys.argv[1]))
print(time.perf_counter() - start)
"""


def write_official(source: Path, target: Path) -> None:
    """The official form of a compact file, with the keys that COCO's images have."""
    images: list[dict[str, object]] = []
    annotations: list[dict[str, object]] = []
    with lzma.open(source, "rt", encoding="utf-8") as file:
        for record in map(json.loads, file):
            number = record["image_id"]
            name = f"COCO_{number:012d}.jpg"
            place = {"license": 3, "coco_url": f"http://images/{name}", "flickr_url": f"http://flickr/{number}.jpg"}
            size = {"height": 480, "width": 640, "date_captured": "2013-11-14 11:18:45"}
            images.append({"id": number, "file_name": name} | place | size)
            for caption in record["captions"]:
                annotations.append({"id": len(annotations), "image_id": number, "caption": caption})
    target.write_text(json.dumps({"info": {}, "licenses": [], "images": images, "annotations": annotations}))


def measure(sources: list[Path], out: Path) -> tuple[float, float, float]:
    """Wall seconds, processor seconds and peak megabytes of one run on one core."""
    command = [sys.executable, "-c", CHILD, "prepare", *map(str, sources), "--out", str(out)]
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=_one_core)
    wall = time.perf_counter() - start
    seconds, megabytes = map(float, result.stderr.split())
    return wall, seconds, megabytes


def _one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def main(folder: Path, repeats: int) -> None:
    """Print medians of `repeats` runs of each form."""
    with tempfile.TemporaryDirectory() as name:
        temporary = Path(name)
        forms = {"compact (.jsonl.xz)": [folder / f"captions_{part}.jsonl.xz" for part in PARTS]}
        forms["official (.json)"] = [temporary / f"captions_{part}.json" for part in PARTS]
        for source, target in zip(*forms.values(), strict=True):
            write_official(source, target)
        for form, sources in forms.items():
            runs = [measure(sources, temporary / f"{form[:3]}{number}") for number in range(repeats)]
            wall, seconds, megabytes = map(statistics.median, zip(*runs, strict=True))
            print(f"{form:20} wall {wall:5.1f} s   processor {seconds:5.1f} s   peak {megabytes:5.0f} MB")
        prepared = str(temporary / "com0")
        loads = [float(subprocess.check_output([sys.executable, "-c", LOAD, prepared])) for _ in range(repeats)]
        print(f"{'read it back':20} wall {statistics.median(loads):5.1f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3)
