"""Captions to token strings: the PTB tokenizer of the COCO caption evaluation, without Java."""

import re
from collections.abc import Callable, Sequence

from spidercap import _native
from spidercap.errors import UsageError

# Characters that make the reference cut a caption in two and shift all later ones; here they count as a blank.
LINE_BREAKS = re.compile("[\r\v\f\x85\u2028\u2029]")

_SURROGATES = re.compile("[\ud800-\udfff]")


def tokenize_ptb(captions: Sequence[str], threads: int = 1) -> list[str]:
    """Tokenize each caption alone: the same caption always gives the same tokens."""
    return _native.tokenize(captions, threads=threads)


def tokenize_ptb_compat(captions: Sequence[str], threads: int = 1) -> list[str]:
    """Tokenize the batch as one text, as the reference does: the end of a caption may depend on the next caption."""
    return _native.tokenize(captions, together=True)


def tokenize_none(captions: Sequence[str], threads: int = 1) -> list[str]:
    """Leave captions as they are, words joined by blanks; half a surrogate pair is no character and becomes a blank."""
    return [caption if caption.isascii() else _SURROGATES.sub(" ", caption) for caption in captions]


TOKENIZERS: dict[str, Callable[[Sequence[str], int], list[str]]] = {
    "ptb": tokenize_ptb,
    "ptb-compat": tokenize_ptb_compat,
    "none": tokenize_none,
}


def tokenize(captions: Sequence[str], tokenizer: str = "ptb", threads: int = 1) -> list[str]:
    """Turn captions into token strings: lower-case tokens joined by blanks, punctuation dropped.

    `threads` is the number of cores for `ptb`, 0 for all of them; the result does not depend on it.
    """
    if tokenizer not in TOKENIZERS:
        raise UsageError(f"`tokenizer` must be one of {', '.join(TOKENIZERS)}, got {tokenizer!r}")
    return TOKENIZERS[tokenizer](captions, threads)


def with_line_breaks(captions: Sequence[str]) -> list[int]:
    """Positions of the captions that hold a line-break character other than LF."""
    return [position for position, caption in enumerate(captions) if LINE_BREAKS.search(caption)]
