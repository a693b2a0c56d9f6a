"""What the user sees of a run: a bar with loss, speed, scores and the time left, and a line for each validation."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from spidercap.terminal import console


class Display(Protocol):
    """Shows how a run goes."""

    def step(self, step: int, numbers: Mapping[str, float]) -> None:
        """A step is done."""

    def validation(self, step: int, scores: Mapping[str, float], best: bool) -> None:
        """The weights of a step have been measured."""

    def note(self, text: str) -> None:
        """Something that the user should know."""


class Silent:
    """Shows nothing: for processes other than the first."""

    def step(self, step: int, numbers: Mapping[str, float]) -> None:
        """Nothing."""

    def validation(self, step: int, scores: Mapping[str, float], best: bool) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Nothing."""


@contextmanager
def training_bar(name: str, first: int, last: int) -> Iterator[Display]:
    """A bar on standard error from step `first` to step `last`."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(name),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[numbers]}"),
        TextColumn("{task.fields[scores]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(stderr=True)) as progress:
        task = progress.add_task(name, total=last, completed=first, numbers="", scores="")

        class Bar:
            def step(self, step: int, numbers: Mapping[str, float]) -> None:
                text = " ".join(f"{key} {value:.4g}" for key, value in numbers.items())
                progress.update(task, completed=step, numbers=text)

            def validation(self, step: int, scores: Mapping[str, float], best: bool) -> None:
                text = " ".join(f"{metric} {value:.4f}" for metric, value in scores.items())
                progress.console.print(f"step {step:,}: {text}{' (best so far)' if best else ''}", soft_wrap=True)
                progress.update(task, scores=next(iter(f"{m} {v:.3f}" for m, v in scores.items())))

            def note(self, text: str) -> None:
                progress.console.print(text, soft_wrap=True)

        yield Bar()
