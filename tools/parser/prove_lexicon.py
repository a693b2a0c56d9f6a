"""How well the lexicon's rule gives the terms of words that were left out of the fit:

    python tools/parser/prove_lexicon.py ../shared/data/spice_parses tools/parser/asked [--checkpoints DIR]

One word in twenty is left out with all its trees; steps and the other words are fitted anew, and the lexicon is made
from these alone. What a tree's score leaves for its left-out word is then compared with the rule: for a word that the
reference never saw, with the terms of its shape; for one that it saw, with the terms of unseen tags, its count taken
from every other one of its tags. Of a known word the tags that it was seen with have terms of their own: these are
counted apart, compared with the nearest whole number of the tag's units (word_counts.py).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import numpy as np
from fit import Fit, fit_terms
from lexicon import (
    CLOSE,
    OTHER,
    UNKNOWN_ALONE,
    Lexicon,
    Values,
    is_closed,
    make_lexicon,
    shape,
    values_by_word,
    word_offset,
)
from numpy.typing import NDArray
from treebank import Sequences, Treebank
from trees import is_word
from word_counts import Words, units_of

from train import ITERATIONS, data_arguments, data_files, kept, read_trees, trees_alone

EVERY = 20
WITHIN = (0.001, 0.005)
OWN = 0.05
"""Terms of known words this far from the rule are those of tags that the reference saw the word with."""


@dataclass(frozen=True)
class Split:
    """Which terms are of left-out words, and how many of them each tree has."""

    words: set[str]
    left_out: NDArray[np.bool_]
    in_tree: NDArray[np.int64]


def made_up_words() -> set[str]:
    """The words of the questions `invented` (ask.py)."""
    return set((Path(__file__).parent / "asked" / "invented_words.txt").read_text(encoding="utf-8").split())


def split_terms(treebank: Treebank) -> Split:
    """Leave out one of so many words; not the made-up ones, which were asked for to show every shape."""
    words = sorted({term[1] for term in treebank.terms if is_word(term)} - made_up_words())
    chosen = set(np.random.default_rng(4).permutation(words)[: len(words) // EVERY].tolist())
    left_out = np.array([is_word(term) and term[1] in chosen for term in treebank.terms])
    in_tree = np.add.reduceat(left_out[treebank.scored.numbers].astype(np.int64), treebank.scored.starts[:-1])
    return Split(chosen, left_out, in_tree)


def taken(trees: Sequences, indices: NDArray[np.int64]) -> Sequences:
    """Some of the trees."""
    lengths = np.diff(trees.starts)[indices]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    places = np.repeat(trees.starts[indices] - starts[:-1], lengths) + np.arange(starts[-1])
    return Sequences(trees.numbers[places], starts, trees.scores[indices])


def fit_without(treebank: Treebank, split: Split) -> Fit:
    """The fit on the trees without left-out words."""
    rest = taken(treebank.scored, np.flatnonzero(split.in_tree == 0))
    return fit_terms(replace(treebank, scored=rest), ITERATIONS)


def fitted_counts(treebank: Treebank, split: Split) -> NDArray[np.int64]:
    """How often the trees without left-out words have each term."""
    rest = taken(treebank.scored, np.flatnonzero(split.in_tree == 0))
    return np.bincount(rest.numbers, minlength=len(treebank.terms))


def left_over(treebank: Treebank, split: Split, fit: Fit) -> Values:
    """What the scores leave for each tag of the left-out words."""
    weights = np.where(split.left_out, 0.0, fit.weights)
    weights[(fitted_counts(treebank, split) == 0) & ~split.left_out] = np.nan
    trees = taken(treebank.scored, np.flatnonzero(split.in_tree == 1))
    values = trees.scores - np.add.reduceat(weights[trees.numbers], trees.starts[:-1])
    numbers = trees.numbers[split.left_out[trees.numbers]]
    groups: dict[int, list[float]] = defaultdict(list)
    for number, value in zip(numbers.tolist(), values.tolist(), strict=True):
        if not np.isnan(value):
            groups[number].append(value)
    terms = [treebank.terms[number] for number in groups]
    medians = [median(group) for group in groups.values()]
    return values_by_word(terms, medians)


def compare(lexicon: Lexicon, values: Values, alone: dict[str, int]) -> dict[str, list[float]]:
    """Errors of the rule on unknown words, and on known words' tags that the count is not taken from."""
    errors: dict[str, list[float]] = defaultdict(list)
    units = units_of(Words.of(lexicon))
    for word, tags in values.items():
        if alone.get(word) == UNKNOWN_ALONE:
            shared = lexicon.shapes.get(shape(word), lexicon.shapes[OTHER])
            errors["never seen by the reference"] += [abs(tags[tag] - shared.get(tag, -np.inf)) for tag in tags]
        elif word in alone and not is_closed(alone[word]):
            names = sorted(tags)
            offset, _ = word_offset({tag: tags[tag] for tag in names[::2]}, lexicon.unseen)
            for tag in names[1::2]:
                above = tags[tag] - lexicon.unseen.get(tag, -np.inf) - offset
                if abs(above) > OWN and tag in units:
                    count = max(1.0, np.rint(np.expm1(above) / units[tag]))
                    errors["seen: the words' own tags"].append(abs(above - float(np.log1p(count * units[tag]))))
                else:
                    errors["seen: other tags"].append(abs(above))
    return errors


def prove(folders: Sequence[Path], checkpoints: Path | None) -> None:
    """Print one row a kind of word."""
    treebank = kept(checkpoints, "trees", lambda: read_trees(data_files(folders)))
    split = split_terms(treebank)
    fit = kept(checkpoints, "fit_without_words", lambda: fit_without(treebank, split))
    counts = fitted_counts(treebank, split)
    kept_terms = np.flatnonzero(~split.left_out & (counts > 0)).tolist()
    terms, weights, counts = (
        [treebank.terms[number] for number in kept_terms],
        fit.weights[kept_terms],
        counts[kept_terms],
    )
    alone = trees_alone(folders)
    known = {word: trees for word, trees in alone.items() if word not in split.words}
    lexicon = make_lexicon(values_by_word(terms, weights), values_by_word(terms, counts), known)
    values = left_over(treebank, split, fit)
    print(f"{len(values):,} words left out, {sum(map(len, values.values())):,} terms; equal means within {CLOSE}")
    print("| words | terms | within .001 | within .005 |\n| --- | --- | --- | --- |")
    for name, errors in sorted(compare(lexicon, values, alone).items()):
        shares = [np.mean(np.array(errors) < limit) for limit in WITHIN]
        print(f"| {name} | {len(errors):,} | {' | '.join(f'{share:.2%}' for share in shares)} |")


if __name__ == "__main__":
    arguments = data_arguments(__doc__).parse_args()
    prove(arguments.data, arguments.checkpoints)
