"""A tiny network with every kind of step, and pictures to feed it."""

import numpy as np
import pytest
import torch
from PIL import Image

from spidercap.vision.inception import Block, Convolution, Inception, Pool

TINY = (
    Convolution("first", 4, (3, 3), stride=2, valid=True),
    Pool.HALVE,
    Convolution("second", 6, (1, 1)),
    Block(
        "mixed_a",
        (
            (Convolution("one", 3),),
            (Convolution("two_1", 2), Convolution("two_2", 5, (1, 7)), Convolution("two_3", 4, (7, 1))),
            (Pool.AVERAGE, Convolution("pool", 2)),
        ),
    ),
    Block("mixed_b", ((Convolution("reduce", 5, (3, 3), stride=2, valid=True),), (Pool.HALVE,))),
    Block(
        "mixed_c",
        (
            (Convolution("fork", 3), (Convolution("fork_a", 2, (1, 3)), Convolution("fork_b", 3, (3, 1)))),
            (Pool.MAXIMUM, Convolution("pool", 2)),
        ),
    ),
)


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Small networks gain nothing from threads, and on a busy machine threads wait for one another."""
    torch.set_num_threads(1)


@pytest.fixture
def tiny_network():
    """Random weights and random batch statistics, so that folding has something to fold."""
    generator = torch.Generator().manual_seed(7)
    network = Inception(TINY)
    for name, value in network.state_dict().items():
        if value.is_floating_point():
            noise = torch.rand(value.shape, generator=generator)
            value.copy_(noise + 0.5 if name.endswith(("var", "bn.weight")) else noise - 0.5)
    return network.eval()


class MeanEncoder:
    """Stands in for a network: the vector of a picture is its mean colour and one more number."""

    network = "mean-colour"
    width = 4
    size = 8

    def __init__(self, fail_after=None):
        self.batches = []
        self.fail_after = fail_after

    def encode(self, pictures):
        if self.fail_after is not None and len(self.batches) >= self.fail_after:
            raise RuntimeError("power cut")
        self.batches.append(len(pictures))
        means = pictures.reshape(len(pictures), -1, 3).mean(axis=1)
        return np.concatenate([means, means[:, :1] / 2], axis=1).astype(np.float32)


@pytest.fixture
def mean_encoder():
    return MeanEncoder


@pytest.fixture
def photo():
    """A function that draws a picture that is neither flat nor symmetric."""

    def draw(size=(40, 30), seed=0):
        values = np.random.default_rng(seed).integers(0, 256, (3, 4, 3), dtype=np.uint8)
        return Image.fromarray(values).resize(size, Image.Resampling.BICUBIC)

    return draw


@pytest.fixture
def album(tmp_path, photo):
    """A folder with ten small PNG pictures."""
    folder = tmp_path / "album"
    folder.mkdir()
    for number in range(10):
        photo(seed=number).save(folder / f"p{number}.png")
    return folder
