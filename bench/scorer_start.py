"""CPU-seconds until a `Scorer` is ready, each time in a new process: references digested anew, and kept on disk.

Usage: python bench/scorer_start.py REFERENCES [EXPRESSION]

REFERENCES is what `spidercap score --refs` reads; its images of the split train are taken.
"""

import multiprocessing
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

STARTS = {"digested anew": False, "digested and kept": True, "read from the kept digest": True}


def start(path: str, expression: str, keep: bool) -> tuple[float, float, int]:
    """CPU-seconds of one start, the sum of some rewards, and the number of references."""
    import spidercap
    from spidercap.data.results import read_references

    references = read_references([Path(path)], "train").captions
    begin = time.process_time()
    scorer = spidercap.Scorer(expression, references, df="coco", keep=keep)
    seconds = time.process_time() - begin
    rewards = scorer.score(list(references), [texts[0] for texts in references.values()])
    return seconds, float(rewards.sum()), sum(map(len, references.values()))


def main(path: str, expression: str = "SPIDEr") -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SPIDERCAP_CACHE"] = folder
        sums = set()
        for what, keep in STARTS.items():
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
                seconds, rewards, references = pool.submit(start, path, expression, keep).result()
            print(f"{expression} of {references:,} references, {what}: {seconds:.2f} CPU-seconds")
            sums.add(rewards)
        for kept in sorted(Path(folder, "digests").iterdir()):
            print(f"{kept.suffix[1:]}: {kept.stat().st_size / 1e6:.1f} MB")
    if len(sums) != 1:
        raise SystemExit(f"the starts give different rewards: {sums}")


if __name__ == "__main__":
    main(*sys.argv[1:])
