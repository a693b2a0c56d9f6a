"""REINFORCE leave-one-out (Kool et al. 2019): the other captions of an image are the baseline of each."""

from dataclasses import dataclass

from torch import Tensor, nn

from spidercap.errors import UsageError
from spidercap.learn.batch import Batch, Step
from spidercap.learn.diagnostics import value_numbers
from spidercap.learn.policy_gradient import policy_gradient_loss
from spidercap.learn.sampled import LOGGED, Policy, say


def leave_one_out_advantage(rewards: Tensor) -> Tensor:
    """R_m − 1/(M − 1) Σ_{j≠m} R_j, for rewards (B, M)."""
    others = (rewards.sum(dim=1, keepdim=True) - rewards) / (rewards.shape[1] - 1)
    return rewards - others


@dataclass(frozen=True)
class LeaveOneOut:
    """M captions of each image; every word gets its caption's reward less the mean of the others'."""

    policy: Policy
    paths: int = 5

    logged = LOGGED

    def __post_init__(self) -> None:
        if self.paths < 2:
            raise UsageError(f"leave-one-out needs at least 2 captions of an image, got learn.paths = {self.paths}")

    @property
    def module(self) -> nn.Module:
        """The captioner alone."""
        return self.policy.model

    def loss(self, batch: Batch, step: int) -> Step:
        """−Σ_t log π(g_t | s_t) (R − mean of the others), in the mean over captions."""
        policy, count = self.policy, batch.global_count * self.paths
        sampled = policy.sample(batch, step, self.paths)
        rewards, captions = policy.rewards(batch.ids, sampled.sequences, sampled.images)
        said = say(policy.model, batch.features, sampled.paths, self.paths)
        a = leave_one_out_advantage(rewards.view(-1, self.paths)).flatten()
        loss = policy_gradient_loss(said.logp_t, said.spread(a)) / count
        log = policy.log(said, sampled.paths, rewards, captions, step, count)
        return Step(loss, log | value_numbers(said.spread(rewards), said.spread(rewards - a), count))
