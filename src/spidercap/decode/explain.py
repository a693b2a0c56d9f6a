"""How sure the model was of each word of a caption."""

import torch
from torch import Tensor

from spidercap.decode.generate import generate
from spidercap.decode.sequences import Sequences
from spidercap.model.show_and_tell import ShowAndTell


def explain(model: ShowAndTell, features: Tensor, sequences: Sequences) -> Tensor:
    """log π of every symbol that was said, (B, T); 0 after the end. Whatever chose the words, π is the model's own."""
    log_probabilities = torch.zeros(sequences.words.shape, device=features.device)

    def given(logits: Tensor, images: Tensor, position: int) -> Tensor:
        words = sequences.words[images, position]
        chosen = logits.gather(1, words[:, None])[:, 0]
        log_probabilities[images, position] = chosen - logits.logsumexp(dim=1)
        return words

    if len(sequences):
        generate(model, features, given, sequences.words.shape[1])
    return log_probabilities
