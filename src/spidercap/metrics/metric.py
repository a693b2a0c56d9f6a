"""What a metric is: one object that knows all that scoring, rewards, training, reports and tables need to know of it.

A caption comes to its score in four phases:

1. *Digest.* The references of all images are digested once (`ReferenceDigest`: n-grams, METEOR, SPICE). A metric names
   the kind of digest that it `reads`; metrics that read the same kind share it, and one native call.
2. *Rows.* The digest gives what the metric `asks` for: one row of `width` numbers a caption.
3. *Sums.* `additive` rows of captions are what a corpus adds up: the counts themselves where the metric is `pooled`
   (BLEU, METEOR), the captions' scores otherwise. Sums are all that is ever needed, so bootstrap, comparisons, chunks
   and processes are free.
4. *Scores.* `scores` makes them of a row, `corpus` of sums.

A score may be undefined for an image (`may_be_undefined`): its `scores` are NaN there, and a count of the images that
have one is added beside the sum, so that the mean over these is exact and can still be merged. A digest may need
further input for each image (`needs`: lists of objects, vectors), which `score`, `Scorer` and `CaptionMetric` take as
`inputs`; such a metric is computed only when it is asked for.

To add a metric, write its object in a file of its own and list it in `catalogue.py`. `score`, `Scorer`,
`CaptionMetric`, validation during training, reports and the help then know it; `tests/metrics/test_toy_metric.py`
does so. What is computed from *several* captions of an image (diversity) is not a metric in this sense, for it has no
score of one caption: that belongs into a folder `several/` beside these files, with a call of its own.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from spidercap import __version__
from spidercap.metrics.reference_digest import ReferenceDigest
from spidercap.metrics.settings import Settings

Rows = NDArray[np.float64]


def unchanged(rows: Rows) -> Rows:
    """Rows that are scores, or counts that add up, as they are."""
    return rows


def whole(rows: Rows) -> NDArray[np.int64]:
    """Rows of counts as the native core takes them."""
    return np.ascontiguousarray(np.rint(rows), dtype=np.int64)


def no_facts(settings: Settings, images: int) -> tuple[str, ...]:
    """Of a metric whose scores depend on nothing but the captions, the references and the tokenizer."""
    return ()


@dataclass(frozen=True, eq=False)
class Metric:
    """A metric, or several that come from the same rows, as BLEU-1 to BLEU-4 do."""

    key: str
    """What its rows are called: in sums, in the states of `CaptionMetric`, and as a group of several names."""
    names: tuple[str, ...]
    """The keys of its scores, as the field's tables write them."""
    reads: type[ReferenceDigest]
    """The digest of the references that it is computed from."""
    asks: str
    """What it asks of the digest for each caption."""
    variant: str
    """How its signature begins: which definition of the metric it is."""
    width: int = 1
    """How many numbers a row has."""
    scores: Callable[[Rows], Rows] = unchanged
    """Rows to scores, (n, width) to (n, names). Scores lie between −16 and 16 unless the metric is pooled."""
    pooled: bool = False
    """Whether a corpus is scored by the sum of its rows, which are whole numbers then, and not by the mean score."""
    summands: Callable[[Rows], Rows] = unchanged
    """Of a pooled metric: rows as a corpus adds them, where these are not the rows themselves."""
    may_be_undefined: bool = False
    """Whether the score of an image may be NaN; the corpus score is the mean over the others then."""
    facts: Callable[[Settings, int], tuple[str, ...]] = no_facts
    """What else its signature says, given the settings and the number of images."""
    needs_frequencies: bool = False
    """Whether it needs document frequencies, which come from all references together."""
    sees_end: bool = False
    """Whether a reward with an end symbol shows it the symbol (it reads n-grams, and not what the caption means)."""
    default: bool = True
    """Whether it is computed where no metric is named, and has a column in reports."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Names that tables write otherwise: `Bleu_4` as BLEU-4."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other ways to write its names, in small letters and digits alone."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of further inputs that it needs of each image."""
        return self.reads.needs

    @property
    def columns(self) -> int:
        """How many numbers an additive row has."""
        return self.width if self.pooled else len(self.names) * (2 if self.may_be_undefined else 1)

    def additive(self, rows: Rows) -> Rows:
        """What a corpus adds up: counts, or scores, with a 1 for each that is defined if some are not."""
        if self.pooled:
            return self.summands(rows)
        scores = self.scores(rows)
        if not self.may_be_undefined:
            return scores
        defined = ~np.isnan(scores)
        return np.concatenate([np.where(defined, scores, 0.0), defined], axis=1)

    def corpus(self, sums: Rows, images: int) -> Rows:
        """Corpus scores (n, names) of n sums of additive rows over `images` captions each."""
        if self.pooled:
            return self.scores(sums)
        if not self.may_be_undefined:
            return sums / images
        totals, counts = sums[:, : len(self.names)], sums[:, len(self.names) :]
        means: Rows = np.divide(totals, counts, out=np.full(totals.shape, math.nan), where=counts > 0)
        return means

    def signature(self, settings: Settings, images: int) -> str:
        """What must be equal for two scores to be comparable, in one line."""
        parts = (self.variant, f"tok:{settings.tokenizer}", *self.facts(settings, images))
        return "|".join([*parts, f"spidercap:{__version__}"])


@dataclass(frozen=True, eq=False)
class Mean:
    """A mean of two metrics that has a name of its own."""

    name: str
    parts: tuple[str, str]
    default: bool = True
