"""What a score does not show: captions that repeat themselves, break off, are empty, or are all alike."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from spidercap.metrics.cider import SINGLE_IMAGE
from spidercap.metrics.metric import Metric, Rows
from spidercap.metrics.settings import Settings
from spidercap.metrics.spice.spice import SPICE
from spidercap.text.tokenize import tokenize_ptb

# Words that no finished caption ends in.
BAD_ENDINGS = frozenset(
    ("a", "an", "and", "are", "at", "for", "from", "in", "is", "near", "of", "on", "or", "the", "to", "with")
)
LONG, SHORT = 4, 2


@dataclass(frozen=True)
class CaptionStatistics:
    """How captions are written, whatever their images.

    `repetition` and `repeated_bigrams` are the shares of captions in which some run of four words, or of two, occurs
    twice; `bad_endings` the share that ends in a word such as "a" or "of"; `distinct` counts different captions and
    `vocabulary` different words. `repeated_tuples` is the share of all raw SPICE tuples that repeat one which their
    caption already has; None where no caption was parsed.
    """

    captions: int
    mean_length: float
    repetition: float
    repeated_bigrams: float
    bad_endings: float
    distinct: int
    vocabulary: int
    repeated_tuples: float | None = None

    def as_json(self) -> dict[str, float | None]:
        """Plain JSON values."""
        return asdict(self)

    def with_tuples(self, tuples: float, repeated: float) -> "CaptionStatistics":
        """The same with the share of repeated tuples, given both counts."""
        return replace(self, repeated_tuples=repeated / tuples if tuples else 0.0)


def caption_statistics(captions: Sequence[str]) -> CaptionStatistics:
    """The statistics of some captions; words are the tokens that captions are scored by."""
    counts = CaptionCounts()
    counts.add(captions)
    return counts.statistics()


class CaptionCounts:
    """Counts of any number of captions; memory grows with the different captions and words alone."""

    def __init__(self) -> None:
        self._captions = self._words = self._repetitive = self._with_bigrams = self._unfinished = 0
        self._seen: set[int] = set()
        self._vocabulary: set[str] = set()

    def add(self, captions: Sequence[str]) -> None:
        """Count more captions."""
        self._captions += len(captions)
        for tokens in tokenize_ptb(captions):
            words = tokens.split()
            self._words += len(words)
            self._repetitive += has_repeated_run(words, LONG)
            self._with_bigrams += has_repeated_run(words, SHORT)
            self._unfinished += ends_badly(words)
            self._seen.add(hash(tokens))
            self._vocabulary.update(words)

    def statistics(self) -> CaptionStatistics:
        """What was counted so far; of no captions all is 0."""
        most = max(self._captions, 1)
        return CaptionStatistics(
            captions=self._captions,
            mean_length=self._words / most,
            repetition=self._repetitive / most,
            repeated_bigrams=self._with_bigrams / most,
            bad_endings=self._unfinished / most,
            distinct=len(self._seen),
            vocabulary=len(self._vocabulary),
        )


def ends_badly(words: Sequence[str]) -> bool:
    """Whether a caption ends in a word that needs another one after it; one without words has no end at all."""
    return bool(words) and words[-1] in BAD_ENDINGS


def has_repeated_run(words: Sequence[str], length: int) -> bool:
    """Whether some run of so many words occurs twice in the caption."""
    runs: Iterable[tuple[str, ...]] = zip(*(words[start:] for start in range(length)), strict=False)
    return len(set(runs)) < len(words) - length + 1


class Writing:
    """What the owner of captions should know of them besides their scores: warnings, and statistics beside SPICE."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._needs_frequencies = any(metric.needs_frequencies for metric in metrics)
        self._empty = self._captions = 0
        self._counts = CaptionCounts() if SPICE in metrics else None
        self._tuples: Rows = np.zeros(2)

    def add_captions(self, captions: Sequence[str]) -> None:
        """Count raw captions."""
        self._empty += sum(not caption.strip() for caption in captions)
        self._captions += len(captions)
        if self._counts is not None:
            self._counts.add(captions)

    def add_rows(self, rows: Mapping[str, Rows]) -> None:
        """Count the tuples of captions that were scored."""
        if SPICE.key in rows:
            self._tuples += rows[SPICE.key][:, 1:].sum(axis=0)

    def statistics(self) -> CaptionStatistics | None:
        """How the captions are written; None where SPICE was not asked for."""
        return None if self._counts is None else self._counts.statistics().with_tuples(*self._tuples.tolist())

    def warnings(self, settings: Settings) -> Iterator[str]:
        """One sentence for each thing that is odd."""
        if self._empty:
            yield f"{self._empty:,} of {self._captions:,} captions are empty; they are scored, and lower the scores"
        if self._captions == 1 and settings.df == "corpus" and self._needs_frequencies:
            yield SINGLE_IMAGE
