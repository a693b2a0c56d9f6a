"""The whole of `spidercap score` beside pycocoevalcap: 5,664 pairs of Flickr8k-Expert, process start included.

Usage: python bench/score.py [--reference PYTHON] [--repeats 5]

PYTHON is an interpreter of an environment in which pycocoevalcap and Java are installed; it runs there as a black box,
as its users run it: tokenizer, BLEU, METEOR, ROUGE-L, CIDEr-D. Its rounds and ours alternate; figures are medians. Says
also how long imports, resampling and a kept digest take. What single metrics cost is in bench/tokenizer.py,
bench/ngram.py and bench/meteor.py. Prints Markdown.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

GOLDEN = Path(__file__).resolve().parents[1] / ".." / "shared" / "golden" / "flickr8k_expert_5664.json.gz"
REFERENCE_SCRIPT = """
import json, sys
from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.meteor.meteor import Meteor
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
captions, references = (json.load(open(path)) for path in sys.argv[1:])
gts = PTBTokenizer().tokenize({i: [{"caption": text} for text in texts] for i, texts in references.items()})
res = PTBTokenizer().tokenize({i: [{"caption": text}] for i, text in captions.items()})
scores = {}
for name, scorer in (("Bleu", Bleu(4)), ("METEOR", Meteor()), ("ROUGE_L", Rouge()), ("CIDEr", Cider())):
    scores[name] = scorer.compute_score(gts, res)[0]
print("RESULT", json.dumps(scores))
"""
IMPORT = "import time; import spidercap; spidercap.score; print(time.process_time())"
KEPT = """
import json, sys, time, spidercap
references = json.load(open(sys.argv[1]))
started = time.process_time()
spidercap.Scorer("CIDEr + METEOR", references, df="coco", keep=sys.argv[2] == "keep")
print(time.process_time() - started)
"""


def timed(command: list[str]) -> tuple[float, float, str]:
    """Seconds, CPU-seconds of the process and its children, and what it printed."""
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    printed = child.stdout.read() if child.stdout else ""
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{command[0]} failed")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, printed


def their_scores(printed: str) -> dict[str, float]:
    """The corpus scores that the reference printed, by our names."""
    line = next(line for line in printed.splitlines() if line.startswith("RESULT"))
    scores: dict[str, Any] = json.loads(line.removeprefix("RESULT"))
    return {f"Bleu_{n}": value for n, value in enumerate(scores.pop("Bleu"), 1)} | scores


def command(captions: Path, references: Path) -> list[str]:
    """Our command with the seven metrics of the COCO evaluation."""
    files = (str(captions), "--refs", str(references))
    return [sys.executable, "-m", "spidercap", "score", *files, "--metrics", "coco"]


def compare(captions: Path, references: Path, reference: str | None, repeats: int) -> None:
    """The table of the whole command."""
    ours_command = [*command(captions, references), "--json"]
    ours, theirs = [], []
    for _ in range(repeats):
        ours.append(timed(ours_command))
        if reference:
            theirs.append(timed([reference, "-c", REFERENCE_SCRIPT, str(captions), str(references)]))
    print("| 5,664 pairs, process start included | pycocoevalcap | spidercap | ratio |\n| --- | --- | --- | --- |")
    print(f"| seconds | {row([run[0] for run in ours], [run[0] for run in theirs])} |")
    print(f"| CPU-seconds | {row([run[1] for run in ours], [run[1] for run in theirs])} |")
    if theirs:
        found = {m: s["value"] for m, s in json.loads(ours[0][2])["systems"][0]["scores"].items()}
        worst = max(abs(found[metric] - value) for metric, value in their_scores(theirs[0][2]).items())
        print(f"\nThe largest difference of a corpus score: {worst:.1e}.")


def row(ours: list[float], theirs: list[float]) -> str:
    """Medians and their ratio; theirs and the ratio are blank where there is no reference."""
    if not theirs:
        return f"| {median(ours):.2f} |"
    return f"{median(theirs):.1f} | {median(ours):.2f} | {median(theirs) / median(ours):.0f} ×"


def others(captions: Path, references: Path, repeats: int) -> None:
    """The table of what else a user waits for."""
    score = command(captions, references)
    plain = median(timed(score)[1] for _ in range(repeats))
    with_intervals = median(timed([*score, "--ci"])[1] for _ in range(repeats))
    imported = median(float(timed([sys.executable, "-c", IMPORT])[2]) for _ in range(repeats))
    print("\n| what | seconds |\n| --- | --- |")
    print(f"| Python start, `import spidercap` and `spidercap.score` (CPU) | {imported:.2f} |")
    print(f"| `--ci`: 1,000 resamples of 5,664 images, all seven metrics (CPU) | {with_intervals - plain:.2f} |")
    for kept, name in (("new", "digested anew"), ("keep", "kept on disk")):
        seconds = [float(timed([sys.executable, "-c", KEPT, str(references), kept])[2]) for _ in range(repeats + 1)]
        print(f"| `Scorer` of 28,320 references, {name} (CPU) | {median(seconds[1:]):.2f} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reference")
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    golden = json.loads(gzip.decompress(GOLDEN.read_bytes()))
    with tempfile.TemporaryDirectory() as folder:
        captions, references = Path(folder, "captions.json"), Path(folder, "references.json")
        pairs = list(enumerate(golden["pairs"]))
        captions.write_text(json.dumps({number: pair["candidate"] for number, pair in pairs}))
        references.write_text(json.dumps({number: golden["references"][pair["image"]] for number, pair in pairs}))
        compare(captions, references, asked.reference, asked.repeats)
        others(captions, references, asked.repeats)


if __name__ == "__main__":
    main()
