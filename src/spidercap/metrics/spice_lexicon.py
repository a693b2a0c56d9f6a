"""The lemmas and WordNet synsets that SPICE uses, from the files shipped in the package."""

import functools
import zlib
from importlib import resources

from spidercap import _native


def read_shipped(name: str) -> bytes:
    """The unpacked content of a file of this package's data folder."""
    return zlib.decompress(resources.files("spidercap").joinpath("metrics", "data", name).read_bytes())


@functools.cache
def load_lexicon() -> _native.SpiceLexicon:
    """The lexicon, loaded at first use (some 30 ms) and shared from then on."""
    return _native.SpiceLexicon(read_shipped("spice_lemmas.z"), read_shipped("spice_synsets.z"))
