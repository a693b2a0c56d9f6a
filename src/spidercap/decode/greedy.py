"""Greedy decoding: the likeliest next word, again and again (paper, section 1)."""

from torch import Tensor

from spidercap.decode.generate import forbid_unknown, generate
from spidercap.decode.sequences import LIMIT, Sequences
from spidercap.model.show_and_tell import ShowAndTell


def greedy(model: ShowAndTell, features: Tensor, limit: int = LIMIT, *, allow_unknown: bool = False) -> Sequences:
    """One caption for each row of `features` (B, D); of equally likely words the one with the smaller id."""

    def likeliest(logits: Tensor, images: Tensor, position: int) -> Tensor:
        return forbid_unknown(logits, allow_unknown).argmax(dim=1)

    return generate(model, features, likeliest, limit)
