"""The filter of spans (parser/span_filter.h): a small network of the odds that the best tree has a state over a span.

Trained as the last step of train.py; alone, for a model file that is there already (about ten minutes):

    python tools/parser/span_filter.py ../shared/data/spice_parses src/spidercap/metrics/data/spice_parser.bin

It learns from the charts of captions, searched within wide beams: all that stands in a best tree, a sample of what does
not, and for every span whether anything stands over it. Features come from the native code that uses them later.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from grammar import Arrays, starts_of
from model_file import read, read_texts, write
from numpy.typing import NDArray
from torch import Tensor, nn
from treebank import Treebank, load
from trees import is_split_by_parser, is_word

from spidercap._native import CaptionParser

CAPTIONS = 150_000
HIDDEN = 32
ROWS = 1 << 16
"""Vectors of features, shared by hashing."""
SIZES, ENDS, VERBS = 16, 4, 4
"""Shapes of spans, as in parser/span_filter.cpp."""
SPREAD = np.uint64(0x9E3779B97F4A7C15)
SEEN = 0.05
"""Share of what is in no best tree that is learnt from."""
LEFT_OUT = 0.1
"""Share of the features that are left out at random while learning, so that none is trusted alone."""
ROUNDS = 2
RATE = 3e-3
BATCH = 100
LONGEST = 45
"""Words of a caption; charts of longer ones take too long."""
CERTAIN = 1000.0
"""Bias of tags, which have a filter of their own."""
WIDE = {"tag_beam": 14.0, "filter_beam": 10.5, "label_odds": -13.0, "active_odds": -14.0}
"""Limits of the charts. Without a network, odds are estimates below the best of a span."""


@dataclass(frozen=True)
class Charts:
    """Words and items of captions end to end, and where those of each caption start."""

    features: NDArray[np.uint32]
    is_verb: NDArray[np.bool_]
    words: NDArray[np.int64]
    begin: NDArray[np.uint8]
    end: NDArray[np.uint8]
    state: NDArray[np.uint16]
    estimate: NDArray[np.float32]
    is_best: NDArray[np.bool_]
    items: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.words) - 1


@dataclass(frozen=True)
class Batch:
    """Some captions: features of their words, spans, and outputs over spans with what they should be."""

    features: Tensor
    first: Tensor
    last: Tensor
    shape: Tensor
    verbs: Tensor
    span: Tensor
    output: Tensor
    estimate: Tensor
    wanted: Tensor
    weight: Tensor


@dataclass(frozen=True)
class Outputs:
    """What the network has odds for: states, then any label, then any active; and which of them share a vector."""

    tags: int
    labels: int
    states: int
    group: NDArray[np.int64]
    is_verb: NDArray[np.bool_]

    @classmethod
    def of(cls, model: Path) -> "Outputs":
        """Those of a model file."""
        sections = read(model)
        tags, labels, openers, states = np.frombuffer(sections["counts"], np.uint32)[:4].tolist()
        phrase = np.frombuffer(sections["active_phrase"], np.uint16).astype(np.int64)
        is_opener = np.arange(labels, states) < openers
        group = np.concatenate([np.arange(labels), labels + 2 * phrase + is_opener, 3 * labels + np.arange(2)])
        verbs = [name.startswith("VB") or name == "MD" for name in read_texts(sections, "plain")[:tags]]
        return cls(tags, labels, states, group, np.array(verbs))


def chosen_captions(treebank: Treebank) -> list[str]:
    """Captions that are no frames, evenly from all files, without those that the parser may split otherwise."""
    words = [rule[1] if is_word(rule) else "" for rule in treebank.rules]
    indices = np.flatnonzero(treebank.kinds != "frame")
    chosen = indices[np.linspace(0, len(indices) - 1, min(CAPTIONS, len(indices))).astype(np.int64)]
    texts = [[word for rule in treebank.best[index].tolist() if (word := words[rule])] for index in chosen.tolist()]
    return [" ".join(text) for text in texts if len(text) <= LONGEST and not is_split_by_parser(text[-1])]


def read_charts(model: Path, captions: Sequence[str], outputs: Outputs, block: int = 1000) -> Charts:
    """The charts of the captions."""
    parser, tagger = CaptionParser(str(model), **WIDE), CaptionParser(str(model), tag_beam=14.0, filter_beam=1e30)
    random = np.random.default_rng(4)
    blocks = [captions[first : first + block] for first in range(0, len(captions), block)]
    parts = [read_block(parser, tagger, texts, outputs, random) for texts in blocks]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    features, is_verb, words, begin, end, state, estimate, is_best, items = columns
    starts = (np.concatenate([[0], np.cumsum(counts)]) for counts in (words, items))
    return Charts(features, is_verb, next(starts), begin, end, state, estimate, is_best, next(starts))


def read_block(
    parser: CaptionParser, tagger: CaptionParser, captions: Sequence[str], outputs: Outputs, random: np.random.Generator
) -> tuple[NDArray[np.generic], ...]:
    """One block: what `Charts` holds, with counts instead of starts."""
    ends, begin, end, state, estimate, best = parser.chart_items(captions)
    tag_ends, tags, margins, features = tagger.tag_choices(captions)
    caption = np.repeat(np.arange(len(captions)), np.diff(ends, prepend=0))
    kept = (best > 0) | (random.random(len(state)) < SEEN)
    likeliest = tags[np.flatnonzero(margins == 0)]
    first = np.concatenate([[True], np.diff(np.searchsorted(tag_ends, np.flatnonzero(margins == 0), "right")) > 0])
    return (
        features.reshape(len(tag_ends), -1),
        outputs.is_verb[likeliest[first]],
        np.array([text.count(" ") + 1 for text in captions], np.int64),
        *(column[kept] for column in (begin, end, state, estimate)),
        best[kept] > 0,
        np.bincount(caption[kept], minlength=len(captions)),
    )


class Batches:
    """Batches of captions, with all their spans."""

    def __init__(self, charts: Charts, outputs: Outputs) -> None:
        self.charts, self.outputs = charts, outputs
        self.verbs = np.concatenate([[0], np.cumsum(charts.is_verb)])

    def __call__(self, captions: NDArray[np.int64]) -> Batch:
        """One batch."""
        parts = [self.caption(caption) for caption in captions.tolist()]
        spans, items = ([len(part[column]) for part in parts] for column in (0, 4))
        words = (self.charts.words[captions + 1] - self.charts.words[captions]).tolist()
        first, last, shape, verbs, span, output, estimate, wanted = map(np.concatenate, zip(*parts, strict=True))
        of_word, of_span = np.repeat(starts_of(words)[:-1], spans), np.repeat(starts_of(spans)[:-1], items)
        weight = np.where(wanted | (output >= self.outputs.states), 1.0, 1 / SEEN)
        numbers = (self.rows(captions), first + of_word, last + of_word, shape, verbs, span + of_span, output)
        return Batch(
            *(torch.from_numpy(column.astype(np.int64)) for column in numbers),
            *(torch.from_numpy(column.astype(np.float32)) for column in (estimate, wanted, weight)),
        )

    def rows(self, captions: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Where the vectors of the words' features are."""
        bounds = zip(self.charts.words[captions].tolist(), self.charts.words[captions + 1].tolist(), strict=True)
        features = np.concatenate([self.charts.features[first:end] for first, end in bounds]).astype(np.uint64)
        return (features * SPREAD) >> np.uint64(65 - ROWS.bit_length())

    def caption(self, caption: int) -> tuple[NDArray[np.generic], ...]:
        """First and last word, shape and verbs of all spans, then span, output, estimate and answer of all items."""
        charts, size = self.charts, int(np.diff(self.charts.words[[caption, caption + 1]])[0])
        first, last = np.triu_indices(size)
        verbs = self.verbs[charts.words[caption] :]
        shape = np.minimum(last - first + 1, SIZES - 1) * ENDS + 2 * (first == 0) + (last == size - 1)
        own = slice(*charts.items[[caption, caption + 1]])
        begin, state = charts.begin[own].astype(np.int64), charts.state[own]
        span = begin * size - begin * (begin - 1) // 2 + charts.end[own] - 1 - begin
        any_state = []
        for kind in (state < self.outputs.labels, state >= self.outputs.labels):
            any_state.append(np.zeros(len(first), np.bool_))
            any_state[-1][span[kind & charts.is_best[own]]] = True
        long = np.flatnonzero(last > first)
        return (
            first,
            last,
            shape,
            np.minimum(verbs[last + 1] - verbs[first], VERBS - 1),
            np.concatenate([span, long, long]),
            np.concatenate([state, np.repeat(self.outputs.states + np.arange(2), len(long))]),
            np.concatenate([charts.estimate[own], np.zeros(2 * len(long), np.float32)]),
            np.concatenate([charts.is_best[own], any_state[0][long], any_state[1][long]]),
        )


class Network(nn.Module):
    """The network in the making: an output's vector is that of its group with its own added."""

    def __init__(self, outputs: Outputs) -> None:
        super().__init__()
        groups, count = int(outputs.group.max()) + 1, len(outputs.group)
        self.group = torch.from_numpy(outputs.group)
        self.embedding = nn.EmbeddingBag(ROWS, 2 * HIDDEN, mode="sum")
        nn.init.normal_(self.embedding.weight, 0, 0.1)
        self.shapes = nn.Parameter(0.1 * torch.randn(SIZES * ENDS, HIDDEN))
        self.verbs = nn.Parameter(0.1 * torch.randn(VERBS, HIDDEN))
        self.of_group = nn.Parameter(0.1 * torch.randn(groups, HIDDEN))
        self.own = nn.Parameter(torch.zeros(count, HIDDEN))
        self.bias = nn.Parameter(torch.full((count,), -4.0))
        self.trust = nn.Parameter(torch.full((groups,), 0.4))

    def forward(self, batch: Batch) -> Tensor:
        """The odds of all outputs."""
        shares = torch.bernoulli(torch.full(batch.features.shape, 1 - LEFT_OUT)) / (1 - LEFT_OUT)
        words = self.embedding(batch.features, per_sample_weights=shares)
        hidden = torch.relu(
            words[batch.first, :HIDDEN]
            + words[batch.last, HIDDEN:]
            + self.shapes[batch.shape]
            + self.verbs[batch.verbs]
        )
        outputs, index = torch.unique(batch.output, return_inverse=True)
        group = self.group[outputs]
        products = (hidden[batch.span] * (self.of_group[group] + self.own[outputs])[index]).sum(1)
        return products + self.bias[outputs][index] + self.trust[group][index] * batch.estimate

    def arrays(self, outputs: Outputs) -> Arrays:
        """The network as it is stored: vectors in bytes, in units of their greatest entries but for a few."""
        embedding = self.embedding.weight.detach().numpy()
        shapes = torch.cat([self.shapes, self.verbs]).detach().numpy()
        weights = (self.of_group[self.group] + self.own).detach().numpy()
        bias, trust = self.bias.detach().numpy().copy(), self.trust[self.group].detach().numpy().copy()
        weights[: outputs.tags], bias[: outputs.tags], trust[: outputs.tags] = 0, CERTAIN, 0
        unit = max(float(np.quantile(np.abs(embedding), 0.9999)), float(np.abs(shapes).max())) / 127
        weight_unit = float(np.quantile(np.abs(weights), 0.9999)) / 127
        return {
            "span_embedding": in_bytes(embedding, unit),
            "span_shapes": in_bytes(shapes, unit),
            "span_weights": in_bytes(weights, weight_unit),
            "span_bias": bias,
            "span_trust": trust,
            "span_unit": np.array([unit * weight_unit], np.float32),
        }


def in_bytes(numbers: NDArray[np.float32], unit: float) -> NDArray[np.int8]:
    """Numbers in units, cut where a byte ends."""
    units: NDArray[np.int8] = np.clip(np.rint(numbers / unit), -127, 127).astype(np.int8)
    return units


def batches(count: int, rounds: int) -> Iterator[NDArray[np.int64]]:
    """Captions in random order, some at a time."""
    random = np.random.default_rng(5)
    for _ in range(rounds):
        order = random.permutation(count)
        yield from (order[first : first + BATCH] for first in range(0, count, BATCH))


def learn(charts: Charts, outputs: Outputs, rounds: int = ROUNDS) -> Arrays:
    """The arrays of a network that has learnt from charts."""
    torch.manual_seed(6)
    network, make_batch = Network(outputs), Batches(charts, outputs)
    steps = rounds * -(-len(charts) // BATCH)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.1)
    mean = 0.0
    for step, captions in enumerate(batches(len(charts), rounds)):
        batch = make_batch(captions)
        odds = network(batch)
        losses = nn.functional.binary_cross_entropy_with_logits(odds, batch.wanted, batch.weight, reduction="sum")
        loss = losses / len(captions)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
        mean += (loss.item() - mean) / min(step + 1, 100)
        if (step + 1) % 500 == 0 or step + 1 == steps:
            print(f"spans: step {step + 1} of {steps}, {mean:.2f} nats a caption", flush=True)
    return network.arrays(outputs)


def span_arrays(treebank: Treebank, model: Path) -> Arrays:
    """The filter of spans for a model file that has none yet, from the captions of the treebank."""
    torch.set_num_threads(1)
    outputs = Outputs.of(model)
    return learn(read_charts(model, chosen_captions(treebank), outputs), outputs)


def main() -> None:
    """Train the filter anew for a model file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with parses_*.jsonl.xz")
    parser.add_argument("model", type=Path, help="model file to change")
    arguments = parser.parse_args()
    treebank = load(sorted(arguments.data.glob("parses_*.jsonl.xz")))
    sections = {name: array for name, array in read(arguments.model).items() if not name.startswith("span_")}
    trial = arguments.model.with_suffix(".trial")
    write(trial, sections)
    print(write(arguments.model, sections | span_arrays(treebank, trial)))
    trial.unlink()


if __name__ == "__main__":
    main()
