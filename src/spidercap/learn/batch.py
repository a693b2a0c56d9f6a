"""What an algorithm gets and what it gives back."""

from dataclasses import dataclass, field
from typing import Protocol

from torch import Tensor, nn

from spidercap.model.packed import Packed


@dataclass(frozen=True)
class Batch:
    """This process's share of the examples of one step.

    `examples` numbers them within the whole step, over all processes: random numbers are keyed by it. Gradients are
    added over processes, so a loss is divided by what the whole step holds, `global_count` examples and `global_words`
    symbols.
    """

    ids: tuple[str, ...]
    images: Tensor
    """What the captioner begins with, one row an example."""
    examples: Tensor
    global_count: int
    captions: Packed | None = None
    global_words: int = 0


@dataclass(frozen=True)
class Step:
    """The loss of a step, and numbers to log, each a sum over this process's share of a global mean."""

    loss: Tensor
    log: dict[str, float] = field(default_factory=dict)


class Algorithm(Protocol):
    """A way to learn: everything with parameters, and the loss of a batch of examples."""

    @property
    def module(self) -> nn.Module:
        """All that is trained."""

    @property
    def logged(self) -> tuple[str, ...]:
        """The names of the numbers that each step logs; processes without examples log 0."""

    def loss(self, batch: Batch, step: int) -> Step:
        """This process's share of the loss of step `step`."""
