"""Self-critical sequence training (Rennie et al. 2017): the reward of the greedy caption is the baseline."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from spidercap.decode.greedy import greedy
from spidercap.learn.batch import Batch, Step
from spidercap.learn.diagnostics import value_numbers
from spidercap.learn.policy_gradient import policy_gradient_loss
from spidercap.learn.sampled import LOGGED, Policy, say


def self_critical_advantage(rewards: Tensor, greedy_rewards: Tensor) -> Tensor:
    """R(g) − R(ĝ), ĝ the greedy caption of the same image: (B, M) from (B, M) and (B,)."""
    return rewards - greedy_rewards[:, None]


@dataclass(frozen=True)
class SelfCritical:
    """REINFORCE whose every word gets the sequence's reward less that of the greedy caption."""

    policy: Policy
    paths: int = 1

    logged = LOGGED

    @property
    def module(self) -> nn.Module:
        """The captioner alone."""
        return self.policy.model

    def loss(self, batch: Batch, step: int) -> Step:
        """−Σ_t log π(g_t | s_t) (R(g) − R(ĝ)), in the mean over captions."""
        policy, count = self.policy, batch.global_count * self.paths
        sampled = policy.sample(batch, step, self.paths)
        rewards, captions = policy.rewards(batch.ids, sampled.sequences, sampled.images)
        likeliest = greedy(policy.model, batch.features.detach(), policy.limit)
        own = torch.arange(len(likeliest), device=rewards.device)
        greedy_rewards, _ = policy.rewards(batch.ids, likeliest, own)
        said = say(policy.model, batch.features, sampled.paths, self.paths)
        a = self_critical_advantage(rewards.view(-1, self.paths), greedy_rewards).flatten()
        loss = policy_gradient_loss(said.logp_t, said.spread(a)) / count
        log = policy.log(said, sampled.paths, rewards, captions, step, count)
        return Step(loss, log | value_numbers(said.spread(rewards), said.spread(rewards - a), count))
