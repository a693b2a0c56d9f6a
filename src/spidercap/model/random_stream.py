"""Random numbers as a function of what they are for: (seed, purpose, step, example, position …) → [0, 1).

No generator has a state, so nothing has to be saved for an exact resume, and the numbers of an example do not depend
on which process works on it. Each key is mixed in by the finaliser of SplitMix64 (Steele et al. 2014).
"""

from dataclasses import dataclass
from zlib import crc32

import torch
from torch import Tensor

_GOLDEN = 0x9E3779B97F4A7C15
_FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
_SHIFTS = (30, 27, 31)
_WORD = 1 << 64


def _signed(value: int) -> int:
    """The 64 bits of a number as the signed integer that torch knows."""
    value %= _WORD
    return value - _WORD if value >= _WORD // 2 else value


def _shifted(bits: Tensor, count: int) -> Tensor:
    """Logical shift to the right: zeros come in from the left."""
    return (bits >> count) & ((1 << (64 - count)) - 1)


def _mixed(bits: Tensor) -> Tensor:
    for shift, factor in zip(_SHIFTS, _FACTORS, strict=False):
        bits = (bits ^ _shifted(bits, shift)) * _signed(factor)
    return bits ^ _shifted(bits, _SHIFTS[-1])


@dataclass(frozen=True)
class RandomStream:
    """The numbers of one purpose in one step; `uniform` and `keep` are pure functions of their keys."""

    seed: int
    purpose: str
    step: int = 0

    def _bits(self, *keys: Tensor) -> Tensor:
        start = (self.seed * _GOLDEN + crc32(self.purpose.encode())) * _GOLDEN + self.step
        bits = _mixed(torch.full((), _signed(start), dtype=torch.int64, device=keys[0].device))
        for key in keys:
            bits = _mixed(bits + (key.long() + 1) * _signed(_GOLDEN))
        return bits

    def uniform(self, *keys: Tensor) -> Tensor:
        """Numbers in [0, 1), float32, one for each entry of the keys broadcast together."""
        # 24 bits: all that float32 can hold below 1.
        return _shifted(self._bits(*keys), 40).float() * 2.0**-24

    def keep(self, probability: float, width: int, *keys: Tensor) -> Tensor:
        """True with the given probability, `width` times for each entry of the keys: shape (entries, width)."""
        # Each 64-bit word gives four numbers of 16 bits, plenty for a threshold.
        lanes = torch.arange((width + 3) // 4, device=keys[0].device)
        bits = self._bits(*(key[:, None] for key in keys), lanes)
        parts = bits.contiguous().view(torch.int16)[:, :width]
        return parts < round(probability * 65536) - 32768
