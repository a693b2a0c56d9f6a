"""REINFORCE leave-one-out (Kool et al. 2019): the other captions of an image are the baseline of each."""

from dataclasses import dataclass

from torch import Tensor, nn

from spidercap.decode.rollout import Sampling
from spidercap.errors import UsageError
from spidercap.learn.algorithm import Algorithm, Batch, Setup, Step
from spidercap.learn.diagnostics import value_numbers
from spidercap.learn.policy import LOGGED, PathSettings, Policy, teacher_forced_pass
from spidercap.learn.policy_gradient import policy_gradient_loss

PATHS = 5


def leave_one_out_advantage(rewards: Tensor) -> Tensor:
    """R_m − 1/(M − 1) Σ_{j≠m} R_j, for rewards (B, M)."""
    others = (rewards.sum(dim=1, keepdim=True) - rewards) / (rewards.shape[1] - 1)
    return rewards - others


@dataclass(frozen=True)
class LeaveOneOutSettings(PathSettings):
    """Keys of the section `learn` for leave-one-out."""

    algorithm = "rloo"
    title = "RLOO"
    meaning = "leave one out: makes a sampled caption likelier where it is worth more than the image's other samples"

    def make(self, setup: Setup) -> "LeaveOneOut":
        """Five sampled captions of an image, or as many as are asked for."""
        return LeaveOneOut(self.policy(setup), Sampling(self.paths or PATHS, limit=setup.limit))


@dataclass(frozen=True)
class LeaveOneOut(Algorithm):
    """M captions of each image; every word gets its caption's reward less the mean of the others'."""

    policy: Policy
    sampling: Sampling

    logged = LOGGED

    def __post_init__(self) -> None:
        if self.sampling.paths < 2:
            raise UsageError(
                f"leave-one-out needs at least 2 captions of an image, got learn.paths = {self.sampling.paths}"
            )

    @property
    def module(self) -> nn.Module:
        """The captioner alone."""
        return self.policy.captioner

    def loss(self, batch: Batch, step: int) -> Step:
        """−Σ_t log π(g_t | s_t) (R − mean of the others), in the mean over captions."""
        policy, paths = self.policy, self.sampling.paths
        count = batch.global_count * paths
        sampled = policy.sample(batch, step, self.sampling)
        rewards, captions = policy.rewards(batch.ids, sampled.sequences, sampled.images)
        forced = teacher_forced_pass(policy.captioner, batch.images, sampled.paths, paths)
        a = leave_one_out_advantage(rewards.view(-1, paths)).flatten()
        loss = policy_gradient_loss(forced.logp_t, forced.spread(a)) / count
        log = policy.log(forced, sampled.paths, rewards, captions, step, count)
        return Step(loss, log | value_numbers(forced.spread(rewards), forced.spread(rewards - a), count))
