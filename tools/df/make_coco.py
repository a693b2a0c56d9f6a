"""Make the document frequencies that ship with the package from the captions of COCO val2014.

Usage: python tools/df/make_coco.py CAPTIONS

CAPTIONS is `captions_val2014.json` as published, or the same captions one image a line. The file is the one that
`spidercap df CAPTIONS --out FILE` makes, under the source name `coco-val2014`; its bytes depend on the captions alone.
"""

import sys
from pathlib import Path

from spidercap.data.results import read_references
from spidercap.errors import DataError
from spidercap.metrics.document_frequency import BUILT_IN, DocumentFrequencies
from spidercap.metrics.settings import Settings, tokenize_references

IMAGES = 40_504


def main(captions: Path) -> None:
    """Count, check the number of images, and write."""
    references = read_references([captions]).captions
    if len(references) != IMAGES:
        raise DataError(f"{captions} has {len(references):,} images, expected the {IMAGES:,} of COCO val2014")
    tokens = tokenize_references(list(references.values()), Settings("ptb"))
    frequencies = DocumentFrequencies.of([tokens], "ptb", "coco-val2014")
    frequencies.save(BUILT_IN["coco"])
    size = BUILT_IN["coco"].stat().st_size
    print(f"{BUILT_IN['coco'].name}: {len(frequencies.counts):,} n-grams, {size:,} bytes, {frequencies.fingerprint}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
