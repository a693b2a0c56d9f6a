"""The learned baseline B_φ(s_t) (paper, section 5): an MLP on the hidden state, trained on Monte-Carlo values.

B_φ estimates E_{g_t} [Q(s_t, g_t)]. Subtracting it leaves the gradient unbiased and takes variance away.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from spidercap.learn.algorithm import Setup
from spidercap.options import at_least, option, positive


@dataclass(frozen=True)
class BaselineSettings:
    """What algorithms with a learned baseline have in common."""

    baseline_width: int = option(512, "hidden units of the baseline")
    baseline_learning_rate: float = option(1e-3, "of the baseline, constant")
    baseline_weight: float = option(1.0, "multiplies the gradient of the baseline's loss")

    def check_baseline(self) -> None:
        """Raise unless the settings make sense."""
        at_least("learn", self, 1, "baseline_width")
        at_least("learn", self, 0, "baseline_weight")
        positive("learn", self, "baseline_learning_rate")

    def baseline(self, setup: Setup) -> "Baseline":
        """A new baseline beside the captioner."""
        made = Baseline(setup.captioner.hidden_size, self.baseline_width, setup.seed)
        return made.to(next(setup.captioner.parameters()).device)


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
