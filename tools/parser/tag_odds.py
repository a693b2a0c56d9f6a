"""The network's odds of tags over words (parser/odds.h), learnt from all captions: a step of train.py.

It learns to tell the recorded tag of a word from the others that the bigram model of tags leaves to it. Features come
from the native code that uses them later.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from grammar import Arrays
from model_file import read, read_texts
from numpy.typing import NDArray
from odds import HIDDEN, LEAST_TRUST, ROWS, Descent, Ints, random_shares, rows_of, tail_loss
from torch import Tensor, nn
from treebank import Treebank
from trees import is_split_by_parser, is_word

from spidercap._native import CaptionParser

WIDE = {"tag_beam": 16.0, "tag_odds": -1e19}
"""Limits within which tags are learnt from."""
ROUNDS = 2
BATCH = 4000
"""Words between two steps."""
BLOCK = 20_000
"""Captions read at once."""


@dataclass(frozen=True)
class Choices:
    """Words with their possible tags side by side, and which of them was recorded."""

    features: NDArray[np.uint32]
    starts: Ints
    tags: NDArray[np.uint16]
    margins: NDArray[np.float32]
    is_right: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.starts) - 1


@dataclass(frozen=True)
class Recorded:
    """Captions with the tags that the best trees give to their words, all words end to end."""

    captions: list[str]
    starts: list[int]
    tags: Ints


def recorded_words(treebank: Treebank, numbers: dict[str, int]) -> Recorded:
    """What is learnt from, with tags as numbers, without captions that the parser may split otherwise."""
    words = [rule[1] if is_word(rule) else "" for rule in treebank.rules]
    numbered = [numbers.get(rule[0], -1) for rule in treebank.rules]
    captions, starts, tags = list[str](), [0], list[int]()
    for index in np.flatnonzero(treebank.kinds != "frame").tolist():
        rules = [rule for rule in treebank.best[index].tolist() if words[rule]]
        if is_split_by_parser(words[rules[-1]]):
            continue
        captions.append(" ".join(words[rule] for rule in rules))
        tags += [numbered[rule] for rule in rules]
        starts.append(len(tags))
    return Recorded(captions, starts, np.array(tags, np.int64))


def possible_tags(parser: CaptionParser, recorded: Recorded) -> Iterator[Choices]:
    """All words with the tags that the bigram model leaves them, in blocks."""
    for first in range(0, len(recorded.captions), BLOCK):
        captions = recorded.captions[first : first + BLOCK]
        ends, tags, margins, features = parser.tag_choices(captions)
        starts = np.concatenate([[0], ends.astype(np.int64)])
        own = recorded.tags[recorded.starts[first] : recorded.starts[first + len(captions)]]
        is_right = tags == np.repeat(own, np.diff(starts))
        yield Choices(features.reshape(len(ends), -1), starts, tags, margins, is_right)


class TagNetwork(nn.Module):
    """The network in the making."""

    def __init__(self, tags: int) -> None:
        super().__init__()
        self.embedding = nn.EmbeddingBag(ROWS, HIDDEN, mode="sum")
        nn.init.normal_(self.embedding.weight, 0, 0.1)
        self.vectors = nn.Parameter(0.1 * torch.randn(tags, HIDDEN))
        self.bias = nn.Parameter(torch.full((tags,), -4.0))
        self.trust = nn.Parameter(torch.full((tags,), 0.5))

    def forward(self, features: NDArray[np.uint32], word: Tensor, tag: Tensor, margin: Tensor) -> Tensor:
        """The odds of tags over words."""
        rows = rows_of(features, ROWS)
        hidden = torch.relu(self.embedding(rows, per_sample_weights=random_shares(rows.shape)))
        product = (hidden[word] * self.vectors[tag]).sum(1)
        return product + self.bias[tag] + self.trust[tag].clamp(min=LEAST_TRUST) * margin

    def arrays(self) -> Arrays:
        """What span_odds.py stores beside its own."""
        return {
            "embedding": self.embedding.weight.detach().numpy(),
            "vectors": self.vectors.detach().numpy(),
            "bias": self.bias.detach().numpy(),
            "trust": self.trust.detach().clamp(min=LEAST_TRUST).numpy(),
        }


def batch_of(choices: Choices, words: Ints) -> tuple[NDArray[np.uint32], Tensor, Tensor, Tensor, Tensor]:
    """Features of these words; of all their tags: word, tag, margin and whether it was recorded."""
    counts = np.diff(choices.starts)[words]
    pairs = np.repeat(choices.starts[words] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
    pairs += np.arange(len(pairs))
    word = np.repeat(np.arange(len(words)), counts)
    return (
        choices.features[words],
        torch.from_numpy(word),
        torch.from_numpy(choices.tags[pairs].astype(np.int64)),
        torch.from_numpy(choices.margins[pairs]),
        torch.from_numpy(choices.is_right[pairs].astype(np.float32)),
    )


def learn(blocks: list[Choices], tags: int, rounds: int = ROUNDS) -> Arrays:
    """The arrays of a network that has learnt from words."""
    torch.manual_seed(6)
    random = np.random.default_rng(5)
    network = TagNetwork(tags)
    steps = rounds * sum(-(-len(block) // BATCH) for block in blocks)
    descent = Descent(network, steps)
    for _ in range(rounds):
        total = 0.0
        for block in random.permutation(len(blocks)).tolist():
            order = random.permutation(len(blocks[block]))
            for first in range(0, len(order), BATCH):
                features, word, tag, margin, wanted = batch_of(blocks[block], order[first : first + BATCH])
                loss = tail_loss(network(features, word, tag, margin), wanted, torch.ones_like(wanted))
                descent.step(loss / len(features))
                total += loss.item()
        print(f"tags: {total / max(1, sum(map(len, blocks))):.4f} nats a word", flush=True)
    return network.arrays()


def tag_arrays(treebank: Treebank, model: Path) -> Arrays:
    """The odds of tags for a model file that has none yet, from all captions of the treebank."""
    torch.set_num_threads(1)
    sections = read(model)
    names = read_texts(sections, "label")
    recorded = recorded_words(treebank, {name: number for number, name in enumerate(names)})
    tags = int(np.frombuffer(sections["counts"], np.uint32)[0])
    return learn(list(possible_tags(CaptionParser(str(model), **WIDE), recorded)), tags)
