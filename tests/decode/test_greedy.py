"""Greedy decoding against one image at a time, and what sequences promise."""

import pytest
import torch

from spidercap.decode import generate
from spidercap.decode.greedy import greedy
from spidercap.decode.sequences import Sequences
from spidercap.errors import UsageError
from spidercap.text.vocabulary import BOS, EOS, UNK, Vocabulary


@torch.no_grad()
def _one_by_one(model, vector, limit, forbidden):
    """Greedy decoding of one image, as plainly as it can be said."""
    said, state = [], model.begin(vector[None])
    while len(said) < limit and EOS not in said:
        if said:
            state = model.advance(state, torch.tensor(said[-1:]))
        logits = model.logits(state)[0]
        said.append(max((word for word in range(len(logits)) if word not in forbidden), key=lambda w: float(logits[w])))
    return said


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("allow_unknown", [False, True])
def test_a_batch_is_each_image_alone(tiny_model, vectors, seed, allow_unknown):
    model, features = tiny_model(seed=seed), vectors(40, seed)
    made = greedy(model, features, limit=7, allow_unknown=allow_unknown)
    forbidden = {BOS} if allow_unknown else {BOS, UNK}
    for row, vector in enumerate(features):
        expected = _one_by_one(model, vector, 7, forbidden)
        length = int(made.lengths[row])
        assert made.words[row, :length].tolist() == expected
        assert (made.words[row, length:] == EOS).all()
        assert bool(made.finished[row]) == (expected[-1] == EOS)
    assert made.words.shape[1] == made.lengths.max()


def test_some_captions_end_and_some_are_cut(tiny_model, vectors):
    """What the test above needs to mean anything."""
    made = [greedy(tiny_model(seed=seed), vectors(40, seed), limit=7) for seed in range(6)]
    finished = torch.cat([each.finished for each in made])
    assert 0 < int(finished.sum()) < len(finished)
    assert len(torch.cat([each.lengths for each in made]).unique()) > 2


def test_images_are_decoded_in_parts_without_a_trace(tiny_model, vectors, monkeypatch):
    model, features = tiny_model(seed=3), vectors(23)
    whole = greedy(model, features, limit=9)
    monkeypatch.setattr(generate, "ROWS_AT_ONCE", 4)
    parts = greedy(model, features, limit=9)
    assert torch.equal(whole.words, parts.words)
    assert torch.equal(whole.lengths, parts.lengths)
    assert torch.equal(whole.finished, parts.finished)


def test_no_images_give_no_captions(tiny_model, vectors):
    made = greedy(tiny_model(), vectors(0))
    assert (len(made), made.words.shape) == (0, (0, 0))


def test_nothing_is_remembered_for_gradients(tiny_model, vectors):
    assert not greedy(tiny_model(), vectors(2)).words.requires_grad


def test_the_limit_must_allow_a_symbol(tiny_model, vectors):
    with pytest.raises(UsageError, match="`limit` must be at least 1, got 0"):
        greedy(tiny_model(), vectors(1), limit=0)


def test_sequences_tell_their_captions_and_their_mask():
    vocabulary = Vocabulary(("a", "dog"))
    words = torch.tensor([[3, 4, EOS], [4, EOS, EOS], [3, 3, 4]])
    made = Sequences(words, torch.tensor([3, 2, 3]), torch.tensor([True, True, False]))
    assert made.captions(vocabulary) == ["a dog", "dog", "a a dog"]
    assert made.mask.tolist() == [[True] * 3, [True, True, False], [True] * 3]
    assert len(made) == 3
