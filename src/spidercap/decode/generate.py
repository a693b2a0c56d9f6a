"""One word after the other for many images at once; captions that have ended leave the batch."""

from collections.abc import Callable

import torch
from torch import Tensor

from spidercap.decode.sequences import Sequences
from spidercap.errors import UsageError
from spidercap.model.captioner import Captioner

Choose = Callable[[Tensor, Tensor, int], Tensor]
"""(logits (R, V), the image of each row (R,), position) → the word of each row (R,); may overwrite the logits."""

ROWS_AT_ONCE = 512
"""Images decoded together: the logits of more than that no longer fit a processor's cache, and gain nothing."""


@torch.no_grad()
def generate(captioner: Captioner, images: Tensor, choose: Choose, limit: int) -> Sequences:
    """The captions of the images, each next symbol taken by `choose`."""
    check_limit(limit)
    numbers = torch.arange(len(images), device=images.device)
    parts = torch.split(numbers, ROWS_AT_ONCE)
    made = [_generate(captioner, images[part], part, choose, limit) for part in parts]
    return Sequences.joined(made, captioner.vocabulary.eos)


def _generate(captioner: Captioner, images: Tensor, numbers: Tensor, choose: Choose, limit: int) -> Sequences:
    eos = captioner.vocabulary.eos
    words = torch.full((len(images), limit), eos, device=images.device)
    lengths = torch.full_like(numbers, limit)
    finished = torch.zeros_like(numbers, dtype=torch.bool)
    rows = torch.arange(len(images), device=images.device)
    last, state = rows, captioner.begin(images)
    for position in range(limit):
        if not len(rows):
            break
        if position:
            state = captioner.advance(state, last)
        last = choose(captioner.logits(state), numbers[rows], position)
        words[rows, position] = last
        ended = rows[last == eos]
        if len(ended):
            lengths[ended], finished[ended] = position + 1, True
            going = last != eos
            rows, last, state = rows[going], last[going], state.rows(going)
    longest = int(lengths.max()) if len(lengths) else 0
    return Sequences(words[:, :longest], lengths, finished)


def forbid_unknown(captioner: Captioner, logits: Tensor, allow_unknown: bool) -> Tensor:
    """The same logits, in place; the symbol of unknown words cannot be generated unless allowed."""
    if not allow_unknown and captioner.vocabulary.unk is not None:
        logits[:, captioner.vocabulary.unk] = -torch.inf
    return logits


def check_limit(limit: int) -> None:
    """Raise unless a caption may have at least one symbol."""
    if limit < 1:
        raise UsageError(f"`limit` must be at least 1, got {limit}")
