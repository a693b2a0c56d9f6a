"""The policy π of algorithms that learn from its own captions: sample, reward, read again with gradient, describe."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn

from spidercap.decode.rollout import Rollouts, Sampling, sample_with_rollouts
from spidercap.decode.sequences import Sequences
from spidercap.learn.algorithm import Algorithm, AlgorithmSettings, Batch, Setup
from spidercap.learn.baseline import Baseline
from spidercap.learn.diagnostics import VALUES, caption_numbers, word_numbers
from spidercap.model.captioner import Captioner
from spidercap.model.packed import Packed, pack
from spidercap.model.random_stream import RandomStream
from spidercap.options import at_least, option, positive
from spidercap.reward.function import is_function_name
from spidercap.reward.reward import Reward, check_reward, make_reward

KL_EVERY = 10
"""Steps between measurements of the distance to the start: each costs one more forward pass of the paths."""

LOGGED = (
    *("reward", "length", "cut_rate", "bad_ending_rate", "repeated_bigram_rate"),
    *(f"{name}/{part}" for name in ("entropy", "kl", *VALUES) for part in ("sum", "words")),
)


@dataclass(frozen=True)
class RewardSettings(AlgorithmSettings):
    """What algorithms have in common that maximise a reward."""

    reward: str = option("SPIDEr", "what is maximised: an expression of metrics, or module:function")
    eos_token: bool = option(True, "the reward's n-grams see where a caption ends (docs/rewards.md)")
    sharpen: float = option(1.0, "multiplies the logits of the start: samples at temperature 1/sharpen")

    def __post_init__(self) -> None:
        positive("learn", self, "sharpen")

    def check(self) -> None:
        """Raise if there is no such reward."""
        check_reward(self.reward)

    @property
    def sees_end(self) -> bool:
        """Whether an end symbol is added to captions; a function is told which captions are finished instead."""
        return self.eos_token and not is_function_name(self.reward)

    def policy(self, setup: Setup) -> "Policy":
        """The captioner, sharpened, and its reward; what it was at the start is kept, to tell how far it has gone.

        A run that goes on takes its weights from its checkpoint after this, so it is not sharpened twice.
        """
        setup.captioner.sharpen(self.sharpen)
        reward = make_reward(self.reward, setup.references, eos_token=self.sees_end, keep=True)
        start = copy.deepcopy(setup.captioner).requires_grad_(False)
        return Policy(setup.captioner, reward, setup.seed, start)


@dataclass(frozen=True)
class PathSettings(RewardSettings):
    """What algorithms have in common that sample whole captions."""

    paths: int = option(0, "captions sampled of an image in a step; 0 = 5 for rloo, 1 for the others")

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("learn", self, 0, "paths")


@dataclass(frozen=True)
class TeacherForcedPass:
    """Sequences read again with gradient, their N symbols packed."""

    layout: Packed
    order: Tensor
    """Which sequence each row of the layout is, the longest first."""
    images: Tensor
    """In that order."""
    hidden: Tensor
    """h_t, the state that predicts each symbol, (N, hidden size)."""
    logp_t: Tensor
    """log π(g_t | s_t), (N,)."""

    def packed(self, values: Tensor) -> Tensor:
        """The entries (N,) of (P, T) values that belong to symbols."""
        return values[self.order[self.layout.rows], self.layout.positions]

    def spread(self, values: Tensor) -> Tensor:
        """One value a sequence (P,), for each of its symbols (N,)."""
        return values[self.order[self.layout.rows]]


def teacher_forced_pass(
    captioner: Captioner, images: Tensor, sequences: Sequences, copies: int = 1
) -> TeacherForcedPass:
    """log π of the symbols of the sequences, of which each image has `copies` one after the other."""
    order = sequences.lengths.argsort(descending=True, stable=True)
    layout = pack(sequences.words[order], sequences.lengths[order])
    rows = images[order // copies]
    logp_t, hidden = captioner.teacher_forced(rows, layout)
    return TeacherForcedPass(layout, order, rows, hidden, logp_t)


@dataclass(frozen=True)
class Policy:
    """The captioner π, and what its captions are worth; `start` is the policy that training began with."""

    captioner: Captioner
    reward: Reward
    seed: int
    start: Captioner | None = None

    def sample(self, batch: Batch, step: int, sampling: Sampling) -> Rollouts:
        """Some paths of each image, and rollouts from each of their prefixes."""
        stream = RandomStream(self.seed, "sample", step)
        return sample_with_rollouts(self.captioner, batch.images.detach(), stream, batch.examples, sampling)

    def rewards(self, ids: Sequence[str], sequences: Sequences, images: Tensor) -> tuple[Tensor, list[str]]:
        """R of each sequence (S,), which is about the image with its row number in `images`, and its caption."""
        captions = sequences.captions(self.captioner.vocabulary)
        names = [ids[image] for image in images.tolist()]
        found = self.reward(names, captions, sequences.finished.tolist())
        weight = next(self.captioner.parameters())
        return torch.as_tensor(found, dtype=weight.dtype, device=weight.device), captions

    def log(
        self,
        forced: TeacherForcedPass,
        paths: Sequences,
        rewards: Tensor,
        captions: Sequence[str],
        step: int,
        count: int,
    ) -> dict[str, float]:
        """Numbers about the first captions, which are the paths; `count` paths are in the whole step."""
        number = len(paths)
        entropy = {"entropy": -forced.logp_t.detach()}
        return {
            "reward": float(rewards[:number].sum()) / count,
            **caption_numbers(captions[:number], paths.lengths, paths.finished, count),
            **word_numbers(entropy, count),
            **self._distance(forced, step, count),
        }

    @torch.no_grad()
    def _distance(self, forced: TeacherForcedPass, step: int, count: int) -> dict[str, float]:
        """KL(π ‖ start) by its symbols: log π − log π_start of what π sampled."""
        if self.start is None or step % KL_EVERY:
            return {"kl/sum": 0.0, "kl/words": 0.0}
        gap = forced.logp_t - self.start.teacher_forced(forced.images, forced.layout).logp_t
        return word_numbers({"kl": gap}, count)


class BaselineAlgorithm(Algorithm):
    """Learns from its own captions, with a learned baseline beside the policy."""

    policy: Policy
    baseline: Baseline
    baseline_learning_rate: float

    @cached_property
    def module(self) -> nn.Module:
        """All that is trained."""
        return nn.ModuleDict({"model": self.policy.captioner, "baseline": self.baseline})

    @property
    def own_rates(self) -> dict[str, float]:
        """The baseline's."""
        return {"baseline": self.baseline_learning_rate}
