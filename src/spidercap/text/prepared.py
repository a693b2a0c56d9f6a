"""A dataset made ready for training: its captions, its vocabulary and its counts, in one new folder."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from spidercap.data.captions import Dataset
from spidercap.errors import UsageError
from spidercap.files import new_folder, sha256_of
from spidercap.text.amounts import amount
from spidercap.text.statistics import SplitStatistics, describe
from spidercap.text.vocabulary import MINIMUM_COUNT, Vocabulary
from spidercap.text.words import count_words

VOCABULARY_FILE = "vocabulary.txt"


@dataclass(frozen=True)
class Prepared:
    """What `prepare` made."""

    dataset: Dataset
    vocabulary: Vocabulary
    statistics: tuple[SplitStatistics, ...]
    minimum_count: int

    def facts(self) -> dict[str, object]:
        """What joins the description of the dataset: the vocabulary and the counts of each split."""
        return {
            "vocabulary": {
                "words": len(self.vocabulary.words),
                "symbols": self.vocabulary.size,
                "padded_size": self.vocabulary.padded_size,
                "minimum_count": self.minimum_count,
                "counted_images": len(self.dataset.vocabulary_images()),
            },
            "splits": {row.split: row.as_json() for row in self.statistics},
        }

    def description(self) -> dict[str, object]:
        """All of `dataset.json` but the hashes of the files beside it."""
        return self.dataset.description() | self.facts()

    def summary(self) -> Iterator[str]:
        """What a reader of the table should know besides, one sentence a line."""
        vocabulary, counted = self.vocabulary, len(self.dataset.vocabulary_images())
        yield (
            f"vocabulary: {amount(len(vocabulary.words), 'word')}, each at least {self.minimum_count} times in the "
            f"captions of {amount(counted, 'image')}; {vocabulary.size:,} symbols with BOS, EOS and UNK, padded to "
            f"{vocabulary.padded_size:,}"
        )
        if not self.dataset.split("train"):
            yield "note: no image is in train, so the vocabulary was counted on all images"
        if not vocabulary.words:
            yield f"note: no word occurs {self.minimum_count} times, the vocabulary is empty; lower that number"
        if wordless := sum(row.lengths[0] for row in self.statistics):
            yield f"note: {amount(wordless, 'caption')} without any word (words are runs of a-z, 0-9 and ')"
        for note in self.dataset.notes:
            yield f"note: {note}"


def count_dataset(dataset: Dataset, minimum_count: int = MINIMUM_COUNT) -> Prepared:
    """The vocabulary of a dataset, and its counts."""
    if minimum_count < 1:
        raise UsageError(f"`minimum_count` must be at least 1, got {minimum_count}")
    captions = [caption for image in dataset.vocabulary_images() for caption in image.captions]
    vocabulary = Vocabulary.from_counts(count_words(captions), minimum_count)
    return Prepared(dataset, vocabulary, describe(dataset, vocabulary), minimum_count)


def write_prepared(prepared: Prepared, out: Path, pictures: Callable[[Path], None] | None = None) -> None:
    """Write the folder `out`, whole or not at all; `pictures` may put more into it."""
    with new_folder(out) as folder:
        path = folder / VOCABULARY_FILE
        prepared.vocabulary.save(path)
        prepared.dataset.save(folder, prepared.facts() | {"vocabulary_sha256": sha256_of(path)})
        if pictures is not None:
            pictures(folder)
