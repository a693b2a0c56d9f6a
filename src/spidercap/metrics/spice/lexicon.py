"""The lemmas and WordNet synsets that SPICE uses, from the files shipped in the package."""

import functools
import hashlib
import zlib
from importlib import resources

from spidercap import _native


def read_shipped(name: str) -> bytes:
    """The unpacked content of a file of this package's data folder."""
    return zlib.decompress(_packed(name))


def _packed(name: str) -> bytes:
    return resources.files("spidercap").joinpath("metrics", "data", name).read_bytes()


LEMMAS, SYNSETS = "spice_lemmas.z", "spice_synsets.z"


@functools.cache
def load_lexicon() -> _native.SpiceLexicon:
    """The lexicon, loaded at first use (some 30 ms) and shared from then on."""
    return _native.SpiceLexicon(read_shipped(LEMMAS), read_shipped(SYNSETS))


@functools.cache
def lexicon_hash() -> str:
    """SHA-256 of both files together, in hexadecimal."""
    return hashlib.sha256(_packed(LEMMAS) + _packed(SYNSETS)).hexdigest()
