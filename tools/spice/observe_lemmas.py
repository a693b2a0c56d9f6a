"""Lemmas of plural nouns and verbs as the reference's tuples show them.

The tuples made from a reference parse with approximate lemmas have the shape of the reference's own tuples, so where
the two differ the reference's string is the lemma of the word that ours came from.
"""

import json
import lzma
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from spidercap import _native

NO_SYNSETS = b"spidercap synsets 1\n" + bytes(3)
CLOSED_FORMS = {"'s", "s", "'d"}


def kind_of(tag: str) -> str | None:
    return "noun" if tag == "NNS" else "verb" if tag.startswith("VB") else None


def read_parses(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def observations(parse: dict[str, Any], lexicon: _native.SpiceLexicon) -> Iterator[tuple[str, str, str]]:
    """(kind, word, lemma) for each string of the caption's tuples that one noun or verb must have given."""
    captions = _native.ParsedCaptions()
    captions.start_caption()
    sources: defaultdict[str, set[tuple[str | None, str]]] = defaultdict(set)
    for sentence in parse["s"]:
        words, tags = sentence["w"].split(" "), sentence["t"].split(" ")
        captions.add_sentence(words, tags, sentence["h"], sentence["r"].split(" "))
        for word, tag in zip(words, tags, strict=True):
            sources[lexicon.lemma(word, tag)].add((kind_of(tag), word))
    ours, theirs = captions.tuples(0, lexicon), parse["x"]
    if [len(each) for each in ours] != [len(each) for each in theirs]:
        return
    for our_string, their_string in zip(chain.from_iterable(ours), chain.from_iterable(theirs), strict=True):
        origin = sources.get(our_string.split(" ")[0], set())
        if len(origin) == 1:
            kind, word = next(iter(origin))
            if kind is not None and word not in CLOSED_FORMS:
                yield kind, word, their_string.split(" ")[0]


def observe(paths: Iterable[Path], content: bytes) -> dict[str, dict[str, str]]:
    """Kind → word → the lemma seen most often, given the content of an approximate lemma file."""
    lexicon = _native.SpiceLexicon(content, NO_SYNSETS)
    seen: dict[str, defaultdict[str, Counter[str]]] = {"noun": defaultdict(Counter), "verb": defaultdict(Counter)}
    for parse in read_parses(paths):
        for kind, word, lemma in observations(parse, lexicon):
            seen[kind][word][lemma] += 1
    return {kind: {word: votes.most_common(1)[0][0] for word, votes in words.items()} for kind, words in seen.items()}
