"""Vectors in, captions out: the captions of each image, by the way of decoding that was chosen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import torch
from torch import Tensor

from spidercap.decode.beam import LENGTH_PENALTY, BeamSettings, as_sequences, beam_search
from spidercap.decode.greedy import greedy
from spidercap.decode.log_probabilities import log_probabilities
from spidercap.decode.sample import LogitsWarper, sample
from spidercap.decode.sequences import LIMIT, Sequences
from spidercap.errors import UsageError
from spidercap.model.captioner import Captioner
from spidercap.model.random_stream import RandomStream


@dataclass(frozen=True)
class Decoding:
    """How captions are made; by default the likeliest word each time. UNK is never generated."""

    method: str = "greedy"
    """`greedy`, `beam` or `sample`."""
    n_best: int = 1
    """Captions of each image: the best of the beam, or so many that are drawn."""
    beam: int = 5
    length_penalty: float = LENGTH_PENALTY
    warper: LogitsWarper = field(default_factory=LogitsWarper)
    seed: int = 0
    limit: int = LIMIT

    def __post_init__(self) -> None:
        if self.method not in _METHODS:
            raise UsageError(f"`method` must be one of {', '.join(_METHODS)}, got {self.method}")
        if self.n_best < 1:
            raise UsageError(f"`n_best` must be at least 1, got {self.n_best}")
        if self.method == "greedy" and self.n_best > 1:
            raise UsageError(
                f"greedy decoding gives one caption, `n_best` is {self.n_best}; search with a beam or sample"
            )
        if self.method == "beam":
            self.beam_settings()

    def beam_settings(self) -> BeamSettings:
        """The part that concerns beam search."""
        return BeamSettings(self.beam, self.n_best, self.length_penalty, self.limit)


@dataclass(frozen=True)
class Caption:
    """A caption and how sure the model was of it."""

    text: str
    symbols: tuple[str, ...]
    """What each symbol stands for; the last is the end (`<eos>`) unless the limit cut the caption."""
    log_probabilities: tuple[float, ...]
    """log π of each symbol; empty where it was not asked for."""
    finished: bool

    @property
    def log_probability(self) -> float:
        """log π of the whole caption."""
        return sum(self.log_probabilities)


def captions_of(
    captioner: Captioner, images: Tensor, ids: Sequence[str], decoding: Decoding, *, explained: bool = True
) -> list[list[Caption]]:
    """The captions of images with these ids: the best first, or as they were drawn.

    What is drawn depends on the seed and the image's id alone, not on the images beside it.
    """
    captions: list[list[Caption]] = [[] for _ in ids]
    if not ids:
        return captions
    numbers, decoded = _METHODS[decoding.method](captioner, images, ids, decoding)
    known = log_probabilities(captioner, images[numbers], decoded).tolist() if explained else [[]] * len(decoded)
    vocabulary, texts = captioner.vocabulary, decoded.captions(captioner.vocabulary)
    rows = zip(numbers.tolist(), decoded.words.tolist(), decoded.lengths.tolist(), strict=True)
    for (image, words, length), finished, text, logp in zip(rows, decoded.finished.tolist(), texts, known, strict=True):
        symbols = tuple(vocabulary.piece(word) for word in words[:length])
        captions[image].append(Caption(text, symbols, tuple(logp[:length]), finished))
    return captions


Decoded = tuple[Tensor, Sequences]
"""The image of each caption, and the captions."""


def _greedy(captioner: Captioner, images: Tensor, ids: Sequence[str], decoding: Decoding) -> Decoded:
    return torch.arange(len(ids)), greedy(captioner, images, decoding.limit)


def _beam(captioner: Captioner, images: Tensor, ids: Sequence[str], decoding: Decoding) -> Decoded:
    found = beam_search(captioner, images, decoding.beam_settings())
    counts = torch.tensor([len(each) for each in found])
    best = as_sequences([each for hypotheses in found for each in hypotheses], captioner.vocabulary.eos)
    return torch.arange(len(ids)).repeat_interleave(counts), best


def _sample(captioner: Captioner, images: Tensor, ids: Sequence[str], decoding: Decoding) -> Decoded:
    shape, count = decoding.warper, decoding.n_best
    examples = torch.tensor([_example(each) for each in ids])
    drawn = [
        sample(
            captioner,
            images,
            RandomStream(decoding.seed, "caption", step=number),
            examples,
            limit=decoding.limit,
            temperature=shape.temperature,
            top_k=shape.top_k,
            top_p=shape.top_p,
            allow_unknown=False,
        )
        for number in range(count)
    ]
    return torch.arange(len(ids)).repeat(count), Sequences.joined(drawn, captioner.vocabulary.eos)


def _example(image_id: str) -> int:
    """A number of 56 bits for an id."""
    return int.from_bytes(blake2b(image_id.encode("utf-8", "surrogatepass"), digest_size=7).digest())


_METHODS: dict[str, Callable[[Captioner, Tensor, Sequence[str], Decoding], Decoded]] = {
    "greedy": _greedy,
    "beam": _beam,
    "sample": _sample,
}
