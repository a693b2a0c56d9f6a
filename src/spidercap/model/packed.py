"""Captions of different lengths laid step after step, without padding, as the LSTM reads them."""

from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.text.vocabulary import BOS


@dataclass(frozen=True)
class Packed:
    """N words of B captions, which are sorted by falling length: step t holds the first `sizes[t]` captions."""

    inputs: Tensor
    """The word before each target, BOS at the start, (N,)."""
    targets: Tensor
    sizes: tuple[int, ...]
    rows: Tensor
    """The caption of each packed word, (N,)."""
    positions: Tensor
    """The step of each packed word, (N,)."""


def pack(words: Tensor, lengths: Tensor) -> Packed:
    """Pack the first `lengths[i]` symbols of each row of `words` (B, T); the lengths must not rise."""
    before = torch.cat([torch.full_like(words[:, :1], BOS), words[:, :-1]], dim=1)
    steps = torch.arange(words.shape[1], device=words.device)
    mask = (steps[:, None] < lengths).t()
    positions, rows = mask.t().nonzero(as_tuple=True)
    sizes = tuple(size for size in mask.sum(dim=0).tolist() if size)
    return Packed(before.t()[mask.t()], words.t()[mask.t()], sizes, rows, positions)
