"""What every algorithm does that learns from the captioner's own captions: say them, reward them, describe them."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.decode.rollout import Rollouts, sample_with_rollouts
from spidercap.decode.sequences import Sequences
from spidercap.learn.batch import Batch
from spidercap.learn.diagnostics import VALUES, caption_numbers, word_numbers
from spidercap.model.packed import Packed, pack
from spidercap.model.random_stream import RandomStream
from spidercap.model.show_and_tell import ShowAndTell
from spidercap.reward.reward import Reward
from spidercap.text.vocabulary import Vocabulary

KL_EVERY = 10
"""Steps between measurements of the distance to the start: each costs one more forward pass of the paths."""

LOGGED = (
    *("reward", "length", "cut_rate", "bad_ending_rate", "repeated_bigram_rate"),
    *(f"{name}/{part}" for name in ("entropy", "kl", *VALUES) for part in ("sum", "words")),
)


@dataclass(frozen=True)
class Said:
    """Captions read again with gradient, their N words packed."""

    layout: Packed
    order: Tensor
    """Which caption each row of the layout is, the longest first."""
    features: Tensor
    """(P, D) in that order."""
    hidden: Tensor
    """h_t, the state that predicts each word, (N, hidden)."""
    logp_t: Tensor
    """log π(g_t | s_t), (N,)."""

    def packed(self, values: Tensor) -> Tensor:
        """The entries (N,) of (P, T) values that belong to words."""
        return values[self.order[self.layout.rows], self.layout.positions]

    def spread(self, values: Tensor) -> Tensor:
        """One value a caption (P,), for each of its words (N,)."""
        return values[self.order[self.layout.rows]]


def say(model: ShowAndTell, features: Tensor, captions: Sequences, copies: int = 1) -> Said:
    """log π of the words of the captions, of which each image has `copies` one after the other."""
    order = captions.lengths.argsort(descending=True, stable=True)
    layout = pack(captions.words[order], captions.lengths[order])
    rows = features[order // copies]
    hidden = model.hidden_states(rows, layout.inputs, layout.sizes)
    return Said(layout, order, rows, hidden, model.log_probabilities(hidden, layout.targets))


@dataclass(frozen=True)
class Policy:
    """The captioner π, and what its captions are worth; `start` is the policy that training began with."""

    model: ShowAndTell
    vocabulary: Vocabulary
    reward: Reward
    seed: int
    limit: int
    start: ShowAndTell | None = None

    def sample(
        self,
        batch: Batch,
        step: int,
        paths: int,
        rollouts: int = 0,
        reuse: bool = False,
        count_path: bool = False,
    ) -> Rollouts:
        """Some paths of each image, and rollouts from each of their prefixes."""
        return sample_with_rollouts(
            self.model,
            batch.features.detach(),
            RandomStream(self.seed, "sample", step),
            batch.examples,
            rollouts=rollouts,
            paths=paths,
            limit=self.limit,
            reuse=reuse,
            count_path=count_path,
        )

    def rewards(self, ids: Sequence[str], sequences: Sequences, images: Tensor) -> tuple[Tensor, list[str]]:
        """R of each sequence (S,), which is about the image with its row number in `images`, and its caption."""
        captions = sequences.captions(self.vocabulary)
        names = [ids[image] for image in images.tolist()]
        found = self.reward(names, captions, sequences.finished.tolist())
        weight = self.model.output.weight
        return torch.as_tensor(found, dtype=weight.dtype, device=weight.device), captions

    def log(
        self, said: Said, paths: Sequences, rewards: Tensor, captions: Sequence[str], step: int, count: int
    ) -> dict[str, float]:
        """Numbers about the first captions, which are the paths; `count` paths are in the whole step."""
        number = len(paths)
        entropy = {"entropy": -said.logp_t.detach()}
        return {
            "reward": float(rewards[:number].sum()) / count,
            **caption_numbers(captions[:number], paths.lengths, paths.finished, count),
            **word_numbers(entropy, count),
            **self._distance(said, step, count),
        }

    @torch.no_grad()
    def _distance(self, said: Said, step: int, count: int) -> dict[str, float]:
        """KL(π ‖ start) by its words: log π − log π_start of what π said."""
        if self.start is None or step % KL_EVERY:
            return {"kl/sum": 0.0, "kl/words": 0.0}
        hidden = self.start.hidden_states(said.features, said.layout.inputs, said.layout.sizes)
        gap = said.logp_t - self.start.log_probabilities(hidden, said.layout.targets)
        return word_numbers({"kl": gap}, count)
