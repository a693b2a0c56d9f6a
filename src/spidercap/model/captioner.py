"""What every captioner can do, whatever it is made of: all that decoding, learning, training and reports know of one.

A captioner gives the distribution of the next symbol. Decoding goes step by step: `begin` with images, `advance` by a
symbol of each row, `state.rows` to follow some rows alone or one row several times. Learning reads whole captions at
once, with gradients (`teacher_forced`). A new kind is a subclass here and a line in `model/architectures.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import torch
from torch import Tensor, nn

from spidercap.model.packed import Packed
from spidercap.model.random_stream import RandomStream
from spidercap.text.vocabulary import EncodedCaptions

EVERY_ROW = slice(None)


class Symbols(Protocol):
    """The symbols of a captioner: text to ids and back, and the ids that mean something special."""

    @property
    def eos(self) -> int:
        """The symbol that ends a caption."""

    @property
    def unk(self) -> int | None:
        """The symbol of words that are not known, if there is one."""

    def encode(self, captions: Sequence[str]) -> EncodedCaptions:
        """The ids of captions, without the symbols around them."""

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, up to the end of the caption if it is among them."""

    def piece(self, identity: int) -> str:
        """What one id stands for, for people: a word, a part of one, or the name of a special symbol."""

    def save(self, path: Path) -> None:
        """Write all symbols into a file."""


class State(Protocol):
    """What a captioner knows after the symbols so far, one row a caption; never changed, so it can be kept."""

    @property
    def hidden(self) -> Tensor:
        """The hidden state that predicts the next symbol of each row, (rows, hidden size)."""

    def rows(self, index: Tensor | slice) -> Self:
        """The state of some rows: numbers (also repeated), a mask, or a slice."""


class TeacherForced(NamedTuple):
    """What a teacher-forced pass over N packed symbols gives, with its gradient."""

    logp_t: Tensor
    """log π of each symbol given those before it, (N,)."""
    hidden: Tensor
    """The hidden state that predicts each symbol, (N, hidden size)."""


@dataclass(frozen=True)
class Dropout:
    """Which units are dropped: a function of the example and the position, the same in every process."""

    rate: float
    stream: RandomStream
    examples: Tensor
    """The global example of each packed symbol."""
    positions: Tensor

    def __call__(self, values: Tensor, layer: int) -> Tensor:
        if not self.rate:
            return values
        key = torch.full_like(self.examples, layer)
        kept = self.stream.keep(1 - self.rate, values.shape[1], key, self.examples, self.positions)
        return values * kept * (1 / (1 - self.rate))


class Captioner(nn.Module, ABC):
    """A network that captions images, with its symbols and what is known of it.

    Images come as a tensor with one row each. `facts` may hold: data (name, hash), features (network, width), metrics
    with their signatures, algorithm, steps, seed. They are told by the model card; `features` is what captioning checks
    its input by.
    """

    architecture: ClassVar[str]
    """The name of this kind of captioner in model folders."""
    title: ClassVar[str]
    """The name of this kind for people."""
    sizes_type: ClassVar[type]
    """A frozen dataclass of whole numbers that says all about the shapes of the weights; model folders keep it."""

    def __init__(self, sizes: Any, vocabulary: Symbols) -> None:
        super().__init__()
        self.sizes, self.vocabulary = sizes, vocabulary
        self.facts: dict[str, Any] = {}

    @property
    @abstractmethod
    def image_width(self) -> int:
        """The width of the vectors that images come as."""

    @property
    @abstractmethod
    def hidden_size(self) -> int:
        """The width of hidden states."""

    @property
    @abstractmethod
    def vocabulary_size(self) -> int:
        """The width of the logits; it may be padded."""

    @property
    @abstractmethod
    def numbers_a_symbol(self) -> int:
        """About how many numbers a teacher-forced pass keeps for each symbol: for estimates of memory."""

    @abstractmethod
    def begin(self, images: Tensor) -> State:
        """The state that predicts the first symbol of each image's caption."""

    @abstractmethod
    def advance(self, state: Any, symbols: Tensor) -> State:
        """The state after one more symbol of each row."""

    def logits(self, state: State, rows: slice = EVERY_ROW) -> Tensor:
        """Unnormalised log-probabilities of the next symbol of some rows, (R, V): only those come into memory."""
        return self.head(state.hidden[rows])

    @abstractmethod
    def head(self, hidden: Tensor) -> Tensor:
        """The logits (N, V) of hidden states (N, hidden size); −∞ for symbols that can never be generated."""

    @abstractmethod
    def teacher_forced(
        self,
        images: Tensor,
        captions: Packed,
        *,
        fed: Tensor | None = None,
        dropout: Dropout | None = None,
        smoothing: float = 0.0,
    ) -> TeacherForced:
        """log π of the symbols of given captions, one an image.

        `fed` are other symbols, (N,), that are read as the past instead of the captions' own (scheduled sampling). With
        smoothing ε log π is (1 − ε)·log π(symbol) + ε·mean of log π over all symbols that can be generated.
        """

    @abstractmethod
    def sharpen(self, factor: float) -> None:
        """Multiply all logits: as if sampled at temperature 1/factor; the likeliest symbol stays the likeliest."""
