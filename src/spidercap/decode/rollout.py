"""Sampled captions with Monte-Carlo rollouts from each of their prefixes (paper, section 5), exact and cheap.

All samples of an image, paths and rollouts, grow in one prefix tree, one word at a time:

* a rollout from the prefix g_1..t begins on the path's own node, so nothing of the prefix is computed again and its
  first word is drawn from the distribution that the path's next word is drawn from;
* samples of an image with the same words so far are on one node: one row of the captioner, from
  which each sample draws its own word;
* samples that have ended leave the tree.

The random numbers are keyed by (example, path, start, rollout, position): rollouts decoded one by one from the start of
the caption with the same numbers say the same words.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from spidercap.decode.sample import inverse_cdf, softmax_weights
from spidercap.decode.sequences import LIMIT, Sequences
from spidercap.errors import UsageError
from spidercap.model.captioner import Captioner
from spidercap.model.random_stream import RandomStream

ROWS_AT_ONCE = 256
"""Nodes whose distributions are in memory together; more would fall out of the processor's cache."""


@dataclass(frozen=True)
class Sampling:
    """What is sampled of each image: some captions (paths), and K rollouts from each of their prefixes.

    With `reuse`, a rollout that goes on with the path's next word serves as a rollout of that longer prefix too: as
    fair as a fresh one, but the rollouts of neighbouring steps are then correlated. With `count_path` the path itself,
    which is a fair sample of what follows each of its prefixes, is the first of the K rollouts of each, and K − 1 fresh
    ones are sampled.
    """

    paths: int = 1
    rollouts: int = 0
    reuse: bool = False
    count_path: bool = False
    limit: int = LIMIT
    """Symbols of a caption at most, its end included."""

    def __post_init__(self) -> None:
        for name, low in (("rollouts", 0), ("paths", 1), ("limit", 1)):
            value = getattr(self, name)
            if value < low:
                raise UsageError(f"`{name}` must be at least {low}, got {value}")


@dataclass(frozen=True)
class Rollouts:
    """P paths and their rollouts, S sequences in all; the paths are the first P of them."""

    sequences: Sequences
    images: Tensor
    """(S,) the number of the image that each sequence is about."""
    members: Tensor
    """(P, T, K) which sequences are the rollouts of g_1..t; where g_t is the path's last symbol, the path itself."""
    rows: int
    """How many rows of the captioner were computed."""

    @property
    def paths(self) -> Sequences:
        """The sampled captions."""
        count = len(self.members)
        lengths = self.sequences.lengths[:count]
        words = self.sequences.words[:count, : self.members.shape[1]]
        return Sequences(words, lengths, self.sequences.finished[:count])


@torch.no_grad()
def sample_with_rollouts(
    captioner: Captioner, images: Tensor, stream: RandomStream, examples: Tensor, sampling: Sampling
) -> Rollouts:
    """Sample captions of each image, and rollouts from each of their prefixes.

    Path m of image b is sequence b·paths + m.
    """
    tree = _Tree(captioner, images, stream, examples, sampling)
    for position in range(sampling.limit):
        if position and sampling.rollouts:
            tree.start_rollouts(position)
        if not len(tree.active):
            break
        tree.grow(position)
    return tree.rollouts()


class _Tree:
    """The samples so far, and the deepest level of the tree that they are on."""

    def __init__(
        self, captioner: Captioner, images: Tensor, stream: RandomStream, examples: Tensor, sampling: Sampling
    ) -> None:
        self.captioner, self.stream, self.sampling = captioner, stream, sampling
        self.eos, paths, device = captioner.vocabulary.eos, sampling.paths, images.device
        numbers = torch.arange(len(images), device=device)
        self.images = numbers.repeat_interleave(paths)
        self.count = len(self.images)
        which = torch.arange(paths, device=device).repeat(len(images))
        # What the random numbers of a sample are keyed by: example, path, start (0: the path itself), rollout.
        zeros = torch.zeros_like(which)
        self.keys = torch.stack([examples.to(device)[self.images], which, zeros, zeros])
        self.words = torch.full((self.count, sampling.limit), self.eos, device=device)
        self.lengths = torch.full((self.count,), sampling.limit, device=device)
        self.finished = torch.zeros(self.count, dtype=torch.bool, device=device)
        own = torch.arange(self.count, device=device)
        self.members = own[:, None, None].repeat(1, sampling.limit, sampling.rollouts)
        # The samples that go on, the node each is on, and the state and last word of each node.
        self.active, self.node, self.last = own, self.images, numbers
        self.state, self.rows = captioner.begin(images), 0

    def start_rollouts(self, position: int) -> None:
        """Begin K rollouts at every path that has `position` words and goes on."""
        on_path = self.active < self.count
        paths, nodes = self.active[on_path], self.node[on_path]
        wanted = torch.ones(len(paths), self.members.shape[2], dtype=torch.bool, device=paths.device)
        if self.sampling.reuse and position > 1:
            before = self.members[paths, position - 2]
            follows = self.words[before, position - 1] == self.words[paths, position - 1, None]
            self.members[paths, position - 1] = torch.where(follows, before, 0)
            wanted = ~follows
        if self.sampling.count_path:
            wanted[:, 0] = False
        path, k = wanted.nonzero(as_tuple=True)
        new = torch.arange(len(path), device=paths.device) + len(self.words)
        parents = paths[path]
        self.members[parents, position - 1, k] = new
        self._add(parents, position, k)
        self.active, self.node = torch.cat([self.active, new]), torch.cat([self.node, nodes[path]])

    def _add(self, parents: Tensor, start: int, k: Tensor) -> None:
        """New samples with the words of their paths so far."""
        example, path = self.keys[:2, parents]
        keys = torch.stack([example, path, torch.full_like(k, start), k])
        self.keys = torch.cat([self.keys, keys], dim=1)
        self.images = torch.cat([self.images, self.images[parents]])
        self.words = torch.cat([self.words, self.words[parents]])
        self.lengths = torch.cat([self.lengths, self.lengths[parents]])
        self.finished = torch.cat([self.finished, self.finished[parents]])

    def grow(self, position: int) -> None:
        """Every active sample says one more word; the level below is the distinct words on each node."""
        if position:
            self.state = self.captioner.advance(self.state, self.last)
        self.rows += len(self.last)
        keys = [*self.keys[:, self.active], torch.full_like(self.active, position)]
        words = self._draw(self.stream.uniform(*keys))
        self.words[self.active, position] = words
        ended = self.active[words == self.eos]
        self.lengths[ended], self.finished[ended] = position + 1, True
        going = words != self.eos
        self._descend(self.active[going], self.node[going], words[going])

    def _descend(self, active: Tensor, node: Tensor, words: Tensor) -> None:
        width = self.captioner.vocabulary_size
        branches, self.node = torch.unique(node * width + words, return_inverse=True)
        self.active, self.last = active, branches % width
        self.state = self.state.rows(branches // width)

    def _draw(self, uniforms: Tensor) -> Tensor:
        """A word for each active sample, from the distribution of its node."""
        order = self.node.argsort(stable=True)
        ends = torch.bincount(self.node, minlength=len(self.last)).cumsum(0)
        words, begin = torch.empty_like(self.node), 0
        for first in range(0, len(self.last), ROWS_AT_ONCE):
            logits = self.captioner.logits(self.state, slice(first, first + ROWS_AT_ONCE))
            end = int(ends[first + len(logits) - 1])
            part, begin = order[begin:end], end
            words[part] = inverse_cdf(softmax_weights(logits), self.node[part] - first, uniforms[part])
        return words

    def rollouts(self) -> Rollouts:
        longest = int(self.lengths.max()) if len(self.lengths) else 0
        longest_path = int(self.lengths[: self.count].max()) if self.count else 0
        sequences = Sequences(self.words[:, :longest], self.lengths, self.finished)
        return Rollouts(sequences, self.images, self.members[:, :longest_path], self.rows)
