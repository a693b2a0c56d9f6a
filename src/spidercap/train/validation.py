"""Captions of the validation images by greedy decoding, and their scores."""

from collections.abc import Sequence

import numpy as np
import torch

from spidercap.data.captions import CaptionedImage
from spidercap.decode.greedy import greedy
from spidercap.metrics.catalogue import metrics_of, signature
from spidercap.metrics.digest import Digest
from spidercap.metrics.names import metric_names
from spidercap.metrics.scores import Scores
from spidercap.metrics.settings import Settings
from spidercap.metrics.sums import corpus_scores
from spidercap.model.captioner import Captioner
from spidercap.train.data import FeatureSource
from spidercap.train.world import World

IMAGES_AT_ONCE = {True: 16, False: 256}
"""How many images go through the captioner together, with and without an encoder."""


class Validation:
    """The images, with their references digested once."""

    def __init__(self, images: Sequence[CaptionedImage], metrics: Sequence[str], limit: int) -> None:
        self.ids = [image.id for image in images]
        self.metrics = metric_names(metrics)
        self.limit = limit
        references = [image.captions for image in images]
        self._digest = Digest(references, metrics_of(self.metrics), Settings(), keep=True)

    def run(self, captioner: Captioner, source: FeatureSource, world: World) -> tuple[Scores, dict[str, str]]:
        """Caption the images, each process its share, and score all of them; the captions by id."""
        mine = self.ids[world.rank :: world.size]
        captions = world.gather(self._captions(captioner, source, world, mine))
        rows = self._digest.rows(np.arange(len(self.ids)), captions)
        signatures = {name: signature(name, self._digest.settings, len(self.ids)) for name in self.metrics}
        scores = Scores(corpus_scores(rows, self.metrics), signatures, len(self.ids))
        return scores, dict(zip(self.ids, captions, strict=True))

    @torch.no_grad()
    def _captions(self, captioner: Captioner, source: FeatureSource, world: World, ids: Sequence[str]) -> list[str]:
        captions: list[str] = []
        at_once = IMAGES_AT_ONCE[source.encoder is not None]
        for first in range(0, len(ids), at_once):
            inputs = source.inputs(ids[first : first + at_once]).to(world.device)
            captions += greedy(captioner, source.features(inputs), self.limit).captions(captioner.vocabulary)
        return captions
