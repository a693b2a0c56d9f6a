"""Settings that fit the size of the data: what `-1` stands for, and notes on what makes no sense for it."""

from collections.abc import Iterator
from dataclasses import replace

from spidercap.config import Config
from spidercap.options import decided
from spidercap.train.batches import Order
from spidercap.train.data import TrainingData

WARMUP_STEPS, WARMUP_SHARE = 100, 10
"""The learning rate rises over so many steps, or over the run's steps divided by this where that is less."""
STEPS_BETWEEN_VALIDATIONS = 10


def resolved(config: Config, data: TrainingData, earlier: Config | None = None) -> Config:
    """The configuration with every automatic setting decided; a run that goes on keeps what it began with."""
    order = order_of(config, data)
    steps, train, before = own_steps(config, order), config.train, (earlier or config).train
    train = replace(
        train,
        warmup_steps=decided(train.warmup_steps, before.warmup_steps, min(WARMUP_STEPS, steps // WARMUP_SHARE)),
        validate_every=decided(
            train.validate_every, before.validate_every, max(STEPS_BETWEEN_VALIDATIONS, order.steps_an_epoch)
        ),
    )
    return replace(config, train=train, learn=config.learn.resolved(steps, earlier.learn if earlier else None))


def order_of(config: Config, data: TrainingData) -> Order:
    """The order of the examples."""
    pairs = config.learn.examples == "captions"
    count = sum(len(image.captions) for image in data.train) if pairs else len(data.train)
    return Order(config.train.seed, count, config.train.batch)


def own_steps(config: Config, order: Order) -> int:
    """Steps in which the captioner itself learns."""
    return max(1, round(config.train.epochs * order.steps_an_epoch))


def notes(config: Config, order: Order) -> Iterator[str]:
    """What a user should know of settings that do not fit the data; the configuration is a resolved one."""
    steps, train, alone = own_steps(config, order), config.train, config.learn.warmup
    if train.warmup_steps >= steps:
        yield (
            f"train.warmup_steps is {train.warmup_steps:,} and the captioner learns in {steps:,} steps: its learning "
            "rate never reaches train.learning_rate"
        )
    if alone > steps:
        yield (
            f"learn.baseline_steps is {alone:,} and the captioner learns in {steps:,} steps: most steps are not its own"
        )
    if train.batch > order.count:
        yield f"train.batch is {train.batch:,} and there are {order.count:,} examples: every step takes all of them"
