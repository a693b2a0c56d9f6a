"""How sure the captioner was of each symbol of a caption."""

import torch
from torch import Tensor

from spidercap.decode.generate import generate
from spidercap.decode.sequences import Sequences
from spidercap.model.captioner import Captioner


def log_probabilities(captioner: Captioner, images: Tensor, sequences: Sequences) -> Tensor:
    """log π of every symbol of the sequences, (B, T), whatever chose them; 0 after the end."""
    found = torch.zeros(sequences.words.shape, device=images.device)

    def given(logits: Tensor, rows: Tensor, position: int) -> Tensor:
        words = sequences.words[rows, position]
        chosen = logits.gather(1, words[:, None])[:, 0]
        found[rows, position] = chosen - logits.logsumexp(dim=1)
        return words

    if len(sequences):
        generate(captioner, images, given, sequences.words.shape[1])
    return found
