"""A run folder read again: its configuration, its captioner and its baseline."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from spidercap.config import Config
from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.errors import DataError, UsageError
from spidercap.files import read_json
from spidercap.learn.baseline import Baseline
from spidercap.learn.explain import Explanation, explain
from spidercap.learn.sampled import Policy
from spidercap.metrics.digest import Settings, tokenize_references
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.model.folder import Captioner, find_model, load_model
from spidercap.recipe import load_tables
from spidercap.reward.end_symbol import marked_frequencies
from spidercap.reward.function import is_function_name
from spidercap.reward.reward import Reward, make_reward
from spidercap.train.checkpoint import load_checkpoint
from spidercap.train.run_folder import CHECKPOINT, CONFIG_FILE
from spidercap.vision.store import FeatureStore

_MODEL, _BASELINE = "algorithm.model.", "algorithm.baseline."


@dataclass(frozen=True)
class FinishedRun:
    """What a run left; the captioner of its last step where it has a baseline, which belongs to that one."""

    config: Config
    captioner: Captioner
    baseline: Baseline | None


@dataclass(frozen=True)
class ExplainedImage:
    """A sampled caption word by word, the name of the reward that pays, and what must be known of its numbers."""

    explanation: Explanation
    reward: str
    note: str


def open_run(folder: Path) -> FinishedRun:
    """Read a run of `spidercap train`."""
    path = folder / CONFIG_FILE
    if not path.exists() or not (folder / CHECKPOINT).exists():
        raise UsageError(f"{folder} is not a run of `spidercap train` with a checkpoint; name the folder of its --out")
    tables = read_json(path)
    tables.pop("init", None)
    config = load_tables(tables, str(path))
    captioner = load_model(find_model(folder))
    try:
        weights = load_checkpoint(folder / CHECKPOINT)["module"]
        return FinishedRun(config, captioner, _take_last(captioner, weights))
    except (KeyError, RuntimeError) as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"{folder / CHECKPOINT} lacks weights of the run ({reason}); copy the run again") from None


def _take_last(captioner: Captioner, weights: dict[str, Any]) -> Baseline | None:
    """Give the captioner its last weights, if they come with a baseline, and make that."""
    own = _part(weights, _BASELINE)
    if not own:
        return None
    captioner.model.load_state_dict(_part(weights, _MODEL))
    width, hidden = own["layer.weight"].shape
    baseline = Baseline(hidden, width)
    baseline.load_state_dict(own)
    return baseline


def _part(weights: dict[str, Any], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in weights.items() if name.startswith(prefix)}


def find_image(dataset: Dataset, image: str) -> CaptionedImage:
    """The image with this id."""
    for each in dataset.images:
        if each.id == image:
            return each
    raise DataError(f"{dataset.name} has no image {image!r}; its first is {dataset.images[0].id!r}")


def reward_of_image(name: str, dataset: Dataset, image: CaptionedImage, *, eos_token: bool = False) -> Reward:
    """The reward of one image's captions, with the document frequencies of training."""
    references, source = [each.captions for each in dataset.split("train")], f"{dataset.name}:train"
    if eos_token:
        frequencies = marked_frequencies(references, source)
    else:
        frequencies = DocumentFrequencies.of([tokenize_references(references, Settings())], "ptb", source)
    return make_reward(name, {image.id: image.captions}, frequencies, eos_token=eos_token)


def explain_image(
    run: FinishedRun, dataset: Dataset, image: CaptionedImage, *, reward: str = "", rollouts: int = 3, seed: int = 0
) -> ExplainedImage:
    """A sampled caption of an image of the run's dataset, word by word."""
    learn, captioner = run.config.learn, run.captioner
    name = reward or learn.reward
    eos_token = learn.eos_token and not is_function_name(name)
    paid = reward_of_image(name, dataset, image, eos_token=eos_token)
    features = torch.from_numpy(FeatureStore.open(Path(run.config.features.folder)).rows([image.id]))
    policy = Policy(captioner.model, captioner.vocabulary, paid, seed, run.config.decode.limit)
    # A baseline expects the reward that it learnt: the difference from another one means nothing.
    baseline = run.baseline if name == learn.reward else None
    notes = ["BLEU, ROUGE-L and CIDEr in the reward see the end symbol, as in training."] if eos_token else []
    if baseline is not run.baseline:
        notes.append(f"The run's baseline learnt {learn.reward}: B and Q − B are left out.")
    return ExplainedImage(explain(policy, baseline, image.id, features, rollouts), paid.name, " ".join(notes))
