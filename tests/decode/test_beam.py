"""Beam search against exhaustive search on models whose every caption can be listed."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from spidercap.decode import beam
from spidercap.decode.beam import BeamSettings, beam_search
from spidercap.decode.greedy import greedy
from spidercap.errors import UsageError
from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.text.vocabulary import EOS, UNK, Vocabulary

ALL = 10_000
"""Wider than the number of captions of the tiny models: the search is exhaustive."""


def _model(words, seed):
    vocabulary = Vocabulary(tuple(f"w{number}" for number in range(words)))
    model = ShowAndTell(ModelSizes(features=4, symbols=words + 3, embedding=5, hidden=5), vocabulary, seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    return model


def _vectors(count, seed):
    return torch.randn(count, 4, generator=torch.Generator().manual_seed(seed))


@settings(max_examples=25, deadline=None)
@given(
    words=st.integers(1, 3),
    limit=st.integers(1, 4),
    seed=st.integers(0, 99),
    penalty=st.sampled_from([0.0, 0.7, 1.0, 2.0]),
    allow_unknown=st.booleans(),
)
def test_a_beam_wide_enough_is_exhaustive_search(captions_of, words, limit, seed, penalty, allow_unknown):
    model, features = _model(words, seed), _vectors(2, seed)
    chosen = BeamSettings(ALL, 5, penalty, limit, allow_unknown)
    for vector, found in zip(features, beam_search(model, features, chosen), strict=True):
        every = captions_of(model, vector, limit, allow_unknown)
        ranked = sorted(every.items(), key=lambda item: (item[0][-1] != EOS, -item[1] / len(item[0]) ** penalty))[:5]
        assert len(found) == len(ranked)
        for hypothesis, (symbols, logp) in zip(found, ranked, strict=True):
            assert hypothesis.log_probability == pytest.approx(every[hypothesis.words], abs=1e-5)
            assert hypothesis.score == pytest.approx(logp / len(symbols) ** penalty, abs=1e-5)
            assert hypothesis.finished == (symbols[-1] == EOS)


def _naive(model, vector, chosen):
    """The search of one image as the docstring tells it, with lists."""
    live, found = [((), 0.0, model.begin(vector[None]))], []
    for _ in range(chosen.limit):
        candidates = []
        for words, total, state in live:
            if words:
                state = model.advance(state, torch.tensor([words[-1]]))
            for word, logp in enumerate(model.logits(state)[0].log_softmax(0).tolist()):
                if logp > -math.inf and word != UNK:
                    candidates.append(((*words, word), total + logp, state))
        candidates.sort(key=lambda each: -each[1])
        found += [each for each in candidates[: chosen.beam] if each[0][-1] == EOS]
        live = [each for each in candidates if each[0][-1] != EOS][: chosen.beam]
        if len(found) >= chosen.beam:
            break
    else:
        found += live
    found.sort(key=lambda each: (each[0][-1] != EOS, -each[1] / len(each[0]) ** chosen.length_penalty))
    return [words for words, _, _ in found[: chosen.n_best]]


@settings(max_examples=30, deadline=None)
@given(
    width=st.integers(1, 5), limit=st.integers(1, 7), seed=st.integers(0, 99), penalty=st.sampled_from([0.0, 0.7, 1.0])
)
def test_a_batch_is_the_naive_search_of_each_image(width, limit, seed, penalty):
    model, features = _model(6, seed), _vectors(3, seed)
    chosen = BeamSettings(width, width, penalty, limit)
    found = beam_search(model, features, chosen)
    with torch.no_grad():
        expected = [_naive(model, vector, chosen) for vector in features]
    assert [[each.words for each in image] for image in found] == expected
    best = beam_search(model, features, BeamSettings(width, 1, penalty, limit))
    assert [image[0].words for image in best] == [image[0] for image in expected]


@pytest.mark.parametrize("seed", range(4))
def test_a_beam_of_one_is_greedy(tiny_model, vectors, seed):
    model, features = tiny_model(seed=seed), vectors(30, seed)
    sequences = greedy(model, features, limit=6)
    found = beam_search(model, features, BeamSettings(beam=1, limit=6))
    for row, (hypothesis,) in enumerate(found):
        assert list(hypothesis.words) == sequences.words[row, : sequences.lengths[row]].tolist()
        assert hypothesis.finished == bool(sequences.finished[row])


def test_images_are_searched_in_parts_without_a_trace(tiny_model, vectors, monkeypatch):
    model, features = tiny_model(seed=2), vectors(9)
    whole = [[each.words for each in image] for image in beam_search(model, features, BeamSettings(3, 3))]
    monkeypatch.setattr(beam, "ROWS_AT_ONCE", 6)
    assert [[each.words for each in image] for image in beam_search(model, features, BeamSettings(3, 3))] == whole


def test_longer_captions_win_with_more_normalisation(tiny_model, vectors):
    model, features = tiny_model(seed=1), vectors(30)
    lengths = [
        sum(len(image[0].words) for image in beam_search(model, features, BeamSettings(8, 1, penalty, 8)))
        for penalty in (0.0, 1.0)
    ]
    assert lengths[0] < lengths[1]


def test_no_images(tiny_model, vectors):
    assert beam_search(tiny_model(), vectors(0)) == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"beam": 0}, "`beam` must be at least 1, got 0"),
        ({"beam": 3, "n_best": 4}, r"`n_best` must be in 1 to the width of the beam \(3\), got 4"),
        ({"n_best": 0}, r"`n_best` must be in 1 to the width of the beam \(5\), got 0"),
        ({"length_penalty": -1.0}, r"`length_penalty` must be in \[0, 10\], got -1.0"),
        ({"length_penalty": math.nan}, r"`length_penalty` must be in \[0, 10\], got nan"),
        ({"limit": 0}, "`limit` must be at least 1, got 0"),
    ],
)
def test_settings_are_checked(options, sentence):
    with pytest.raises(UsageError, match=sentence):
        BeamSettings(**options)
