"""Ancestral sampling: each next word is drawn from the model's distribution, or from its likeliest part."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.decode.generate import forbid_unknown, generate
from spidercap.decode.sequences import LIMIT, Sequences
from spidercap.errors import UsageError
from spidercap.model.captioner import Captioner
from spidercap.model.random_stream import RandomStream

TEMPERATURES = (1e-6, 1e6)
"""Beyond these a quotient of two logits is no longer a number of 32 bits."""
NUCLEUS_GUESS = 64
"""Words that most nuclei fit into: the likeliest few are found much faster than the whole vocabulary is sorted."""

BLOCK = 32
"""Words that are summed up together when one is drawn, where the width of the vocabulary allows it."""


@dataclass(frozen=True)
class LogitsWarper:
    """How the distribution of the next word is changed before a word is drawn; by default it is not.

    The logits are divided by the temperature, then all but the `top_k` likeliest words are left out (0 keeps all), then
    all but the fewest likeliest words whose probability reaches `top_p`.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0

    def __post_init__(self) -> None:
        least, most = TEMPERATURES
        if not least <= self.temperature <= most:
            raise UsageError(f"`temperature` must be in [{least}, {most:.0f}], got {self.temperature}")
        if self.top_k < 0:
            raise UsageError(f"`top_k` must be at least 0 (0 keeps all words), got {self.top_k}")
        if not 0 < self.top_p <= 1:
            raise UsageError(f"`top_p` must be in (0, 1], got {self.top_p}")

    def __call__(self, logits: Tensor) -> Tensor:
        """The changed logits, (R, V); −∞ for what is left out."""
        if self.temperature != 1:
            # The largest becomes 0 first, so that no temperature makes it infinite.
            logits = (logits - logits.amax(dim=1, keepdim=True)) / self.temperature
        if 0 < self.top_k < logits.shape[1]:
            best, words = logits.topk(self.top_k, dim=1)
            logits = torch.full_like(logits, -math.inf).scatter_(1, words, best)
        return logits if self.top_p == 1 else _nucleus(logits, self.top_p)


def _nucleus(logits: Tensor, top_p: float) -> Tensor:
    probabilities = logits.softmax(dim=1)
    count = min(NUCLEUS_GUESS, logits.shape[1])
    best, words = probabilities.topk(count, dim=1)
    while count < logits.shape[1] and bool((best.sum(dim=1) < top_p).any()):
        count = min(8 * count, logits.shape[1])
        best, words = probabilities.topk(count, dim=1)
    # A word is outside when those before it have reached top_p already.
    kept = logits.gather(1, words).masked_fill_(best.cumsum(dim=1) - best >= top_p, -math.inf)
    return torch.full_like(logits, -math.inf).scatter_(1, words, kept)


def draw(logits: Tensor, uniforms: Tensor) -> Tensor:
    """Words drawn from softmax(logits) (R, V) by inverse CDF: one a number of `uniforms`, (R,) or (R, K) in [0, 1).

    A word of probability 0 is never drawn, whatever the rounding.
    """
    weights = softmax_weights(logits)
    each = uniforms.numel() // max(1, len(uniforms))
    rows = torch.arange(len(weights), device=weights.device).repeat_interleave(each)
    return inverse_cdf(weights, rows, uniforms.flatten()).view_as(uniforms)


def softmax_weights(logits: Tensor) -> Tensor:
    """What softmax(logits) (R, V) is a multiple of, the largest being 1."""
    return (logits - logits.amax(dim=1, keepdim=True)).exp_()


def inverse_cdf(weights: Tensor, rows: Tensor, uniforms: Tensor) -> Tensor:
    """The word of each of the rows `rows` (S,) of the weights (R, V), at which the share `uniforms` (S,) is reached.

    First the block of words, then the word in the block: sums of blocks take a sixth of the time of a sum that runs
    over all words.
    """
    width = min(BLOCK, weights.shape[1] & -weights.shape[1])
    blocks = weights.view(len(weights), -1, width)
    sums = blocks.sum(dim=2).cumsum_(dim=1)
    target = uniforms * sums[rows, -1]
    block = _first_above(sums[rows], target)
    before = torch.where(block > 0, sums[rows, block - 1], 0)
    inside = blocks[rows, block].cumsum_(dim=1)
    return block * width + _first_above(inside, target - before)


def _first_above(sums: Tensor, targets: Tensor) -> Tensor:
    """Where each row of rising sums first exceeds its target; a target that rounding put beyond is brought below."""
    below = torch.nextafter(sums[:, -1], torch.zeros_like(targets))
    found = torch.searchsorted(sums, torch.minimum(targets, below)[:, None], right=True)
    return found[:, 0].clamp_(max=sums.shape[1] - 1)


def sample(
    captioner: Captioner,
    images: Tensor,
    stream: RandomStream,
    examples: Tensor,
    *,
    limit: int = LIMIT,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    allow_unknown: bool = True,
) -> Sequences:
    """One caption for each image, drawn with the random numbers of its entry in `examples` (B,).

    By default it is a sample of the policy π itself, as learning needs it; it can contain UNK.
    """
    warper = LogitsWarper(temperature, top_k, top_p)

    def drawn(logits: Tensor, rows: Tensor, position: int) -> Tensor:
        uniforms = stream.uniform(examples[rows], torch.full_like(rows, position))
        return draw(warper(forbid_unknown(captioner, logits, allow_unknown)), uniforms)

    return generate(captioner, images, drawn, limit)
