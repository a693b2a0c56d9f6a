"""A run folder read again: its configuration, its captioner and its baseline."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from spidercap.config import Config
from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.errors import DataError, UsageError
from spidercap.learn.baseline import Baseline
from spidercap.learn.explain import Explanation, explain
from spidercap.learn.sampled import Policy
from spidercap.metrics.digest import Settings, tokenize_references
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.model.folder import Captioner, find_model, load_model
from spidercap.reward.reward import Reward, make_reward
from spidercap.train.checkpoint import load_checkpoint
from spidercap.train.run_folder import CHECKPOINT, CONFIG_FILE, read_settings
from spidercap.vision.store import FeatureStore

_MODEL, _BASELINE = "algorithm.model.", "algorithm.baseline."


@dataclass(frozen=True)
class FinishedRun:
    """What a run left; the captioner of its last step where it has a baseline, which belongs to that one."""

    config: Config
    captioner: Captioner
    baseline: Baseline | None


def open_run(folder: Path) -> FinishedRun:
    """Read a run of `spidercap train`."""
    if not (folder / CONFIG_FILE).exists() or not (folder / CHECKPOINT).exists():
        raise UsageError(f"{folder} is not a run of `spidercap train` with a checkpoint; name the folder of its --out")
    config, _ = read_settings(folder)
    captioner = load_model(find_model(folder))
    weights = load_checkpoint(folder / CHECKPOINT)["module"]
    own = _part(weights, _BASELINE)
    if not own:
        return FinishedRun(config, captioner, None)
    captioner.model.load_state_dict(_part(weights, _MODEL))
    width, hidden = own["layer.weight"].shape
    baseline = Baseline(hidden, width)
    baseline.load_state_dict(own)
    return FinishedRun(config, captioner, baseline)


def _part(weights: dict[str, Any], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in weights.items() if name.startswith(prefix)}


def find_image(dataset: Dataset, image: str) -> CaptionedImage:
    """The image with this id."""
    for each in dataset.images:
        if each.id == image:
            return each
    raise DataError(f"{dataset.name} has no image {image!r}; its first is {dataset.images[0].id!r}")


def reward_of_image(name: str, dataset: Dataset, image: CaptionedImage) -> Reward:
    """The reward of one image's captions, without the end symbol, with the document frequencies of training."""
    tokens = tokenize_references([each.captions for each in dataset.split("train")], Settings())
    frequencies = DocumentFrequencies.of([tokens], "ptb", f"{dataset.name}:train")
    return make_reward(name, {image.id: image.captions}, frequencies)


def explain_image(
    run: FinishedRun, dataset: Dataset, image: CaptionedImage, *, reward: str = "", rollouts: int = 3, seed: int = 0
) -> tuple[Explanation, str]:
    """A sampled caption of an image of the run's dataset, word by word, and the name of the reward that pays."""
    config, captioner = run.config, run.captioner
    paid = reward_of_image(reward or config.learn.reward, dataset, image)
    features = torch.from_numpy(FeatureStore.open(Path(config.features.folder)).rows([image.id]))
    policy = Policy(captioner.model, captioner.vocabulary, paid, seed, config.decode.limit)
    return explain(policy, run.baseline, image.id, features, rollouts), paid.name
