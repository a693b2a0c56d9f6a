"""Policy gradient with Monte-Carlo rollouts (paper, section 5): sample → rollout → reward → advantage → loss.

Letters as in the paper: state s_t = g_1..t−1, action g_t, action value Q, baseline B_φ, policy π. Words of all paths
lie packed (`model/packed.py`): `logp_t`, `q_t` and `b_t` are (N,), one entry a word.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from spidercap.decode.rollout import Sampling
from spidercap.learn.algorithm import AlgorithmSettings, Batch, Setup, Step
from spidercap.learn.baseline import Baseline, BaselineSettings, baseline_loss
from spidercap.learn.diagnostics import value_numbers
from spidercap.learn.policy import LOGGED, BaselineAlgorithm, PathSettings, Policy, teacher_forced_pass
from spidercap.options import AUTOMATIC, at_least, decided, option

BASELINE_STEPS = 100


def action_value(rewards: Tensor, members: Tensor) -> Tensor:
    """Q(g_1..t−1, g_t) ≈ 1/K Σ_k R(g_1..t ; g^k_t+1..T) (paper, eq. 6), (P, T) from R (S,) and members (P, T, K).

    At EOS and at the length limit all K are the path itself, so that Q = R.
    """
    return rewards[members].mean(dim=2)


def advantage(q_t: Tensor, b_t: Tensor) -> Tensor:
    """Q(s_t, g_t) − B_φ(s_t), a constant for the gradient of π (paper, eq. 7)."""
    return (q_t - b_t).detach()


def policy_gradient_loss(logp_t: Tensor, a_t: Tensor) -> Tensor:
    """−Σ_t log π(g_t | s_t) · (Q(s_t, g_t) − B_φ(s_t)), whose gradient is −∇V(s_0) (paper, eqs. 5 and 7)."""
    return -(logp_t * a_t).sum()


def full_sum_loss(logp: Tensor, q: Tensor, b_t: Tensor) -> Tensor:
    """−Σ_t Σ_g π(g | s_t) (Q(s_t, g) − B_φ(s_t)) over all words g, (N, V) each (paper, eq. 7 in full).

    Q needs rollouts of every word, so this is for tiny vocabularies. Words of probability 0 have no part.
    """
    possible = logp > -torch.inf
    return -(logp.exp() * advantage(q, b_t[:, None]))[possible].sum()


@dataclass(frozen=True)
class PolicyGradientSettings(PathSettings, BaselineSettings):
    """Keys of the section `learn` for policy gradient."""

    algorithm = "pg"
    title = "PG"
    meaning = (
        "policy gradient: samples captions, and makes a word likelier where captions that go on from it are worth more "
        "than expected"
    )

    rollouts: int = option(3, "K, rollouts from each prefix of a sampled caption")
    reuse_rollouts: bool = option(True, "a rollout that follows the path serves the next prefix too")
    count_path: bool = option(True, "with K > 1 the path itself is one of the K rollouts of each of its prefixes")
    baseline_steps: int = option(
        AUTOMATIC,
        "first steps, in which the baseline learns alone; -1 = 100, or as many as the captioner has if fewer",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_baseline()
        at_least("learn", self, 1, "rollouts")
        at_least("learn", self, AUTOMATIC, "baseline_steps")

    @property
    def warmup(self) -> int:
        """Steps of the baseline alone."""
        return max(0, self.baseline_steps)

    def resolved(self, steps: int, earlier: AlgorithmSettings | None) -> "PolicyGradientSettings":
        """Few steps of the captioner do not deserve many of its baseline."""
        before = earlier.baseline_steps if isinstance(earlier, PolicyGradientSettings) else AUTOMATIC
        return replace(self, baseline_steps=decided(self.baseline_steps, before, min(BASELINE_STEPS, steps)))

    def make(self, setup: Setup) -> "PolicyGradient":
        """Rollouts of the policy, and a new baseline."""
        # With K = 1 the path alone would be left, and no rollout.
        counted = self.count_path and self.rollouts > 1
        sampling = Sampling(self.paths or 1, self.rollouts, self.reuse_rollouts, counted, setup.limit)
        return PolicyGradient(
            self.policy(setup),
            self.baseline(setup),
            sampling,
            self.warmup,
            self.baseline_weight,
            self.baseline_learning_rate,
        )


@dataclass(frozen=True)
class PolicyGradient(BaselineAlgorithm):
    """Algorithm 1 of the paper, from its MLE start on.

    In the first `warmup` steps only the baseline learns: (b) of the algorithm, on the images of those steps.
    """

    policy: Policy
    baseline: Baseline
    sampling: Sampling
    warmup: int = 0
    baseline_weight: float = 1.0
    """Multiplies the gradient of the baseline's loss."""
    baseline_learning_rate: float = 1e-3

    logged = LOGGED

    def loss(self, batch: Batch, step: int) -> Step:
        """Eq. 7 on the sampled paths of each image, and the baseline's own loss."""
        policy, paths = self.policy, self.sampling.paths
        count = batch.global_count * paths
        sampled = policy.sample(batch, step, self.sampling)
        rewards, captions = policy.rewards(batch.ids, sampled.sequences, sampled.images)
        forced = teacher_forced_pass(policy.captioner, batch.images, sampled.paths, paths)
        q_t = forced.packed(action_value(rewards, sampled.members))
        b_t = self.baseline(forced.hidden)
        policy_loss = policy_gradient_loss(forced.logp_t, advantage(q_t, b_t))
        learns = float(step >= self.warmup)
        loss = (learns * policy_loss + self.baseline_weight * baseline_loss(q_t, b_t)) / count
        log = policy.log(forced, sampled.paths, rewards, captions, step, count)
        return Step(loss, log | value_numbers(q_t, b_t, count))
