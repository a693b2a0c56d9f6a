"""The shipped model file: named arrays one after the other, behind a header with a version and a hash.

Layout, all little-endian: 8 bytes magic, u32 version, u32 number of sections, 32 bytes SHA-256 of everything after the
header; then per section a 24-byte name, u64 offset and u64 size in bytes; then the arrays, each at a multiple of 64.
"""

import hashlib
import os
import struct
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MAGIC = b"SPCPARSE"
VERSION = 4
ALIGNMENT = 64
NAME_BYTES = 24
HEADER = struct.Struct("<8sII32s")
SECTION = struct.Struct(f"<{NAME_BYTES}sQQ")


def text_table(texts: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """UTF-8 bytes of all texts end to end, and where each starts."""
    encoded = [text.encode() for text in texts]
    starts = np.concatenate([[0], np.cumsum([len(text) for text in encoded])])
    return np.frombuffer(b"".join(encoded), np.uint8), starts.astype(np.uint32)


def write(path: Path, sections: dict[str, NDArray[np.generic]]) -> str:
    """Write the file beside its place, then move it there; returns the hash."""
    blobs = {name: np.ascontiguousarray(array).tobytes() for name, array in sections.items()}
    offset = HEADER.size + SECTION.size * len(blobs)
    table, body = b"", b""
    for name, blob in blobs.items():
        padding = -(offset + len(body)) % ALIGNMENT
        body += b"\0" * padding
        table += SECTION.pack(name.encode().ljust(NAME_BYTES, b"\0"), offset + len(body), len(blob))
        body += blob
    digest = hashlib.sha256(table + body)
    temporary = path.with_suffix(".tmp")
    with temporary.open("wb") as out:
        out.write(HEADER.pack(MAGIC, VERSION, len(blobs), digest.digest()) + table + body)
        out.flush()
        os.fsync(out.fileno())
    temporary.replace(path)
    return digest.hexdigest()


def read(path: Path) -> dict[str, NDArray[np.generic]]:
    """The sections of a file as bytes, in their order."""
    data = path.read_bytes()
    count = HEADER.unpack_from(data)[2]
    rows = [SECTION.unpack_from(data, HEADER.size + SECTION.size * i) for i in range(count)]
    return {name.rstrip(b"\0").decode(): np.frombuffer(data, np.uint8, size, offset) for name, offset, size in rows}


def read_texts(sections: dict[str, NDArray[np.generic]], stem: str) -> list[str]:
    """The texts of a table that `text_table` made."""
    text, starts = sections[f"{stem}_text"].tobytes(), np.frombuffer(sections[f"{stem}_starts"].tobytes(), np.uint32)
    return [text[first:end].decode() for first, end in pairwise(starts.tolist())]
