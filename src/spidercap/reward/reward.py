"""The reward of captions: an expression of metrics or anyone's function, each distinct caption scored once."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from spidercap.errors import DataError, UsageError
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.metrics.expression import parse_expression
from spidercap.metrics.scorer import Scorer
from spidercap.reward.end_symbol import EndSymbolScorer
from spidercap.reward.function import RewardFunction, is_function_name

Rewards = NDArray[np.float64]
ReferencesByImage = Mapping[str, Sequence[str]]
Frequencies = str | PathLike[str] | DocumentFrequencies
Source = Callable[[Sequence[str], Sequence[str], Sequence[bool]], Rewards]


class Reward:
    """R of finished captions: `reward(ids, captions, finished)` → one number a caption.

    `finished` is False for a caption that was cut at the length limit before its end: it is scored as the words that
    it has. `signature` says all that the numbers depend on.
    """

    def __init__(self, name: str, source: Source, signature: str) -> None:
        self.name = name
        self.signature = signature
        self._source = source

    def __call__(self, ids: Sequence[str], captions: Sequence[str], finished: Sequence[bool]) -> Rewards:
        if not len(ids) == len(captions) == len(finished):
            raise DataError(f"{len(ids)} ids, {len(captions)} captions and {len(finished)} ends; give one of each")
        rows: dict[tuple[str, str, bool], int] = {}
        which = [rows.setdefault((i, c, bool(f)), len(rows)) for i, c, f in zip(ids, captions, finished, strict=True)]
        if not rows:
            return np.zeros(0)
        distinct = self._source(*(list(column) for column in zip(*rows, strict=True)))
        return self._checked(distinct, list(rows))[which]

    def _checked(self, rewards: Rewards, rows: list[tuple[str, str, bool]]) -> Rewards:
        if rewards.shape != (len(rows),):
            raise DataError(
                f"the reward {self.name} gave values of shape {rewards.shape} for {len(rows)} captions; "
                "it must return one number for each caption"
            )
        wrong = np.flatnonzero(~np.isfinite(rewards))
        if len(wrong):
            image, caption, _ = rows[wrong[0]]
            raise DataError(
                f"the reward {self.name} gave {rewards[wrong[0]]} for the caption {caption!r} of the image {image}; "
                "rewards must be finite numbers"
            )
        return rewards


def check_reward(name: str) -> None:
    """Raise if there is no such reward; needs no references, so it is quick."""
    if is_function_name(name):
        RewardFunction(name, {})
    else:
        parse_expression(name)


def make_reward(
    name: str,
    references: ReferencesByImage,
    df: Frequencies = "corpus",
    *,
    eos_token: bool = False,
    threads: int = 0,
    keep: bool = False,
) -> Reward:
    """The reward named by an expression (`SPIDEr`, `1.0*CIDEr + 0.5*Bleu_4`) or a function (`module:function`).

    `df` "corpus" counts document frequencies in the references given: those of training. `eos_token` adds an end symbol
    to captions and references for the n-gram metrics.
    """
    if is_function_name(name):
        if eos_token:
            raise UsageError(f"reward {name}: eos_token is for metrics; a function sees which captions are finished")
        function = RewardFunction(name, references)
        return Reward(name, function, f"function:{name}")
    if eos_token:
        marked = EndSymbolScorer(name, references, df, threads=threads, keep=keep)
        return Reward(name, marked, marked.signature)
    scorer = Scorer(name, references, df, threads=threads, keep=keep)
    return Reward(name, lambda ids, captions, finished: scorer.score(ids, captions), scorer.signature)
