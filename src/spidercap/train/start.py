"""From a configuration to a run: the model, its start, and what it will need."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch

from spidercap.config import Config
from spidercap.errors import DataError, UsageError
from spidercap.model.architectures import new_captioner
from spidercap.model.captioner import Captioner
from spidercap.model.folder import find_model, load_model
from spidercap.train.automatic_settings import notes, order_of, own_steps, resolved
from spidercap.train.batches import Order
from spidercap.train.data import TrainingData, load_data
from spidercap.train.loop import Counters, Trainer
from spidercap.train.run_folder import RunFolder
from spidercap.train.world import connected
from spidercap.vision.tuned import TUNED_FILE, load_tuned

BYTES = 4
# Weight, gradient and the two moments of Adam.
COPIES = 4


def train_run(config: Config, out: Path, init: Path | None = None) -> Counters | None:
    """Train in this process, or as one process of a job that torchrun started; the first one returns how it went."""
    config.learn.check()
    with connected() as world:
        data, folder = load_data(config), RunFolder(out)
        config = resolved(config, data, folder.earlier_settings())
        captioner = make_captioner(config, data, init)
        done = Trainer(config, data, captioner, folder, world, init).run()
        return done if world.main else None


def make_captioner(config: Config, data: TrainingData, init: Path | None) -> Captioner:
    """A captioner with random weights, or that of an earlier run."""
    if init is None and config.learn.needs_start:
        raise UsageError(
            f"learn.algorithm {config.learn.algorithm} starts from a trained captioner: train one with mle, "
            "then give its run by `init`"
        )
    return _random(config, data) if init is None else _start(init, config, data)


def _random(config: Config, data: TrainingData) -> Captioner:
    return new_captioner(config.model, data.source.width, data.vocabulary, config.train.seed)


def _start(init: Path, config: Config, data: TrainingData) -> Captioner:
    folder = find_model(init)
    start = load_model(folder)
    with torch.device("meta"):
        _check_start(start, _random(config, data), data, folder)
    _take_encoder(folder, data)
    return start


def _take_encoder(folder: Path, data: TrainingData) -> None:
    """An encoder that was trained along with the start goes on; vectors of another would mean something else to it."""
    if not (folder / TUNED_FILE).is_file():
        return
    if data.source.encoder is None:
        raise DataError(
            f"{folder} was trained along with its encoder, whose vectors are not those of features.folder; "
            "go on with encoder.finetune = true"
        )
    load_tuned(folder, data.source.encoder)


def _check_start(start: Captioner, wanted: Captioner, data: TrainingData, folder: Path) -> None:
    if start.vocabulary != data.vocabulary:
        raise DataError(
            f"{folder} has another vocabulary than {data.dataset.name} ({data.vocabulary.size:,} symbols); "
            "start from a model of this dataset"
        )
    for name, size in vars(wanted.sizes).items():
        found = getattr(start.sizes, name, None)
        if found != size:
            raise DataError(f"{folder} has {name} = {found}, and this run has {size}; they must be equal")


@dataclass(frozen=True)
class RunPlan:
    """What a run will be: its settings with every automatic one decided, facts, and what the user should know."""

    config: Config
    facts: dict[str, str]
    notes: tuple[str, ...]


def describe(config: Config, init: Path | None = None) -> RunPlan:
    """What a run will be, without starting it."""
    config.learn.check()
    data = load_data(config)
    config = resolved(config, data)
    captioner, order = make_captioner(config, data, init), order_of(config, data)
    facts = dict(_facts(config, data, captioner, order))
    return RunPlan(config, facts, tuple(notes(config, order)))


def _facts(config: Config, data: TrainingData, captioner: Captioner, order: Order) -> Iterator[tuple[str, str]]:
    parameters = sum(parameter.numel() for parameter in captioner.parameters())
    encoder = data.source.encoder
    trained = parameters + (sum(each.numel() for each in encoder.parameters()) if encoder is not None else 0)
    steps = config.learn.warmup + own_steps(config, order)
    yield "dataset", f"{data.dataset.name}: {len(data.train):,} training, {len(data.validation):,} validation images"
    yield "vocabulary", f"{data.vocabulary.size:,} symbols"
    yield "parameters", f"{parameters:,} of the captioner" + (f", {trained:,} in all" if encoder is not None else "")
    yield "steps", f"{steps:,} ({order.steps_an_epoch:,} an epoch, {order.count:,} examples)"
    needed = math.ceil(_memory(config, data, captioner, trained) / 2**20)
    yield "memory", f"about {needed:,} MiB besides Python and torch (about 400 MiB)"


def _memory(config: Config, data: TrainingData, captioner: Captioner, parameters: int) -> int:
    """Weights and optimiser; activations of the longest usual step; the vectors of the images as they are read."""
    lengths = sorted(len(caption.split()) + 1 for image in data.train for caption in image.captions)
    words = config.train.batch * lengths[int(0.9 * len(lengths))]
    activations = words * captioner.numbers_a_symbol
    pictures = config.train.batch * 150_000_000 if config.encoder.finetune else 0
    return BYTES * (COPIES * parameters + activations) + pictures
