"""Show and Tell (paper, section 1): a projected feature vector is the initial state of an LSTM that says words."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from spidercap.errors import DataError
from spidercap.model.captioner import Captioner, Dropout, TeacherForced
from spidercap.model.lstm import Lstm, LstmState
from spidercap.model.packed import Packed, one_step_before
from spidercap.model.word_log_probabilities import word_log_probabilities
from spidercap.text.vocabulary import Vocabulary


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


class WordGates:
    """Each word's share of the LSTM's gates, computed when it first occurs; for as long as the weights stay."""

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


@dataclass(frozen=True)
class RecurrentState:
    """The LSTM's state of each row, and what all rows share."""

    lstm: LstmState
    gates: WordGates

    @property
    def hidden(self) -> Tensor:
        """h, from which the next word is predicted."""
        return self.lstm.h

    def rows(self, index: Tensor | slice) -> "RecurrentState":
        """The state of some rows."""
        return RecurrentState(self.lstm.rows(index), self.gates)


class ShowAndTell(Captioner):
    """Projection, word embedding, LSTM and output layer.

    The projection's output is the initial h and the initial c. BOS and the padding of the vocabulary are never
    generated: their logit is −∞.
    """

    architecture = "show-and-tell"
    title = "Show and Tell"
    sizes_type: ClassVar[type] = ModelSizes
    sizes: ModelSizes
    vocabulary: Vocabulary
    forbidden: Tensor

    def __init__(self, sizes: ModelSizes, vocabulary: Vocabulary, seed: int = 0) -> None:
        super().__init__(sizes, vocabulary)
        if sizes.symbols != vocabulary.size:
            raise DataError(f"a model of {sizes.symbols:,} symbols, but its vocabulary holds {vocabulary.size:,}")
        width = vocabulary.padded_size
        self.projection = nn.Linear(sizes.features, sizes.hidden)
        self.embedding = nn.Embedding(width, sizes.embedding)
        self.lstm = Lstm(sizes.embedding, sizes.hidden)
        self.output = nn.Linear(sizes.hidden, width)
        forbidden = torch.zeros(width)
        forbidden[vocabulary.bos] = forbidden[vocabulary.size :] = -torch.inf
        self.register_buffer("forbidden", forbidden, persistent=False)
        self._initialise(torch.Generator().manual_seed(seed))

    def _initialise(self, generator: torch.Generator) -> None:
        for layer in (self.projection, self.output):
            bound = layer.in_features**-0.5
            nn.init.uniform_(layer.weight, -bound, bound, generator=generator)
            nn.init.zeros_(layer.bias)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1, generator=generator)
        self.lstm.initialise(generator)

    @property
    def image_width(self) -> int:
        """The width of the vectors that images come as."""
        return self.sizes.features

    @property
    def hidden_size(self) -> int:
        """Units of the LSTM."""
        return self.sizes.hidden

    @property
    def vocabulary_size(self) -> int:
        """The width of the logits, padding included."""
        return len(self.forbidden)

    @property
    def numbers_a_symbol(self) -> int:
        """Logits and their gradient, gates, states and word vectors of a symbol."""
        return 2 * len(self.forbidden) + 12 * self.sizes.hidden + 3 * self.sizes.embedding

    def begin(self, images: Tensor) -> RecurrentState:
        """The state after BOS, from vectors (B, D)."""
        state = RecurrentState(self._initial(images), WordGates(self))
        return self.advance(state, self._begins(images))

    def advance(self, state: RecurrentState, symbols: Tensor) -> RecurrentState:
        """The state after one more word of each row."""
        return RecurrentState(self.lstm.step_from_gates(state.gates(symbols), state.lstm), state.gates)

    def head(self, hidden: Tensor) -> Tensor:
        """The unnormalised log-probability of every word, (rows, V); −∞ for what can never be generated."""
        return functional.linear(hidden, self.output.weight, self.output.bias + self.forbidden)

    @torch.no_grad()
    def sharpen(self, factor: float) -> None:
        """Multiply all logits: as if sampled at temperature 1/factor; the likeliest word stays the likeliest."""
        self.output.weight.mul_(factor)
        self.output.bias.mul_(factor)

    def teacher_forced(
        self,
        images: Tensor,
        captions: Packed,
        *,
        fed: Tensor | None = None,
        dropout: Dropout | None = None,
        smoothing: float = 0.0,
    ) -> TeacherForced:
        """log π of the words of given captions, and the state h that predicts each."""
        past = captions.targets if fed is None else fed
        words = self.embedding(one_step_before(self._begins(images), past, captions.sizes))
        if dropout is not None:
            words = dropout(words, 0)
        hidden = self.lstm.sequence(words, self._initial(images), captions.sizes)
        if dropout is not None:
            hidden = dropout(hidden, 1)
        bias = self.output.bias + self.forbidden
        logp_t = word_log_probabilities(hidden, self.output.weight, bias, captions.targets, smoothing)
        return TeacherForced(logp_t, hidden)

    def _initial(self, images: Tensor) -> LstmState:
        start = self.projection(images)
        return LstmState(start, start)

    def _begins(self, images: Tensor) -> Tensor:
        return torch.full((len(images),), self.vocabulary.bos, device=images.device)
