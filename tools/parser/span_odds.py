"""The network's odds of states over spans (parser/odds.h), learnt from charts: the last step of train.py.

Charts of captions show what stands over which words, and what of it is in the best tree. A few of them, searched
within wide limits, teach a first network; with it, a search within limits of its own makes the charts of many captions,
and these teach the network that is stored. Features come from the native code that uses them later.
"""

import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from grammar import Arrays
from model_file import read, write
from numpy.typing import NDArray
from odds import (
    CLASSES,
    ENDS,
    HIDDEN,
    INNER,
    INNER_ROWS,
    LEAST_TRUST,
    ROWS,
    SIZES,
    VERBS,
    Descent,
    Ints,
    Outputs,
    in_bytes,
    random_shares,
    rows_of,
    tail_loss,
    unit_of,
)
from torch import Tensor, nn
from treebank import Treebank, read_lines
from trees import is_split_by_parser, is_word

from spidercap._native import CaptionParser

LONGEST = 45
"""Words of a caption; charts of longer ones take too long."""
BLOCK = 500
"""Captions read at once."""
BATCH = 150


@dataclass(frozen=True)
class Stage:
    """What a network is taught by: captions, limits of their charts, the share of what is in no tree, and rounds."""

    captions: int
    limits: dict[str, float]
    seen: float
    rounds: int


ALWAYS = {"tag_beam": 16.0, "odder": 0.0, "same": 0.0}
STAGES = (
    Stage(6_000, ALWAYS | {"tag_odds": -9.0, "label_odds": -26.0, "active_odds": -9.0, "class_odds": -26.0}, 0.02, 5),
    Stage(
        24_000, ALWAYS | {"tag_odds": -10.0, "label_odds": -13.0, "active_odds": -14.0, "class_odds": -15.0}, 0.05, 3
    ),
    Stage(
        1_400_000, ALWAYS | {"tag_odds": -11.0, "label_odds": -14.0, "active_odds": -15.0, "class_odds": -15.0}, 0.05, 3
    ),
)
"""The limits of the first stage are those of estimates: a network that knows nothing yet has these for odds."""


@dataclass(frozen=True)
class Charts:
    """Words and items of captions end to end, and where those of each caption start."""

    features: NDArray[np.uint32]
    is_verb: NDArray[np.bool_]
    words: Ints
    begin: NDArray[np.uint8]
    end: NDArray[np.uint8]
    state: NDArray[np.uint16]
    estimate: NDArray[np.float32]
    is_best: NDArray[np.bool_]
    items: Ints

    def __len__(self) -> int:
        return len(self.words) - 1


@dataclass(frozen=True)
class Batch:
    """Some captions: features of their words; over spans, states with whether the best tree has them."""

    features: NDArray[np.uint32]
    first: Tensor
    last: Tensor
    shape: Tensor
    verbs: Tensor
    state: Tensor
    estimate: Tensor
    wanted: Tensor
    weight: Tensor


def listed_captions(folders: Sequence[Path]) -> list[str]:
    """What the folders list beside their trees (`kind⇥caption`), without what is held out.

    The parser's own trees teach, so that no others are needed, and changed copies teach as well: what is odd in one
    place is seldom in what people write, and often in these.
    """
    held_out = {
        record["c"] for folder in folders for path in folder.glob("heldout_*.jsonl.xz") for record in read_lines(path)
    }
    found = dict[str, None]()
    for path in sorted(path for folder in folders for path in folder.glob("*.tsv.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            found |= dict.fromkeys(line.rstrip("\n").split("\t", 1)[1] for line in lines)
    texts = list(found)
    return [text for text in [*texts, *changed_copies(texts)] if text not in held_out]


def changed_copies(texts: Sequence[str]) -> list[str]:
    """Every second text with a word replaced, left out or moved, or with the end of another text."""
    random = np.random.default_rng(7)
    copies = []
    for text in texts[::2]:
        words, others = text.split(" "), texts[int(random.integers(len(texts)))].split(" ")
        place, other = random.integers(len(words)), random.integers(len(others))
        change = random.integers(4)
        if change == 0:
            words[place] = others[other]
        elif change == 1:
            del words[place]
        elif change == 2:
            words.insert(random.integers(len(words)), words.pop(place))
        else:
            words = words[: place + 1] + others[other:]
        copies.append(" ".join(words))
    return [copy for copy in copies if copy]


def recorded_captions(treebank: Treebank) -> list[str]:
    """The captions of the trees that are no frames."""
    words = [rule[1] if is_word(rule) else "" for rule in treebank.rules]
    indices = np.flatnonzero(treebank.kinds != "frame").tolist()
    return [" ".join(word for rule in treebank.best[index].tolist() if (word := words[rule])) for index in indices]


def chosen(captions: Sequence[str], count: int) -> list[str]:
    """So many captions, evenly from all, without long ones and those that the parser may split otherwise."""
    indices = np.linspace(0, len(captions) - 1, min(count, len(captions))).astype(np.int64)
    texts = (captions[index] for index in indices.tolist())
    return [
        text for text in texts if 0 < len(text.split(" ")) <= LONGEST and not is_split_by_parser(text.split(" ")[-1])
    ]


def read_charts(model: Path, captions: Sequence[str], outputs: Outputs, stage: Stage) -> Charts:
    """The charts of the captions."""
    parser = CaptionParser(str(model), **stage.limits)
    random = np.random.default_rng(4)
    blocks = [captions[first : first + BLOCK] for first in range(0, len(captions), BLOCK)]
    parts = [read_block(parser, texts, outputs, random, stage.seen) for texts in blocks]
    features, is_verb, words, items, *columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    starts = [np.concatenate([[0], np.cumsum(counts)]) for counts in (words, items)]
    begin, end, state, estimate, is_best = columns
    return Charts(features, is_verb, starts[0], begin, end, state, estimate, is_best, starts[1])


def read_block(
    parser: CaptionParser, captions: Sequence[str], outputs: Outputs, random: np.random.Generator, seen: float
) -> tuple[NDArray[np.generic], ...]:
    """One block: features and verbs of words, counts of words and items, and the items' columns."""
    features, tags, ends, begin, end, state, estimate, best = parser.chart_items(captions)
    caption = np.repeat(np.arange(len(captions)), np.diff(ends, prepend=0))
    kept = (best > 0) | (random.random(len(state)) < seen)
    return (
        features.reshape(len(tags), -1),
        outputs.is_verb[tags],
        np.array([text.count(" ") + 1 for text in captions], np.int64),
        np.bincount(caption[kept], minlength=len(captions)),
        *(column[kept] for column in (begin, end, state, estimate)),
        best[kept] > 0,
    )


def ranges(starts: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """All numbers within the chosen ranges, and to which of the chosen ones each belongs."""
    counts = starts[chosen + 1] - starts[chosen]
    owner = np.repeat(np.arange(len(chosen)), counts)
    return np.arange(len(owner)) + (starts[chosen] - np.concatenate([[0], np.cumsum(counts)[:-1]]))[owner], owner


class Batches:
    """Batches of captions."""

    def __init__(self, charts: Charts, outputs: Outputs, seen: float) -> None:
        self.charts, self.outputs, self.seen = charts, outputs, seen
        self.verbs = np.concatenate([[0], np.cumsum(charts.is_verb)])

    def __call__(self, captions: Ints) -> Batch:
        """One batch."""
        charts = self.charts
        items, owner = ranges(charts.items, captions)
        words, _ = ranges(charts.words, captions)
        start, size = charts.words[captions], np.diff(charts.words)[captions]
        base = np.concatenate([[0], np.cumsum(size)[:-1]])[owner]
        begin, end = charts.begin[items].astype(np.int64), charts.end[items].astype(np.int64)
        shape = np.minimum(end - begin, SIZES - 1) * ENDS + 2 * (begin == 0) + (end == size[owner])
        verbs = np.minimum(self.verbs[start[owner] + end] - self.verbs[start[owner] + begin], VERBS - 1)
        state = charts.state[items].astype(np.int64) - self.outputs.tags
        is_best = charts.is_best[items]
        weight = np.where(is_best, 1.0, 1 / self.seen)
        numbers = (base + begin, base + end - 1, shape, verbs, state)
        return Batch(
            charts.features[words],
            *(torch.from_numpy(column) for column in numbers),
            *(
                torch.from_numpy(column.astype(np.float32))
                for column in (charts.estimate[items], charts.is_best[items], weight)
            ),
        )


class SpanNetwork(nn.Module):
    """The network in the making: its outputs are states, then classes; a state's vector is its group's and its own."""

    def __init__(self, outputs: Outputs) -> None:
        super().__init__()
        groups, classes = int(outputs.group.max()) + 1, 3 * CLASSES
        self.group = torch.from_numpy(np.concatenate([outputs.group, groups + np.arange(classes)]))
        self.class_of = torch.from_numpy(outputs.own + outputs.class_of)
        self.embedding = nn.EmbeddingBag(ROWS, 2 * HIDDEN, mode="sum")
        nn.init.normal_(self.embedding.weight, 0, 0.1)
        self.inner = nn.EmbeddingBag(INNER_ROWS, HIDDEN, mode="sum")
        nn.init.normal_(self.inner.weight, 0, 0.02)
        self.shapes = nn.Parameter(0.1 * torch.randn(SIZES * ENDS, HIDDEN))
        self.verbs = nn.Parameter(0.1 * torch.randn(VERBS, HIDDEN))
        self.of_group = nn.Parameter(0.1 * torch.randn(groups + classes, HIDDEN))
        self.own = nn.Parameter(torch.zeros(outputs.own + classes, HIDDEN))
        self.bias = nn.Parameter(torch.full((outputs.own + classes,), -4.0))
        self.trust = nn.Parameter(torch.full((groups + classes,), 0.4))

    def hidden(self, batch: Batch) -> Tensor:
        """The hidden vectors of the spans."""
        rows = rows_of(batch.features, ROWS)
        words = self.embedding(rows, per_sample_weights=random_shares(rows.shape))
        inner = self.inner(rows_of(batch.features[:, INNER], INNER_ROWS))
        within = torch.cumsum(inner, 0)
        first, last = words[:, :HIDDEN] - (within - inner), words[:, HIDDEN:] + within
        return torch.relu(first[batch.first] + last[batch.last] + self.shapes[batch.shape] + self.verbs[batch.verbs])

    def odds(self, hidden: Tensor, output: Tensor, estimate: Tensor) -> Tensor:
        """The odds of outputs over spans."""
        outputs, index = torch.unique(output, return_inverse=True)
        group = self.group[outputs]
        products = (hidden * (self.of_group[group] + self.own[outputs])[index]).sum(1)
        trust = self.trust[group].clamp(min=LEAST_TRUST)
        return products + self.bias[outputs][index] + trust[index] * estimate

    def loss(self, batch: Batch) -> Tensor:
        """That of all states, and of their classes."""
        hidden = self.hidden(batch)
        outputs = batch.state, self.class_of[batch.state]
        odds = (self.odds(hidden, output, batch.estimate) for output in outputs)
        return sum((tail_loss(of_outputs, batch.wanted, batch.weight) for of_outputs in odds), torch.zeros(()))

    def arrays(self, outputs: Outputs, tags: Arrays) -> Arrays:
        """The network as it is stored, with its part for tags."""
        words, inner = self.embedding.weight.detach().numpy(), self.inner.weight.detach().numpy()
        shapes = torch.cat([self.shapes, self.verbs]).detach().numpy()
        vectors = (self.of_group[self.group] + self.own).detach().numpy()
        bias, trust = self.bias.detach().numpy(), self.trust.detach().clamp(min=LEAST_TRUST)[self.group].numpy()
        of_words, of_tags = (np.asarray(tags[name], np.float32) for name in ("embedding", "vectors"))
        unit, word_unit, vector_unit, tag_unit = map(unit_of, (words, of_words, vectors, of_tags))
        own = outputs.own
        return {
            "odds_embedding": np.concatenate([in_bytes(words, unit), in_bytes(of_words, word_unit)], axis=1),
            "odds_inner": in_bytes(inner, unit),
            "odds_shapes": in_bytes(shapes, unit),
            "state_vectors": np.concatenate([in_bytes(of_tags, tag_unit), in_bytes(vectors[:own], vector_unit)]),
            "state_bias": np.concatenate([np.asarray(tags["bias"]), bias[:own]]),
            "state_trust": np.concatenate([np.asarray(tags["trust"]), trust[:own]]),
            "state_class": outputs.class_of.astype(np.uint16),
            "class_vectors": in_bytes(vectors[own:], vector_unit),
            "class_bias": bias[own:],
            "class_trust": trust[own:],
            "odds_units": np.array([word_unit * tag_unit, unit * vector_unit, unit * vector_unit], np.float32),
        }


def flat_arrays(outputs: Outputs, tags: Arrays) -> Arrays:
    """A network that knows of tags alone: the odds of states are their estimates."""
    network = SpanNetwork(outputs)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
        network.trust.fill_(1.0)
    return network.arrays(outputs, tags)


def learn(charts: Charts, outputs: Outputs, tags: Arrays, stage: Stage) -> Arrays:
    """The arrays of a network that has learnt from charts."""
    torch.manual_seed(6)
    random = np.random.default_rng(5)
    network, make_batch = SpanNetwork(outputs), Batches(charts, outputs, stage.seen)
    steps = stage.rounds * -(-len(charts) // BATCH)
    descent = Descent(network, steps)
    mean, step = 0.0, 0
    for _ in range(stage.rounds):
        order = random.permutation(len(charts))
        for first in range(0, len(order), BATCH):
            batch = make_batch(order[first : first + BATCH])
            loss = network.loss(batch) / BATCH
            descent.step(loss)
            step += 1
            mean += (loss.item() - mean) / min(step, 100)
            if step % 500 == 0 or step == steps:
                print(f"spans: step {step} of {steps}, {mean:.2f} nats a caption", flush=True)
    return network.arrays(outputs, tags)


def span_arrays(captions: Sequence[str], tags: Arrays, outputs: Outputs, model: Path) -> Arrays:
    """The whole network for a model file that has none yet, which is used for trials."""
    torch.set_num_threads(1)
    sections, arrays = read(model), flat_arrays(outputs, tags)
    for stage in STAGES:
        write(model, sections | arrays)
        charts = read_charts(model, chosen(captions, stage.captions), outputs, stage)
        print(f"spans: {len(charts)} captions, {len(charts.state)} items", flush=True)
        arrays = learn(charts, outputs, tags, stage)
    return arrays
