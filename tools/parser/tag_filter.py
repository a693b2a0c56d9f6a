"""The filter of tags (parser/tag_filter.h): a log-linear model of each word's tag, by which the search leaves out tags.

Trained as a step of train.py; alone, for a model file that is there already (a few minutes):

    python tools/parser/tag_filter.py ../shared/data/spice_parses src/spidercap/metrics/data/spice_parser.bin

It learns from all captions, by stochastic gradient (AdaGrad) on the log-probability, to tell the recorded tag from the
others that the bigram model of tags leaves to a word. The features come from the native code that uses them later, and
all weights share one table.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from grammar import Arrays
from model_file import read, read_texts, write
from numpy.typing import NDArray
from treebank import Treebank, load
from trees import is_split_by_parser, is_word

from spidercap._native import CaptionParser

SLOTS = 1 << 22
"""Weights of the table, shared by hashing."""
UNIT = 1 / 16
"""What one step of a stored weight is worth; weights beyond ±127 of them are cut."""
TAG_BEAM = 14.5
"""Nats below the best tag sequence within which tags are learnt from."""
RATE = 0.1
ROUNDS = 3
BATCH = 1000
"""Words between two steps."""
SETTLED = 1e-6
"""Tags whose probability is this near to what it should be teach nothing more."""


@dataclass(frozen=True)
class Choices:
    """Words with their possible tags side by side, and which of them was recorded."""

    features: NDArray[np.uint32]
    starts: NDArray[np.int64]
    tags: NDArray[np.int64]
    margins: NDArray[np.float32]
    is_right: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, words: NDArray[np.int64]) -> "Choices":
        """These words, in this order."""
        counts = np.diff(self.starts)[words]
        starts = np.concatenate([[0], np.cumsum(counts)])
        pairs = np.repeat(self.starts[words] - starts[:-1], counts) + np.arange(starts[-1])
        return Choices(self.features[words], starts, self.tags[pairs], self.margins[pairs], self.is_right[pairs])


@dataclass(frozen=True)
class Recorded:
    """Captions with the tags that the best trees give to their words, all words end to end."""

    captions: list[str]
    tags: NDArray[np.int64]


def recorded_words(treebank: Treebank, numbers: dict[str, int]) -> Recorded:
    """What the filter learns from, with tags as numbers, without captions that the parser may split otherwise."""
    words = [rule[1] if is_word(rule) else "" for rule in treebank.rules]
    numbered = [numbers.get(rule[0], -1) for rule in treebank.rules]
    captions, tags = list[str](), list[int]()
    for index in np.flatnonzero(treebank.kinds != "frame").tolist():
        rules = [rule for rule in treebank.best[index].tolist() if words[rule]]
        last = words[rules[-1]]
        if is_split_by_parser(last):
            continue
        captions.append(" ".join(words[rule] for rule in rules))
        tags += [numbered[rule] for rule in rules]
    return Recorded(captions, np.array(tags, np.int64))


def possible_tags(parser: CaptionParser, recorded: Recorded) -> Choices:
    """All words with the tags that the bigram model leaves them."""
    ends, tags, margins, features = parser.tag_choices(recorded.captions)
    starts = np.concatenate([[0], ends.astype(np.int64)])
    is_right = tags == np.repeat(recorded.tags, np.diff(starts))
    return Choices(features.reshape(len(ends), -1), starts, tags.astype(np.int64), margins, is_right)


def teaching(words: Choices) -> Choices:
    """The words with several tags, the recorded one among them, in random order."""
    several = np.diff(words.starts) > 1
    chosen = np.flatnonzero(several & np.logical_or.reduceat(words.is_right, words.starts[:-1]))
    return words.take(np.random.default_rng(2).permutation(chosen))


class Learner:
    """The weights in the making."""

    def __init__(self, tags: int) -> None:
        self.weights = np.zeros(SLOTS + tags, np.float32)
        self.squares = np.full(SLOTS + tags, 1e-2, np.float32)
        self.scale = 1.0
        self.scale_squares = 1.0

    def learn(self, batch: Choices) -> float:
        """One step by the tags of a batch of words; returns the sum of their losses."""
        counts = np.diff(batch.starts)
        slots = np.repeat(batch.features & (SLOTS - 1), counts, axis=0) + batch.tags[:, None]
        scores = self.weights[slots].sum(axis=1) + self.scale * batch.margins
        scores -= np.repeat(np.maximum.reduceat(scores, batch.starts[:-1]), counts)
        shares = np.exp(scores)
        shares /= np.repeat(np.add.reduceat(shares, batch.starts[:-1]), counts)
        slopes = shares - batch.is_right
        self.move(slots, slopes)
        slope_of_scale = float(slopes @ batch.margins)
        self.scale_squares += slope_of_scale**2
        self.scale -= RATE * slope_of_scale / self.scale_squares**0.5
        return float(-np.log(shares[batch.is_right] + 1e-30).sum())

    def move(self, slots: NDArray[np.int64], slopes: NDArray[np.float32]) -> None:
        """Weights against the slopes, in smaller steps where there were many."""
        moving = np.flatnonzero(np.abs(slopes) > SETTLED)
        moved = slots[moving].ravel()
        slope = np.repeat(slopes[moving], slots.shape[1])
        np.add.at(self.squares, moved, slope * slope)
        np.add.at(self.weights, moved, -RATE * slope / np.sqrt(self.squares[moved]))

    def arrays(self) -> Arrays:
        """The weights as they are stored."""
        units = np.clip(np.rint(self.weights / UNIT), -127, 127).astype(np.int8)
        return {"filter_weights": units, "filter_scales": np.array([UNIT, self.scale], np.float32)}


def batches(count: int) -> Iterator[slice]:
    """Slices of so many words."""
    return (slice(first, min(first + BATCH, count)) for first in range(0, count, BATCH))


def learn(words: Choices, tags: int, rounds: int = ROUNDS) -> Arrays:
    """Weights and scales of the filter."""
    learner, examples = Learner(tags), teaching(words)
    for _ in range(rounds):
        loss = sum(learner.learn(examples.take(np.r_[batch])) for batch in batches(len(examples)))
        print(f"tags: {loss / max(1, len(examples)):.4f} nats a word, scale {learner.scale:.2f}", flush=True)
    return learner.arrays()


def filter_arrays(treebank: Treebank, model: Path) -> Arrays:
    """The filter for a model file, from all captions of the treebank."""
    sections = read(model)
    names = read_texts(sections, "label")
    recorded = recorded_words(treebank, {name: number for number, name in enumerate(names)})
    parser = CaptionParser(str(model), tag_beam=TAG_BEAM, filter_beam=1e30)
    tags = int(np.frombuffer(sections["counts"], np.uint32)[0])
    return learn(possible_tags(parser, recorded), tags)


def main() -> None:
    """Train the filter anew for a model file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with parses_*.jsonl.xz")
    parser.add_argument("model", type=Path, help="model file to change")
    arguments = parser.parse_args()
    treebank = load(sorted(arguments.data.glob("parses_*.jsonl.xz")))
    print(write(arguments.model, read(arguments.model) | filter_arrays(treebank, arguments.model)))


if __name__ == "__main__":
    main()
