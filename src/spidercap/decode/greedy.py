"""Greedy decoding: the likeliest next word, again and again (paper, section 1)."""

from torch import Tensor

from spidercap.decode.generate import forbid_unknown, generate
from spidercap.decode.sequences import LIMIT, Sequences
from spidercap.model.captioner import Captioner


def greedy(captioner: Captioner, images: Tensor, limit: int = LIMIT, *, allow_unknown: bool = False) -> Sequences:
    """One caption for each image; of equally likely words the one with the smaller id."""

    def likeliest(logits: Tensor, rows: Tensor, position: int) -> Tensor:
        return forbid_unknown(captioner, logits, allow_unknown).argmax(dim=1)

    return generate(captioner, images, likeliest, limit)
