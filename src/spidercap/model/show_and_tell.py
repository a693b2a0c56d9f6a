"""Show and Tell (paper, section 1): a projected feature vector is the initial state of an LSTM that says words."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from spidercap.errors import DataError
from spidercap.model.lstm import Lstm, State
from spidercap.model.random_stream import RandomStream
from spidercap.model.word_log_probabilities import word_log_probabilities
from spidercap.text.vocabulary import BOS, padded


@dataclass(frozen=True)
class ModelSizes:
    """Widths of the layers; `symbols` is the size of the vocabulary with BOS, EOS and UNK, without padding."""

    features: int
    symbols: int
    embedding: int = 512
    hidden: int = 512

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value < 1:
                raise DataError(f"model.{name} must be at least 1, got {value}")


@dataclass(frozen=True)
class Dropout:
    """Which units are dropped: a function of the example and the position, the same in every process."""

    rate: float
    stream: RandomStream
    examples: Tensor
    """The global example of each packed word."""
    positions: Tensor

    def __call__(self, values: Tensor, layer: int) -> Tensor:
        if not self.rate:
            return values
        key = torch.full_like(self.examples, layer)
        kept = self.stream.keep(1 - self.rate, values.shape[1], key, self.examples, self.positions)
        return values * kept * (1 / (1 - self.rate))


class WordGates:
    """Each word's share of the LSTM's gates, computed when it is first said; for as long as the weights stay."""

    def __init__(self, model: "ShowAndTell") -> None:
        self.model = model
        weight = model.lstm.input_weight
        # Memory that nothing is written to costs nothing.
        self.table = weight.new_empty(len(model.forbidden), len(weight))
        self.known = torch.zeros(len(model.forbidden), dtype=torch.bool, device=weight.device)

    def __call__(self, words: Tensor) -> Tensor:
        new = torch.unique(words[~self.known[words]])
        if len(new):
            lstm = self.model.lstm
            self.table[new] = functional.linear(self.model.embedding(new), lstm.input_weight, lstm.bias)
            self.known[new] = True
        return self.table[words]


class ShowAndTell(nn.Module):
    """Projection, word embedding, LSTM and output layer.

    The projection's output is the initial h and the initial c. BOS and the padding of the vocabulary can never be said:
    their logit is −∞.
    """

    forbidden: Tensor

    def __init__(self, sizes: ModelSizes, seed: int = 0) -> None:
        super().__init__()
        self.sizes = sizes
        width = padded(sizes.symbols)
        self.projection = nn.Linear(sizes.features, sizes.hidden)
        self.embedding = nn.Embedding(width, sizes.embedding)
        self.lstm = Lstm(sizes.embedding, sizes.hidden)
        self.output = nn.Linear(sizes.hidden, width)
        forbidden = torch.zeros(width)
        forbidden[BOS] = forbidden[sizes.symbols :] = -torch.inf
        self.register_buffer("forbidden", forbidden, persistent=False)
        self._initialise(torch.Generator().manual_seed(seed))

    def _initialise(self, generator: torch.Generator) -> None:
        for layer in (self.projection, self.output):
            bound = layer.in_features**-0.5
            nn.init.uniform_(layer.weight, -bound, bound, generator=generator)
            nn.init.zeros_(layer.bias)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1, generator=generator)
        self.lstm.initialise(generator)

    def initial_state(self, features: Tensor) -> State:
        """The state before the first word, from vectors (B, D)."""
        start = self.projection(features)
        return State(start, start)

    def step(self, words: Tensor, state: State) -> State:
        """The state after one more word of each row."""
        # Rows that say the same word share the product with the input weights.
        distinct, which = torch.unique(words, return_inverse=True)
        gates = functional.linear(self.embedding(distinct), self.lstm.input_weight, self.lstm.bias)
        return self.lstm.step_from_gates(gates[which], state)

    def logits(self, hidden: Tensor) -> Tensor:
        """The unnormalised log-probability of every word, (rows, V); −∞ for what can never be said."""
        return functional.linear(hidden, self.output.weight, self.output.bias + self.forbidden)

    @torch.no_grad()
    def sharpen(self, factor: float) -> None:
        """Multiply all logits: as if sampled at temperature 1/factor; the likeliest word stays the likeliest."""
        self.output.weight.mul_(factor)
        self.output.bias.mul_(factor)

    def hidden_states(
        self, features: Tensor, inputs: Tensor, sizes: Sequence[int], dropout: Dropout | None = None
    ) -> Tensor:
        """The state h that predicts each packed target, (N, hidden); `inputs` are the words before, packed."""
        words = self.embedding(inputs)
        if dropout is None:
            return self.lstm.sequence(words, self.initial_state(features), sizes)
        hidden = self.lstm.sequence(dropout(words, 0), self.initial_state(features), sizes)
        return dropout(hidden, 1)

    def log_probabilities(self, hidden: Tensor, words: Tensor, smoothing: float = 0.0) -> Tensor:
        """log π of one word for each row of `hidden`."""
        bias = self.output.bias + self.forbidden
        return word_log_probabilities(hidden, self.output.weight, bias, words, smoothing)
