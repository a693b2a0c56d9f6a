"""Beam search: the likeliest captions, found by following several prefixes at once."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.decode.generate import check_limit, forbid_unknown
from spidercap.decode.sequences import LIMIT, Sequences
from spidercap.errors import UsageError
from spidercap.model.captioner import Captioner, State

LENGTH_PENALTY = 0.7
ROWS_AT_ONCE = 512


@dataclass(frozen=True)
class Hypothesis:
    """A caption: its symbols (the end included), log π of all of them, and the score that ranks it."""

    words: tuple[int, ...]
    log_probability: float
    score: float
    finished: bool
    """False where the limit cut the caption."""


def as_sequences(hypotheses: Sequence[Hypothesis], eos: int) -> Sequences:
    """Captions of a search in the form that other decoding gives."""
    longest = max((len(each.words) for each in hypotheses), default=0)
    words = [[*each.words, *[eos] * (longest - len(each.words))] for each in hypotheses]
    return Sequences(
        torch.tensor(words, dtype=torch.int64).reshape(len(hypotheses), longest),
        torch.tensor([len(each.words) for each in hypotheses], dtype=torch.int64),
        torch.tensor([each.finished for each in hypotheses], dtype=torch.bool),
    )


@dataclass(frozen=True)
class BeamSettings:
    """How wide to search, how many captions to give, and how they are ranked: log π ÷ length^length_penalty."""

    beam: int = 5
    n_best: int = 1
    length_penalty: float = LENGTH_PENALTY
    limit: int = LIMIT
    allow_unknown: bool = False

    def __post_init__(self) -> None:
        if self.beam < 1:
            raise UsageError(f"`beam` must be at least 1, got {self.beam}")
        if not 1 <= self.n_best <= self.beam:
            raise UsageError(f"`n_best` must be in 1 to the width of the beam ({self.beam}), got {self.n_best}")
        if not 0 <= self.length_penalty <= 10:
            raise UsageError(f"`length_penalty` must be in [0, 10], got {self.length_penalty}")
        check_limit(self.limit)

    def score(self, log_probability: float, length: int) -> float:
        """What ranks a caption of so many symbols."""
        return log_probability / math.pow(length, self.length_penalty)


@torch.no_grad()
def beam_search(captioner: Captioner, images: Tensor, settings: BeamSettings | None = None) -> list[list[Hypothesis]]:
    """The best captions of each image, best first; finished ones stand before cut ones.

    In every step the `beam` likeliest prefixes go on. A caption that ends among them is a result, and an image is
    done when it has `beam` results, or when no prefix can become better than the `n_best` it has. A beam of 1 is
    greedy decoding.
    """
    settings = settings or BeamSettings()
    found: list[list[Hypothesis]] = []
    for part in torch.split(images, max(1, ROWS_AT_ONCE // settings.beam)):
        found.extend(_search(captioner, part, settings))
    return found


def _search(captioner: Captioner, images: Tensor, settings: BeamSettings) -> list[list[Hypothesis]]:
    found: list[list[Hypothesis]] = [[] for _ in range(len(images))]
    live = _Prefixes.of(captioner, images)
    for position in range(settings.limit):
        if not len(live.images):
            break
        live, ended = live.advanced(captioner, settings)
        for image, hypothesis in ended:
            found[image].append(hypothesis)
        if position + 1 < settings.limit:
            live = live.of_images(_undone(live, found, settings))
    for image, hypothesis in live.cut(settings):
        found[image].append(hypothesis)
    return [_ranked(each)[: settings.n_best] for each in found]


def _ranked(found: Sequence[Hypothesis]) -> list[Hypothesis]:
    return sorted(found, key=lambda each: (not each.finished, -each.score))


def _undone(live: "_Prefixes", found: list[list[Hypothesis]], settings: BeamSettings) -> Tensor:
    """Which images go on. A prefix's log π only falls, so its best end is that of the longest caption."""
    going = []
    for image, best in zip(live.images.tolist(), live.log_probabilities[:, 0].tolist(), strict=True):
        ranked = _ranked(found[image])
        worst = ranked[settings.n_best - 1].score if len(ranked) >= settings.n_best else -math.inf
        going.append(len(ranked) < settings.beam and settings.score(best, settings.limit) > worst)
    return torch.tensor(going, dtype=torch.bool, device=live.images.device)


@dataclass(frozen=True)
class _Prefixes:
    """The prefixes that are followed: K of each of I images, the likeliest first; −∞ where there are fewer."""

    images: Tensor
    """(I,)"""
    words: Tensor
    """(I, K, t)"""
    log_probabilities: Tensor
    """(I, K)"""
    state: State
    """(I·K rows), before the last word."""

    @classmethod
    def of(cls, captioner: Captioner, images: Tensor) -> "_Prefixes":
        numbers = torch.arange(len(images), device=images.device)
        state = captioner.begin(images)
        return cls(numbers, numbers.new_empty(len(images), 1, 0), state.hidden.new_zeros(len(images), 1), state)

    def of_images(self, going: Tensor) -> "_Prefixes":
        """Those of some images alone."""
        if bool(going.all()):
            return self
        rows = going.repeat_interleave(self.words.shape[1])
        return _Prefixes(self.images[going], self.words[going], self.log_probabilities[going], self.state.rows(rows))

    def advanced(
        self, captioner: Captioner, settings: BeamSettings
    ) -> "tuple[_Prefixes, list[tuple[int, Hypothesis]]]":
        """The likeliest prefixes with one word more, and the captions that have ended among them."""
        begun = self.words.shape[2] > 0
        state = captioner.advance(self.state, self.words[:, :, -1].reshape(-1)) if begun else self.state
        totals, parents, words = self._candidates(captioner, captioner.logits(state), settings)
        ends = words == captioner.vocabulary.eos
        followed = self.words.gather(1, parents[:, :, None].expand(-1, -1, self.words.shape[2]))
        longer = torch.cat([followed, words[:, :, None]], dim=2)
        first = ends[:, : settings.beam] & totals[:, : settings.beam].isfinite()
        ended = self._hypotheses(longer, totals, first, settings, finished=True)
        # Ends go behind everything else; where they are still among the first, there is no other prefix.
        totals = totals.masked_fill(ends, -math.inf)
        totals, order = totals.sort(dim=1, descending=True, stable=True)
        totals, order = totals[:, : settings.beam], order[:, : settings.beam]
        rows = torch.arange(len(order), device=order.device)[:, None]
        state_rows = (rows * self.words.shape[1] + parents[rows, order]).reshape(-1)
        return _Prefixes(self.images, longer[rows, order], totals, state.rows(state_rows)), ended

    def _candidates(
        self, captioner: Captioner, logits: Tensor, settings: BeamSettings
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The 2·beam likeliest continuations of each image, (I, C): log π, which prefix, which word.

        Each prefix has one end, so at least `beam` of them go on.
        """
        images, prefixes = self.log_probabilities.shape
        total = logits.logsumexp(dim=1, keepdim=True)
        count = min(2 * settings.beam, logits.shape[1])
        best, words = forbid_unknown(captioner, logits, settings.allow_unknown).topk(count, dim=1)
        totals = self.log_probabilities.reshape(-1, 1) + (best - total)
        totals, order = totals.view(images, -1).topk(min(2 * settings.beam, prefixes * count), dim=1)
        return totals, order // count, words.view(images, -1).gather(1, order)

    def cut(self, settings: BeamSettings) -> list[tuple[int, Hypothesis]]:
        """The prefixes as captions that the limit has cut."""
        exist = self.log_probabilities.isfinite()
        return self._hypotheses(self.words, self.log_probabilities, exist, settings, finished=False)

    def _hypotheses(
        self, words: Tensor, totals: Tensor, which: Tensor, settings: BeamSettings, *, finished: bool
    ) -> list[tuple[int, Hypothesis]]:
        rows, columns = which.nonzero(as_tuple=True)
        images, chosen = self.images[rows].tolist(), words[rows, columns].tolist()
        log_probabilities = totals[rows, columns].tolist()
        return [
            (image, Hypothesis(tuple(symbols), logp, settings.score(logp, len(symbols)), finished))
            for image, symbols, logp in zip(images, chosen, log_probabilities, strict=True)
        ]
