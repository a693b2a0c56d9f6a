"""The learned baseline B_φ(s_t) (paper, section 5): an MLP on the hidden state, trained on Monte-Carlo values.

B_φ estimates E_{g_t} [Q(s_t, g_t)]. Subtracting it leaves the gradient unbiased and takes variance away.
"""

import torch
from torch import Tensor, nn


class Baseline(nn.Module):
    """B_φ: h_t (N, hidden) → (N,); no gradient flows back into the hidden state."""

    def __init__(self, hidden: int, width: int, seed: int = 0) -> None:
        super().__init__()
        self.layer = nn.Linear(hidden, width)
        self.output = nn.Linear(width, 1)
        generator = torch.Generator().manual_seed(seed)
        nn.init.uniform_(self.layer.weight, -(hidden**-0.5), hidden**-0.5, generator=generator)
        nn.init.zeros_(self.layer.bias)
        # Starts as the constant 0, so that before the first update the advantage is the value itself.
        nn.init.zeros_(self.output.weight)
        nn.init.zeros_(self.output.bias)

    def forward(self, hidden: Tensor) -> Tensor:
        values: Tensor = self.output(self.layer(hidden.detach()).relu())[:, 0]
        return values


def baseline_loss(q_t: Tensor, b_t: Tensor) -> Tensor:
    """L_φ = Σ_t (Q(s_t, g_t) − B_φ(s_t))² (paper, section 5)."""
    return (q_t.detach() - b_t).square().sum()


def explained_variance(square_error: float, mean: float, mean_square: float) -> float:
    """1 − E[(Q − B)²] / Var[Q]: 1 where the baseline knows all, 0 where it knows no more than the mean."""
    variance = mean_square - mean * mean
    return 1 - square_error / variance if variance > 0 else 0.0
