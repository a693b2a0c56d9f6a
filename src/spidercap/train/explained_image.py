"""What each word of a caption of one image is worth to the captioner of a run (`spidercap explain`)."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from spidercap.config import Config
from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.decode.rollout import Sampling
from spidercap.errors import DataError
from spidercap.learn.policy import Policy, RewardSettings
from spidercap.learn.policy_gradient import PolicyGradientSettings
from spidercap.learn.word_values import Explanation, explain
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.metrics.settings import Settings, tokenize_references
from spidercap.reward.end_symbol import marked_frequencies
from spidercap.reward.reward import Reward, make_reward
from spidercap.train.run_folder import FinishedRun
from spidercap.vision.feature_store import FeatureStore
from spidercap.vision.find_pictures import own_images
from spidercap.vision.pictures import decode


@dataclass(frozen=True)
class ExplainedImage:
    """A sampled caption word by word, the name of the reward that pays, and what must be known of its numbers."""

    explanation: Explanation
    reward: str
    note: str


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


def _features(run: FinishedRun, image: CaptionedImage, images: Path | None) -> Tensor:
    """The vector of an image, (1, D): stored, or that of its picture by the run's encoder."""
    config = run.config
    if run.encoder is None:
        return torch.from_numpy(FeatureStore.open(Path(config.features.folder)).rows([image.id]))
    folder = Path(config.data.images) if config.data.images else own_images(Path(config.data.folder))
    pixels = decode(image.picture_in(images or folder), run.encoder.size)
    return torch.from_numpy(run.encoder.encode(np.stack([pixels])))


def _reward_settings(config: Config) -> RewardSettings:
    """Those of the run, or where it had no reward those that others have by default."""
    return config.learn if isinstance(config.learn, RewardSettings) else PolicyGradientSettings()


def explain_image(
    run: FinishedRun,
    dataset: Dataset,
    image: CaptionedImage,
    *,
    reward: str = "",
    rollouts: int = 3,
    images: Path | None = None,
    seed: int = 0,
) -> ExplainedImage:
    """A sampled caption of an image of the run's dataset, word by word; `images` has the pictures for an encoder."""
    captioner, learn = run.captioner, _reward_settings(run.config)
    asked = replace(learn, reward=reward or learn.reward)
    image_reward = reward_of_image(asked.reward, dataset, image, eos_token=asked.sees_end)
    sampling = Sampling(rollouts=rollouts, limit=run.config.decode.limit)
    # A baseline expects the reward that it learnt: the difference from another one means nothing.
    baseline = run.baseline if asked == learn else None
    notes = ["BLEU, ROUGE-L and CIDEr in the reward see the end symbol (learn.eos_token)."] if asked.sees_end else []
    if baseline is not run.baseline:
        notes.append(f"The run's baseline learnt {learn.reward}: B and Q − B are left out.")
    found = explain(Policy(captioner, image_reward, seed), baseline, image.id, _features(run, image, images), sampling)
    return ExplainedImage(found, image_reward.name, " ".join(notes))
