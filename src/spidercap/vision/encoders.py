"""Encoders by name: each turns a batch of decoded pictures into vectors, and all give the same vectors."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from spidercap.vision.folded import FoldedInception
from spidercap.vision.inception import INPUT_SIZE, Inception
from spidercap.vision.pictures import Pixels
from spidercap.vision.weights import NETWORK, load_inception

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """Pictures to vectors. `network` names the weights: stores of different networks must not be mixed."""

    network: str
    width: int
    size: int

    def encode(self, pictures: Pixels) -> Vectors:
        """(B, size, size, 3) → (B, width)."""


class TorchEncoder:
    """The folded network in PyTorch; needs nothing but torch."""

    def __init__(self, network: Inception, name: str = NETWORK, size: int = INPUT_SIZE) -> None:
        self.network = name
        self.width = network.width
        self.size = size
        self._folded = FoldedInception(network)

    def encode(self, pictures: Pixels) -> Vectors:
        """(B, size, size, 3) → (B, width)."""
        # The pixels of a picture file are channels last already: the permuted view is what the network wants.
        vectors: Vectors = self._folded(torch.from_numpy(pictures).permute(0, 3, 1, 2)).numpy()
        return vectors


def _torch_encoder() -> Encoder:
    return TorchEncoder(load_inception())


def _openvino_encoder() -> Encoder:
    from spidercap.vision.openvino_encoder import OpenvinoEncoder

    return OpenvinoEncoder(load_inception())


ENCODERS: dict[str, Callable[[], Encoder]] = {"torch": _torch_encoder, "openvino": _openvino_encoder}
