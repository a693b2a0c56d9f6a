"""Make the shipped lemma file of SPICE from the recorded lemma table and the caption vocabulary.

The table lists the words whose lemma as plural noun or as verb differs from the word; the words of the captions that it
leaves out keep their form, except some that were not asked for when the table was made: what the reference's tuples
show comes first, and a word that neither shows and whose regular lemma is itself a word of the captions is left open.
From all this, the majority change after each ending of at most six letters is learnt; endings that say what their
shorter ending says are dropped, and the words that the endings get wrong are listed one by one. So the file reproduces
every known word exactly and has an answer for unknown ones.

Usage: python tools/spice/make_lemmas.py SHARED_DATA OUTPUT
"""

import lzma
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from observe_lemmas import observe

LONGEST_ENDING = 6
FOLDS = 5
KINDS = ("noun", "verb")
Change = tuple[int, str]


def read_table(path: Path) -> dict[str, tuple[str, str]]:
    """Word → (lemma as NNS, lemma as VB*)."""
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines()[1:])
    return {word: (noun, verb) for word, noun, verb in rows}


def read_vocabulary(path: Path) -> set[str]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return {word for line in lines for word in line.rstrip("\n").split("\t")[1].split()}


def change(word: str, lemma: str) -> Change:
    """How many letters to take off the end of the word, and what to put there."""
    shared = 0
    while shared < min(len(word), len(lemma)) and word[shared] == lemma[shared]:
        shared += 1
    return len(word) - shared, lemma[shared:]


def endings(word: str) -> Iterator[str]:
    """The endings of the word from the longest to the empty one."""
    for length in range(min(LONGEST_ENDING, len(word)), -1, -1):
        yield word[len(word) - length :]


def learn(lemmas: Mapping[str, str]) -> dict[str, Change]:
    """The majority change of each ending, without the endings that repeat what a shorter one says."""
    votes: defaultdict[str, Counter[Change]] = defaultdict(Counter)
    for word in sorted(lemmas):
        for ending in endings(word):
            votes[ending][change(word, lemmas[word])] += 1
    best = {ending: min(count.items(), key=lambda item: (-item[1], item[0]))[0] for ending, count in votes.items()}
    return {ending: found for ending, found in best.items() if ending == "" or best[ending[1:]] != found}


def apply(rules: Mapping[str, Change], word: str) -> str:
    for ending in endings(word):
        if ending in rules and rules[ending][0] <= len(word):
            strip, add = rules[ending]
            return word[: len(word) - strip] + add
    return word


def lines_of(kind: str, lemmas: Mapping[str, str]) -> Iterator[str]:
    rules = learn(lemmas)
    yield from (f"{kind}-ending\t{ending}\t{strip}\t{add}" for ending, (strip, add) in sorted(rules.items()))
    for word in sorted(lemmas):
        if apply(rules, word) != lemmas[word]:
            yield f"{kind}\t{word}\t{lemmas[word]}"


def file_text(known: Mapping[str, Mapping[str, str]]) -> str:
    return "\n".join(["spidercap lemmas 1", *(line for kind in KINDS for line in lines_of(kind, known[kind]))]) + "\n"


def without_open_words(lemmas: Mapping[str, str], certain: Container[str]) -> dict[str, str]:
    """Drop the unchanged words that the endings, learnt from the other folds of the words, give the lemma of a word."""
    words = sorted(lemmas)
    kept = {}
    for fold in range(FOLDS):
        rules = learn({word: lemmas[word] for i, word in enumerate(words) if i % FOLDS != fold})
        for word in words[fold::FOLDS]:
            regular = apply(rules, word)
            if word in certain or regular == word or regular not in lemmas:
                kept[word] = lemmas[word]
    return kept


def main(data: Path, output: Path) -> None:
    table = read_table(data / "lemma_table.tsv")
    folder = data / "spice_parses"
    words = {*table, *read_vocabulary(folder / "captions.tsv.xz")}
    listed = {
        kind: {word: table[word][column] if word in table else word for word in words}
        for column, kind in enumerate(KINDS)
    }
    paths = [*sorted(folder.glob("frames_*.jsonl.xz")), *sorted(folder.glob("parses_*.jsonl.xz"))]
    seen = observe(paths, file_text(listed).encode())
    known = {kind: without_open_words(listed[kind] | seen[kind], {*table, *seen[kind]}) for kind in KINDS}
    text = file_text(known)
    output.write_bytes(zlib.compress(text.encode(), 9))
    print(f"{output}: {text.count(chr(10))} lines, {output.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
