"""How many steps new sentences bring that no tree before them shows, for 1,000 sentences of each kind, as Markdown:

    python tools/parser/coverage.py ../shared/data/spice_parses tools/parser/asked [--answers FILE] [--checkpoints DIR]

The first columns go through the best trees in the order of the files. The last two are of the held-out fair samples
(heldout_domains.jsonl.xz of the first folder): against all best trees, and against all trees, those that did not win
among them. With the answers of the reference to further sentences (tools/parser/ask.py sentences), a second table: what
their best trees show that no tree of the folders does.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ask import listed_kinds
from treebank import Treebank, read_lines
from trees import Binariser, Rule, is_word, local_rules

from train import data_arguments, data_files, kept, read_trees

BLOCK = 1000
HELD_OUT = "heldout_domains.jsonl.xz"


def steps_of(tree: Iterable[Rule], binariser: Binariser) -> Iterator[Rule]:
    """The steps of a tree in flat rules; a rule that has none, because one was never shown, stands for itself."""
    for rule in tree:
        if not is_word(rule):
            yield from binariser.steps(rule) or (rule,)


def in_order(treebank: Treebank, binariser: Binariser) -> dict[str, list[int]]:
    """For each kind, the new steps of each 1,000 sentences, all kinds in the order of the files."""
    chains = [tuple(steps_of([rule], binariser)) for rule in treebank.rules]
    seen, shown = set[int](), set[Rule]()
    blocks: dict[str, list[int]] = defaultdict(list)
    sizes: dict[str, int] = defaultdict(int)
    for index, kind in enumerate(treebank.kinds.tolist()):
        if sizes[kind] % BLOCK == 0:
            blocks[kind].append(0)
        sizes[kind] += 1
        for rule in set(treebank.best[index].tolist()) - seen:
            seen.add(rule)
            new = set(chains[rule]) - shown
            shown |= new
            blocks[kind][-1] += len(new)
    return {kind: counts for kind, counts in blocks.items() if sizes[kind] >= 2 * BLOCK}


def held_out(path: Path, binariser: Binariser, shown: set[Rule]) -> dict[str, float]:
    """New steps for 1,000 sentences of the held-out samples, each sentence by itself."""
    new: dict[str, list[int]] = defaultdict(list)
    for record in read_lines(path):
        rules = [rule for sentence in record["s"] for rule in local_rules(sentence["m"])]
        new[record["k"]].append(len(set(steps_of(rules, binariser)) - shown))
    return {kind: BLOCK * sum(counts) / len(counts) for kind, counts in new.items()}


def further(answers: Path, kinds: dict[str, str], shown: set[Rule]) -> dict[str, list[int]]:
    """How many new steps the best tree of each answer has, by the sentence's kind."""
    new: dict[str, list[int]] = defaultdict(list)
    for record in read_lines(answers):
        if record["kb"] and record["c"] in kinds:
            steps = {rule for rule in local_rules(record["kb"][0][2]) if not is_word(rule)}
            new[kinds[record["c"]]].append(len(steps - shown))
    return dict(sorted(new.items()))


def print_further(answers: Path, data: Path, shown: set[Rule]) -> None:
    """One row a kind."""
    print("\n| kind | further sentences | with a new step, of 1,000 | new steps for 1,000 |\n| --- | --- | --- | --- |")
    for kind, counts in further(answers, {text: kind for kind, text in listed_kinds(data)}, shown).items():
        shares = [BLOCK * total / len(counts) for total in (sum(count > 0 for count in counts), sum(counts))]
        print(f"| {kind} | {len(counts):,} | {shares[0]:.1f} | {shares[1]:.1f} |")


def print_table(folders: Sequence[Path], answers: Path | None, checkpoints: Path | None) -> None:
    """One row a kind."""
    treebank = kept(checkpoints, "trees", lambda: read_trees(data_files(folders)))
    binariser = Binariser()
    binariser.learn(treebank.chains.items())
    ordered = in_order(treebank, binariser)
    best = set(treebank.step_uses())
    everything = best | {term for term in treebank.terms if not is_word(term)}
    fair = [held_out(folders[0] / HELD_OUT, binariser, shown) for shown in (best, everything)]
    print("| kind | thousands | first 1,000 | in the middle | last whole 1,000 | held out, best trees | all trees |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for kind in [*ordered, *(kind for kind in fair[0] if kind not in ordered)]:
        counts = ordered.get(kind, [])[:-1]
        places = [counts[0], counts[len(counts) // 2], counts[-1]] if counts else ["–"] * 3
        shares = [f"{by_kind[kind]:.1f}" if kind in by_kind else "–" for by_kind in fair]
        print(f"| {kind} | {len(counts)} | {' | '.join(map(str, places))} | {' | '.join(shares)} |")
    print(f"\n{len(best):,} steps in best trees, {len(everything):,} in all trees.")
    if answers:
        print_further(answers, folders[0], everything)


if __name__ == "__main__":
    parser = data_arguments(__doc__)
    parser.add_argument("--answers", type=Path, help="the reference's answers to further sentences, kbest_*.jsonl.xz")
    arguments = parser.parse_args()
    print_table(arguments.data, arguments.answers, arguments.checkpoints)
