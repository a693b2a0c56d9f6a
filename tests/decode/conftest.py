"""Tiny models whose every caption can be listed."""

import math

import pytest
import torch

from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.text.vocabulary import EOS, UNK, Vocabulary


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Small models gain nothing from threads."""
    torch.set_num_threads(1)


@pytest.fixture
def tiny_model():
    """A function that makes a model of `words` words with weights large enough for its choices to differ."""

    def make(words=5, seed=0, spread=3.0):
        vocabulary = Vocabulary(tuple(f"w{number}" for number in range(words)))
        model = ShowAndTell(ModelSizes(features=4, symbols=words + 3, embedding=6, hidden=6), vocabulary, seed)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.mul_(spread)
        return model

    return make


@pytest.fixture
def vectors():
    """A function that makes random feature vectors."""
    return lambda count, seed=0: torch.randn(count, 4, generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
def _captions_of(model, vector, limit, allow_unknown=False):
    """Symbols → log π, for all captions of at most `limit` symbols."""
    found = {}

    def follow(said, logp, state):
        if said and (said[-1] == EOS or len(said) == limit):
            found[said] = logp
            return
        if said:
            state = model.advance(state, torch.tensor([said[-1]]))
        for word, more in enumerate(model.logits(state)[0].log_softmax(0).tolist()):
            if more > -math.inf and (allow_unknown or word != UNK):
                follow((*said, word), logp + more, state)

    follow((), 0.0, model.begin(vector[None]))
    return found


@pytest.fixture(scope="session")
def captions_of():
    """A function that lists every caption that a tiny model can say, with its log-probability."""
    return _captions_of
