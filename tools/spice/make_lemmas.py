"""Make the shipped lemma file of SPICE from the recorded lemma table and the vocabulary of the captions.

The reference was asked about every word of the table and of the vocabulary; the table lists those whose lemma as plural
noun or as verb differs from the word. From all of them, the majority change after each ending of at most six letters is
learnt; endings that say what their shorter ending says are dropped, and the words that the rules get wrong are listed
one by one. A word with a hyphen changes as what stands behind it does if that is listed, and a word with other
characters behind it than letters, digits and apostrophes does not change. So the file reproduces every known word
exactly and has an answer for unknown ones; how often it is right for words that it was not made from is printed first.

Usage: python tools/spice/make_lemmas.py SHARED_DATA OUTPUT
"""

import json
import lzma
import re
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

LONGEST_ENDING = 6
FOLDS = 10
KINDS = ("noun", "verb")
Change = tuple[int, str]
UNCHANGED = re.compile(r"[^a-z0-9'-][^-]*$")
"""Ends of words that have no other form."""


def read_table(path: Path) -> dict[str, tuple[str, str]]:
    """Word → (lemma as NNS, lemma as VB*)."""
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines()[1:])
    return {word: (noun, verb) for word, noun, verb in rows}


def read_lines(path: Path) -> Iterator[str]:
    """The lines of one compressed file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from lines


def read_vocabulary(folder: Path) -> set[str]:
    """The words in lower case of all sentences, parsed or not."""
    words: set[str] = set()
    for path in sorted(folder.glob("*.tsv.xz")):
        words |= {word for line in read_lines(path) for word in line.rstrip("\n").split("\t")[1].split()}
    for path in [*folder.glob("parses_*.jsonl.xz"), *folder.glob("frames_*.jsonl.xz")]:
        words |= {
            word for line in read_lines(path) for sentence in json.loads(line)["s"] for word in sentence["w"].split()
        }
    return {word for word in words if word == word.lower()}


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


def apply(rules: Mapping[str, Change], listed: Mapping[str, str], word: str) -> str:
    """The lemma of a word by the list and the endings, as the native core looks it up."""
    if word in listed or UNCHANGED.search(word):
        return listed.get(word, word)
    begin = word.rfind("-") + 1
    if begin and word[begin:] in listed:
        return word[:begin] + listed[word[begin:]]
    for ending in endings(word):
        if ending in rules and rules[ending][0] <= len(word):
            strip, add = rules[ending]
            return word[: len(word) - strip] + add
    return word


def exceptions(rules: Mapping[str, Change], lemmas: Mapping[str, str]) -> dict[str, str]:
    """The words that the endings get wrong; those with a hyphen last, because what stands behind it may be listed."""
    listed: dict[str, str] = {}
    for word in sorted(lemmas, key=lambda word: ("-" in word, word)):
        if apply(rules, listed, word) != lemmas[word]:
            listed[word] = lemmas[word]
    return listed


def lines_of(kind: str, lemmas: Mapping[str, str]) -> Iterator[str]:
    """The endings and the exceptions of plural nouns or verbs."""
    rules = learn(lemmas)
    yield from (f"{kind}-ending\t{ending}\t{strip}\t{add}" for ending, (strip, add) in sorted(rules.items()))
    yield from (f"{kind}\t{word}\t{lemma}" for word, lemma in sorted(exceptions(rules, lemmas).items()))


def file_text(known: Mapping[str, Mapping[str, str]]) -> str:
    """The whole file: a header, then plural nouns and verbs."""
    return "\n".join(["spidercap lemmas 1", *(line for kind in KINDS for line in lines_of(kind, known[kind]))]) + "\n"


def share_of_unseen(lemmas: Mapping[str, str], asked: Iterable[str]) -> float:
    """Share of the words, each left out of the making in one of ten turns, whose lemma comes out right."""
    words = sorted(asked)
    right = 0
    for fold in range(FOLDS):
        left_out = set(words[fold::FOLDS])
        seen = {word: lemma for word, lemma in lemmas.items() if word not in left_out}
        rules = learn(seen)
        listed = exceptions(rules, seen)
        right += sum(apply(rules, listed, word) == lemmas[word] for word in left_out)
    return right / len(words)


def present_forms(table: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Verbs in -ie of which only other forms were asked for: "hogties", from "hogtied" and "hogtying"."""
    stems = (word.removesuffix("ied") for word in table if word.endswith("ied") and table[word][1] == word[:-1])
    return {f"{stem}ies": f"{stem}ie" for stem in stems if f"{stem}ying" in table and f"{stem}ies" not in table}


def main(data: Path, output: Path) -> None:
    """Read the words, say how well words left out are predicted, and write the file."""
    table = read_table(data / "lemma_table.tsv")
    words = {*table, *read_vocabulary(data / "spice_parses")}
    known = {
        kind: {word: table[word][column] if word in table else word for word in words}
        for column, kind in enumerate(KINDS)
    }
    known["verb"] |= present_forms(table)
    for kind in KINDS:
        print(f"{kind}: {100 * share_of_unseen(known[kind], table):.2f} % of the table's rows when left out")
    text = file_text(known)
    output.write_bytes(zlib.compress(text.encode(), 9))
    print(f"{output}: {text.count(chr(10))} lines, {output.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
