"""Maximum likelihood (paper, section 4): L(θ) = 1/N Σ_n Σ_t log p(y_t | y_1..t−1, x).

We divide by the number of words of the step instead of the number of captions: Adam does not see the difference, and
the loss is then −log p of a word.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.decode.sample import draw
from spidercap.learn.batch import Batch, Step
from spidercap.model.packed import Packed
from spidercap.model.random_stream import RandomStream
from spidercap.model.show_and_tell import Dropout, ShowAndTell


def negative_log_likelihood(logp_t: Tensor, words: int) -> Tensor:
    """−1/N Σ_t log p(y_t | y_1..t−1, x), N the number of words."""
    return -logp_t.sum() / words


@dataclass(frozen=True)
class MaximumLikelihood:
    """Teacher forcing on the captions of people."""

    logged = ()
    module: ShowAndTell
    seed: int
    dropout: float = 0.0
    smoothing: float = 0.0
    scheduled_sampling: float = 0.0
    steps: int = 1
    """Of the whole training: scheduled sampling grows evenly up to its share."""

    def loss(self, batch: Batch, step: int) -> Step:
        """−log p of a word, in the mean over the words of the step."""
        captions = batch.captions
        assert captions is not None
        keys = batch.examples[captions.rows], captions.positions
        inputs = self._inputs(batch, captions, step, *keys)
        dropout = Dropout(self.dropout, RandomStream(self.seed, "dropout", step), *keys)
        hidden = self.module.hidden_states(batch.features, inputs, captions.sizes, dropout)
        logp_t = self.module.log_probabilities(hidden, captions.targets, self.smoothing)
        return Step(negative_log_likelihood(logp_t, batch.global_words))

    def _inputs(self, batch: Batch, captions: Packed, step: int, examples: Tensor, positions: Tensor) -> Tensor:
        """The words before each target; some of them the model's own (scheduled sampling, Bengio et al. 2015).

        The model's words are drawn given the true words before them, all at once (Duckworth et al. 2019).
        """
        share = self.scheduled_sampling * min(1.0, step / self.steps)
        if not share:
            return captions.inputs
        with torch.no_grad():
            hidden = self.module.hidden_states(batch.features.detach(), captions.inputs, captions.sizes)
            stream = RandomStream(self.seed, "scheduled sampling", step)
            own = draw(self.module.logits(hidden), stream.uniform(examples, positions))
            before = _previous(own, captions)
            chosen = RandomStream(self.seed, "scheduled coin", step).uniform(examples, positions) < share
        return torch.where(chosen & (positions > 0), before, captions.inputs)


def _previous(values: Tensor, captions: Packed) -> Tensor:
    """The value of the same caption one step earlier; of no meaning at the first step."""
    begins = torch.tensor([0, *captions.sizes], device=values.device).cumsum(0)
    return values[(begins[captions.positions - 1] + captions.rows).clamp(0, len(values) - 1)]
