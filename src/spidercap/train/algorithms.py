"""The algorithms by name: what one example is to each, and how each is made from a configuration."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from spidercap.config import Config
from spidercap.learn.baseline import Baseline
from spidercap.learn.batch import Algorithm
from spidercap.learn.leave_one_out import LeaveOneOut
from spidercap.learn.mixer import Annealing, Mixer
from spidercap.learn.mle import MaximumLikelihood
from spidercap.learn.policy_gradient import PolicyGradient
from spidercap.learn.sampled import Policy
from spidercap.learn.self_critical import SelfCritical
from spidercap.model.show_and_tell import ShowAndTell
from spidercap.reward.function import is_function_name
from spidercap.reward.reward import make_reward
from spidercap.train.data import TrainingData

LEAVE_ONE_OUT_PATHS = 5


@dataclass(frozen=True)
class Kind:
    """An algorithm: its examples are (image, caption) pairs or images; `make` gets the number of steps too."""

    examples: Literal["captions", "images"]
    make: Callable[[Config, ShowAndTell, TrainingData, int], Algorithm]


def _maximum_likelihood(config: Config, model: ShowAndTell, data: TrainingData, steps: int) -> Algorithm:
    learn = config.learn
    return MaximumLikelihood(
        model, config.train.seed, config.model.dropout, learn.label_smoothing, learn.scheduled_sampling, steps
    )


def _policy(config: Config, model: ShowAndTell, data: TrainingData) -> Policy:
    """The captioner and its reward; what it was at the start is kept, to tell how far it has gone."""
    learn = config.learn
    references = {image.id: image.captions for image in data.train}
    own_function = is_function_name(learn.reward)
    reward = make_reward(learn.reward, references, eos_token=learn.eos_token and not own_function, keep=True)
    start = copy.deepcopy(model).requires_grad_(False)
    return Policy(model, data.vocabulary, reward, config.train.seed, config.decode.limit, start)


def _baseline(config: Config, model: ShowAndTell) -> Baseline:
    baseline = Baseline(model.sizes.hidden, config.learn.baseline_width, config.train.seed)
    return baseline.to(model.output.weight.device)


def _policy_gradient(config: Config, model: ShowAndTell, data: TrainingData, steps: int) -> Algorithm:
    learn = config.learn
    return PolicyGradient(
        _policy(config, model, data),
        _baseline(config, model),
        learn.rollouts,
        learn.paths or 1,
        learn.reuse_rollouts,
        # With K = 1 the path alone would be left, and no rollout.
        learn.count_path and learn.rollouts > 1,
        learn.warmup,
        learn.baseline_weight,
    )


def _mixer(config: Config, model: ShowAndTell, data: TrainingData, steps: int) -> Algorithm:
    learn = config.learn
    annealing = Annealing(learn.mixer_words, learn.mixer_fall, learn.mixer_share)
    return Mixer(_policy(config, model, data), _baseline(config, model), annealing, steps, learn.baseline_weight)


def _self_critical(config: Config, model: ShowAndTell, data: TrainingData, steps: int) -> Algorithm:
    return SelfCritical(_policy(config, model, data), config.learn.paths or 1)


def _leave_one_out(config: Config, model: ShowAndTell, data: TrainingData, steps: int) -> Algorithm:
    return LeaveOneOut(_policy(config, model, data), config.learn.paths or LEAVE_ONE_OUT_PATHS)


KINDS = {
    "mle": Kind("captions", _maximum_likelihood),
    "pg": Kind("images", _policy_gradient),
    "mixer": Kind("captions", _mixer),
    "scst": Kind("images", _self_critical),
    "rloo": Kind("images", _leave_one_out),
}
