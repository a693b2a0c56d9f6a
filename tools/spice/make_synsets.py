"""Make the shipped synonym file of SPICE from the WordNet tables of METEOR.

Usage: python tools/spice/make_synsets.py SHARED_DATA OUTPUT

The file is a zlib stream of: the line "spidercap synsets 1", then three variable-length numbers (synset entries,
exception entries, synsets), then the entries, then the exceptions. Words are in sorted order, each written as the
number of bytes it shares with the word before, the number of bytes that follow, and these bytes. An entry goes on with
the number of its synsets and, for each, 0 for the next new synset or how many numbers back it was (synsets are numbered
as they first occur; only their identity matters). An exception goes on with the number of its base forms and the
entry number of each (base forms without entry are left out: they have no synsets).
"""

import lzma
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path


def read_records(text: str) -> Iterator[tuple[str, list[str]]]:
    """Records of two lines: a word, and the items that belong to it."""
    lines = text.splitlines()
    return ((lines[i], lines[i + 1].split()) for i in range(0, len(lines), 2))


def number(value: int) -> bytes:
    """Seven bits a byte, low bits first, the top bit set on all bytes but the last."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def front_coded(words: Sequence[bytes]) -> Iterator[bytes]:
    previous = b""
    for word in words:
        shared = 0
        while shared < min(len(word), len(previous), 255) and word[shared] == previous[shared]:
            shared += 1
        yield number(shared) + number(len(word) - shared) + word[shared:]
        previous = word


def entry_bytes(synsets: Mapping[bytes, Sequence[int]]) -> tuple[bytes, int]:
    """The entries, and how many synsets there are."""
    seen: dict[int, int] = {}
    out = bytearray()
    words = sorted(synsets)
    for word, head in zip(words, front_coded(words), strict=True):
        identities = sorted(set(synsets[word]), key=lambda synset: seen.get(synset, len(seen) + synset))
        out += head + number(len(identities))
        for synset in identities:
            out += number(len(seen) - seen[synset] if synset in seen else 0)
            seen.setdefault(synset, len(seen))
    return bytes(out), len(seen)


def exception_bytes(bases: Mapping[bytes, Sequence[bytes]], entries: Sequence[bytes]) -> bytes:
    index = {word: i for i, word in enumerate(entries)}
    out = bytearray()
    forms = sorted(bases)
    for form, head in zip(forms, front_coded(forms), strict=True):
        known = [index[base] for base in bases[form] if base in index]
        out += head + number(len(known)) + b"".join(map(number, known))
    return bytes(out)


def main(data: Path, output: Path) -> None:
    folder = data / "meteor" / "synonym"
    synsets: dict[bytes, list[int]] = {}
    for word, identities in read_records(lzma.decompress((folder / "english.synsets.xz").read_bytes()).decode()):
        synsets.setdefault(word.encode(), []).extend(map(int, identities))
    bases: dict[bytes, list[bytes]] = {}
    for base, forms in read_records((folder / "english.exceptions").read_text("utf-8")):
        for form in forms:
            bases.setdefault(form.encode(), []).append(base.encode())
    entries, count = entry_bytes(synsets)
    header = b"spidercap synsets 1\n" + number(len(synsets)) + number(len(bases)) + number(count)
    content = header + entries + exception_bytes(bases, sorted(synsets))
    output.write_bytes(zlib.compress(content, 9))
    print(f"{output}: {len(synsets)} entries, {len(bases)} exceptions, {count} synsets, {output.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
