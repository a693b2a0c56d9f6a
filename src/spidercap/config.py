"""What a training run is made of: one frozen dataclass a section, the only place where defaults live.

The settings of the captioner are in `model/architectures.py`, those of each algorithm in its file in `learn/`.
`recipe.py` reads all of them from TOML files and flags; the resolved form is saved beside the checkpoints.
"""

import math
from dataclasses import dataclass, field
from typing import get_type_hints

from spidercap.learn.algorithm import AlgorithmSettings
from spidercap.learn.mle import MaximumLikelihoodSettings
from spidercap.metrics.names import metric_name, metric_names
from spidercap.model.architectures import ModelConfig
from spidercap.options import AUTOMATIC, LARGEST, at_least, check, option, positive

OPTIMIZERS = ("adam", "sgd")
LARGEST_SEED = 2**64 - 1
SCHEDULES = ("constant", "linear", "cosine", "exponential")


@dataclass(frozen=True)
class DataConfig:
    """Where the captions are."""

    folder: str = option("", "the prepared dataset (made by spidercap prepare)")
    images: str = option("", "the folder of the pictures, for a trained encoder (default: the dataset's own)")


@dataclass(frozen=True)
class FeaturesConfig:
    """Where the vectors of the images are."""

    folder: str = option("", "the feature store (made by spidercap features)")


@dataclass(frozen=True)
class EncoderConfig:
    """The network that turns pictures into vectors; without `finetune` stored vectors are used."""

    finetune: bool = option(False, "train Inception-V3 too, from the pictures, its batch-norm statistics frozen")
    learning_rate: float = option(1e-5, "the encoder's own learning rate, under the same schedule")

    def __post_init__(self) -> None:
        positive("encoder", self, "learning_rate")


@dataclass(frozen=True)
class DecodeConfig:
    """How captions are made for validation."""

    limit: int = option(30, "most symbols of a caption, its end included")

    def __post_init__(self) -> None:
        at_least("decode", self, 1, "limit")


@dataclass(frozen=True)
class TrainConfig:
    """The loop: how long, how fast, what is measured and kept."""

    seed: int = option(0, "what all random numbers are drawn from")
    batch: int = option(64, "examples of a step, over all processes")
    epochs: float = option(20.0, "passes over the training examples")
    optimizer: str = option("adam", f"one of {', '.join(OPTIMIZERS)}")
    learning_rate: float = option(0.0, "at its highest; 0 = 1e-3 for mle, 1e-4 for the others")
    schedule: str = option("cosine", f"how the learning rate falls to its last value: {', '.join(SCHEDULES)}")
    last_learning_rate: float = option(0.05, "the last learning rate, as a share of the highest")
    warmup_steps: int = option(
        AUTOMATIC, "steps over which the learning rate rises from 0; -1 = 100, or a tenth of the run where that is less"
    )
    clip: float = option(5.0, "longest gradient (2-norm); longer ones are shortened")
    weight_decay: float = option(0.0, "AdamW's decay of the weights")
    metrics: tuple[str, ...] = option(
        ("CIDEr", "Bleu_4", "METEOR", "ROUGE_L", "SPICE", "SPIDEr"), "what validation measures; any metrics of ours"
    )
    select: str = option("CIDEr", "the metric that decides which weights are the best, one of train.metrics")
    patience: int = option(0, "stop after so many validations without a better score; 0 = never")
    validate_every: int = option(
        AUTOMATIC, "steps between validations; 0 = once an epoch, -1 = the same, but at least 10 steps apart"
    )
    validation_images: int = option(0, "images of the validation split that are used; 0 = all")
    checkpoint_every: int = option(500, "steps between checkpoints; every validation makes one as well")
    log_every: int = option(50, "steps between lines of metrics.jsonl")

    def __post_init__(self) -> None:
        # One way to write each metric: a run goes on whichever was used, and its scores are found by that name.
        object.__setattr__(self, "metrics", metric_names(self.metrics))
        object.__setattr__(self, "select", metric_name(self.select))
        check(
            "train.select",
            self.select in self.metrics,
            f"one of train.metrics ({', '.join(self.metrics)})",
            self.select,
        )
        at_least("train", self, 1, "batch", "checkpoint_every", "log_every")
        at_least("train", self, 0, "patience", "validation_images", "weight_decay")
        at_least("train", self, AUTOMATIC, "warmup_steps", "validate_every")
        positive("train", self, "epochs", "clip")
        check("train.epochs", self.epochs <= LARGEST, f"at most {LARGEST:,}", self.epochs)
        check("train.seed", 0 <= self.seed <= LARGEST_SEED, f"between 0 and {LARGEST_SEED}", self.seed)
        check("train.learning_rate", 0 <= self.learning_rate < math.inf, "0 or more", self.learning_rate)
        check("train.optimizer", self.optimizer in OPTIMIZERS, f"one of {', '.join(OPTIMIZERS)}", self.optimizer)
        check("train.last_learning_rate", 0 <= self.last_learning_rate <= 1, "in [0, 1]", self.last_learning_rate)
        check("train.schedule", self.schedule in SCHEDULES, f"one of {', '.join(SCHEDULES)}", self.schedule)


@dataclass(frozen=True)
class Config:
    """A whole run."""

    data: DataConfig = DataConfig()
    features: FeaturesConfig = FeaturesConfig()
    encoder: EncoderConfig = EncoderConfig()
    model: ModelConfig = field(default_factory=ModelConfig)
    decode: DecodeConfig = DecodeConfig()
    learn: AlgorithmSettings = field(default_factory=MaximumLikelihoodSettings)
    train: TrainConfig = TrainConfig()

    @property
    def learning_rate(self) -> float:
        """The captioner's highest learning rate."""
        return self.train.learning_rate or self.learn.learning_rate


SECTIONS: dict[str, type] = get_type_hints(Config)
"""The sections of a recipe. That of `learn` depends on the algorithm: it is the one that `learn.algorithm` names."""
