"""log π(word | state) of given words: the output layer and the softmax in one, without keeping the logits."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class _WordLogProbabilities(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor, words: Tensor, smoothing: float, count: int
    ) -> Tensor:
        logits = torch.addmm(bias, hidden, weight.t())
        total = logits.logsumexp(dim=1)
        logp = logits.gather(1, words[:, None])[:, 0] - total
        if smoothing:
            allowed = bias > -torch.inf
            mean = torch.where(allowed, logits, 0).sum(dim=1) / count - total
            logp = (1 - smoothing) * logp + smoothing * mean
        if any(ctx.needs_input_grad):
            ctx.settings = smoothing, count
            ctx.save_for_backward(hidden, weight, bias, words, logits.sub_(total[:, None]).exp_())
        return logp

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor, None, None, None]:
        hidden, weight, bias, words, probabilities = ctx.saved_tensors
        smoothing, count = ctx.settings
        # d logp / d logits = one-hot − π, mixed with the even share 1/count where labels are smoothed; in place:
        # the probabilities are not needed again, and they are the largest thing in memory.
        d_logits = probabilities.mul_(-gradient[:, None])
        d_logits.scatter_add_(1, words[:, None], gradient[:, None] * (1 - smoothing))
        if smoothing:
            d_logits += gradient[:, None] * (smoothing / count) * (bias > -torch.inf)
        return d_logits @ weight, d_logits.t() @ hidden, d_logits.sum(dim=0), None, None, None


def word_log_probabilities(
    hidden: Tensor, weight: Tensor, bias: Tensor, words: Tensor, smoothing: float = 0.0
) -> Tensor:
    """log π of one word for each row of `hidden`; bias −∞ forbids a word.

    With smoothing ε it is (1 − ε)·log π(word) + ε·mean of log π over all allowed words. The gradient can be taken
    once.
    """
    count = int((bias > -torch.inf).sum())
    logp: Tensor = _WordLogProbabilities.apply(hidden, weight, bias, words, smoothing, count)  # type: ignore[no-untyped-call]
    return logp
