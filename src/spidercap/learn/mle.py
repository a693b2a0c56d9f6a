"""Maximum likelihood (paper, section 4): L(θ) = 1/N Σ_n Σ_t log p(y_t | y_1..t−1, x).

We divide by the number of words of the step instead of the number of captions: Adam does not see the difference, and
the loss is then −log p of a word.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.decode.sample import draw
from spidercap.learn.algorithm import Algorithm, AlgorithmSettings, Batch, Setup, Step
from spidercap.model.captioner import Captioner, Dropout
from spidercap.model.packed import Packed
from spidercap.model.random_stream import RandomStream
from spidercap.options import option, share


def negative_log_likelihood(logp_t: Tensor, words: int) -> Tensor:
    """−1/N Σ_t log p(y_t | y_1..t−1, x), N the number of words."""
    return -logp_t.sum() / words


@dataclass(frozen=True)
class MaximumLikelihoodSettings(AlgorithmSettings):
    """Keys of the section `learn` for maximum likelihood."""

    algorithm = "mle"
    title = "MLE"
    meaning = "maximum likelihood: learns to say the next word of captions that people wrote"
    examples = "captions"
    needs_start = False
    learning_rate = 1e-3

    label_smoothing: float = option(0.0, "share of the target given evenly to all words")
    scheduled_sampling: float = option(0.0, "share of input words replaced by samples at the end of training")

    def __post_init__(self) -> None:
        share("learn", self, "label_smoothing", "scheduled_sampling")

    def make(self, setup: Setup) -> "MaximumLikelihood":
        """Teacher forcing with the run's dropout."""
        return MaximumLikelihood(
            setup.captioner, setup.seed, setup.dropout, self.label_smoothing, self.scheduled_sampling, setup.steps
        )


@dataclass(frozen=True)
class MaximumLikelihood(Algorithm):
    """Teacher forcing on the captions of people."""

    captioner: Captioner
    seed: int
    dropout: float = 0.0
    smoothing: float = 0.0
    scheduled_sampling: float = 0.0
    steps: int = 1
    """Of the whole training: scheduled sampling grows evenly up to its share."""

    @property
    def module(self) -> Captioner:
        """The captioner alone."""
        return self.captioner

    def loss(self, batch: Batch, step: int) -> Step:
        """−log p of a word, in the mean over the words of the step."""
        captions = batch.captions
        assert captions is not None
        keys = batch.examples[captions.rows], captions.positions
        dropout = Dropout(self.dropout, RandomStream(self.seed, "dropout", step), *keys)
        fed = self._fed(batch, captions, step, *keys)
        logp_t, _ = self.captioner.teacher_forced(
            batch.images, captions, fed=fed, dropout=dropout, smoothing=self.smoothing
        )
        return Step(negative_log_likelihood(logp_t, batch.global_words))

    @torch.no_grad()
    def _fed(self, batch: Batch, captions: Packed, step: int, examples: Tensor, positions: Tensor) -> Tensor | None:
        """What is read as the past, some of it the captioner's own words (scheduled sampling, Bengio et al. 2015).

        They are drawn given the true words before them, all at once (Duckworth et al. 2019).
        """
        replaced = self.scheduled_sampling * min(1.0, step / self.steps)
        if not replaced:
            return None
        hidden = self.captioner.teacher_forced(batch.images.detach(), captions).hidden
        stream = RandomStream(self.seed, "scheduled sampling", step)
        own = draw(self.captioner.head(hidden), stream.uniform(examples, positions))
        # The coin belongs to the position that reads the word: the next one.
        coin = RandomStream(self.seed, "scheduled coin", step).uniform(examples, positions + 1)
        return torch.where(coin < replaced, own, captions.targets)
