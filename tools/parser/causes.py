"""What is left between the parser and the reference, by cause, kind and length, as Markdown:

    python tools/parser/causes.py DATA/heldout_domains.jsonl.xz DATA/heldout_40800.jsonl.xz

Causes, for sentences whose tuple sets or trees differ. Other tree: the reference's needs a step or a word's tag that
the model lacks; by the model's weights it scores less than ours (term), more (search), or the same (tie); or the
reference took the caption for several sentences. Right tree: heads or labels differ (conversion), or only the tuples do
(tuples). Each entry is `wrong trees / wrong tuple sets`.
"""

import argparse
from collections import Counter, defaultdict
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from tree_score import MissingStepError, MissingWordError, TreeScore
from treebank import read_lines
from trees import local_rules

from spidercap._native import CaptionParser
from spidercap.metrics.spice.lexicon import load_lexicon

SHIPPED = files("spidercap") / "metrics" / "data" / "spice_parser.bin"
CAUSES = ("step", "word or tag", "term", "search", "tie", "several sentences", "conversion", "tuples")
SAME_SCORE = 2e-3
LENGTHS = (1, 10, 20, 30, 40)


@dataclass(frozen=True)
class Outcome:
    """One sentence: whether tree and tuples are right, and why not."""

    kind: str
    words: int
    caption: str
    tree: bool
    tuples: bool
    cause: str
    note: str


def tree_cause(scorer: TreeScore, sentence: dict[str, Any], ours: float) -> tuple[str, str]:
    """Why another tree was found, and what is missing or how far the scores are apart."""
    try:
        theirs = scorer.score(local_rules(sentence["m"]), marked="p" in sentence)
    except MissingWordError as missing:
        return "word or tag", str(missing)
    except MissingStepError as missing:
        return "step", str(missing)
    gap = ours - theirs
    wrong = f", its tree's score is wrong by {theirs - sentence['p']:.3f}" if "p" in sentence else ""
    return "tie" if abs(gap) < SAME_SCORE else "term" if gap > 0 else "search", f"{gap:.3f}{wrong}"


def same_dependencies(sentence: dict[str, Any], found: tuple[Any, list[str], list[int], list[str]]) -> bool:
    """Whether tags, heads and labels are the reference's."""
    _, tags, heads, labels = found
    return (" ".join(tags), heads, " ".join(labels)) == (sentence["t"], sentence["h"], sentence["r"])


def outcomes(path: Path, parser: CaptionParser, scorer: TreeScore) -> list[Outcome]:
    """All sentences of a held-out file."""
    records = list(read_lines(path))
    sentences = [record["s"][0] for record in records]
    texts = [sentence["w"] for sentence in sentences]
    parses, lexicon = parser.parse([record["c"] for record in records]), load_lexicon()
    trees = {marked: parser.trees(texts, marked) for marked in {"p" in sentence for sentence in sentences}}
    dependencies = parser.dependencies(texts)
    found = []
    for number, (record, sentence) in enumerate(zip(records, sentences, strict=True)):
        tree, score, _ = trees["p" in sentence][number]
        right_tuples = set(parses.tuples(number, lexicon)) == set(map(tuple, record["x"]))
        right_tree = len(record["s"]) == 1 and tree == sentence["m"]
        if len(record["s"]) > 1:
            cause = ("several sentences", "")
        elif not right_tree:
            cause = tree_cause(scorer, sentence, score)
        else:
            cause = ("tuples" if same_dependencies(sentence, dependencies[number]) else "conversion", "")
        words = sum(len(part["w"].split()) for part in record["s"])
        found.append(Outcome(record["k"], words, record["c"], right_tree, right_tuples, *cause))
    return found


def length_of(outcome: Outcome) -> str:
    """The range of lengths that a sentence belongs to."""
    for first, end in pairwise(LENGTHS):
        if outcome.words < end:
            return f"{first} to {end - 1} words"
    return f"{LENGTHS[-1]} words and more"


def table(title: str, groups: dict[str, list[Outcome]]) -> None:
    """One row a group: shares that are right, then wrong trees and wrong tuple sets by cause."""
    print(f"\n| {title} | sentences | identical trees | identical tuple sets | {' | '.join(CAUSES)} |")
    print("| --- " * (4 + len(CAUSES)) + "|")
    for name, group in groups.items():
        trees = Counter(outcome.cause for outcome in group if not outcome.tree)
        tuples = Counter(outcome.cause for outcome in group if not outcome.tuples)
        shares = [sum(getattr(outcome, what) for outcome in group) / len(group) for what in ("tree", "tuples")]
        entries = [f"{trees[cause]} / {tuples[cause]}" for cause in CAUSES]
        print(f"| {name} | {len(group):,} | {shares[0]:.2%} | {shares[1]:.2%} | {' | '.join(entries)} |")


def main() -> None:
    """Print the tables, and the sentences if asked."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("heldout", type=Path, nargs="+")
    arguments.add_argument("--model", type=Path, default=SHIPPED, help="model file (default: the shipped one)")
    arguments.add_argument("--show", choices=CAUSES, nargs="*", default=(), help="also print the sentences of these")
    chosen = arguments.parse_args()
    parser, scorer = CaptionParser(str(chosen.model)), TreeScore(chosen.model)
    found = [outcome for path in chosen.heldout for outcome in outcomes(path, parser, scorer)]
    kinds, lengths = defaultdict[str, list[Outcome]](list), defaultdict[str, list[Outcome]](list)
    for outcome in found:
        kinds[outcome.kind].append(outcome)
    for outcome in sorted(found, key=lambda outcome: outcome.words):
        lengths[length_of(outcome)].append(outcome)
    table("kind", kinds)
    table("length", lengths)
    for outcome in found:
        if outcome.cause in chosen.show and not (outcome.tree and outcome.tuples):
            print(outcome.kind, outcome.cause, outcome.note, outcome.caption, sep="\t")


if __name__ == "__main__":
    main()
