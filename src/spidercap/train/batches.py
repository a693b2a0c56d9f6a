"""The examples of each step: a pure function of seed and step, dealt out to the processes."""

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray

from spidercap.data.captions import CaptionedImage
from spidercap.learn.algorithm import Batch
from spidercap.model.captioner import Symbols
from spidercap.model.packed import pack
from spidercap.text.vocabulary import EncodedCaptions
from spidercap.train.data import FeatureSource
from spidercap.train.world import World


@dataclass(frozen=True)
class Order:
    """Which examples a step holds: every epoch all of them, in an order of its own; its last batch may be short."""

    seed: int
    count: int
    batch: int

    @property
    def steps_an_epoch(self) -> int:
        """How many batches hold all examples."""
        return math.ceil(self.count / self.batch)

    def examples(self, step: int) -> NDArray[np.int64]:
        """The numbers of the examples of a step (from 0)."""
        epoch, place = divmod(step, self.steps_an_epoch)
        return _permutation(self.seed, epoch, self.count)[place * self.batch : (place + 1) * self.batch]


@lru_cache(maxsize=2)
def _permutation(seed: int, epoch: int, count: int) -> NDArray[np.int64]:
    return np.random.Generator(np.random.PCG64([seed, epoch])).permutation(count)


class ImageBatches:
    """Examples are images; captions are left to the algorithm."""

    def __init__(self, images: Sequence[CaptionedImage], order: Order, source: FeatureSource, world: World) -> None:
        self.ids = [image.id for image in images]
        self.order, self.source, self.world = order, source, world

    def __getitem__(self, step: int) -> Batch:
        chosen = self.order.examples(step)
        mine = np.arange(len(chosen))[self.world.rank :: self.world.size]
        return self._batch([self.ids[index] for index in chosen[mine]], mine, len(chosen))

    def _batch(self, ids: Sequence[str], examples: NDArray[np.int64], count: int) -> Batch:
        inputs = self.source.inputs(ids) if ids else torch.zeros(0, self.source.width)
        return Batch(tuple(ids), inputs, torch.from_numpy(examples), count)


class CaptionBatches(ImageBatches):
    """Examples are (image, caption) pairs, sorted by falling length within a step."""

    def __init__(
        self,
        images: Sequence[CaptionedImage],
        vocabulary: Symbols,
        order: Order,
        source: FeatureSource,
        world: World,
    ) -> None:
        super().__init__(images, order, source, world)
        self.encoded, self.eos = encode_all(images, vocabulary), vocabulary.eos
        self.image_of = np.repeat(np.arange(len(images)), [len(image.captions) for image in images])

    def __getitem__(self, step: int) -> Batch:
        chosen = self.order.examples(step)
        lengths = self.encoded.lengths[chosen] + 1
        places = np.argsort(-lengths, kind="stable")
        mine = places[self.world.rank :: self.world.size]
        batch = self._batch([self.ids[self.image_of[index]] for index in chosen[mine]], mine, len(chosen))
        if not len(mine):
            return batch
        words = np.full((len(mine), lengths[mine[0]]), self.eos, dtype=np.int64)
        for row, caption in enumerate(chosen[mine]):
            words[row, : lengths[mine[row]] - 1] = self.encoded[caption]
        captions = pack(torch.from_numpy(words), torch.from_numpy(lengths[mine]))
        return replace(batch, captions=captions, global_words=int(lengths.sum()))


def encode_all(images: Sequence[CaptionedImage], vocabulary: Symbols) -> EncodedCaptions:
    """The captions of the images end to end."""
    return vocabulary.encode([caption for image in images for caption in image.captions])


def prefetched(batches: ImageBatches, first: int, last: int) -> Iterator[Batch]:
    """The batches of the steps from `first` up to `last`; the next one is read while one is worked on."""
    with ThreadPoolExecutor(1, thread_name_prefix="batches") as pool:
        waiting = pool.submit(batches.__getitem__, first) if first < last else None
        for step in range(first, last):
            assert waiting is not None
            batch = waiting.result()
            if step + 1 < last:
                waiting = pool.submit(batches.__getitem__, step + 1)
            yield batch
