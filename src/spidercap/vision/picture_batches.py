"""Pictures in batches: decoded by threads ahead of the network, never more than a few batches."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from spidercap.errors import DataError
from spidercap.vision.find_pictures import Picture
from spidercap.vision.pictures import Pixels, decode, quiet_pillow

if TYPE_CHECKING:
    from spidercap.vision.encoders import Encoder, Vectors

DECODING_THREADS = 2
BATCHES_AHEAD = 2


@dataclass(frozen=True, slots=True)
class DecodedPicture:
    """A picture and its pixels, or why it has none."""

    picture: Picture
    pixels: Pixels | None
    reason: str | None = None


def decoded_batches(pictures: Sequence[Picture], size: int, batch: int) -> Iterator[list[DecodedPicture]]:
    """Batches in order; while one is being encoded, threads decode the next ones."""
    waiting: deque[Future[DecodedPicture]] = deque()
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


def encoded(part: Sequence[DecodedPicture], encoder: "Encoder") -> "Vectors":
    """The vectors of those pictures of a batch that have pixels."""
    pixels = [each.pixels for each in part if each.pixels is not None]
    return encoder.encode(np.stack(pixels)) if pixels else np.empty((0, encoder.width), np.float32)


def _decode(picture: Picture, size: int) -> DecodedPicture:
    try:
        return DecodedPicture(picture, decode(Path(picture.file), size))
    except DataError as error:
        return DecodedPicture(picture, None, str(error))
