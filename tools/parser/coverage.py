"""How many steps new sentences bring that no tree before them shows, for 1,000 sentences of each kind, as Markdown:

    python tools/parser/coverage.py ../shared/data/spice_parses tools/parser/asked [--checkpoints DIR]

The first columns go through the best trees in the order of the files. The last two are of the held-out fair samples
(heldout_domains.jsonl.xz of the first folder): against all best trees, and against all trees, those that did not win
among them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

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


def print_table(folders: Sequence[Path], checkpoints: Path | None) -> None:
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


if __name__ == "__main__":
    arguments = data_arguments(__doc__).parse_args()
    print_table(arguments.data, arguments.checkpoints)
