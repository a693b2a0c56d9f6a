"""Document frequencies for CIDEr: in how many images' references an n-gram occurs, in a file that people can read.

The file is gzipped text: a title, three lines `# key: value` (images, tokenizer, source), then `n-gram⇥count`, sorted.
N-grams of one image only are left out: what is not listed counts as 1, which the formula's max(1, df) makes exact.
"""

import gzip
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from spidercap import _native
from spidercap.errors import DataError
from spidercap.files import new_file, read_bytes

TITLE = "# spidercap document frequencies 1"
HEADER_LINES = 4
BUILT_IN = {"coco": Path(__file__).parent / "data" / "df_coco_val2014.tsv.gz"}


@dataclass(frozen=True)
class DocumentFrequencies:
    """Counts of n-grams over the references of images, and how these were tokenised."""

    tokenizer: str
    source: str
    table: _native.DocumentFrequencies = field(repr=False, compare=False)
    file_sha256: str = field(default="", repr=False)

    @classmethod
    def of(cls, references: Iterable[Sequence[Sequence[str]]], tokenizer: str, source: str) -> "DocumentFrequencies":
        """Count the tokenised references of images, some images at a time."""
        table = _native.DocumentFrequencies()
        for chunk in references:
            table.add(chunk)
        table.forget_single()
        return cls(tokenizer, source, table)

    @classmethod
    def load(cls, path: Path) -> "DocumentFrequencies":
        """Read a file of document frequencies and check it."""
        content = read_bytes(path, ".gz")
        *header, entries = content.split(b"\n", HEADER_LINES)
        if header[:1] != [TITLE.encode()]:
            raise DataError(f"{path}: expected a file made by `spidercap df`, which begins with {TITLE!r}")
        table = _native.DocumentFrequencies()
        try:
            facts = dict(line.decode().removeprefix("# ").split(": ", 1) for line in header[1:])
            loaded = cls(facts["tokenizer"], facts["source"], table, hashlib.sha256(content).hexdigest())
            table.add_lines(entries, int(facts["images"]))
        except (KeyError, ValueError, TypeError) as error:
            raise DataError(f"{path}: not as `spidercap df` writes it ({error}); make it again") from None
        if table.largest > table.images:
            raise DataError(
                f"{path}: an n-gram counts more images than the {table.images:,} of the header; make it again"
            )
        return loaded

    def save(self, path: Path) -> None:
        """Write the file; the same frequencies give the same bytes."""
        content = gzip.compress(self._content, compresslevel=9, mtime=0)
        with new_file(path, "wb") as file:
            file.write(content)

    @property
    def images(self) -> int:
        """How many images were counted."""
        return self.table.images

    @cached_property
    def counts(self) -> dict[str, int]:
        """In how many images each n-gram (words joined by blanks) occurs, for those that occur in several."""
        ngrams, counts = self.table.counts(2)
        return dict(zip(ngrams, counts.tolist(), strict=True))

    @cached_property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that tell these frequencies from others."""
        return (self.file_sha256 or hashlib.sha256(self._content).hexdigest())[:8]

    @property
    def _content(self) -> bytes:
        facts = [TITLE, f"# images: {self.images}", f"# tokenizer: {self.tokenizer}", f"# source: {self.source}"]
        return ("\n".join(facts) + "\n").encode() + self.table.lines(2)


@cache
def built_in(name: str) -> DocumentFrequencies:
    """Frequencies that ship with the package."""
    return DocumentFrequencies.load(BUILT_IN[name])
