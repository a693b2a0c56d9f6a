"""The algorithms by name: what one example is to each, and how each is made from a configuration."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from spidercap.config import Config
from spidercap.decode.rollout import Sampling
from spidercap.learn.baseline import Baseline
from spidercap.learn.batch import Algorithm
from spidercap.learn.leave_one_out import LeaveOneOut
from spidercap.learn.mixer import Annealing, Mixer
from spidercap.learn.mle import MaximumLikelihood
from spidercap.learn.policy import Policy
from spidercap.learn.policy_gradient import PolicyGradient
from spidercap.learn.self_critical import SelfCritical
from spidercap.model.captioner import Captioner
from spidercap.reward.function import is_function_name
from spidercap.reward.reward import make_reward
from spidercap.train.data import TrainingData

LEAVE_ONE_OUT_PATHS = 5


@dataclass(frozen=True)
class Kind:
    """An algorithm: its examples are (image, caption) pairs or images; `make` gets the number of steps too."""

    examples: Literal["captions", "images"]
    make: Callable[[Config, Captioner, TrainingData, int], Algorithm]


def _maximum_likelihood(config: Config, model: Captioner, data: TrainingData, steps: int) -> Algorithm:
    learn = config.learn
    return MaximumLikelihood(
        model, config.train.seed, config.model.dropout, learn.label_smoothing, learn.scheduled_sampling, steps
    )


def _policy(config: Config, model: Captioner, data: TrainingData) -> Policy:
    """The captioner and its reward; what it was at the start is kept, to tell how far it has gone."""
    learn = config.learn
    references = {image.id: image.captions for image in data.train}
    own_function = is_function_name(learn.reward)
    reward = make_reward(learn.reward, references, eos_token=learn.eos_token and not own_function, keep=True)
    start = copy.deepcopy(model).requires_grad_(False)
    return Policy(model, reward, config.train.seed, start)


def _baseline(config: Config, model: Captioner) -> Baseline:
    baseline = Baseline(model.hidden_size, config.learn.baseline_width, config.train.seed)
    return baseline.to(next(model.parameters()).device)


def _policy_gradient(config: Config, model: Captioner, data: TrainingData, steps: int) -> Algorithm:
    learn = config.learn
    return PolicyGradient(
        _policy(config, model, data),
        _baseline(config, model),
        # With K = 1 the path alone would be left, and no rollout.
        Sampling(
            learn.paths or 1,
            learn.rollouts,
            learn.reuse_rollouts,
            learn.count_path and learn.rollouts > 1,
            config.decode.limit,
        ),
        learn.warmup,
        learn.baseline_weight,
    )


def _mixer(config: Config, model: Captioner, data: TrainingData, steps: int) -> Algorithm:
    learn = config.learn
    annealing = Annealing(learn.mixer_words, learn.mixer_fall, learn.mixer_share)
    return Mixer(
        _policy(config, model, data),
        _baseline(config, model),
        annealing,
        steps,
        config.decode.limit,
        learn.baseline_weight,
    )


def _self_critical(config: Config, model: Captioner, data: TrainingData, steps: int) -> Algorithm:
    return SelfCritical(_policy(config, model, data), Sampling(config.learn.paths or 1, limit=config.decode.limit))


def _leave_one_out(config: Config, model: Captioner, data: TrainingData, steps: int) -> Algorithm:
    return LeaveOneOut(
        _policy(config, model, data), Sampling(config.learn.paths or LEAVE_ONE_OUT_PATHS, limit=config.decode.limit)
    )


KINDS = {
    "mle": Kind("captions", _maximum_likelihood),
    "pg": Kind("images", _policy_gradient),
    "mixer": Kind("captions", _mixer),
    "scst": Kind("images", _self_critical),
    "rloo": Kind("images", _leave_one_out),
}
