"""What goes wrong when a policy learns from its own captions, as numbers to watch.

What is logged is added over processes and steps, so a mean over words goes as two sums, `name/sum` and `name/words`,
and becomes a mean when a line of the log is written (`readable`).
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from spidercap.learn.baseline import explained_variance
from spidercap.metrics.writing import SHORT, ends_badly, has_repeated_run

EXPLAINED_TARGET = 0.2
"""Explained variance that the baseline should reach before the captioner learns; noise of few rollouts bounds it."""
VALUES = ("value", "value_square", "advantage", "advantage_square")


def caption_numbers(captions: Sequence[str], lengths: Tensor, finished: Tensor, count: int) -> dict[str, float]:
    """Sums over captions divided by the number of captions of the whole step."""
    words = [caption.split() for caption in captions]
    return {
        "length": float(lengths.sum()) / count,
        "cut_rate": float((~finished).sum()) / count,
        "bad_ending_rate": sum(map(ends_badly, words)) / count,
        "repeated_bigram_rate": sum(has_repeated_run(each, SHORT) for each in words) / count,
    }


@torch.no_grad()
def word_numbers(values: Mapping[str, Tensor], count: int) -> dict[str, float]:
    """The two sums of each mean over words."""
    numbers: dict[str, float] = {}
    for name, each in values.items():
        numbers |= {f"{name}/sum": float(each.sum()) / count, f"{name}/words": each.numel() / count}
    return numbers


@torch.no_grad()
def value_numbers(q_t: Tensor, b_t: Tensor, count: int) -> dict[str, float]:
    """How values and advantages are spread, and how far the baseline is from the values."""
    a_t = q_t - b_t
    return word_numbers(dict(zip(VALUES, (q_t, q_t.square(), a_t, a_t.square()), strict=True)), count)


def readable(numbers: Mapping[str, float]) -> dict[str, float]:
    """The numbers of a line of the log: sums over words become means, mean squares become variances."""
    made = {name: value for name, value in numbers.items() if "/" not in name}
    for name in (key.removesuffix("/sum") for key in numbers if key.endswith("/sum")):
        if numbers[f"{name}/words"]:
            made[name] = numbers[f"{name}/sum"] / numbers[f"{name}/words"]
    if "advantage_square" in made:
        error, square = made.pop("advantage_square"), made.pop("value_square")
        made["advantage_variance"] = error - made["advantage"] ** 2
        made["explained_variance"] = explained_variance(error, made["value"], square)
    return made


def warmup_note(explained: float) -> str:
    """What the baseline knows when the captioner begins to learn."""
    verdict = "enough" if explained >= EXPLAINED_TARGET else "low: more learn.baseline_steps may help"
    return (
        f"the baseline explains {100 * explained:.0f} % of the variance of the values "
        f"(target: {100 * EXPLAINED_TARGET:.0f} %, {verdict}); now the captioner learns"
    )
