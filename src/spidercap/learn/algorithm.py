"""What an algorithm is: settings that make it, what it gets in a step and what it gives back.

An algorithm is one file: its settings (a subclass of `AlgorithmSettings`, whose fields are keys of the recipe's section
`learn`) and what they make (an `Algorithm`). `learn/algorithms.py` lists them.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Self

from torch import Tensor, nn

from spidercap.model.captioner import Captioner
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


class Algorithm(ABC):
    """A way to learn: everything with parameters, and the loss of a batch of examples."""

    logged: ClassVar[tuple[str, ...]] = ()
    """The names of the numbers that each step logs; processes without examples log 0."""

    @property
    @abstractmethod
    def module(self) -> nn.Module:
        """All that is trained."""

    @property
    def own_rates(self) -> dict[str, float]:
        """Parts of the module that have a learning rate of their own, which stays constant."""
        return {}

    @abstractmethod
    def loss(self, batch: Batch, step: int) -> Step:
        """This process's share of the loss of step `step`."""


@dataclass(frozen=True)
class Setup:
    """What algorithms are made from besides their own settings."""

    captioner: Captioner
    references: Mapping[str, Sequence[str]]
    """The captions of the training images by id."""
    seed: int
    limit: int
    """Symbols of a caption at most."""
    steps: int
    """Of the whole training."""
    dropout: float = 0.0


@dataclass(frozen=True)
class AlgorithmSettings(ABC):
    """The settings of an algorithm, which know what it is and make it; fields come from the section `learn`."""

    algorithm: ClassVar[str]
    """Its name in recipes."""
    title: ClassVar[str]
    """Its name in tables."""
    meaning: ClassVar[str]
    """What it does, in one line for those who compare methods."""
    examples: ClassVar[Literal["captions", "images"]] = "images"
    """What one example is: an (image, caption) pair, or an image."""
    needs_start: ClassVar[bool] = True
    """Whether it starts from a trained captioner: from random weights it would find nothing worth learning."""
    learning_rate: ClassVar[float] = 1e-4
    """The highest learning rate by default; a large one spoils what learns from its own captions."""

    @property
    def warmup(self) -> int:
        """Steps before the captioner itself learns."""
        return 0

    def resolved(self, steps: int, earlier: "AlgorithmSettings | None") -> Self:
        """The settings with every automatic one decided, for so many steps of the captioner itself.

        A run that goes on keeps those of `earlier`.
        """
        return self

    def check(self) -> None:  # noqa: B027 (most have nothing to check)
        """Raise if something that the settings name does not exist; quick."""

    @abstractmethod
    def make(self, setup: Setup) -> Algorithm:
        """The algorithm, ready for its first step."""
