"""The built-in document frequencies are those of the captions they are said to be made from."""

from pathlib import Path

import pytest

from spidercap.data.results import read_references
from spidercap.metrics.document_frequency import DocumentFrequencies, built_in
from spidercap.metrics.settings import Settings, tokenize_references

CAPTIONS = Path(__file__).parents[2] / ".." / "shared" / "data" / "coco" / "captions_val2014.jsonl.xz"


@pytest.mark.skipif(not CAPTIONS.exists(), reason="COCO's captions are not here")
def test_the_built_in_table_can_be_made_again():
    references = list(read_references([CAPTIONS]).captions.values())
    chunks = (references[first : first + 10_000] for first in range(0, len(references), 10_000))
    tokens = (tokenize_references(chunk, Settings()) for chunk in chunks)
    made = DocumentFrequencies.of(tokens, "ptb", "coco-val2014")
    assert made.images == 40_504
    assert made.fingerprint == built_in("coco").fingerprint
