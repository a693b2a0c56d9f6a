"""`Bleu`, `Rouge`, `Cider`, `Meteor`, `Spice` and `PTBTokenizer` with the methods and returns that scripts expect."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spidercap.metrics.bleu import BLEU
from spidercap.metrics.cider import CIDER
from spidercap.metrics.digest import Digest
from spidercap.metrics.meteor import METEOR
from spidercap.metrics.metric import Metric, Rows
from spidercap.metrics.reference_digest import ReferenceTexts
from spidercap.metrics.rouge import ROUGE_L
from spidercap.metrics.settings import Settings
from spidercap.metrics.spice.spice import SPICE
from spidercap.metrics.spice.spice_digest import SpiceDigest
from spidercap.metrics.sums import corpus_scores
from spidercap.text.tokenize import tokenize

Captions = Mapping[Any, Sequence[str]]


def _check(gts: Captions, res: Captions) -> None:
    """The checks that the original makes by `assert`."""
    if gts.keys() != res.keys():
        raise AssertionError("gts and res must have the same image ids")
    if not gts:
        raise AssertionError("gts and res hold no image")
    for image in gts:
        if not isinstance(res[image], list) or len(res[image]) != 1:
            raise AssertionError(f"res[{image!r}] must be a list of exactly one caption")
        if not isinstance(gts[image], list) or not gts[image]:
            raise AssertionError(f"gts[{image!r}] must be a list of one or more captions")


def _rows(metric: Metric, gts: Captions, res: Captions) -> Rows:
    """The statistics of each image in the order of `gts`."""
    _check(gts, res)
    digest = Digest(list(gts.values()), [metric], Settings("none"), tokenised=True)
    return digest.rows_of_tokens(np.arange(len(gts), dtype=np.int64), [res[image][0] for image in gts])[metric.key]


def _corpus(metric: Metric, rows: Rows) -> list[float]:
    return list(corpus_scores({metric.key: rows}, metric.names).values())


class Bleu:
    """BLEU-1..n."""

    def __init__(self, n: int = 4) -> None:
        if not 1 <= n <= 4:
            raise ValueError(f"n must be in 1..4, got {n}")
        self._n = n

    def compute_score(self, gts: Captions, res: Captions, verbose: int = 1) -> tuple[list[float], list[list[float]]]:
        """Corpus values of orders 1..n, and for each order one value an image, in the order of `gts`."""
        rows = _rows(BLEU, gts, res)
        return _corpus(BLEU, rows)[: self._n], BLEU.scores(rows).T[: self._n].tolist()

    def method(self) -> str:
        """The name of the metric."""
        return "Bleu"


class _MeanScorer:
    """A metric whose corpus value is the mean of the images' values."""

    metric: Metric
    name = ""

    def compute_score(self, gts: Captions, res: Captions, verbose: int = 1) -> tuple[float, NDArray[np.float64]]:
        """The corpus value and one value an image, in the order of `gts`."""
        rows = _rows(self.metric, gts, res)
        return _corpus(self.metric, rows)[0], rows[:, 0]

    def method(self) -> str:
        """The name of the metric."""
        return self.name


class Rouge(_MeanScorer):
    """ROUGE-L."""

    metric, name = ROUGE_L, "Rouge"

    def calc_score(self, candidate: list[str], refs: list[str]) -> float:
        """The value of one image."""
        return self.compute_score({0: refs}, {0: candidate})[0]


class Cider(_MeanScorer):
    """CIDEr-D with document frequencies from the references at hand; `n` and `sigma` are fixed at 4 and 6."""

    metric, name = CIDER, "CIDEr"

    def __init__(self, test: Any = None, refs: Any = None, n: int = 4, sigma: float = 6.0) -> None:
        if n != 4 or sigma != 6.0:
            raise ValueError(f"CIDEr-D is defined with n = 4 and sigma = 6, got n = {n} and sigma = {sigma:g}")


class Meteor:
    """METEOR 1.5, without a Java process to start, lock or close."""

    def compute_score(self, gts: Captions, res: Captions, verbose: int = 1) -> tuple[float, list[float]]:
        """The corpus value and one value an image, in the order of `gts`."""
        rows = _rows(METEOR, gts, res)
        return _corpus(METEOR, rows)[0], METEOR.scores(rows)[:, 0].tolist()

    def method(self) -> str:
        """The name of the metric."""
        return "METEOR"


class PTBTokenizer:
    """The tokenizer of the COCO evaluation; captions never shift from one image to another."""

    def __init__(self, verbose: bool = True) -> None:
        pass

    def tokenize(self, captions_for_image: Mapping[Any, Sequence[Mapping[str, Any]]]) -> dict[Any, list[str]]:
        """{id: [{"caption": text}, …]} to {id: [tokens joined by blanks, …]}."""
        texts = [entry["caption"] for entries in captions_for_image.values() for entry in entries]
        tokens = iter(tokenize(texts, "ptb-compat"))
        return {image: [next(tokens) for _ in entries] for image, entries in captions_for_image.items() if entries}


class Spice:
    """SPICE with a parser of our own in place of the Java process; docs/metrics/spice.md says how well they agree."""

    def compute_score(
        self, gts: Captions, res: Captions, verbose: int = 1
    ) -> tuple[float, list[dict[str, dict[str, float]]]]:
        """The corpus value, and for each image its categories with pr, re, f, tp, fp, fn and numImages, all floats.

        The images are in sorted order, as in the original (and unlike all other metrics); NaN where a category but All
        has no reference tuples.
        """
        _check(gts, res)
        images = self.order(gts)
        captions = [res[image][0] for image in images]
        settings = Settings("none")
        digest = SpiceDigest.of(ReferenceTexts([gts[image] for image in images], settings, tokenised=True), settings)
        rows = digest.statistics(np.arange(len(images), dtype=np.int64), captions, [SPICE.asks], 0)[SPICE.asks]
        found = (digest.details(row, caption).scores for row, caption in enumerate(captions))
        return _corpus(SPICE, rows.astype(np.float64))[0], [
            {
                category: {name: float(value) for name, value in values.items()} | {"numImages": 1.0}
                for category, values in scores.items()
            }
            for scores in found
        ]

    @staticmethod
    def order(images: Iterable[Any]) -> list[Any]:
        """The order of `compute_score`'s images: sorted; as they come where ids of several kinds have no order."""
        try:
            return sorted(images)
        except TypeError:
            return list(images)

    def method(self) -> str:
        """The name of the metric."""
        return "SPICE"
