"""A policy so small that all its captions can be listed, and a reward that is a table."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
import torch

from spidercap.decode.sequences import Sequences
from spidercap.learn.algorithm import Batch
from spidercap.learn.policy import Policy, teacher_forced_pass
from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.reward.reward import Reward
from spidercap.text.vocabulary import EOS, UNK, Vocabulary

LIMIT = 3
WORDS = (EOS, UNK, 3, 4)


def table_reward(ids, captions, finished):
    """A fixed number between 0 and 2 for every caption, whatever the image."""
    return np.array([hash_of(caption, end) for caption, end in zip(captions, finished, strict=True)])


def hash_of(caption, end):
    value = sum((position + 1) * len(word) * ord(word[0]) for position, word in enumerate(caption.split(), 1))
    return (value * 37 % 101) / 50 - 0.3 * (not end)


def all_captions(prefix=()):
    """Every caption of at most LIMIT symbols that begins with the prefix."""
    if prefix[-1:] == (EOS,) or len(prefix) == LIMIT:
        return [prefix]
    return [caption for word in WORDS for caption in all_captions((*prefix, word))]


@dataclass(frozen=True)
class TinyWorld:
    """One image, one policy, and the truth about them by enumeration."""

    policy: Policy
    feature: torch.Tensor

    def batch(self, count, first=0):
        """The same image `count` times."""
        examples = torch.arange(first, first + count)
        return Batch(("x",) * count, self.feature.expand(count, -1), examples, count)

    @cached_property
    def captions(self):
        rows = all_captions()
        lengths = torch.tensor([len(row) for row in rows])
        words = torch.tensor([[*row, *[EOS] * (LIMIT - len(row))] for row in rows])
        finished = torch.tensor([row[-1] == EOS for row in rows])
        return Sequences(words, lengths, finished)

    def probabilities(self):
        """p(caption) of every caption, with gradient, and the pass that gave it."""
        forced = teacher_forced_pass(self.policy.captioner, self.feature.expand(len(self.captions), -1), self.captions)
        logp = torch.zeros(len(self.captions), dtype=torch.float64)
        return logp.index_add(0, forced.order[forced.layout.rows], forced.logp_t).exp(), forced

    @cached_property
    def rewards(self):
        images = torch.zeros(len(self.captions), dtype=torch.int64)
        return self.policy.rewards(["x"], self.captions, images)[0]

    def value(self, prefix):
        """V(prefix) = E[R | prefix], by enumeration."""
        inside = (self.captions.words[:, : len(prefix)] == torch.tensor(prefix, dtype=torch.int64)).all(1)
        p = self.probabilities()[0].detach()[inside]
        return float((p * self.rewards[inside]).sum() / p.sum())

    def gradient_of(self, loss):
        """The gradient of a loss with respect to all weights of the policy, end to end."""
        parameters = list(self.policy.captioner.parameters())
        parts = torch.autograd.grad(loss, parameters, allow_unused=True)
        flat = [torch.zeros_like(p) if g is None else g for p, g in zip(parameters, parts, strict=True)]
        return torch.cat([part.flatten() for part in flat])

    def exact_gradient(self):
        """∇J = ∇ Σ_captions p(caption) R(caption)."""
        return self.gradient_of((self.probabilities()[0] * self.rewards).sum())


@pytest.fixture
def world():
    """A policy of 2 words, EOS and UNK, captions of at most 3 symbols."""
    model = ShowAndTell(ModelSizes(3, 5, 4, 5), Vocabulary(("dog", "cats")), seed=4).double()
    with torch.no_grad():
        model.output.weight *= 2
        model.output.bias[EOS] += 0.5
    policy = Policy(model, Reward("table", table_reward, "table"), 1)
    return TinyWorld(policy, torch.tensor([[0.5, -1.0, 2.0]], dtype=torch.float64))


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Small models gain nothing from threads."""
    torch.set_num_threads(1)
