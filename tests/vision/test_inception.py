"""The network: its names and sizes, its folded form, and the vectors that were published for real photos."""

from pathlib import Path

import numpy as np
import pytest
import torch

from spidercap.errors import MissingExtraError
from spidercap.vision.encoders import TorchEncoder
from spidercap.vision.folded import FoldedInception, fold
from spidercap.vision.inception import Block, Convolution, Inception, Pool, pooled
from spidercap.vision.pictures import decode
from spidercap.vision.weights import find_archive, load_inception

FLICKR8K = Path(__file__).parents[2] / ".." / "shared" / "data" / "flickr8k"


def as_input(pixels):
    return (torch.from_numpy(pixels).permute(0, 3, 1, 2).float() - 128) / 128


def test_full_network_has_torchvisions_names_and_sizes():
    with torch.device("meta"):
        network = Inception()
    state = network.state_dict()
    assert sum(name.endswith("conv.weight") for name in state) == 94
    assert state["Conv2d_1a_3x3.conv.weight"].shape == (32, 3, 3, 3)
    assert state["Mixed_6c.branch7x7dbl_3.conv.weight"].shape == (160, 160, 1, 7)
    assert state["Mixed_7c.branch3x3dbl_3b.bn.running_var"].shape == (384,)
    # Without classifier and side branch: 25,112,264 parameters of torchvision's Inception-V3 less 3,326,696.
    assert sum(parameter.numel() for parameter in network.parameters()) == 21_785_568
    assert network.width == 2048


def test_average_pool_leaves_padding_out_and_maximum_pool_ignores_it():
    ones = torch.ones(1, 1, 4, 4)
    assert torch.equal(pooled(Pool.AVERAGE, ones), ones)
    assert torch.equal(pooled(Pool.MAXIMUM, -ones), -ones)
    assert pooled(Pool.HALVE, torch.arange(25.0).reshape(1, 1, 5, 5)).flatten().tolist() == [12, 14, 22, 24]


def test_blocks_concatenate_branches_in_order():
    block = Block("b", ((Convolution("x", 1),), (Pool.MAXIMUM,)))
    network = Inception((block,)).eval()
    with torch.no_grad():
        network.get_submodule("b.x").conv.weight.fill_(2.0)
        vector = network(torch.ones(1, 3, 3, 3))
    assert vector[0].tolist() == pytest.approx([6 / np.sqrt(1.001), 1, 1, 1])


def test_folded_network_equals_trainable_one(tiny_network):
    pixels = np.random.default_rng(1).integers(0, 256, (3, 39, 39, 3), dtype=np.uint8)
    with torch.no_grad():
        expected = tiny_network(as_input(pixels)).numpy()
    found = TorchEncoder(tiny_network, "tiny", 39).encode(pixels)
    assert expected.std() > 0.01
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_folding_refuses_a_first_layer_that_pads():
    with pytest.raises(ValueError, match="pads its input"):
        fold(Inception((Convolution("first", 4, (3, 3)),)))


def test_folded_network_keeps_no_gradient(tiny_network):
    assert not FoldedInception(tiny_network)(torch.zeros(1, 3, 39, 39, dtype=torch.uint8)).requires_grad


def test_training_moves_weights_but_not_statistics(tiny_network):
    tiny_network.train()
    before = {name: value.clone() for name, value in tiny_network.state_dict().items()}
    optimiser = torch.optim.SGD(tiny_network.parameters(), lr=0.1)
    tiny_network(torch.rand(2, 3, 39, 39)).square().sum().backward()
    optimiser.step()
    moved = {name for name, value in tiny_network.state_dict().items() if not torch.equal(value, before[name])}
    assert {"first.conv.weight", "mixed_c.fork_b.bn.bias"} <= moved
    assert not [name for name in moved if "running" in name]


def test_training_mode_gives_the_same_output(tiny_network):
    pictures = torch.rand(2, 3, 39, 39)
    assert torch.equal(tiny_network.train()(pictures), tiny_network.eval()(pictures))


@pytest.fixture(scope="module")
def inception():
    try:
        find_archive()
    except MissingExtraError:
        pytest.skip("the weights are not installed")
    return load_inception()


@pytest.mark.skipif(not FLICKR8K.exists(), reason="the photos are not here")
def test_vectors_of_real_photos_are_those_published(inception):
    ids = (FLICKR8K / "inception_v3_pool2048.ids.txt").read_text(encoding="utf-8").split()
    row_of = {name: row for row, name in enumerate(ids)}
    published = np.load(FLICKR8K / "inception_v3_pool2048.f16.npy", mmap_mode="r")
    photos = sorted((FLICKR8K / "photos").iterdir())
    expected = np.stack([published[row_of[photo.name]] for photo in photos]).astype(np.float32)
    found = TorchEncoder(inception).encode(np.stack([decode(photo, 299) for photo in photos]))
    cosine = (found * expected).sum(1) / np.linalg.norm(found, axis=1) / np.linalg.norm(expected, axis=1)
    assert np.abs(found - expected).max() <= 0.01
    assert cosine.min() >= 0.9999


def test_folding_the_real_network_changes_nothing(inception):
    pixels = np.random.default_rng(2).integers(0, 256, (1, 299, 299, 3), dtype=np.uint8)
    with torch.no_grad():
        expected = inception(as_input(pixels)).numpy()
    np.testing.assert_allclose(TorchEncoder(inception).encode(pixels), expected, atol=1e-4)
