"""The progress bar of long work: on standard error, with the rate and the time left."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from spidercap.terminal import console

Progress = Callable[[int, int], None]


@contextmanager
def progress_bar(name: str, unit: str) -> Iterator[Progress]:
    """Show a bar as soon as the yielded function is called with what is done and what there is to do."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(name),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=console(stderr=True))

    def show(done: int, total: int) -> None:
        if not bar.tasks:
            # Only now: work of an earlier run is not speed of this one, and finished work needs no bar.
            bar.start()
            bar.add_task(name, total=total, completed=done, rate="")
        task = bar.tasks[0]
        bar.update(task.id, completed=done, rate=f"{task.speed:.1f} {unit}/s" if task.speed else "")

    try:
        yield show
    finally:
        if bar.tasks:
            bar.stop()
