"""One sampled caption taken apart: what each of its words is worth, by rollouts (the paper's Figure 1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.decode.rollout import Sampling
from spidercap.decode.sequences import Sequences
from spidercap.learn.algorithm import Batch
from spidercap.learn.baseline import Baseline
from spidercap.learn.policy import Policy, teacher_forced_pass
from spidercap.learn.policy_gradient import action_value
from spidercap.model.captioner import Symbols


@dataclass(frozen=True)
class Rollout:
    """A way to go on, as text that follows the prefix, and what the whole caption is worth."""

    continuation: str
    reward: float


@dataclass(frozen=True)
class ExplainedWord:
    """A symbol of the path, with its probability, value and baseline; without rollouts where the caption ends."""

    word: str
    prefix: str
    """The text of the path up to this symbol."""
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
    """A sampled caption of an image, its reward, and its words; the last is the caption's end where it is finished."""

    caption: str
    reward: float
    words: tuple[ExplainedWord, ...]
    finished: bool
    unknown: str
    """How words outside the vocabulary are written, where one occurs in the caption or a rollout; otherwise empty."""

    @property
    def length(self) -> str:
        """How many words were explained, for people."""
        count = len(self.words) - self.finished
        return f"{count} word{'' if count == 1 else 's'}" + (" and the caption's end" if self.finished else "")


@torch.no_grad()
def explain(policy: Policy, baseline: Baseline | None, image: str, inputs: Tensor, sampling: Sampling) -> Explanation:
    """Sample a caption of one image, which `inputs` has as its only row, and tell what each word is worth."""
    vocabulary = policy.captioner.vocabulary
    sampled = policy.sample(Batch((image,), inputs, torch.zeros(1, dtype=torch.int64), 1), 0, sampling)
    rewards, captions = policy.rewards((image,), sampled.sequences, sampled.images)
    forced = teacher_forced_pass(policy.captioner, inputs, sampled.paths)
    q_t = action_value(rewards, sampled.members)[0].tolist()
    b_t = None if baseline is None else baseline(forced.hidden).tolist()
    words = []
    for t, identity in enumerate(_symbols(sampled.sequences, 0)):
        members = [each for each in sampled.members[0, t].tolist() if each]
        ways = [
            Rollout(_continuation(vocabulary, _symbols(sampled.sequences, each), t + 1), float(rewards[each]))
            for each in members
        ]
        prefix = vocabulary.decode(_symbols(sampled.sequences, 0)[: t + 1])
        probability, baseline_t = float(forced.logp_t[t].exp()), b_t[t] if b_t else None
        words.append(ExplainedWord(vocabulary.piece(identity), prefix, probability, q_t[t], baseline_t, tuple(ways)))
    finished, unknown = bool(sampled.sequences.finished[0]), _unknown(vocabulary, sampled.sequences)
    return Explanation(captions[0], float(rewards[0]), tuple(words), finished, unknown)


def _unknown(vocabulary: Symbols, sequences: Sequences) -> str:
    unk = vocabulary.unk
    occurs = unk is not None and bool((sequences.words[sequences.mask] == unk).any())
    return vocabulary.piece(unk) if unk is not None and occurs else ""


def _symbols(sequences: Sequences, row: int) -> list[int]:
    found: list[int] = sequences.words[row, : int(sequences.lengths[row])].tolist()
    return found


def _continuation(vocabulary: Symbols, symbols: Sequence[int], begin: int) -> str:
    """The text of the symbols from `begin` on, as it follows the text before: symbols may be parts of words."""
    prefix, whole = vocabulary.decode(symbols[:begin]), vocabulary.decode(symbols)
    return whole.removeprefix(prefix) if whole.startswith(prefix) else f" {vocabulary.decode(symbols[begin:])}"
