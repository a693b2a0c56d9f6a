"""Scene pictures on disk: resumable, by two processes, the same bytes every time."""

import io
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from spidercap.errors import DataError, UsageError
from spidercap.files import new_file, read_text
from spidercap.progress import Progress
from spidercap.scenes.compose import compose, picture_file

PROCESSES = 2
DRAWING = 1
"""The version of the drawing; a change that alters pictures raises it."""
MARK = ".scenes"
"""The file that says which scenes a folder holds."""


def write_pictures(folder: Path, count: int, seed: int, size: int = 299, progress: Progress | None = None) -> None:
    """Draws the first `count` pictures into a folder; those already there are kept.

    Each file appears whole or not at all, so an interrupted call is finished by another. `progress` is called
    with how many pictures are there and how many there shall be. New pictures are drawn in two fresh processes,
    so a script of one's own needs the usual `if __name__ == "__main__"`.
    """
    if count < 1 or size < 32:
        raise UsageError(f"scenes need a count of at least 1 and a size of at least 32 pixels, got {count} and {size}")
    _claim(folder, f"seed {seed}, {size} pixels, drawing {DRAWING}\n")
    missing = [index for index in range(count) if not (folder / picture_file(index)).exists()]
    done = count - len(missing)
    for _ in _drawn(partial(_write, folder, seed, size), missing):
        done += 1
        if progress:
            progress(done, count)


def _claim(folder: Path, scenes: str) -> None:
    """Marks the folder as one of these scenes; another seed or size must not be mixed in."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder} cannot be made: {error.strerror}; choose another folder for the pictures") from None
    mark = folder / MARK
    if not mark.exists():
        with new_file(mark) as file:
            file.write(scenes)
    elif (found := read_text(mark)) != scenes:
        raise DataError(f"{folder} holds scenes of {found.strip()}, not of {scenes.strip()}; choose another folder")


def _drawn(write: Callable[[int], None], missing: list[int]) -> Iterator[None]:
    if len(missing) < 8:
        yield from map(write, missing)
        return
    # Not forked: threads of a parent that uses torch do not survive a fork.
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        yield from pool.map(write, missing, chunksize=8)


def _write(folder: Path, seed: int, size: int, index: int) -> None:
    from spidercap.scenes.draw.picture import draw_picture

    content = io.BytesIO()
    draw_picture(compose(index, seed), size).save(content, "JPEG", quality=92)
    with new_file(folder / picture_file(index), "wb") as file:
        file.write(content.getvalue())
