"""The network of odds (parser/odds.h): what its parts are, and how they are stored."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from model_file import read, read_texts
from numpy.typing import NDArray
from torch import Tensor, nn

Ints = NDArray[np.int64]

HIDDEN = 32
ROWS, INNER_ROWS = 1 << 16, 1 << 14
"""Vectors of features, and of words within a span, shared by hashing."""
INNER = (1, 6, 14)
"""Features that tell of a word within a span, as in parser/word_features.h."""
SIZES, ENDS, VERBS = 16, 4, 4
"""Shapes of spans, as in parser/odds.cpp."""
SPREAD = np.uint64(0x9E3779B97F4A7C15)
LEFT_OUT = 0.2
"""Share of the features that are left out at random while learning, so that none is trusted alone."""
TAIL = 6.0
"""What is in a tree counts e⁶ times in the loss: what matters are odds of one in thousands, not even ones."""
LEAST_TRUST = 0.02
RATE = 3e-3
FEWEST_STEPS = 20
"""That the schedule of the learning rate can be made of."""
CLASSES = 21
"""Plain names that are told apart, the last for all that few phrases have; thrice: labels, actives of both sides."""


def rows_of(features: NDArray[np.uint32], rows: int) -> Tensor:
    """Where the vectors of features are."""
    places = (features.astype(np.uint64) * SPREAD) >> np.uint64(65 - rows.bit_length())
    return torch.from_numpy(places.astype(np.int64))


def random_shares(shape: torch.Size) -> Tensor:
    """Weights by which some features are left out."""
    return torch.bernoulli(torch.full(shape, 1 - LEFT_OUT)) / (1 - LEFT_OUT)


def tail_loss(odds: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    """Cross-entropy in which what is wanted counts e^TAIL times, so that the odds are as without it."""
    weights = torch.where(wanted > 0, weight * float(np.exp(TAIL)), weight)
    return nn.functional.binary_cross_entropy_with_logits(odds + TAIL, wanted, weights, reduction="sum")


class Descent:
    """So many steps down the slope of a network's loss, the rate rising at first and falling to the end."""

    def __init__(self, network: nn.Module, steps: int) -> None:
        self.optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, RATE, total_steps=max(steps, FEWEST_STEPS), pct_start=0.1
        )

    def step(self, loss: Tensor) -> None:
        """One step."""
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.schedule.step()


def in_bytes(numbers: NDArray[np.float32], unit: float) -> NDArray[np.int8]:
    """Numbers in units, cut where a byte ends."""
    units: NDArray[np.int8] = np.clip(np.rint(numbers / unit), -127, 127).astype(np.int8)
    return units


def unit_of(numbers: NDArray[np.float32]) -> float:
    """The unit that all but a few numbers can be stored in."""
    return max(1e-6, float(np.quantile(np.abs(numbers), 0.9999))) / 127


@dataclass(frozen=True)
class Outputs:
    """What the network has odds for: tags, phrases and actives, and classes of phrases and of actives."""

    tags: int
    labels: int
    states: int
    group: Ints
    """Of phrases, then of actives: those of one group share a part of their vectors."""
    class_of: Ints
    """Of phrases, then of actives: by plain name; those of actives, by their phrase and side, are counted on."""
    is_verb: NDArray[np.bool_]

    @property
    def own(self) -> int:
        """How many phrases and actives there are."""
        return self.states - self.tags

    @classmethod
    def of(cls, model: Path, phrases: Ints) -> "Outputs":
        """Those of a model file, in which actives are parts of these phrases."""
        sections = read(model)
        tags, labels, openers, states = np.frombuffer(sections["counts"], np.uint32)[:4].tolist()
        plain = read_texts(sections, "plain")
        phrase = phrases - tags
        names = {name: number for number, (name, _) in enumerate(Counter(plain[tags:]).most_common(CLASSES - 1))}
        of_label = np.array([names.get(name, CLASSES - 1) for name in plain[tags:]])
        is_opener = np.arange(labels, states) < openers
        return cls(
            tags,
            labels,
            states,
            np.concatenate([np.arange(labels - tags), labels - tags + 2 * phrase + is_opener]),
            np.concatenate([of_label, CLASSES * (1 + is_opener) + of_label[phrase]]),
            np.array([name.startswith("VB") or name == "MD" for name in plain[:tags]]),
        )
