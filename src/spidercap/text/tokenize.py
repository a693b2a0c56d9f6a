"""Captions to tokens, as the COCO caption evaluation makes them."""

from collections.abc import Callable, Sequence

from spidercap import _native
from spidercap.errors import UsageError


def tokenize(captions: Sequence[str], tokenizer: str = "ptb", threads: int = 0) -> list[str]:
    """The token string of each caption: its tokens joined by blanks.

    `ptb` lexes each caption alone, `ptb-compat` all of them as one text as the reference does (see
    docs/metrics/tokenizer.md), `none` leaves captions as they are, to be split at blanks. `threads` 0 means all cores.
    """
    if tokenizer not in TOKENIZERS:
        raise UsageError(f"unknown tokenizer {tokenizer!r}; expected one of {', '.join(TOKENIZERS)}")
    return TOKENIZERS[tokenizer](captions, threads)


TOKENIZERS: dict[str, Callable[[Sequence[str], int], list[str]]] = {
    "ptb": lambda captions, threads: _native.tokenize(captions, together=False, threads=threads),
    "ptb-compat": lambda captions, _: _native.tokenize(captions, together=True),
    "none": lambda captions, _: list(captions),
}
