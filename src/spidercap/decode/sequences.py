"""What decoding gives: the symbols of each caption, and how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.text.vocabulary import EOS, Vocabulary

LIMIT = 30
"""Symbols of a caption at most, EOS included (paper, section 1)."""


@dataclass(frozen=True)
class Sequences:
    """B captions of at most T symbols; T is the longest one's length."""

    words: Tensor
    """(B, T) int64; EOS everywhere after the end."""
    lengths: Tensor
    """(B,) int64: symbols said, EOS included."""
    finished: Tensor
    """(B,) bool: whether EOS was said; False where the limit cut the caption."""

    def __len__(self) -> int:
        return len(self.words)

    @property
    def mask(self) -> Tensor:
        """(B, T) bool: True = a symbol that was said, EOS included."""
        return torch.arange(self.words.shape[1], device=self.words.device) < self.lengths[:, None]

    def captions(self, vocabulary: Vocabulary) -> list[str]:
        """The words of each caption joined by blanks, without EOS."""
        return [vocabulary.decode(row) for row in self.words.tolist()]

    @classmethod
    def joined(cls, parts: Sequence["Sequences"]) -> "Sequences":
        """The captions of all parts, in order."""
        longest = max(part.words.shape[1] for part in parts)
        words = [torch.nn.functional.pad(part.words, (0, longest - part.words.shape[1]), value=EOS) for part in parts]
        lengths = torch.cat([part.lengths for part in parts])
        return cls(torch.cat(words), lengths, torch.cat([part.finished for part in parts]))
