"""The network for inference: batch normalisation and the scaling of the input folded into the convolutions."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from spidercap.vision.inception import Convolution, ConvolutionUnit, Inception, Pool, pooled, walk


@dataclass(frozen=True, slots=True)
class FoldedConvolution:
    """ReLU(weight ∗ input + bias) equals the unit it was folded from."""

    weight: Tensor
    bias: Tensor


def fold(network: Inception) -> dict[str, FoldedConvolution]:
    """All convolutions by name; the first takes bytes 0…255 instead of (rgb − 128) / 128."""
    units = {name: unit for name, unit in network.named_modules() if isinstance(unit, ConvolutionUnit)}
    folded = {name: _fold_normalisation(unit) for name, unit in units.items()}
    first = next(iter(folded))
    if any(units[first].conv.padding):
        raise ValueError(f"{first} pads its input: zeros would no longer mean grey after folding")
    return folded | {first: _fold_scaling(folded[first])}


def _fold_normalisation(unit: ConvolutionUnit) -> FoldedConvolution:
    """γ (w ∗ x − μ) / √(σ² + ε) + β  =  (s w) ∗ x + (β − s μ)  with  s = γ / √(σ² + ε)."""
    bn, weight = unit.bn, unit.conv.weight.detach()
    if bn.running_mean is None or bn.running_var is None:
        raise ValueError("batch normalisation without running statistics cannot be folded")
    scale = bn.weight.detach() / torch.sqrt(bn.running_var + bn.eps)
    return FoldedConvolution(weight * scale[:, None, None, None], bn.bias.detach() - bn.running_mean * scale)


def _fold_scaling(first: FoldedConvolution) -> FoldedConvolution:
    """w ∗ ((x − 128) / 128) + b  =  (w / 128) ∗ x + (b − Σ w)."""
    return FoldedConvolution(first.weight / 128, first.bias - first.weight.sum(dim=(1, 2, 3)))


class FoldedInception:
    """Bytes (B, 3, H, W), channels last → vectors (B, width); no gradients."""

    def __init__(self, network: Inception) -> None:
        self.layers = network.layers
        self.width = network.width
        # Weights in the layout of the features: the convolution then reorders neither.
        self.convolutions = {
            name: FoldedConvolution(each.weight.contiguous(memory_format=torch.channels_last), each.bias)
            for name, each in fold(network).items()
        }

    def __call__(self, pictures: Tensor) -> Tensor:
        """The mean over positions of the last layer's output."""
        with torch.inference_mode():
            features = pictures.to(torch.float32, memory_format=torch.channels_last)
            return walk(self.layers, self, features).mean(dim=(2, 3))

    def convolve(self, name: str, step: Convolution, features: Tensor) -> Tensor:
        """ReLU(weight ∗ input + bias)."""
        each = self.convolutions[name]
        return functional.conv2d(features, each.weight, each.bias, step.stride, step.padding).relu_()

    def pool(self, kind: Pool, features: Tensor) -> Tensor:
        """One of the three poolings."""
        return pooled(kind, features)

    def concatenate(self, parts: list[Tensor]) -> Tensor:
        """Joined over the channels."""
        return torch.cat(parts, dim=1)
