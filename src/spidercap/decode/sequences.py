"""What decoding gives: the symbols of each caption, and how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.model.captioner import Symbols

LIMIT = 30
"""Symbols of a caption at most, EOS included (paper, section 1)."""


@dataclass(frozen=True)
class Sequences:
    """B captions of at most T symbols; T is the longest one's length."""

    words: Tensor
    """(B, T) int64; the end symbol everywhere after the end."""
    lengths: Tensor
    """(B,) int64: symbols generated, the end included."""
    finished: Tensor
    """(B,) bool: whether the caption has its end; False where the limit cut it."""

    def __len__(self) -> int:
        return len(self.words)

    @property
    def mask(self) -> Tensor:
        """(B, T) bool: True = a symbol that was generated, the end included."""
        return torch.arange(self.words.shape[1], device=self.words.device) < self.lengths[:, None]

    def captions(self, vocabulary: Symbols) -> list[str]:
        """The text of each caption."""
        rows = zip(self.words.tolist(), self.lengths.tolist(), strict=True)
        return [vocabulary.decode(row[:length]) for row, length in rows]

    @classmethod
    def joined(cls, parts: Sequence["Sequences"], eos: int) -> "Sequences":
        """The captions of all parts, in order."""
        longest = max(part.words.shape[1] for part in parts)
        words = [torch.nn.functional.pad(part.words, (0, longest - part.words.shape[1]), value=eos) for part in parts]
        lengths = torch.cat([part.lengths for part in parts])
        return cls(torch.cat(words), lengths, torch.cat([part.finished for part in parts]))
