"""What is found of one system: corpus scores with signatures and, where captions were kept, those of each image."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spidercap.metrics.correlation import Correlation
from spidercap.metrics.metric import Rows
from spidercap.metrics.reference_digest import DetailedDigest
from spidercap.metrics.resampling import Interval
from spidercap.metrics.writing import CaptionStatistics
from spidercap.text.tokenize import tokenize


class PerImage(Mapping[Hashable, dict[str, float]]):
    """The scores of each image by its id; NaN where a metric is undefined for the image."""

    def __init__(
        self, ids: Sequence[Hashable] = (), names: Sequence[str] = (), scores: NDArray[np.float64] | None = None
    ) -> None:
        self._row_of = {image: row for row, image in enumerate(ids)}
        self._names = names
        self._scores = np.zeros((0, 0)) if scores is None else scores

    def __getitem__(self, image: Hashable) -> dict[str, float]:
        return dict(zip(self._names, self._scores[self._row_of[image]].tolist(), strict=True))

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._row_of)

    def __len__(self) -> int:
        return len(self._row_of)

    def column(self, name: str) -> NDArray[np.float64]:
        """The scores of all images on one metric, in the order of the ids."""
        return self._scores[:, self._names.index(name)]


class Details(Mapping[Hashable, dict[str, Any]]):
    """What metrics tell of each image beyond a number, by its id: `["spice"]`, computed when it is asked for.

    `digests` are those of the first `chunk` images, of the next, and so on.
    """

    def __init__(
        self,
        ids: Sequence[Hashable],
        captions: Sequence[str],
        digests: Sequence[Sequence[DetailedDigest]],
        chunk: int,
        tokenizer: str,
    ) -> None:
        self._row_of = {image: row for row, image in enumerate(ids)} if any(digests) else {}
        self._captions, self._digests, self._chunk, self._tokenizer = captions, digests, chunk, tokenizer

    def __getitem__(self, image: Hashable) -> dict[str, Any]:
        number, row = divmod(self._row_of[image], self._chunk)
        (tokens,) = tokenize([self._captions[self._row_of[image]]], self._tokenizer)
        return {digest.name: digest.details(row, tokens) for digest in self._digests[number]}

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._row_of)

    def __len__(self) -> int:
        return len(self._row_of)


@dataclass(frozen=True)
class Scores:
    """What was found of one system: `.corpus[metric]`, `.per_image[id][metric]`, `.signature[metric]`.

    `.details[id]["spice"]` holds SPICE's tuples and scores by category, and `.captions` how the captions are written,
    where SPICE was asked for; `rows` are the statistics of each metric, in the order of the ids, from which intervals
    and comparisons are computed. `per_image`, `details` and `rows` are empty where captions were scored in passing;
    `intervals` and `correlations` are there where they were asked for.
    """

    corpus: dict[str, float]
    signature: dict[str, str]
    images: int
    warnings: tuple[str, ...] = ()
    captions: CaptionStatistics | None = None
    per_image: PerImage = field(default_factory=PerImage)
    details: Mapping[Hashable, dict[str, Any]] = field(default_factory=dict, repr=False)
    rows: Mapping[str, Rows] = field(default_factory=dict, repr=False)
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    correlations: tuple[Correlation, ...] = ()
