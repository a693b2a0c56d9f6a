"""Native core of spidercap."""

from collections.abc import Sequence
import os
from typing import Annotated, Final

import numpy
from numpy.typing import NDArray


def split_words(caption: str) -> list[str]:
    """The matches of [a-z0-9']+ in the lower-cased caption."""

def count_words(captions: Sequence[str]) -> dict[str, int]:
    """How often each word occurs in all the captions together."""

class WordIndex:
    """Words of a vocabulary to ids."""

    def __init__(self, words: Sequence[str], first_id: int, unknown_id: int) -> None: ...

    def encode(self, captions: Sequence[str]) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]:
        """
        All captions' word ids end to end, and the N + 1 positions where captions start and the last ends.
        """

def tokenize(captions: Sequence[str], together: bool = False, threads: int = 1) -> list[str]:
    """
    PTB tokens of each caption, lower-cased, punctuation dropped, joined by blanks; `together` lexes all captions as one text as the reference does, on one thread. `threads` 0 means all cores.
    """

class DocumentFrequencies:
    """In how many images' references each n-gram occurs."""

    def __init__(self) -> None: ...

    def add(self, references: Sequence[Sequence[str]]) -> None:
        """
        Counts more images, given the token strings of each image's references.
        """

    def add_counts(self, ngrams: Sequence[str], counts: NDArray[numpy.int64], images: int) -> None:
        """
        Adds the counts of a table, n-grams as words joined by blanks, and its number of images.
        """

    def counts(self, minimum: int = 1) -> tuple[list[str], NDArray[numpy.int64]]:
        """
        The n-grams whose document frequency is at least `minimum`, by first occurrence, and their frequencies.
        """

    def add_lines(self, text: bytes, images: int) -> None:
        """
        Adds the counts of lines of an n-gram, a tab and its count, and the number of images they come from.
        """

    def lines(self, minimum: int = 1) -> bytes:
        """
        The n-grams whose document frequency is at least `minimum`, as such lines, sorted by bytes.
        """

    def forget_single(self) -> None:
        """
        Forgets the n-grams of one image, which weigh as much as unknown ones, once all images are counted.
        """

    @property
    def largest(self) -> int:
        """The largest document frequency."""

    @property
    def images(self) -> int:
        """Number of images counted."""

class FlatFileError(OSError):
    pass

class NgramReferences:
    """
    References digested for BLEU, ROUGE-L, CIDEr-D (`cider_d`) and original CIDEr (`cider`).
    """

    def __init__(self, references: Sequence[Sequence[str]], frequencies: DocumentFrequencies | None = None, log_images: float | None = None, threads: int = 1) -> None:
        """
        Digests the token strings of each image's references. Without `frequencies` they are counted in the references; `log_images` replaces the logarithm of the number of images.
        """

    def score(self, images: NDArray[numpy.int64], captions: Sequence[str], metrics: Sequence[str], threads: int = 0) -> dict[str, NDArray[numpy.float64] | NDArray[numpy.int64]]:
        """
        Scores of token strings against the references of the images with these indices: n values per metric, for `bleu` n x 4 and `bleu_statistics` n x 10 (correct 1-4, guessed 1-4, candidate and reference length). `threads` 0 means all cores; the results do not depend on it.
        """

    def save(self, path: str | os.PathLike[str], key: str = "") -> None:
        """Writes the digest to a file; `key` says what it was made from."""

    @staticmethod
    def load(path: str | os.PathLike[str], key: str = "") -> NgramReferences:
        """
        Reads a saved digest; a damaged file or one with another key raises FlatFileError.
        """

    @property
    def images(self) -> int:
        """Number of images."""

    @property
    def references(self) -> int:
        """Number of references of all images."""

    @property
    def nbytes(self) -> int:
        """Memory of the digest in bytes."""

def bleu_from_statistics(statistics: NDArray[numpy.int64]) -> NDArray[numpy.float64]:
    """
    BLEU-1..4 (n x 4) from rows of statistics (n x 10); rows of several captions may be summed.
    """

def meteor_tokens(caption: str) -> list[str]:
    """The lower-case tokens that METEOR sees in a caption."""

def meteor_stem(word: str) -> str:
    """The stem of a lower-case word: Snowball English before 3.0."""

def meteor_score(statistics: Annotated[NDArray[numpy.int64], dict(shape=(None, 23), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The score of each row of 23 statistics."""

def meteor_additive(statistics: Annotated[NDArray[numpy.int64], dict(shape=(None, 23), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None, 23))]:
    """
    The statistics in the form whose sum over captions has the corpus score as its score: perfect captions count no chunk.
    """

class ParaphraseCompiler:
    """Compiles the text of METEOR's paraphrase table."""

    def __init__(self) -> None: ...

    def feed(self, text: bytes) -> None:
        """The next piece of the table, cut anywhere."""

    def finish(self, source_sha256: bytes) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The content of the index file; the compiler is spent afterwards."""

    @property
    def records(self) -> int:
        """How many records were read so far."""

    version: Final[int] = ...
    """The version of the index file."""

class MeteorResources:
    """WordNet synsets and, if given, the paraphrase index."""

    def __init__(self, wordnet: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], paraphrases: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

    @property
    def paraphrase_source(self) -> bytes | None:
        """
        SHA-256 of the table that the paraphrase index was made from; None without paraphrases.
        """

class MeteorReferences:
    """The references of images, digested for METEOR."""

    def __init__(self, resources: MeteorResources, references: Sequence[Sequence[str]]) -> None: ...

    @property
    def images(self) -> int: ...

    def statistics(self, images: NDArray[numpy.int64], captions: Sequence[str], threads: int = 1) -> NDArray[numpy.int32]:
        """The 23 statistics of each caption against the references of its image."""

    def score(self, images: NDArray[numpy.int64], captions: Sequence[str], threads: int = 1) -> NDArray[numpy.float64]:
        """The score of each caption against the references of its image."""

    def save(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The digest as bytes."""

    @staticmethod
    def load(resources: MeteorResources, digest: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> MeteorReferences:
        """The digest that `save` gave."""

class SpiceLexicon:
    """
    Lemmas and WordNet synsets, from the contents of the two shipped files.
    """

    def __init__(self, lemmas: bytes, synsets: bytes) -> None: ...

    def lemma(self, word: str, tag: str) -> str:
        """The lemma of a word with a Penn tag."""

    def synsets(self, text: str) -> list[int]:
        """Numbers of the synsets of a word or phrase."""

class ParsedCaptions:
    """Parses of captions: words, Penn tags, heads and labels."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def start_caption(self) -> None:
        """Begin the next caption."""

    def add_sentence(self, words: Sequence[str], tags: Sequence[str], heads: Sequence[int], labels: Sequence[str]) -> None:
        """
        Add a sentence to the caption begun last; heads count from 1, 0 is the root.
        """

    def tuples(self, caption: int, lexicon: SpiceLexicon) -> list[tuple[str, ...]]:
        """Raw SPICE tuples of a caption."""

    def graphs(self, caption: int, lexicon: SpiceLexicon, enhanced: bool) -> list[list[tuple[str, int, int, int, int]]]:
        """
        Edges (label, governor, copy, dependent, copy) of each sentence, collapsed or also enhanced.
        """

class SpiceReferences:
    """References of images, digested once, to score candidates against."""

    def __init__(self, lexicon: SpiceLexicon) -> None: ...

    def __len__(self) -> int: ...

    def add(self, tuples: Sequence[Sequence[str]]) -> int:
        """
        Add an image by the raw tuples of all its references in order; returns its number.
        """

    def add_parsed(self, captions: ParsedCaptions, first: int, last: int) -> int:
        """
        Add an image whose references are the parsed captions from first to last - 1; returns its number.
        """

    def score(self, images: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], captions: ParsedCaptions, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Of each parsed caption against the image of the same place: F, its raw tuples, how many of them repeat.
        """

    def save(self, path: str | os.PathLike[str], key: str = "") -> None:
        """Writes all images to a file; `key` names what they were made from."""

    @staticmethod
    def load(lexicon: SpiceLexicon, path: str | os.PathLike[str], key: str = "") -> SpiceReferences:
        """
        Reads a saved digest; a damaged file or one with another key raises FlatFileError.
        """

    def details(self, image: int, tuples: Sequence[Sequence[str]]) -> tuple[dict[str, dict[str, float]], list[tuple[tuple[str, ...], bool]], list[tuple[tuple[str, ...], bool]]]:
        """
        Scores by category, and the merged tuples of candidate and references, each with whether it was matched.
        """

def tree_dependencies(trees: Sequence[str]) -> list[tuple[list[str], list[str], list[int], list[str]]]:
    """
    For each bracketed tree, with or without category marks, its words, tags, heads (counted from 1, 0 is the root) and basic labels.
    """

class CaptionParser:
    """The parser behind SPICE, with its grammar read from a model file."""

    def __init__(self, path: str, tag_beam: float = 15.0, tag_odds: float = -8.0, label_odds: float = -11.0, active_odds: float = -14.0, class_odds: float = -13.0, odder: float = 4.0, same: float = 9.999999747378752e-05) -> None: ...

    def trees(self, captions: Sequence[str], marks: bool = False) -> list[tuple[str, float, bool]]:
        """
        For each caption its bracketed tree, log-probability, and whether the grammar covers it whole.
        """

    def dependencies(self, captions: Sequence[str]) -> list[tuple[list[str], list[str], list[int], list[str]]]:
        """
        For each caption its words, tags, heads (counted from 1, 0 is the root) and basic labels.
        """

    def parse(self, captions: Sequence[str], threads: int = 0) -> ParsedCaptions:
        """
        The parses of token strings, one sentence each or several; `threads` 0 means all cores.
        """

    def tag_choices(self, captions: Sequence[str]) -> tuple[NDArray[numpy.uint32], NDArray[numpy.uint16], NDArray[numpy.float32], NDArray[numpy.uint32]]:
        """
        What the odds of tags are learnt from, for all words of the captions: where each word's tags end, the tags' numbers, the scores of their best sequences below the caption's best, and the word's features.
        """

    def chart_items(self, captions: Sequence[str]) -> tuple[NDArray[numpy.uint32], NDArray[numpy.uint16], NDArray[numpy.uint32], NDArray[numpy.uint8], NDArray[numpy.uint8], NDArray[numpy.uint16], NDArray[numpy.float32], NDArray[numpy.uint8]]:
        """
        What the odds of states are learnt from: the features and the likeliest tag of every word; of the labels and actives in the captions' charts where each caption's end, then of each its first word, the word behind its last, its state, its estimate, and whether the best tree has it.
        """

    @property
    def hash(self) -> str:
        """SHA-256 of the model file's content."""
