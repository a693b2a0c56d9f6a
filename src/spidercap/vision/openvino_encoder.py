"""The network as an OpenVINO graph: an optional, faster encoder that gives the same vectors."""

import os

import numpy as np
import openvino
from openvino import opset13 as operations

from spidercap.vision.folded import FoldedConvolution, fold
from spidercap.vision.inception import INPUT_SIZE, Convolution, Inception, Pool, walk
from spidercap.vision.pictures import Pixels
from spidercap.vision.weights import NETWORK

Vectors = np.ndarray[tuple[int, int], np.dtype[np.float32]]


class GraphOperations:
    """The operations of the network as nodes of a graph."""

    def __init__(self, convolutions: dict[str, FoldedConvolution]) -> None:
        self.convolutions = convolutions

    def convolve(self, name: str, step: Convolution, features: openvino.Node) -> openvino.Node:
        """ReLU(weight ∗ input + bias)."""
        each = self.convolutions[name]
        strides = [step.stride, step.stride]
        padding = list(step.padding)
        node = operations.convolution(features, each.weight.numpy(), strides, padding, padding, [1, 1])
        return operations.relu(operations.add(node, each.bias.numpy()[None, :, None, None]))

    def pool(self, kind: Pool, features: openvino.Node) -> openvino.Node:
        """One of the three poolings."""
        if kind is Pool.AVERAGE:
            return operations.avg_pool(features, [1, 1], [1, 1], [1, 1], [3, 3], exclude_pad=True)
        stride, padding = (2, 0) if kind is Pool.HALVE else (1, 1)
        pads = [padding, padding]
        return operations.max_pool(features, [stride, stride], [1, 1], pads, pads, [3, 3]).output(0)

    def concatenate(self, parts: list[openvino.Node]) -> openvino.Node:
        """Joined over the channels."""
        return operations.concat(parts, 1)


def build_graph(network: Inception, size: int) -> openvino.Model:
    """Bytes (1, size, size, 3) → vectors (1, width)."""
    pictures = operations.parameter([1, size, size, 3], np.uint8)
    channels_first = operations.transpose(operations.convert(pictures, np.float32), np.array([0, 3, 1, 2]))
    features = walk(network.layers, GraphOperations(fold(network)), channels_first)
    vectors = operations.reduce_mean(features, np.array([2, 3]), keep_dims=False)
    return openvino.Model([vectors], [pictures])


class OpenvinoEncoder:
    """The folded network in OpenVINO on the processor: each core works on a picture of its own."""

    def __init__(self, network: Inception, name: str = NETWORK, size: int = INPUT_SIZE) -> None:
        self.network = name
        self.width = network.width
        self.size = size
        streams = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        # Requests of one thread each never wait for one another; 32-bit keeps the vectors equal to torch's.
        settings = {"NUM_STREAMS": streams, "INFERENCE_NUM_THREADS": streams, "INFERENCE_PRECISION_HINT": "f32"}
        compiled = openvino.Core().compile_model(build_graph(network, size), "CPU", settings)
        self._requests = openvino.AsyncInferQueue(compiled, streams)

    def encode(self, pictures: Pixels) -> Vectors:
        """(B, size, size, 3) → (B, width)."""
        vectors = np.empty((len(pictures), self.width), np.float32)

        def keep(request: openvino.InferRequest, row: int) -> None:
            vectors[row] = request.get_output_tensor(0).data[0]

        self._requests.set_callback(keep)
        for row in range(len(pictures)):
            self._requests.start_async([pictures[row : row + 1]], row)
        self._requests.wait_all()
        return vectors
