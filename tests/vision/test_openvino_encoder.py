"""The optional encoder gives the vectors of the default one."""

import numpy as np
import pytest

from spidercap.vision.encoders import TorchEncoder

pytest.importorskip("openvino")


@pytest.mark.parametrize("count", [1, 4, 11])
def test_same_vectors_as_torch(tiny_network, count):
    from spidercap.vision.openvino_encoder import OpenvinoEncoder

    pixels = np.random.default_rng(count).integers(0, 256, (count, 39, 39, 3), dtype=np.uint8)
    encoder = OpenvinoEncoder(tiny_network, "tiny", 39)
    expected = TorchEncoder(tiny_network, "tiny", 39).encode(pixels)
    assert (encoder.width, encoder.size, encoder.network) == (tiny_network.width, 39, "tiny")
    np.testing.assert_allclose(encoder.encode(pixels), expected, atol=1e-4)
    np.testing.assert_allclose(encoder.encode(pixels[::-1].copy()), expected[::-1], atol=1e-4)
