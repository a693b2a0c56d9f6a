"""Captions of different lengths laid step after step, without padding, as the LSTM reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor


@dataclass(frozen=True)
class Packed:
    """N symbols of B captions, which are sorted by falling length: step t holds the first `sizes[t]` captions."""

    targets: Tensor
    """The symbols, (N,)."""
    sizes: tuple[int, ...]
    rows: Tensor
    """The caption of each packed symbol, (N,)."""
    positions: Tensor
    """The step of each packed symbol, (N,)."""


def pack(words: Tensor, lengths: Tensor) -> Packed:
    """Pack the first `lengths[i]` symbols of each row of `words` (B, T); the lengths must not rise."""
    steps = torch.arange(words.shape[1], device=words.device)
    mask = steps[:, None] < lengths
    positions, rows = mask.nonzero(as_tuple=True)
    sizes = tuple(size for size in mask.sum(dim=1).tolist() if size)
    return Packed(words.t()[mask], sizes, rows, positions)


def one_step_before(first: Tensor, values: Tensor, sizes: Sequence[int]) -> Tensor:
    """What was there one step before each of N packed places: `first` (B, …) at the beginning, then `values` (N, …)."""
    parts, begin = [first[: sizes[0]]], 0
    for size, following in pairwise(sizes):
        parts.append(values[begin : begin + following])
        begin += size
    return torch.cat(parts)
