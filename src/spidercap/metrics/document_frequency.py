"""Document frequencies for CIDEr: in how many images' references an n-gram occurs, in a file that people can read.

The file is gzipped text: a title, three lines `# key: value` (images, tokenizer, source), then `n-gram⇥count`, sorted.
N-grams of one image only are left out: what is not listed counts as 1, which the formula's max(1, df) makes exact.
"""

import gzip
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

from spidercap import _native
from spidercap.errors import DataError
from spidercap.files import new_file, read_bytes

TITLE = "# spidercap document frequencies 1"
HEADER_LINES = 4
BUILT_IN = {"coco": "df_coco_val2014.tsv.gz"}


@dataclass(frozen=True)
class DocumentFrequencies:
    """Counts of n-grams (words joined by blanks) over the references of `images` images."""

    images: int
    tokenizer: str
    source: str
    counts: Mapping[str, int]

    @classmethod
    def of(cls, references: Iterable[Sequence[Sequence[str]]], tokenizer: str, source: str) -> "DocumentFrequencies":
        """Count the tokenised references of images, some images at a time."""
        counted = _native.DocumentFrequencies()
        for chunk in references:
            counted.add(chunk)
        ngrams, counts = counted.counts(2)
        return cls(counted.images, tokenizer, source, dict(zip(ngrams, counts.tolist(), strict=True)))

    @classmethod
    def load(cls, path: Path) -> "DocumentFrequencies":
        """Read a file of document frequencies and check it."""
        lines = _text(path).removesuffix("\n").split("\n")
        if lines[0] != TITLE:
            raise DataError(f"{path}: expected a file made by `spidercap df`, which begins with {TITLE!r}")
        try:
            header = dict(line.removeprefix("# ").split(": ", 1) for line in lines[1:HEADER_LINES])
            images, tokenizer, source = int(header["images"]), header["tokenizer"], header["source"]
            counts = {ngram: int(count) for ngram, count in (line.split("\t") for line in lines[HEADER_LINES:])}
        except (KeyError, ValueError) as error:
            raise DataError(f"{path}: not as `spidercap df` writes it ({error}); make it again") from None
        if counts and max(counts.values()) > images:
            raise DataError(f"{path}: an n-gram counts more images than the {images:,} of the header; make it again")
        return cls(images, tokenizer, source, counts)

    def save(self, path: Path) -> None:
        """Write the file; the same frequencies give the same bytes."""
        content = gzip.compress(self._text.encode(), compresslevel=9, mtime=0)
        with new_file(path, "wb") as file:
            file.write(content)

    @cached_property
    def native(self) -> _native.DocumentFrequencies:
        """The table in the form that the native core reads."""
        table = _native.DocumentFrequencies()
        counts = np.fromiter(self.counts.values(), dtype=np.int64, count=len(self.counts))
        table.add_counts(list(self.counts), counts, self.images)
        return table

    @cached_property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that tell these frequencies from others."""
        return hashlib.sha256(self._text.encode()).hexdigest()[:8]

    @property
    def _text(self) -> str:
        header = [TITLE, f"# images: {self.images}", f"# tokenizer: {self.tokenizer}", f"# source: {self.source}"]
        return "\n".join([*header, *(f"{ngram}\t{self.counts[ngram]}" for ngram in sorted(self.counts))]) + "\n"


@cache
def built_in(name: str) -> DocumentFrequencies:
    """Frequencies that ship with the package."""
    with as_file(files("spidercap.metrics.data") / BUILT_IN[name]) as path:
        return DocumentFrequencies.load(path)


def _text(path: Path) -> str:
    content = read_bytes(path)
    try:
        return gzip.decompress(content).decode()
    except (OSError, EOFError, UnicodeDecodeError):
        raise DataError(f"{path} is not a whole gzip file of UTF-8 text; make it again with `spidercap df`") from None
