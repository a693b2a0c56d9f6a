"""The reference tools and `spidercap.compat` side by side: the same calls, the same numbers."""

import gzip
import json
from pathlib import Path

import pytest
from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge

from spidercap import compat

GOLDEN = Path(__file__).parents[2] / "golden" / "data" / "own_scenes_400.json.gz"


@pytest.fixture(scope="module")
def captions():
    """References and captions by image, as both want them."""
    images = json.loads(gzip.decompress(GOLDEN.read_bytes()))["images"]
    references = {image["image_id"]: image["references"] for image in images}
    return references, {image["image_id"]: [image["candidate"]] for image in images}


@pytest.mark.parametrize(("theirs", "ours"), [(Bleu, compat.Bleu), (Rouge, compat.Rouge), (Cider, compat.Cider)])
def test_every_image_and_the_corpus(captions, theirs, ours, capsys):
    expected, expected_images = theirs().compute_score(*captions)
    corpus, images = ours().compute_score(*captions)
    assert corpus == pytest.approx(expected, rel=0, abs=1e-9)
    for found, wanted in zip(by_metric(images), by_metric(expected_images), strict=True):
        assert found == pytest.approx(wanted, rel=0, abs=1e-9)


def by_metric(images):
    """BLEU gives a list for each order, the others one."""
    first = images[0]
    return [list(each) for each in images] if isinstance(first, list) else [list(images)]
