"""Self-critical sequence training (Rennie et al. 2017): the reward of the greedy caption is the baseline."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from spidercap.decode.greedy import greedy
from spidercap.decode.rollout import Sampling
from spidercap.learn.algorithm import Algorithm, Batch, Setup, Step
from spidercap.learn.diagnostics import value_numbers
from spidercap.learn.policy import LOGGED, PathSettings, Policy, teacher_forced_pass
from spidercap.learn.policy_gradient import policy_gradient_loss


def self_critical_advantage(rewards: Tensor, greedy_rewards: Tensor) -> Tensor:
    """R(g) − R(ĝ), ĝ the greedy caption of the same image: (B, M) from (B, M) and (B,)."""
    return rewards - greedy_rewards[:, None]


@dataclass(frozen=True)
class SelfCriticalSettings(PathSettings):
    """Keys of the section `learn` for self-critical training."""

    algorithm = "scst"
    title = "SCST"
    meaning = "self-critical: makes a sampled caption likelier where it is worth more than the likeliest one"

    def make(self, setup: Setup) -> "SelfCritical":
        """One sampled caption of an image, or as many as are asked for."""
        return SelfCritical(self.policy(setup), Sampling(self.paths or 1, limit=setup.limit))


@dataclass(frozen=True)
class SelfCritical(Algorithm):
    """REINFORCE whose every word gets the sequence's reward less that of the greedy caption."""

    policy: Policy
    sampling: Sampling

    logged = LOGGED

    @property
    def module(self) -> nn.Module:
        """The captioner alone."""
        return self.policy.captioner

    def loss(self, batch: Batch, step: int) -> Step:
        """−Σ_t log π(g_t | s_t) (R(g) − R(ĝ)), in the mean over captions."""
        policy, paths = self.policy, self.sampling.paths
        count = batch.global_count * paths
        sampled = policy.sample(batch, step, self.sampling)
        rewards, captions = policy.rewards(batch.ids, sampled.sequences, sampled.images)
        likeliest = greedy(policy.captioner, batch.images.detach(), self.sampling.limit)
        own = torch.arange(len(likeliest), device=rewards.device)
        greedy_rewards, _ = policy.rewards(batch.ids, likeliest, own)
        forced = teacher_forced_pass(policy.captioner, batch.images, sampled.paths, paths)
        a = self_critical_advantage(rewards.view(-1, paths), greedy_rewards).flatten()
        loss = policy_gradient_loss(forced.logp_t, forced.spread(a)) / count
        log = policy.log(forced, sampled.paths, rewards, captions, step, count)
        return Step(loss, log | value_numbers(forced.spread(rewards), forced.spread(rewards - a), count))
