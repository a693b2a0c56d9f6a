"""Which split an image belongs to: names, file names, and fixed choices by hash that any tool can repeat."""

import re
from collections.abc import Iterable
from hashlib import sha256

from spidercap.errors import DataError, UsageError

DEFAULT_FRACTIONS = (0.8, 0.1, 0.1)

SPLIT_NAMES = {
    "train": "train",
    "training": "train",
    "val": "val",
    "valid": "val",
    "validation": "val",
    "dev": "val",
    "test": "test",
    "none": "none",
}

_NAME_IN_FILE = re.compile(r"(?<![a-z])(train|training|val|valid|validation|dev|test)(?:\d{4})?(?![a-z])")


def known_split(name: str, where: str) -> str:
    """The split that a source calls `name`."""
    if name.strip().lower() not in SPLIT_NAMES:
        raise DataError(f"{where}: unknown split {name!r}; expected one of {', '.join(SPLIT_NAMES)}")
    return SPLIT_NAMES[name.strip().lower()]


def split_from_file_name(name: str) -> str | None:
    """The split that a file name tells (`captions_train2014.json`, `val.csv`), or None."""
    found = _NAME_IN_FILE.search(name.lower())
    return SPLIT_NAMES[found.group(1)] if found else None


def parse_fractions(text: str) -> tuple[float, float, float]:
    """The fractions of train, val and test in `0.8,0.1,0.1`."""
    try:
        train, val, test = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"`split` must be three numbers such as 0.8,0.1,0.1, got {text!r}") from None
    if min(train, val, test) < 0 or not abs(train + val + test - 1) < 1e-6:
        raise UsageError(f"`split` must be three fractions (train,val,test) that add up to 1, got {text!r}")
    return train, val, test


def split_by_hash(identity: str, fractions: tuple[float, float, float]) -> str:
    """Train, val or test by the first 8 bytes of SHA-256(id), read as a fraction of 2⁶⁴.

    An image keeps its split when others join or leave the dataset.
    """
    position = int.from_bytes(sha256(identity.encode()).digest()[:8]) / 2**64
    if position < fractions[0]:
        return "train"
    return "val" if position < fractions[0] + fractions[1] else "test"


def smallest_hashes(identities: Iterable[str], count: int) -> frozenset[str]:
    """The `count` ids whose SHA-256 is smallest: a fixed choice that does not depend on their order."""
    return frozenset(sorted(identities, key=lambda identity: sha256(identity.encode()).digest())[:count])
