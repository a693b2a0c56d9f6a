"""Share of sentences whose heads and labels are the reference's when its tree is given, by kind of text.

python bench/dependencies.py ../shared/data/spice_parses/heldout_domains.jsonl.xz --first-trees ../asked/heldout.jsonl
python bench/dependencies.py ../shared/data/spice_parses/parses_1*.jsonl.xz --errors 20

Where two trees have equal scores, the reference makes heads of the first of its K best trees, not of the one it prints
as the best. That tree is taken where a file shows it: beside the sentence, or among the answers to `oracle/run kbest`,
given by --first-trees. The column `ties` counts the sentences whose first tree is not the printed one.
"""

import argparse
import json
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from spidercap._native import tree_dependencies

NO_EDGE = "_"
NODE = re.compile(r"\(([^()]*)|\)")
END = ".$$."


@dataclass
class Agreement:
    """Sentences of one kind: all, with a tie, with the same heads, with the same heads and labels."""

    sentences: int = 0
    ties: int = 0
    heads: int = 0
    both: int = 0


@dataclass
class Results:
    """Agreement by kind, and the arcs that differ: label of the reference, ours, examples."""

    kinds: dict[str, Agreement] = field(default_factory=lambda: defaultdict(Agreement))
    errors: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sentence:
    """One sentence of the reference: kind, the tree behind its heads, whether another was printed, heads, labels."""

    kind: str
    tree: str
    tie: bool
    heads: list[int]
    labels: list[str]


def without_steps(binarised: str) -> str:
    """The tree that a binarised one stands for: without unfinished states and the mark of the sentence's end."""
    parts: list[str] = []
    kept: list[bool] = []
    for match in NODE.finditer(binarised):
        body = match.group(1)
        if body is None:
            parts.append(")" if kept.pop() else "")
            continue
        label = body if binarised[match.end()] == ")" else body.rstrip()
        kept.append(not label.startswith(("@", END)))
        parts.append(f" ({label}" if kept[-1] else "")
    return "".join(parts).lstrip()


def first_trees(paths: Sequence[Path]) -> dict[str, str]:
    """The first of the K best trees by words, from the answers to `oracle/run kbest`."""
    lines = (json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    return {record["w"]: without_steps(record["kb"][0][2]) for record in lines if record["kb"]}


def sentences(paths: Sequence[Path], asked: dict[str, str]) -> Iterator[Sentence]:
    """Every sentence that has a tree."""
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                for sentence in record["s"]:
                    if "m" not in sentence:
                        continue
                    ranked, best = sentence.get("kb"), sentence["m"]
                    first = without_steps(ranked[0][2]) if ranked else asked.get(sentence["w"], best)
                    yield Sentence(record["k"], first, first != best, sentence["h"], sentence["r"].split())


def compare(paths: Sequence[Path], asked: dict[str, str]) -> Results:
    """Convert every tree and compare it with the reference's heads and labels."""
    results = Results()
    for sentence in sentences(paths, asked):
        words, _, our_heads, our_labels = tree_dependencies([sentence.tree])[0]
        arcs = zip(words, sentence.heads, our_heads, sentence.labels, our_labels, strict=True)
        wrong = [
            (label if head == our_head else f"{label} (other head)", our_label, word)
            for word, head, our_head, label, our_label in arcs
            if label != NO_EDGE and (head, label) != (our_head, our_label)
        ]
        agreement = results.kinds[sentence.kind]
        agreement.sentences += 1
        agreement.ties += sentence.tie
        agreement.heads += not any("head" in label for label, _, _ in wrong)
        agreement.both += not wrong
        for label, ours, word in wrong:
            results.errors[label, ours] += 1
            results.examples.setdefault((label, ours), f"{word}: {' '.join(words)}")
    return results


def main() -> None:
    """Print the shares by kind, and the commonest differences if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="parses with category marks, .jsonl.xz")
    parser.add_argument("--first-trees", type=Path, nargs="*", default=(), help="answers to `oracle/run kbest`, .jsonl")
    parser.add_argument("--errors", type=int, default=0, help="how many kinds of differences to print")
    arguments = parser.parse_args()
    results = compare(arguments.files, first_trees(arguments.first_trees))
    print(f"{'kind':12} {'sentences':>9} {'ties':>5} {'heads %':>8} {'and labels %':>13}")
    for kind, agreement in sorted(results.kinds.items()):
        heads, both = (100 * count / agreement.sentences for count in (agreement.heads, agreement.both))
        print(f"{kind:12} {agreement.sentences:9,} {agreement.ties:5} {heads:8.2f} {both:13.2f}")
    for (label, ours), count in results.errors.most_common(arguments.errors):
        print(f"{count:6} {label} -> {ours}: {results.examples[label, ours]}")


if __name__ == "__main__":
    main()
