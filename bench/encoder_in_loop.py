"""A step of policy gradient against one of maximum likelihood where Inception-V3 is trained too, from pictures.

    python bench/encoder_in_loop.py MODEL DATASET [--batch 8] [--repeats 3] [--rollouts 3] [--reward SPIDEr]

MODEL is a trained captioner of stored vectors, widened as in bench/policy_gradient.py. Both steps run the same pictures
(noise: their content costs nothing) through the encoder, forward and backward, and update it. The step of maximum
likelihood is the fixed plain one of bench/mle.py. One thread, processor seconds, medians of interleaved repeats.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn

from mle import LENGTH, PlainCaptioner, make_batch
from policy_gradient import Timer, widened
from spidercap.data.captions import Dataset
from spidercap.decode.rollout import Sampling
from spidercap.learn.algorithm import Batch
from spidercap.learn.baseline import Baseline
from spidercap.learn.policy import Policy
from spidercap.learn.policy_gradient import PolicyGradient
from spidercap.model.folder import load_model
from spidercap.reward.reward import make_reward
from spidercap.vision.inception import INPUT_SIZE
from spidercap.vision.weights import load_inception


class EncoderStep:
    """Pictures → vectors → loss → update of the encoder and of what made the loss."""

    def __init__(self, module: nn.Module, loss: Callable[[Tensor], Tensor]) -> None:
        self.encoder, self.loss = load_inception().train(), loss
        parameters = [*self.encoder.parameters(), *module.parameters()]
        self.optimizer = torch.optim.Adam(parameters, lr=0.0)

    def __call__(self, pictures: Tensor) -> None:
        self.optimizer.zero_grad(set_to_none=True)
        self.loss(self.encoder(pictures)).backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()


def maximum_likelihood(count: int) -> EncoderStep:
    """The plain captioner on `count` captions."""
    model, (_, words, lengths) = PlainCaptioner(), make_batch(0)
    chosen = torch.linspace(0, len(words) - 1, count).long()
    mask = (torch.arange(LENGTH) < lengths[chosen, None]).float()
    return EncoderStep(model, lambda features: model(features, words[chosen], mask))


def policy_gradient(model: Path, dataset: Path, count: int, rollouts: int, reward: str) -> EncoderStep:
    """Ours on `count` images."""
    captioner, images = load_model(model), Dataset.load(dataset).split("train")[:count]
    references = {image.id: image.captions for image in images}
    policy = Policy(widened(captioner), make_reward(reward, references, threads=1), seed=0)
    algorithm = PolicyGradient(policy, Baseline(captioner.hidden_size, 512), Sampling(rollouts=rollouts))
    ids = tuple(references)

    def loss(features: Tensor) -> Tensor:
        return algorithm.loss(Batch(ids, features, torch.arange(count), count), 0).loss

    return EncoderStep(algorithm.module, loss)


def main() -> None:
    """Print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rollouts", type=int, default=3)
    parser.add_argument("--reward", default="SPIDEr")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    steps = {
        "MLE": maximum_likelihood(options.batch),
        "PG": policy_gradient(options.model, options.dataset, options.batch, options.rollouts, options.reward),
    }
    timer, pictures = Timer(time.process_time), torch.randn(options.batch, 3, INPUT_SIZE, INPUT_SIZE) / 2
    for repeat in range(options.repeats + 1):
        for name, step in steps.items():
            with timer.part(name if repeat else "first"):
                step(pictures)
    likelihood, policy = timer.median("MLE"), timer.median("PG")
    print(
        f"batch {options.batch}, K={options.rollouts}, the encoder trained: MLE {likelihood:.2f} s a step, "
        f"PG-{options.reward} {policy:.2f} s = {policy / likelihood:.2f} x"
    )


if __name__ == "__main__":
    main()
