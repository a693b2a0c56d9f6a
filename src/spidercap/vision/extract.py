"""Pictures to a feature store: decoding in threads ahead of the network, memory bounded, resumable at any moment."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from spidercap.errors import DataError
from spidercap.files import read_json
from spidercap.progress import Progress
from spidercap.vision.partial import Entry, PartialStore, fingerprint, key_of, remove_leftovers
from spidercap.vision.pictures import Pixels, decode, quiet_pillow
from spidercap.vision.sources import Picture
from spidercap.vision.store import DESCRIPTION_FILE, FeatureStore

if TYPE_CHECKING:
    from spidercap.vision.encoders import Encoder

DECODING_THREADS = 2
BATCHES_AHEAD = 2

"""Called with (pictures done, pictures in all)."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a finished extraction holds: images in the store, and the reason for each picture that was skipped."""

    count: int
    width: int
    skipped: tuple[str, ...]
    computed: int


def _ignore_progress(done: int, total: int) -> None:
    pass


def extract(
    pictures: Sequence[Picture],
    encoder: "Callable[[], Encoder]",
    out: Path,
    *,
    dtype: str = "float32",
    batch: int = 16,
    on_error: Literal["skip", "fail"] = "skip",
    progress: Progress = _ignore_progress,
) -> Extraction:
    """Make the store `out`; killed at any moment and called again, it goes on where it stopped.

    The encoder is made only if there is something to compute.
    """
    keys = [key_of(picture) for picture in pictures]
    if os.path.lexists(out):
        return _finished_before(out, keys)
    made = encoder()
    try:
        with PartialStore(out, made.network, made.width, dtype) as partial:
            done = partial.resume(keys, keep_skipped=on_error == "skip")
            progress(done, len(pictures))
            for part in _decoded_batches(pictures[done:], made.size, batch):
                _add_batch(partial, part, keys, made, on_error)
                progress(len(partial.entries), len(pictures))
            return _finish(partial, pictures, len(pictures) - done)
    except OSError as error:
        raise DataError(
            f"{out} cannot be written: {error.strerror or error}; mend that and run the same command again"
        ) from error


@dataclass(frozen=True, slots=True)
class Decoded:
    """A picture and its pixels, or why it has none."""

    picture: Picture
    pixels: Pixels | None
    reason: str | None = None


def _decode(picture: Picture, size: int) -> Decoded:
    try:
        return Decoded(picture, decode(Path(picture.file), size))
    except DataError as error:
        return Decoded(picture, None, str(error))


def _decoded_batches(pictures: Sequence[Picture], size: int, batch: int) -> Iterator[list[Decoded]]:
    """Batches in order; while one is being encoded, threads decode the next ones, but never more than a few."""
    waiting: deque[Future[Decoded]] = deque()
    remaining = iter(pictures)
    pool = ThreadPoolExecutor(DECODING_THREADS, thread_name_prefix="decode")
    try:
        with quiet_pillow():
            while True:
                for picture in islice(remaining, (1 + BATCHES_AHEAD) * batch - len(waiting)):
                    waiting.append(pool.submit(_decode, picture, size))
                if not waiting:
                    return
                yield [waiting.popleft().result() for _ in range(min(batch, len(waiting)))]
    finally:
        pool.shutdown(cancel_futures=True)


def _add_batch(
    partial: PartialStore, part: list[Decoded], keys: Sequence[str], encoder: "Encoder", on_error: str
) -> None:
    for each in part:
        if each.reason is not None and on_error == "fail":
            raise DataError(f"{each.reason}; mend or remove it, or leave such pictures out with --on-error skip")
    start = len(partial.entries)
    entries = [Entry(keys[start + number], each.reason) for number, each in enumerate(part)]
    pixels = [each.pixels for each in part if each.pixels is not None]
    vectors = encoder.encode(np.stack(pixels)) if pixels else np.empty((0, encoder.width), np.float32)
    partial.add([each.picture for each in part], entries, vectors)


def _finish(partial: PartialStore, pictures: Sequence[Picture], computed: int) -> Extraction:
    skipped = tuple(entry.skipped for entry in partial.entries if entry.skipped is not None)
    if len(skipped) == len(pictures):
        raise DataError(f"none of the {len(pictures)} pictures can be read, the first: {skipped[0]}")
    partial.finish(pictures)
    return Extraction(len(pictures) - len(skipped), partial.width, skipped, computed)


def _finished_before(out: Path, keys: Sequence[str]) -> Extraction:
    """The extraction that made `out`, if it was of the same pictures."""
    path = out / DESCRIPTION_FILE
    description = read_json(path) if path.is_file() else {}
    if not isinstance(description, dict) or description.get("pictures_sha256") != fingerprint(keys):
        raise DataError(f"{out} already exists and is not of these pictures; choose another --out or remove it first")
    store = FeatureStore.open(out)
    remove_leftovers(out)
    skipped = tuple(str(each["reason"]) for each in description.get("skipped", ()))
    return Extraction(len(store), store.width, skipped, 0)
