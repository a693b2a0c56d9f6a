"""Makes the WordNet file that the package ships from METEOR's two lists, which equal WordNet 3.0's own.

Usage: python tools/wordnet/compact_synonyms.py SYNSETS EXCEPTIONS OUT

SYNSETS holds pairs of lines, a lemma and its synset numbers; EXCEPTIONS pairs of lines, a base form and its irregular
forms (both may be .xz). OUT is a zlib stream of

    varint N, N entries (lemma -> its synsets), varint M, M entries (irregular form -> its own and its bases' synsets)

An entry is: how many bytes it shares with the entry before (one byte), how many follow (one byte), those bytes, varint
count, and the ascending synset numbers as varint differences. Entries are in bytewise order. Lemmas and forms that
contain `_` are left out: no token of a caption can be one, because the normaliser isolates that character. Synsets are
renumbered without gaps, in the order in which the entries name them.
"""

import sys
import zlib
from collections.abc import Iterable, Mapping
from itertools import takewhile
from pathlib import Path

from spidercap.files import read_text

Synsets = Mapping[str, frozenset[int]]


def read_synsets(path: Path) -> Synsets:
    """Lemma to synset numbers."""
    lines = read_text(path).split("\n")
    return {
        lemma: frozenset(map(int, numbers.split())) for lemma, numbers in zip(lines[0::2], lines[1::2], strict=False)
    }


def read_irregular_forms(path: Path) -> dict[str, list[str]]:
    """Irregular form to all its base forms."""
    lines = read_text(path).split("\n")
    bases: dict[str, list[str]] = {}
    for base, forms in zip(lines[0::2], lines[1::2], strict=False):
        for form in forms.split():
            bases.setdefault(form, []).append(base)
    return bases


def irregular_synsets(synsets: Synsets, bases: Mapping[str, list[str]]) -> Synsets:
    """Irregular form to the union of its own synsets and those of its base forms."""
    none: frozenset[int] = frozenset()
    return {
        form: synsets.get(form, none).union(*(synsets.get(base, none) for base in of_form))
        for form, of_form in bases.items()
    }


def renumbered(tables: Iterable[Synsets]) -> list[Synsets]:
    """The tables without entries that hold `_`, sorted, with synset numbers from 0 in order of appearance."""
    numbers: dict[int, int] = {}
    return [
        {
            entry: frozenset(numbers.setdefault(synset, len(numbers)) for synset in sorted(table[entry]))
            for entry in sorted(table, key=str.encode)
            if "_" not in entry
        }
        for table in tables
    ]


def varint(value: int) -> bytes:
    """Seven bits a byte, lowest first; the top bit says that more follow."""
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def shared_prefix(before: bytes, text: bytes) -> int:
    """How many bytes two texts have in common at their start."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(before, text, strict=False))
    return sum(1 for _ in same)


def encode_table(table: Synsets) -> bytes:
    """The number of entries and the entries, each front-coded against the one before."""
    encoded = bytearray(varint(len(table)))
    before = b""
    for entry, synsets in table.items():
        text = entry.encode()
        shared = shared_prefix(before, text)
        encoded += bytes((shared, len(text) - shared)) + text[shared:] + varint(len(synsets))
        previous = 0
        for synset in sorted(synsets):
            encoded += varint(synset - previous)
            previous = synset
        before = text
    return bytes(encoded)


def compact(synsets_path: Path, exceptions_path: Path) -> bytes:
    """The content of the shipped file."""
    synsets = read_synsets(synsets_path)
    irregular = irregular_synsets(synsets, read_irregular_forms(exceptions_path))
    encoded = b"".join(map(encode_table, renumbered((synsets, irregular))))
    return zlib.compress(encoded, 9)


def main(arguments: list[str]) -> None:
    """Write the file."""
    if len(arguments) != 3:
        sys.exit(__doc__)
    synsets, exceptions, out = map(Path, arguments)
    out.write_bytes(compact(synsets, exceptions))


if __name__ == "__main__":
    main(sys.argv[1:])
