"""How captions are scored, apart from which metrics: tokenizer, document frequencies, paraphrases, threads."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spidercap.errors import UsageError
from spidercap.metrics.document_frequency import BUILT_IN, DocumentFrequencies, built_in
from spidercap.text.tokenize import TOKENIZERS, tokenize


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
            raise UsageError(f"`tokenizer` must be one of {', '.join(TOKENIZERS)}, got {self.tokenizer!r}")
        if self.threads < 0:
            raise UsageError(f"`threads` must be 0 (all cores) or more, got {self.threads}")

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


def tokenize_references(references: Sequence[Sequence[str]], settings: Settings) -> list[list[str]]:
    """The references of each image, tokenised in one batch."""
    tokens = iter(tokenize([text for image in references for text in image], settings.tokenizer, settings.threads))
    return [[next(tokens) for _ in image] for image in references]


def _load_frequencies(df: str | os.PathLike[str]) -> DocumentFrequencies:
    if isinstance(df, str) and df in BUILT_IN:
        return built_in(df)
    path = Path(df)
    if not path.exists():
        known = ", ".join(["corpus", *BUILT_IN])
        raise UsageError(f"unknown document frequencies {str(df)!r}; expected {known} or a file made by `spidercap df`")
    return DocumentFrequencies.load(path)
