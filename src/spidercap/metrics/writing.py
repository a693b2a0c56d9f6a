"""What a score does not show: captions that repeat themselves, break off, or are all alike."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

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
