"""Inception-V3 as a table, and the trainable network built from it.

The table is the one definition of the network: the trainable module here, its folded form for inference
(`folded.py`) and the OpenVINO graph (`openvino_encoder.py`) are all read from it.
Layer sizes are those of Szegedy et al., "Rethinking the Inception Architecture for Computer Vision" (2015). The
network of 2015-12-05 has two ways of its own: its average pools leave the padding out of the mean, and its last block
pools by maximum.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional

INPUT_SIZE = 299
"""Height and width of the input picture; it is given as (rgb − 128) / 128."""
EPSILON = 1e-3
"""What batch normalisation adds to the variance."""


class Pool(Enum):
    """The three poolings of the network, all over 3 × 3 windows."""

    AVERAGE = "mean, stride 1, padding left out of the mean"
    MAXIMUM = "maximum, stride 1, padded"
    HALVE = "maximum, stride 2, not padded"


@dataclass(frozen=True, slots=True)
class Convolution:
    """Convolution, batch normalisation, ReLU; padded to keep the size unless `valid`."""

    name: str
    channels: int
    kernel: tuple[int, int] = (1, 1)
    stride: int = 1
    valid: bool = False

    @property
    def padding(self) -> tuple[int, int]:
        """Rows and columns of zeros on each side."""
        return (0, 0) if self.valid else (self.kernel[0] // 2, self.kernel[1] // 2)


Fork = tuple[Convolution, ...]
BranchStep = Convolution | Pool | Fork
Branch = tuple[BranchStep, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Branches that all read the block's input and whose outputs are concatenated over the channels."""

    name: str
    branches: tuple[Branch, ...] = field(repr=False)


Layer = Convolution | Pool | Block


def _block_5(name: str, pool_channels: int) -> Block:
    """35 × 35: 1 × 1, 5 × 5, double 3 × 3, pool."""
    double = (
        Convolution("branch3x3dbl_1", 64),
        Convolution("branch3x3dbl_2", 96, (3, 3)),
        Convolution("branch3x3dbl_3", 96, (3, 3)),
    )
    return Block(
        name,
        (
            (Convolution("branch1x1", 64),),
            (Convolution("branch5x5_1", 48), Convolution("branch5x5_2", 64, (5, 5))),
            double,
            (Pool.AVERAGE, Convolution("branch_pool", pool_channels)),
        ),
    )


def _block_6a() -> Block:
    """35 × 35 to 17 × 17."""
    double = (
        Convolution("branch3x3dbl_1", 64),
        Convolution("branch3x3dbl_2", 96, (3, 3)),
        Convolution("branch3x3dbl_3", 96, (3, 3), stride=2, valid=True),
    )
    return Block("Mixed_6a", ((Convolution("branch3x3", 384, (3, 3), stride=2, valid=True),), double, (Pool.HALVE,)))


def _block_6(name: str, inner: int) -> Block:
    """17 × 17: 1 × 1, 7 × 7 as 1 × 7 and 7 × 1, the same twice, pool."""
    single = (
        Convolution("branch7x7_1", inner),
        Convolution("branch7x7_2", inner, (1, 7)),
        Convolution("branch7x7_3", 192, (7, 1)),
    )
    double = (
        Convolution("branch7x7dbl_1", inner),
        Convolution("branch7x7dbl_2", inner, (7, 1)),
        Convolution("branch7x7dbl_3", inner, (1, 7)),
        Convolution("branch7x7dbl_4", inner, (7, 1)),
        Convolution("branch7x7dbl_5", 192, (1, 7)),
    )
    pool = (Pool.AVERAGE, Convolution("branch_pool", 192))
    return Block(name, ((Convolution("branch1x1", 192),), single, double, pool))


def _block_7a() -> Block:
    """17 × 17 to 8 × 8."""
    single = (Convolution("branch3x3_1", 192), Convolution("branch3x3_2", 320, (3, 3), stride=2, valid=True))
    double = (
        Convolution("branch7x7x3_1", 192),
        Convolution("branch7x7x3_2", 192, (1, 7)),
        Convolution("branch7x7x3_3", 192, (7, 1)),
        Convolution("branch7x7x3_4", 192, (3, 3), stride=2, valid=True),
    )
    return Block("Mixed_7a", (single, double, (Pool.HALVE,)))


def _block_7(name: str, pool: Pool) -> Block:
    """8 × 8: 1 × 1, 3 × 3 forked into 1 × 3 and 3 × 1, double 3 × 3 forked alike, pool."""
    single = (
        Convolution("branch3x3_1", 384),
        (Convolution("branch3x3_2a", 384, (1, 3)), Convolution("branch3x3_2b", 384, (3, 1))),
    )
    double = (
        Convolution("branch3x3dbl_1", 448),
        Convolution("branch3x3dbl_2", 384, (3, 3)),
        (Convolution("branch3x3dbl_3a", 384, (1, 3)), Convolution("branch3x3dbl_3b", 384, (3, 1))),
    )
    return Block(name, ((Convolution("branch1x1", 320),), single, double, (pool, Convolution("branch_pool", 192))))


INCEPTION_V3: tuple[Layer, ...] = (
    Convolution("Conv2d_1a_3x3", 32, (3, 3), stride=2, valid=True),
    Convolution("Conv2d_2a_3x3", 32, (3, 3), valid=True),
    Convolution("Conv2d_2b_3x3", 64, (3, 3)),
    Pool.HALVE,
    Convolution("Conv2d_3b_1x1", 80),
    Convolution("Conv2d_4a_3x3", 192, (3, 3), valid=True),
    Pool.HALVE,
    _block_5("Mixed_5b", 32),
    _block_5("Mixed_5c", 64),
    _block_5("Mixed_5d", 64),
    _block_6a(),
    _block_6("Mixed_6b", 128),
    _block_6("Mixed_6c", 160),
    _block_6("Mixed_6d", 160),
    _block_6("Mixed_6e", 192),
    _block_7a(),
    _block_7("Mixed_7b", Pool.AVERAGE),
    _block_7("Mixed_7c", Pool.MAXIMUM),
)
"""The whole network up to the average over the last 8 × 8 positions; names are torchvision's."""


Features = TypeVar("Features")


class Operations(Protocol[Features]):
    """What a network is made of: trainable units, folded convolutions or the nodes of a graph."""

    def convolve(self, name: str, step: Convolution, features: Features) -> Features:
        """ReLU(batch norm(convolution)); `name` is the path of its parameters, `Mixed_5b.branch1x1`."""

    def pool(self, kind: Pool, features: Features) -> Features:
        """One of the three poolings."""

    def concatenate(self, parts: list[Features]) -> Features:
        """Joined over the channels."""


def walk(layers: tuple[Layer, ...], operations: Operations[Features], features: Features) -> Features:
    """Run the network of the table on whatever `operations` work on."""
    for layer in layers:
        if isinstance(layer, Block):
            parts = [_walk_branch(branch, f"{layer.name}.", operations, features) for branch in layer.branches]
            features = operations.concatenate(parts)
        else:
            features = _walk_branch((layer,), "", operations, features)
    return features


def _walk_branch(branch: Branch, prefix: str, operations: Operations[Features], features: Features) -> Features:
    for step in branch:
        if isinstance(step, Pool):
            features = operations.pool(step, features)
        elif isinstance(step, Convolution):
            features = operations.convolve(prefix + step.name, step, features)
        else:
            parts = [operations.convolve(prefix + each.name, each, features) for each in step]
            features = operations.concatenate(parts)
    return features


def pooled(kind: Pool, features: Tensor) -> Tensor:
    """One of the three poolings."""
    if kind is Pool.AVERAGE:
        return functional.avg_pool2d(features, 3, stride=1, padding=1, count_include_pad=False)
    if kind is Pool.MAXIMUM:
        return functional.max_pool2d(features, 3, stride=1, padding=1)
    return functional.max_pool2d(features, 3, stride=2)


class FrozenBatchNorm(nn.BatchNorm2d):
    """Batch normalisation that keeps its running statistics in training too; scale and shift stay trainable."""

    def train(self, mode: bool = True) -> "FrozenBatchNorm":
        """Stay in evaluation mode: captioning batches are too small and too unlike ImageNet to re-estimate from."""
        super().train(False)
        return self


class ConvolutionUnit(nn.Module):
    """ReLU(batch norm(convolution))."""

    def __init__(self, step: Convolution, channels_in: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels_in, step.channels, step.kernel, step.stride, step.padding, bias=False)
        self.bn = FrozenBatchNorm(step.channels, eps=EPSILON)

    def forward(self, features: Tensor) -> Tensor:
        """(B, C, H, W) → (B, C′, H′, W′)."""
        return functional.relu(self.bn(self.conv(features)))


class TrainableOperations:
    """The operations of a network whose units are modules."""

    def __init__(self, network: nn.Module) -> None:
        self.network = network

    def convolve(self, name: str, step: Convolution, features: Tensor) -> Tensor:
        """Run the unit of that name."""
        result: Tensor = self.network.get_submodule(name)(features)
        return result

    def pool(self, kind: Pool, features: Tensor) -> Tensor:
        """One of the three poolings."""
        return pooled(kind, features)

    def concatenate(self, parts: list[Tensor]) -> Tensor:
        """Joined over the channels."""
        return torch.cat(parts, dim=1)


class Inception(nn.Module):
    """The trainable network: normalised pictures (B, 3, H, W) → vectors (B, width); batch statistics are frozen."""

    def __init__(self, layers: tuple[Layer, ...] = INCEPTION_V3) -> None:
        super().__init__()
        self.layers = layers
        self.width = 3
        for layer in layers:
            if isinstance(layer, Convolution):
                self.width = _add_units(self, (layer,), self.width)
            elif isinstance(layer, Block):
                block = nn.Module()
                self.add_module(layer.name, block)
                self.width = sum(_add_units(block, branch, self.width) for branch in layer.branches)

    def forward(self, pictures: Tensor) -> Tensor:
        """The mean over positions of the last layer's output."""
        return walk(self.layers, TrainableOperations(self), pictures).mean(dim=(2, 3))


def _add_units(parent: nn.Module, branch: Branch, channels: int) -> int:
    """Give `parent` the units of a branch; returns how many channels leave it."""
    for step in branch:
        if isinstance(step, Pool):
            continue
        fork = (step,) if isinstance(step, Convolution) else step
        for convolution in fork:
            parent.add_module(convolution.name, ConvolutionUnit(convolution, channels))
        channels = sum(convolution.channels for convolution in fork)
    return channels
