"""A step of policy gradient beside the plain maximum-likelihood step (bench/mle.py), in one run.

    python bench/policy_gradient.py MODEL DATASET FEATURES [--sharpen 1] [--repeats 7] [--reward SPIDEr] [--threads 2]
        [--cpu-time]

MODEL is a trained captioner; its vocabulary is widened to 8,864 symbols that are never said, so that a step costs what
it costs on COCO. Tells, for K = 1 and 3, the ratio of the step to the plain one, where the time goes, how many rows of
the LSTM and output layer each trick leaves, the time of naive rollouts, and the peak of memory over an idle process.
All times are medians of interleaved repeats.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from mle import BATCH, SYMBOLS, PlainStep, make_batch
from spidercap.data.captions import Dataset
from spidercap.decode.rollout import Rollouts, Sampling, sample_with_rollouts
from spidercap.decode.sample import draw
from spidercap.decode.sequences import LIMIT
from spidercap.learn.algorithm import Batch
from spidercap.learn.baseline import Baseline
from spidercap.learn.policy import Policy
from spidercap.learn.policy_gradient import PolicyGradient
from spidercap.model.captioner import Captioner
from spidercap.model.folder import load_model
from spidercap.model.random_stream import RandomStream
from spidercap.model.show_and_tell import ShowAndTell
from spidercap.reward.reward import make_reward
from spidercap.text.vocabulary import Vocabulary
from spidercap.vision.feature_store import FeatureStore

NEVER = -40.0
"""The logit of the symbols that only widen the vocabulary."""

REUSED = ", rollouts that follow the path reused"
OPTIONS = {
    "": Sampling(),
    REUSED: Sampling(reuse=True),
    ", the path one of the K": Sampling(count_path=True),
    ", both": Sampling(reuse=True, count_path=True),
}
KINDS = {"K=1": (1, ""), "K=1, reused": (1, REUSED), "K=3": (3, ""), "K=3, both": (3, ", both")}
"""K, and the options."""


def widened(model: Captioner) -> ShowAndTell:
    """The same policy with 8,864 symbols."""
    assert isinstance(model, ShowAndTell)
    sizes = replace(model.sizes, symbols=SYMBOLS)
    unused = (f"unused{number}" for number in range(SYMBOLS - model.sizes.symbols))
    wide = ShowAndTell(sizes, Vocabulary((*model.vocabulary.words, *unused)))
    with torch.no_grad():
        for name, target in wide.named_parameters():
            source = model.get_parameter(name)
            rows = model.sizes.symbols if len(target) == SYMBOLS else len(target)
            target[:rows] = source[:rows]
        wide.output.weight[model.sizes.symbols :] = 0
        wide.output.bias[model.sizes.symbols :] = NEVER
    return wide


@dataclass
class Timer:
    """Seconds by part of the step, by the clock on the wall or by the work of all threads."""

    clock: Callable[[], float] = time.perf_counter
    seconds: dict[str, list[float]] = field(default_factory=dict)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        begin = self.clock()
        yield
        self.seconds.setdefault(name, []).append(self.clock() - begin)

    def median(self, name: str) -> float:
        return statistics.median(self.seconds[name])


class Step:
    """A training step of policy gradient, timed in parts."""

    def __init__(self, policy: Policy, batches: list[Batch], kind: str, timer: Timer) -> None:
        self.timer, self.batches, self.kind = timer, batches, kind
        rollouts, options = KINDS[kind]
        sampling = replace(OPTIONS[options], rollouts=rollouts)
        self.algorithm = PolicyGradient(
            _Timed(policy, timer, kind), Baseline(policy.captioner.hidden_size, 512), sampling
        )
        self.optimizer = torch.optim.Adam(self.algorithm.module.parameters(), lr=0.0)
        self.count = 0

    def __call__(self) -> None:
        batch = self.batches[self.count % len(self.batches)]
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.algorithm.loss(batch, self.count).loss
        with self.timer.part(f"{self.kind} backward"):
            loss.backward()  # type: ignore[no-untyped-call]
        with self.timer.part(f"{self.kind} update"):
            self.optimizer.step()
        self.count += 1


class _Timed(Policy):
    """A policy whose sampling and rewards are timed."""

    def __init__(self, policy: Policy, timer: Timer, prefix: str) -> None:
        super().__init__(**vars(policy))
        object.__setattr__(self, "timer", timer)
        object.__setattr__(self, "prefix", prefix)

    timer: Timer
    prefix: str

    def sample(self, *arguments: Any) -> Rollouts:
        with self.timer.part(self.prefix + " sampling"):
            return super().sample(*arguments)

    def rewards(self, *arguments: Any) -> tuple[Tensor, list[str]]:
        with self.timer.part(self.prefix + " reward"):
            return super().rewards(*arguments)


@torch.no_grad()
def naive_rollouts(captioner: Captioner, batch: Batch, rollouts: int, limit: int) -> int:
    """Each rollout decoded from the start of its caption, all rows kept until the last has ended; the rows computed."""
    stream = RandomStream(0, "sample", 0)
    path = sample_with_rollouts(captioner, batch.images, stream, batch.examples, Sampling(limit=limit)).paths
    rows, starts = (path.mask[:, 1:] if rollouts else path.mask[:, :0]).nonzero(as_tuple=True)
    rows, starts = rows.repeat_interleave(rollouts), starts.repeat_interleave(rollouts) + 1
    state, last = captioner.begin(batch.images[rows]), rows
    ended = torch.zeros(len(rows), dtype=torch.bool)
    k = torch.arange(len(rows)) % max(1, rollouts)
    computed = int(path.lengths.max()) * len(batch.ids)
    for position in range(limit):
        if position:
            state = captioner.advance(state, last)
        computed += len(rows)
        keys = batch.examples[rows], torch.zeros_like(rows), starts, k, torch.full_like(rows, position)
        parts = [slice(first, first + 256) for first in range(0, len(rows), 256)]
        uniforms = stream.uniform(*keys)
        drawn = torch.cat([draw(captioner.logits(state, part), uniforms[part]) for part in parts])
        forced = path.words[rows, min(position, path.words.shape[1] - 1)]
        last = torch.where(position < starts, forced, drawn)
        ended |= last == captioner.vocabulary.eos
        if ended.all():
            break
    return computed


def count_rows(sampled: Rollouts) -> dict[str, int]:
    """Rows of the LSTM and output layer, one trick after the other."""
    paths, sequences = sampled.paths, sampled.sequences
    lengths = sequences.lengths[len(paths) :]
    starts = torch.zeros(len(sequences), dtype=torch.int64)
    for (_, t), members in zip(paths.mask.nonzero().tolist(), sampled.members[paths.mask], strict=True):
        starts[members] = torch.where(starts[members] == 0, t + 1, starts[members])
    begun = starts[len(paths) :]
    own = int(paths.lengths.sum())
    longest = int(sequences.lengths.max())
    return {
        "naive: from the start, no row leaves": int(paths.lengths.max()) * len(paths) + longest * len(lengths),
        "finished rows leave": own + int(lengths.sum()),
        "+ states of the path kept": own + int((lengths - begun).sum()),
        "+ first word from the path's distribution": own + int((lengths - begun - 1).sum()),
        "+ one row for equal prefixes (the engine)": sampled.rows,
    }


def peak_megabytes(what: str) -> float:
    """The peak of memory of this command when it does one thing only, in a process of its own."""
    command = [sys.executable, *sys.argv, "--memory-of", what]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure_memory(what: str, policy: Policy, batches: list[Batch]) -> None:
    """Two steps of one kind, then print the peak so far."""
    steps: dict[str, Callable[[], object]] = {"nothing": lambda: None, "plain": plain_step()}
    work = steps[what] if what in steps else Step(policy, batches, what, Timer())
    work()
    work()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def plain_step() -> Callable[[], object]:
    """The plain step on one batch of captions of ~11 words."""
    step, (features, words, lengths) = PlainStep(), make_batch(0)
    return lambda: step(features, words, lengths)


def make_batches(dataset: Dataset, store: FeatureStore, count: int) -> list[Batch]:
    """Batches of training images."""
    ids = [image.id for image in dataset.split("train")]
    order = torch.randperm(len(ids), generator=torch.Generator().manual_seed(0)).tolist()
    batches = []
    for first in range(0, count * BATCH, BATCH):
        chosen = tuple(ids[index] for index in order[first : first + BATCH])
        batches.append(Batch(chosen, torch.from_numpy(store.rows(chosen)), torch.arange(BATCH), BATCH))
    return batches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("features", type=Path)
    parser.add_argument(
        "--sharpen", type=float, default=1.0, help="as learn.sharpen: 2 is what recipes/flickr8k-pg.toml does"
    )
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--reward", default="SPIDEr")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cpu-time", action="store_true", help="seconds of work, for a machine that others use too")
    parser.add_argument("--memory-of", help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    captioner, dataset = load_model(options.model), Dataset.load(options.dataset)
    captioner.sharpen(options.sharpen)
    batches = make_batches(dataset, FeatureStore.open(options.features), options.repeats)
    used = {image for batch in batches for image in batch.ids}
    references = {image.id: image.captions for image in dataset.split("train") if image.id in used}
    reward = make_reward(options.reward, references, threads=options.threads)
    policy = Policy(widened(captioner), reward, seed=0)
    if options.memory_of:
        measure_memory(options.memory_of, policy, batches)
    else:
        compare(policy, batches, options.repeats, Timer(time.process_time if options.cpu_time else time.perf_counter))


def compare(policy: Policy, batches: list[Batch], repeats: int, timer: Timer) -> None:
    """Run everything, interleaved, and print the tables."""
    plain = plain_step()
    steps = {kind: Step(policy, batches, kind, timer) for kind in KINDS}
    idle = peak_megabytes("nothing")
    memory = {what: peak_megabytes(what) - idle for what in ("plain", "K=1", "K=3")}
    plain()
    for step in steps.values():
        step()
    timer.seconds.clear()
    for repeat in range(repeats):
        with timer.part("plain MLE"):
            plain()
        for kind, step in steps.items():
            with timer.part(kind):
                step()
        for kind in memory.keys() & KINDS.keys():
            with timer.part(f"{kind} naive"):
                naive_rollouts(policy.captioner, batches[repeat % len(batches)], KINDS[kind][0], LIMIT)
    report(timer, memory, policy, batches)


def report(timer: Timer, memory: dict[str, float], policy: Policy, batches: list[Batch]) -> None:
    """Print what was found."""
    plain = timer.median("plain MLE")
    print(f"plain MLE step {plain * 1000:.0f} ms, peak memory +{memory['plain']:.0f} MB")
    for kind in KINDS:
        whole, sampling = timer.median(kind), timer.median(f"{kind} sampling")
        print(f"\n{kind}: step {whole * 1000:.0f} ms = {whole / plain:.2f} x the plain MLE step")
        for part in ("sampling", "reward", "backward", "update"):
            seconds = timer.median(f"{kind} {part}")
            print(f"  {part:10} {seconds * 1000:7.0f} ms  {100 * seconds / whole:5.1f} %")
        if kind in memory:
            naive = timer.median(f"{kind} naive")
            print(f"  naive rollouts take {naive * 1000:.0f} ms = {naive / sampling:.2f} x the engine")
            print(f"  peak memory +{memory[kind]:.0f} MB = {memory[kind] / memory['plain']:.2f} x the plain step's")
    for k in (1, 3):
        report_rows(policy, batches[0], k)


def report_rows(policy: Policy, batch: Batch, k: int) -> None:
    """Print the rows that each trick leaves."""
    for name, options in OPTIONS.items():
        sampled = policy.sample(batch, 0, replace(options, rollouts=k))
        print(f"\nK={k}: rows{name} (paths of {float(sampled.paths.lengths.float().mean()):.1f} symbols)")
        for trick, rows in count_rows(sampled).items():
            print(f"  {rows:7,}  {trick}")


if __name__ == "__main__":
    main()
