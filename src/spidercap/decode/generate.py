"""One word after the other for many images at once; captions that have ended leave the batch."""

from collections.abc import Callable

import torch
from torch import Tensor

from spidercap.decode.sequences import Sequences
from spidercap.errors import UsageError
from spidercap.model.show_and_tell import ShowAndTell
from spidercap.text.vocabulary import BOS, EOS, UNK

Choose = Callable[[Tensor, Tensor, int], Tensor]
"""(logits (R, V), the image of each row (R,), position) → the word of each row (R,); may overwrite the logits."""

ROWS_AT_ONCE = 512
"""Images decoded together: the logits of more than that no longer fit a processor's cache, and gain nothing."""


@torch.no_grad()
def generate(model: ShowAndTell, features: Tensor, choose: Choose, limit: int) -> Sequences:
    """The captions of the images with vectors `features` (B, D), each next word taken by `choose`."""
    check_limit(limit)
    images = torch.arange(len(features), device=features.device)
    parts = torch.split(images, ROWS_AT_ONCE)
    return Sequences.joined([_generate(model, features[part], part, choose, limit) for part in parts])


def _generate(model: ShowAndTell, features: Tensor, images: Tensor, choose: Choose, limit: int) -> Sequences:
    words = torch.full((len(features), limit), EOS, device=features.device)
    lengths = torch.full_like(images, limit)
    finished = torch.zeros_like(images, dtype=torch.bool)
    rows = torch.arange(len(features), device=features.device)
    last, state = torch.full_like(rows, BOS), model.initial_state(features)
    for position in range(limit):
        if not len(rows):
            break
        state = model.step(last, state)
        last = choose(model.logits(state.h), images[rows], position)
        words[rows, position] = last
        ended = rows[last == EOS]
        if len(ended):
            lengths[ended], finished[ended] = position + 1, True
            going = last != EOS
            rows, last, state = rows[going], last[going], state.rows(going)
    longest = int(lengths.max()) if len(lengths) else 0
    return Sequences(words[:, :longest], lengths, finished)


def forbid_unknown(logits: Tensor, allow_unknown: bool) -> Tensor:
    """The same logits, in place; UNK cannot be said unless allowed."""
    if not allow_unknown:
        logits[:, UNK] = -torch.inf
    return logits


def check_limit(limit: int) -> None:
    """Raise unless a caption may have at least one symbol."""
    if limit < 1:
        raise UsageError(f"limit must be at least 1, got {limit}")
