"""The captioner that comes with the package, where there is one (made by tools/captioner/ship.py)."""

import pytest
from safetensors.torch import load_file

from spidercap.model.folder import SHIPPED, load_model
from spidercap.vision.weights import NETWORK

pytestmark = pytest.mark.skipif(not SHIPPED.is_dir(), reason="this version ships no captioner")
LARGEST = 25_000_000


def test_it_is_small_and_takes_the_vectors_of_our_encoder():
    assert (SHIPPED / "model.safetensors").stat().st_size <= LARGEST
    assert {str(value.dtype) for value in load_file(SHIPPED / "model.safetensors").values()} == {"torch.float16"}
    assert load_model(SHIPPED).facts["features"]["network"] == NETWORK


def test_its_card_tells_scores_and_examples():
    card = (SHIPPED / "MODEL_CARD.md").read_text(encoding="utf-8")
    for name, tested in load_model(SHIPPED).facts["test"].items():
        assert f"| {tested['value']:.3f} |" in card, name
        assert tested["signature"] in card
    good, bad = card.split("### Good")[1].split("### Bad")
    assert good.count("\n|") > 3, "no good example has been judged"
    assert bad.count("\n|") > 3, "no bad example has been judged"
