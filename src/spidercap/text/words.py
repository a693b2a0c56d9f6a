"""Words of the captioner: the matches of `[a-z0-9']+` in the lower-cased caption."""

import re

from spidercap._native import count_words, split_words

__all__ = ["WORD", "count_words", "split_words"]

WORD = re.compile(r"[a-z0-9']+")
