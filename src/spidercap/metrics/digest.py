"""References digested once, then captions to rows of statistics: the core that scoring, rewards and training share."""

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from spidercap import __version__, _native
from spidercap.errors import DataError, UsageError
from spidercap.files import cache_folder, make_cache_folder, new_file, new_path
from spidercap.metrics.document_frequency import BUILT_IN, DocumentFrequencies, built_in
from spidercap.metrics.families import FAMILIES, Rows
from spidercap.metrics.meteor_data import meteor_resources
from spidercap.metrics.spice_digest import SpiceDigest
from spidercap.metrics.spice_lexicon import lexicon_hash
from spidercap.metrics.spice_parser import caption_parser
from spidercap.text.tokenize import TOKENIZERS, tokenize

# Which result of the native n-gram scorer is the row of a family, and what to ask for.
_NGRAM_RESULTS = {
    "bleu": ("bleu", "bleu_statistics"),
    "rouge": ("rouge_l", "rouge_l"),
    "cider": ("cider_d", "cider_d"),
    "cider_original": ("cider", "cider"),
}
CIDER_FAMILIES = {"cider", "cider_original"}
Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Settings:
    """How captions are scored, apart from which metrics.

    `df` is "corpus" (counted in the references at hand), the name of a built-in table, a file of `spidercap df`, or
    frequencies. `threads` 0 means all cores.
    """

    tokenizer: str = "ptb"
    df: str | os.PathLike[str] | DocumentFrequencies = "corpus"
    paraphrases: bool = True
    threads: int = 0

    def __post_init__(self) -> None:
        if self.tokenizer not in TOKENIZERS:
            raise UsageError(f"tokenizer must be one of {', '.join(TOKENIZERS)}, got {self.tokenizer!r}")
        if self.threads < 0:
            raise UsageError(f"threads must be 0 (all cores) or more, got {self.threads}")

    def loaded(self) -> "Settings":
        """The same with the document frequencies in memory, checked against the tokenizer."""
        if self.df == "corpus":
            return self
        frequencies = self.df if isinstance(self.df, DocumentFrequencies) else _load_frequencies(self.df)
        if frequencies.tokenizer.split("-")[0] != self.tokenizer.split("-")[0]:
            raise UsageError(
                f"the document frequencies of {frequencies.source} were counted with the tokenizer "
                f"{frequencies.tokenizer}, and captions are tokenised with {self.tokenizer}; use the same"
            )
        return replace(self, df=frequencies)

    @property
    def frequencies(self) -> DocumentFrequencies | None:
        """The document frequencies in memory; None where they are counted in the references."""
        return self.df if isinstance(self.df, DocumentFrequencies) else None


def one_by_one(settings: Settings) -> Settings:
    """The settings, if what they give for a caption does not depend on which others are scored along with it."""
    if settings.tokenizer == "ptb-compat":
        raise UsageError(
            "the tokenizer ptb-compat reads all captions as one text, so their scores would depend on how they are cut "
            "into batches; use ptb here"
        )
    return settings


def _load_frequencies(df: str | os.PathLike[str]) -> DocumentFrequencies:
    if isinstance(df, str) and df in BUILT_IN:
        return built_in(df)
    path = Path(df)
    if not path.exists():
        known = ", ".join(["corpus", *BUILT_IN])
        raise UsageError(f"unknown document frequencies {str(df)!r}; expected {known} or a file made by `spidercap df`")
    return DocumentFrequencies.load(path)


class Digest:
    """The references of images 0, 1, 2, …, ready to score captions against.

    With `tokenised` the references are token strings already. With `keep` the digest is kept in the cache folder under
    a name that its content decides, and read from there the next time the same references are digested the same way.
    """

    def __init__(
        self,
        references: Sequence[Sequence[str]],
        families: Iterable[str],
        settings: Settings,
        *,
        tokenised: bool = False,
        keep: bool = False,
    ) -> None:
        self.families = tuple(name for name in FAMILIES if name in set(families))
        self.settings = settings.loaded()
        self.images = len(references)
        self._tokens = references if tokenised else None
        self._references = references
        self._fingerprint = _fingerprint(references) if keep else None
        self._ngram = self._kept_ngram() if any(name in _NGRAM_RESULTS for name in self.families) else None
        self._meteor = self._kept_meteor() if "meteor" in self.families else None
        self.spice = self._kept_spice() if "spice" in self.families else None
        self._tokens = None
        self._references = ()

    def rows(self, images: NDArray[np.int64], captions: Sequence[str]) -> dict[str, Rows]:
        """Statistics of each family for raw captions of the images with these indices."""
        return self.rows_of_tokens(images, tokenize(captions, self.settings.tokenizer, self.settings.threads))

    def rows_of_tokens(self, images: NDArray[np.int64], tokens: Sequence[str]) -> dict[str, Rows]:
        """Statistics of each family for tokenised captions of the images with these indices."""
        rows: dict[str, Rows] = {}
        if self._ngram is not None:
            wanted = {name: _NGRAM_RESULTS[name] for name in self.families if name in _NGRAM_RESULTS}
            asked = [ask for ask, _ in wanted.values()]
            results = self._ngram.score(images, tokens, asked, self.settings.threads)
            for name, (_, result) in wanted.items():
                rows[name] = results[result].astype(np.float64, copy=False).reshape(len(tokens), FAMILIES[name].width)
        if self._meteor is not None:
            rows["meteor"] = self._meteor_rows(self._meteor, images, tokens)
        if self.spice is not None:
            rows["spice"] = self.spice.rows(images, tokens, self.settings.threads)
        return rows

    def _meteor_rows(self, digest: _native.MeteorReferences, images: NDArray[np.int64], tokens: Sequence[str]) -> Rows:
        try:
            return digest.statistics(images, tokens, self._threads).astype(np.float64)
        except ValueError as error:  # captions of thousands of words, whose alignment would take for ever
            raise DataError(f"METEOR cannot be computed: {error}") from None

    def _tokenised(self) -> Sequence[Sequence[str]]:
        """The references' tokens; made once, when the first digest that was not kept needs them."""
        if self._tokens is None:
            self._tokens = tokenize_references(self._references, self.settings)
        return self._tokens

    def _kept_ngram(self) -> _native.NgramReferences:
        table = self.settings.frequencies
        key = self._key(table.fingerprint if table else "corpus")

        def make() -> _native.NgramReferences:
            return _native.NgramReferences(self._tokenised(), table.table if table else None, None, self._threads)

        return _kept(f"{key}.ngram", lambda path: _native.NgramReferences.load(path, key), make, _saver(key))

    def _kept_meteor(self) -> _native.MeteorReferences:
        resources = meteor_resources(self.settings.paraphrases)

        def load(path: Path) -> _native.MeteorReferences:
            return _native.MeteorReferences.load(resources, np.memmap(path, dtype=np.uint8, mode="r"))

        def make() -> _native.MeteorReferences:
            return _native.MeteorReferences(resources, self._tokenised())

        def save(digest: _native.MeteorReferences, path: Path) -> None:
            with new_file(path, "wb") as file:
                file.write(digest.save().data)

        return _kept(f"{self._key(self.settings.paraphrases)}.meteor", load, make, save)

    def _kept_spice(self) -> SpiceDigest:
        key = self._key(caption_parser().hash, lexicon_hash())

        def make() -> SpiceDigest:
            return SpiceDigest.of(self._tokenised(), self.settings.threads)

        return _kept(f"{key}.spice", lambda path: SpiceDigest.load(path, key), make, _saver(key))

    @property
    def _threads(self) -> int:
        return self.settings.threads or os.cpu_count() or 1

    def _key(self, *facts: object) -> str:
        """What decides the content of a digest, in hexadecimal; "" where it is not kept."""
        if self._fingerprint is None:
            return ""
        decisive = (__version__, self.settings.tokenizer, self._fingerprint, *facts)
        return hashlib.sha256(repr(decisive).encode()).hexdigest()[:32]


def tokenize_references(references: Sequence[Sequence[str]], settings: Settings) -> list[list[str]]:
    """The references of each image, tokenised in one batch."""
    tokens = iter(tokenize([text for image in references for text in image], settings.tokenizer, settings.threads))
    return [[next(tokens) for _ in image] for image in references]


def _fingerprint(references: Sequence[Sequence[str]]) -> str:
    digest = hashlib.sha256()
    for image in references:
        digest.update(repr(list(image)).encode())
    return digest.hexdigest()


def _saver(key: str) -> Callable[[_native.NgramReferences | SpiceDigest, Path], None]:
    """How a digest that writes its own file is kept under a key."""

    def save(digest: _native.NgramReferences | SpiceDigest, path: Path) -> None:
        with new_path(path) as temporary:
            digest.save(temporary, key)

    return save


def _kept(
    name: str, load: Callable[[Path], Kind], make: Callable[[], Kind], save: Callable[[Kind, Path], None]
) -> Kind:
    """The digest from the cache folder if it is there and whole; made, and kept there, otherwise.

    A name that is only an ending is not kept at all.
    """
    if name.startswith("."):
        return make()
    path = cache_folder() / "digests" / name
    with suppress(OSError, ValueError):
        return load(path)
    made = make()
    make_cache_folder(path.parent)
    save(made, path)
    return made
