"""One sampled caption taken apart: what each of its words is worth, by rollouts (the paper's Figure 1)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.learn.baseline import Baseline
from spidercap.learn.batch import Batch
from spidercap.learn.policy_gradient import action_value
from spidercap.learn.sampled import Policy, say
from spidercap.text.vocabulary import SPECIALS


@dataclass(frozen=True)
class Rollout:
    """A way to go on, and what the whole caption is worth."""

    continuation: str
    reward: float


@dataclass(frozen=True)
class ExplainedWord:
    """A word of the path, with its probability, value and baseline; without rollouts where the caption ends."""

    word: str
    probability: float
    value: float
    baseline: float | None
    rollouts: tuple[Rollout, ...]

    @property
    def advantage(self) -> float | None:
        """Q − B: how much better than expected."""
        return None if self.baseline is None else self.value - self.baseline


@dataclass(frozen=True)
class Explanation:
    """A sampled caption of an image, its reward, and its words."""

    caption: str
    reward: float
    words: tuple[ExplainedWord, ...]


@torch.no_grad()
def explain(policy: Policy, baseline: Baseline | None, image: str, features: Tensor, rollouts: int) -> Explanation:
    """Sample a caption of one image, with features (1, D), and tell what each word is worth."""
    batch = Batch((image,), features, torch.zeros(1, dtype=torch.int64), 1)
    sampled = policy.sample(batch, 0, 1, rollouts)
    rewards, captions = policy.rewards((image,), sampled.sequences, sampled.images)
    said = say(policy.model, features, sampled.paths)
    q_t = action_value(rewards, sampled.members)[0].tolist()
    b_t = None if baseline is None else baseline(said.hidden).tolist()
    words = []
    for t, identity in enumerate(sampled.paths.words[0, : len(said.logp_t)].tolist()):
        members = sampled.members[0, t].tolist()
        ways = tuple(
            Rollout(" ".join(captions[each].split()[t + 1 :]), float(rewards[each])) for each in members if each
        )
        word = (*SPECIALS, *policy.vocabulary.words)[identity]
        words.append(ExplainedWord(word, float(said.logp_t[t].exp()), q_t[t], b_t[t] if b_t else None, ways))
    return Explanation(captions[0], float(rewards[0]), tuple(words))
