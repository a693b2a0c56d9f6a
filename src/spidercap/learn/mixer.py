"""MIXER (Ranzato et al. 2016; paper, section 6): the first M words by cross-entropy, the others by REINFORCE.

Every word of the second part gets the reward of the whole sequence, without rollouts, less a learned baseline.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.decode.generate import generate
from spidercap.decode.sample import draw
from spidercap.decode.sequences import Sequences
from spidercap.learn.algorithm import Batch, Setup, Step
from spidercap.learn.baseline import Baseline, BaselineSettings, baseline_loss
from spidercap.learn.diagnostics import value_numbers
from spidercap.learn.policy import LOGGED, BaselineAlgorithm, Policy, RewardSettings, teacher_forced_pass
from spidercap.learn.policy_gradient import advantage
from spidercap.model.captioner import Captioner
from spidercap.model.random_stream import RandomStream
from spidercap.options import at_least, check, option


@dataclass(frozen=True)
class Annealing:
    """How M falls: from `start` by `words` at a time, evenly, to 0 after `share` of the steps."""

    start: int = 6
    words: int = 6
    share: float = 0.5

    def words_by_cross_entropy(self, step: int, steps: int) -> int:
        """M of a step."""
        stages = math.ceil(self.start / self.words)
        fallen = stages if step >= self.share * steps else int(step * stages / (self.share * steps))
        return max(0, self.start - self.words * fallen)


def mixer_loss(logp_t: Tensor, a_t: Tensor, given_t: Tensor) -> Tensor:
    """−Σ_{t ≤ M} log π(y_t | s_t) − Σ_{t > M} log π(g_t | s_t) (R − b_t); `given_t` True = a word of a person."""
    return -(logp_t * torch.where(given_t, 1.0, a_t)).sum()


def sample_after(
    captioner: Captioner,
    images: Tensor,
    given: Tensor,
    lengths: Tensor,
    stream: RandomStream,
    examples: Tensor,
    limit: int,
) -> Sequences:
    """Captions that begin with the first `lengths[i]` symbols of row i of `given`, their other words drawn."""

    def choose(logits: Tensor, rows: Tensor, position: int) -> Tensor:
        keys = examples[rows], torch.full_like(rows, position)
        drawn = draw(logits, stream.uniform(*keys))
        if position >= given.shape[1]:
            return drawn
        return torch.where(position < lengths[rows], given[rows, position], drawn)

    return generate(captioner, images, choose, limit)


@dataclass(frozen=True)
class MixerSettings(RewardSettings, BaselineSettings):
    """Keys of the section `learn` for MIXER."""

    algorithm = "mixer"
    title = "MIXER"
    meaning = (
        "begins with a person's words and goes on with its own, which become likelier where the whole caption is worth "
        "more than expected"
    )
    examples = "captions"
    needs_start = False
    """It can begin with cross-entropy."""

    mixer_words: int = option(6, "M at the start, words of each caption learnt by cross-entropy")
    mixer_fall: int = option(6, "by how many words M falls at a time")
    mixer_share: float = option(0.5, "share of the steps after which M is 0")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_baseline()
        at_least("learn", self, 0, "mixer_words")
        at_least("learn", self, 1, "mixer_fall")
        check("learn.mixer_share", 0 <= self.mixer_share <= 1, "in [0, 1]", self.mixer_share)

    def make(self, setup: Setup) -> "Mixer":
        """The annealing of this run, and a new baseline."""
        annealing = Annealing(self.mixer_words, self.mixer_fall, self.mixer_share)
        policy, baseline = self.policy(setup), self.baseline(setup)
        rate, weight = self.baseline_learning_rate, self.baseline_weight
        return Mixer(policy, baseline, annealing, setup.steps, setup.limit, weight, rate)


@dataclass(frozen=True)
class Mixer(BaselineAlgorithm):
    """Annealed from cross-entropy to REINFORCE; examples are (image, caption) pairs."""

    policy: Policy
    baseline: Baseline
    annealing: Annealing
    steps: int
    limit: int
    baseline_weight: float = 1.0
    """Multiplies the gradient of the baseline's loss."""
    baseline_learning_rate: float = 1e-3

    logged = (*LOGGED, "mixer_words")

    def loss(self, batch: Batch, step: int) -> Step:
        """Cross-entropy on the first M words, the sequence's reward less the baseline on the others."""
        policy, count = self.policy, batch.global_count
        m = self.annealing.words_by_cross_entropy(step, self.steps)
        given, lengths = _prefixes(batch, min(m, self.limit), policy.captioner.vocabulary.eos)
        stream = RandomStream(policy.seed, "sample", step)
        captions = sample_after(
            policy.captioner, batch.images.detach(), given, lengths, stream, batch.examples, self.limit
        )
        own = torch.arange(len(captions), device=given.device)
        rewards, texts = policy.rewards(batch.ids, captions, own)
        forced = teacher_forced_pass(policy.captioner, batch.images, captions)
        r_t, b_t = forced.spread(rewards), self.baseline(forced.hidden)
        given_t = forced.layout.positions < forced.spread(lengths)
        loss = mixer_loss(forced.logp_t, advantage(r_t, b_t), given_t)
        loss = loss + self.baseline_weight * baseline_loss(r_t[~given_t], b_t[~given_t])
        log = policy.log(forced, captions, rewards, texts, step, count)
        return Step(
            loss / count,
            log | value_numbers(r_t[~given_t], b_t[~given_t], count) | {"mixer_words": m * len(batch.ids) / count},
        )


def _prefixes(batch: Batch, width: int, eos: int) -> tuple[Tensor, Tensor]:
    """The first symbols of people's captions, (B, width), and how many each caption has of them."""
    captions = batch.captions
    assert captions is not None
    count = len(batch.ids)
    given = torch.full((count, width), eos, device=captions.targets.device)
    mask = captions.positions < width
    given[captions.rows[mask], captions.positions[mask]] = captions.targets[mask]
    lengths = torch.bincount(captions.rows[mask], minlength=count)
    return given, lengths
