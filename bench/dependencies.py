"""Share of sentences whose heads and labels are the reference's when its tree is given, by kind of text.

python bench/dependencies.py ../shared/data/spice_parses/heldout_domains.jsonl.xz
python bench/dependencies.py ../shared/data/spice_parses/parses_1*.jsonl.xz --errors 20
"""

import argparse
import json
import lzma
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from spidercap._native import tree_dependencies

NO_EDGE = "_"


@dataclass
class Agreement:
    """Sentences of one kind: all, with the same heads, with the same heads and labels."""

    sentences: int = 0
    heads: int = 0
    both: int = 0


@dataclass
class Results:
    """Agreement by kind, and the arcs that differ: label of the reference, ours, examples."""

    kinds: dict[str, Agreement] = field(default_factory=lambda: defaultdict(Agreement))
    errors: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)


def sentences(paths: Sequence[Path]) -> Iterator[tuple[str, str, list[int], list[str]]]:
    """Kind, tree with marks, heads and labels of every sentence that has a tree."""
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                for sentence in record["s"]:
                    if "m" in sentence:
                        yield record["k"], sentence["m"], sentence["h"], sentence["r"].split()


def compare(paths: Sequence[Path]) -> Results:
    """Convert every tree and compare it with the reference's heads and labels."""
    results = Results()
    for kind, tree, heads, labels in sentences(paths):
        words, _, our_heads, our_labels = tree_dependencies([tree])[0]
        wrong = [
            (label if head == our_head else f"{label} (other head)", our_label, word)
            for word, head, our_head, label, our_label in zip(words, heads, our_heads, labels, our_labels, strict=True)
            if label != NO_EDGE and (head, label) != (our_head, our_label)
        ]
        agreement = results.kinds[kind]
        agreement.sentences += 1
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
    parser.add_argument("--errors", type=int, default=0, help="how many kinds of differences to print")
    arguments = parser.parse_args()
    results = compare(arguments.files)
    print(f"{'kind':12} {'sentences':>9} {'heads %':>8} {'and labels %':>13}")
    for kind, agreement in sorted(results.kinds.items()):
        heads, both = (100 * count / agreement.sentences for count in (agreement.heads, agreement.both))
        print(f"{kind:12} {agreement.sentences:9,} {heads:8.2f} {both:13.2f}")
    for (label, ours), count in results.errors.most_common(arguments.errors):
        print(f"{count:6} {label} -> {ours}: {results.examples[label, ours]}")


if __name__ == "__main__":
    main()
