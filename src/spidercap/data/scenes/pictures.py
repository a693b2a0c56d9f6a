"""Scene pictures on disk: resumable, by two processes, the same bytes every time."""

import io
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from spidercap.data.scenes.compose import compose
from spidercap.errors import UsageError
from spidercap.files import new_file

PROCESSES = 2
Progress = Callable[[int, int], None]


def write_pictures(folder: Path, count: int, seed: int, size: int = 299, progress: Progress | None = None) -> None:
    """Draws the first `count` pictures into a folder; those already there are kept.

    Each file appears whole or not at all, so an interrupted call is finished by another. `progress` is called
    with how many pictures are there and how many there shall be.
    """
    if count < 1 or size < 32:
        raise UsageError(f"a dataset needs at least 1 picture of at least 32 pixels, got {count} of {size}")
    folder.mkdir(parents=True, exist_ok=True)
    missing = [index for index in range(count) if not (folder / compose(index, seed).file).exists()]
    done = count - len(missing)
    for _ in _drawn(partial(_write, folder, seed, size), missing):
        done += 1
        if progress:
            progress(done, count)


def _drawn(write: Callable[[int], None], missing: list[int]) -> Iterator[None]:
    if len(missing) < 8:
        yield from map(write, missing)
        return
    # Threads of a parent that uses torch do not survive a fork.
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        yield from pool.map(write, missing, chunksize=8)


def _write(folder: Path, seed: int, size: int, index: int) -> None:
    from spidercap.data.scenes.draw.picture import draw_picture

    scene = compose(index, seed)
    content = io.BytesIO()
    draw_picture(scene, size).save(content, "JPEG", quality=92)
    with new_file(folder / scene.file, "wb") as file:
        file.write(content.getvalue())
