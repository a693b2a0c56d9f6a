"""A page that shows a sampled caption word by word: its rollouts, their rewards, value, baseline and advantage."""

from collections.abc import Sequence
from dataclasses import dataclass

from spidercap.learn.word_values import ExplainedWord, Explanation
from spidercap.report.templates import render
from spidercap.train.explained_image import ExplainedImage


@dataclass(frozen=True)
class Marks:
    """Where a word's value and baseline stand on the common scale, in per cent of its width."""

    value: float
    baseline: float | None

    @property
    def left(self) -> float:
        """The left end of the advantage."""
        return self.value if self.baseline is None else min(self.value, self.baseline)

    @property
    def width(self) -> float:
        """The length of the advantage."""
        return 0.0 if self.baseline is None else abs(self.value - self.baseline)


@dataclass(frozen=True)
class RolloutPage:
    """What the template shows."""

    title: str
    image: str
    reward_name: str
    note: str
    explanation: Explanation
    references: Sequence[str]
    picture: str
    low: float
    high: float

    @property
    def has_baseline(self) -> bool:
        """Whether there is a baseline to compare with."""
        return any(word.baseline is not None for word in self.explanation.words)

    def marks(self, word: ExplainedWord) -> Marks:
        """The place of a word on the scale."""
        return Marks(self._place(word.value), None if word.baseline is None else self._place(word.baseline))

    def _place(self, value: float) -> float:
        return round(100 * (value - self.low) / ((self.high - self.low) or 1.0), 2)


def rollout_view(
    run: str, image: str, found: ExplainedImage, references: Sequence[str], picture: str = ""
) -> RolloutPage:
    """What there is to see; `picture` is a data URL, or nothing."""
    explanation = found.explanation
    numbers = [explanation.reward]
    for word in explanation.words:
        numbers += [word.value, *([] if word.baseline is None else [word.baseline])]
    return RolloutPage(
        f"{image}: what each word is worth to {run}",
        image,
        found.reward,
        found.note,
        explanation,
        references,
        picture,
        min(0.0, *numbers),
        max(numbers),
    )


def rollout_page(run: str, image: str, found: ExplainedImage, references: Sequence[str], picture: str = "") -> str:
    """The view as an HTML page of its own."""
    return render("rollouts.html", rollout_view(run, image, found, references, picture))
