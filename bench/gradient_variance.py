"""Variance of the policy gradient by K and by how rollouts are shared, on a trained captioner.

    python bench/gradient_variance.py MODEL DATASET FEATURES [--sharpen 2] [--gradients 12] [--images 32]

The gradient of one fixed batch of training images is estimated again and again with new random numbers; the baseline
has learnt on the same images before. Tells the trace of the gradient's variance and the processor
seconds of an estimate.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from spidercap.data.captions import Dataset
from spidercap.decode.rollout import Sampling
from spidercap.learn.algorithm import Batch
from spidercap.learn.baseline import Baseline
from spidercap.learn.policy import Policy
from spidercap.learn.policy_gradient import PolicyGradient
from spidercap.model.folder import load_model
from spidercap.reward.reward import make_reward
from spidercap.vision.feature_store import FeatureStore

# K, whether rollouts that follow the path are reused, whether the path counts.
ESTIMATORS = {
    "K = 1": Sampling(rollouts=1),
    "K = 1, reused": Sampling(rollouts=1, reuse=True),
    "K = 2": Sampling(rollouts=2),
    "K = 3": Sampling(rollouts=3),
    "K = 3, reused": Sampling(rollouts=3, reuse=True),
    "K = 3, path counted": Sampling(rollouts=3, count_path=True),
    "K = 3, both (the default)": Sampling(rollouts=3, reuse=True, count_path=True),
}
BASELINE_STEPS = 25


@dataclass
class Moments:
    """Sums over the gradients of one estimator."""

    count: int = 0
    seconds: float = 0.0
    squares: float = 0.0
    total: Tensor | None = None

    def add(self, gradient: Tensor, seconds: float) -> None:
        self.count += 1
        self.seconds += seconds
        self.squares += float(gradient.square().sum())
        self.total = gradient if self.total is None else self.total + gradient

    @property
    def variance(self) -> float:
        """The trace of the covariance, unbiased."""
        assert self.total is not None
        mean_square = float((self.total / self.count).square().sum())
        return (self.squares / self.count - mean_square) * self.count / (self.count - 1)


def taught_baseline(policy: Policy, batch: Batch) -> Baseline:
    """A baseline that has seen the batch's values."""
    baseline = Baseline(policy.captioner.hidden_size, 512)
    optimizer = torch.optim.Adam(baseline.parameters(), lr=2e-3)
    algorithm = PolicyGradient(policy, baseline, Sampling(rollouts=1), warmup=BASELINE_STEPS)
    for step in range(BASELINE_STEPS):
        optimizer.zero_grad()
        algorithm.loss(batch, step).loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return baseline


def measure(policy: Policy, batch: Batch, gradients: int) -> dict[str, Moments]:
    """All estimators in turns, each with the same random numbers for its paths."""
    baseline, weights = taught_baseline(policy, batch), list(policy.captioner.parameters())
    found = {name: Moments() for name in ESTIMATORS}
    for step in range(BASELINE_STEPS, BASELINE_STEPS + gradients):
        for name, sampling in ESTIMATORS.items():
            begin = time.process_time()
            loss = PolicyGradient(policy, baseline, sampling).loss(batch, step).loss
            gradient = torch.cat([part.flatten() for part in torch.autograd.grad(loss, weights)])
            found[name].add(gradient, time.process_time() - begin)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("features", type=Path)
    parser.add_argument("--sharpen", type=float, default=2.0)
    parser.add_argument("--gradients", type=int, default=12)
    parser.add_argument("--images", type=int, default=32)
    parser.add_argument("--reward", default="CIDEr")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    captioner, train = load_model(arguments.model), Dataset.load(arguments.dataset).split("train")
    captioner.sharpen(arguments.sharpen)
    references = {image.id: image.captions for image in train}
    reward = make_reward(arguments.reward, references, eos_token=True, threads=1)
    policy = Policy(captioner, reward, seed=0)
    ids = tuple(image.id for image in train[: arguments.images])
    vectors = torch.from_numpy(FeatureStore.open(arguments.features).rows(ids))
    batch = Batch(ids, vectors, torch.arange(len(ids)), len(ids))
    print("| | trace of the gradient's variance | CPU-seconds |\n| --- | --- | --- |")
    for name, moments in measure(policy, batch, arguments.gradients).items():
        print(f"| {name} | {moments.variance:.2f} | {moments.seconds / moments.count:.2f} |")


if __name__ == "__main__":
    main()
