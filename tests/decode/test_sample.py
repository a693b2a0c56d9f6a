"""Drawing words and captions: the frequencies are the model's, and the numbers depend on their keys alone."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from spidercap.decode.greedy import greedy
from spidercap.decode.log_probabilities import log_probabilities
from spidercap.decode.sample import LogitsWarper, draw, inverse_cdf, sample
from spidercap.errors import UsageError
from spidercap.model.random_stream import RandomStream
from spidercap.text.vocabulary import UNK

STREAM = RandomStream(5, "caption")


def _chi_square(counts, expected):
    return float(((counts - expected) ** 2 / expected).sum())


def test_words_are_drawn_as_often_as_they_are_likely():
    logits = torch.tensor([[0.0, 1.0, -math.inf, 2.0, -1.0]])
    words = draw(logits, STREAM.uniform(torch.arange(20_000))[None])
    counts = torch.bincount(words[0], minlength=5)[[0, 1, 3, 4]]
    expected = 20_000 * logits[0, [0, 1, 3, 4]].softmax(0)
    assert counts.sum() == 20_000
    assert _chi_square(counts, expected) < 16.3  # 3 degrees of freedom, p = 0.001


def test_what_cannot_be_said_is_never_drawn():
    logits = torch.tensor([[-math.inf, 3.0, -math.inf, -math.inf, 0.5, -math.inf]]).expand(4, -1)
    last = 1 - 2.0**-24
    assert draw(logits, torch.tensor([0.0, 0.5, 0.95, last])).tolist() == [1, 1, 4, 4]


@given(
    st.lists(st.floats(-30, 30, width=32), min_size=1, max_size=9),
    st.floats(0, 1 - 2.0**-24, width=32),
    st.integers(0, 9),
)
def test_a_draw_is_the_inverse_of_the_distribution(logits, uniform, forbidden):
    values = torch.tensor([logits])
    if forbidden < len(logits) > 1:
        values[0, forbidden] = -math.inf
    word = int(draw(values, torch.tensor([uniform])))
    sums = values[0].double().softmax(0).cumsum(0)
    assert values[0, word] > -math.inf
    assert sums[word] >= uniform - 1e-5
    assert (sums[word - 1] if word else 0.0) <= uniform + 1e-5


def test_several_draws_of_a_row_and_the_logits_stay():
    logits = torch.randn(3, 7)
    before = logits.clone()
    uniforms = torch.rand(3, 4)
    words = draw(logits, uniforms)
    for column in range(4):
        assert torch.equal(words[:, column], draw(logits, uniforms[:, column]))
    assert torch.equal(logits, before)


@pytest.mark.parametrize("allow_unknown", [False, True])
def test_captions_are_drawn_as_often_as_they_are_likely(tiny_model, vectors, captions_of, allow_unknown):
    model, vector, count = tiny_model(words=2, seed=4, spread=1.5), vectors(1), 4000
    every = captions_of(model, vector[0], 3, allow_unknown)
    made = sample(model, vector.expand(count, -1), STREAM, torch.arange(count), limit=3, allow_unknown=allow_unknown)
    said = [tuple(row[:length]) for row, length in zip(made.words.tolist(), made.lengths.tolist(), strict=True)]
    assert set(said) <= set(every)
    # Without UNK a prefix's other words share what it would have had, so only the full policy is compared by number.
    if allow_unknown:
        likely = [symbols for symbols, logp in every.items() if count * math.exp(logp) > 10]
        counts = torch.tensor([said.count(symbols) for symbols in likely])
        expected = count * torch.tensor([every[symbols] for symbols in likely]).exp()
        assert len(likely) > 5
        assert _chi_square(counts, expected) < len(likely) + 4 * math.sqrt(2 * len(likely))
    else:
        assert UNK not in made.words


def test_an_example_has_its_own_numbers(tiny_model, vectors):
    model, features, examples = tiny_model(seed=1, spread=1.0), vectors(20), torch.arange(100, 120)
    whole = sample(model, features, STREAM, examples)
    some = torch.tensor([17, 3, 8])
    part = sample(model, features[some], STREAM, examples[some])
    width = part.words.shape[1]
    assert torch.equal(part.words, whole.words[some, :width])
    assert torch.equal(part.lengths, whole.lengths[some])
    other = sample(model, features, RandomStream(6, "caption"), examples)
    assert other.words.shape != whole.words.shape or (other.words != whole.words).any()


@pytest.mark.parametrize("options", [{"top_k": 1}, {"temperature": 1e-6}, {"top_p": 1e-9}])
def test_the_narrowest_choice_is_greedy(tiny_model, vectors, options):
    model, features = tiny_model(seed=2), vectors(30)
    made = sample(model, features, STREAM, torch.arange(30), allow_unknown=False, limit=8, **options)
    assert torch.equal(made.words, greedy(model, features, limit=8).words)


def _naive_nucleus(logits, top_p):
    """The words kept: likeliest first until their probability reaches top_p."""
    probabilities = logits.softmax(0).tolist()
    kept, total = set(), 0.0
    for word in sorted(range(len(probabilities)), key=lambda word: -probabilities[word]):
        if total < top_p:
            kept.add(word)
        total += probabilities[word]
    return kept


@settings(deadline=None)
@given(st.integers(1, 700), st.floats(0.05, 0.98), st.floats(0.01, 4), st.integers(0, 99))
def test_the_nucleus_is_the_naive_one(words, top_p, spread, seed):
    logits = torch.randn(2, words, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) * spread
    warped = LogitsWarper(top_p=top_p)(logits)
    for row in range(2):
        kept = set(warped[row].isfinite().nonzero()[:, 0].tolist())
        assert kept == _naive_nucleus(logits[row], top_p)
        assert torch.equal(warped[row, list(kept)], logits[row, list(kept)])


def test_the_reshaped_distribution_by_hand():
    logits = torch.tensor([[0.5, 0.3, 0.15, 0.05]]).log()
    by = {
        (2.0, 0, 1.0): [0.3790, 0.2936, 0.2076, 0.1199],  # proportional to the square roots
        (1.0, 2, 1.0): [0.625, 0.375, 0, 0],
        (1.0, 0, 0.79): [0.625, 0.375, 0, 0],
        (1.0, 0, 0.81): [0.5263, 0.3158, 0.1579, 0],
        (1.0, 2, 0.6): [1, 0, 0, 0],  # the nucleus of what top_k left: .625 reaches .6
        (1.0, 9, 1.0): [0.5, 0.3, 0.15, 0.05],
    }
    for (temperature, top_k, top_p), expected in by.items():
        probabilities = LogitsWarper(temperature, top_k, top_p)(logits).softmax(1)
        torch.testing.assert_close(probabilities, torch.tensor([expected], dtype=torch.float32), atol=2e-4, rtol=0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"top_p": 1.3}, r"`top_p` must be in \(0, 1\], got 1.3"),
        ({"top_p": 0.0}, r"`top_p` must be in \(0, 1\], got 0.0"),
        ({"top_p": math.nan}, r"`top_p` must be in \(0, 1\], got nan"),
        ({"top_k": -1}, r"`top_k` must be at least 0 \(0 keeps all words\), got -1"),
        ({"temperature": 0.0}, r"`temperature` must be in \[1e-06, 1000000\], got 0.0"),
        ({"temperature": math.inf}, r"`temperature` must be in \[1e-06, 1000000\], got inf"),
        ({"limit": -3}, "`limit` must be at least 1, got -3"),
    ],
)
def test_parameters_are_checked(tiny_model, vectors, options, sentence):
    with pytest.raises(UsageError, match=sentence):
        sample(tiny_model(), vectors(1), STREAM, torch.arange(1), **options)


def test_the_log_probability_of_each_symbol(tiny_model, vectors, captions_of):
    model, features = tiny_model(words=3, seed=1), vectors(6)
    made = sample(model, features, STREAM, torch.arange(6), limit=4)
    logp = log_probabilities(model, features, made)
    assert (logp[~made.mask] == 0).all()
    for row in range(6):
        every = captions_of(model, features[row], 4, allow_unknown=True)
        symbols = tuple(made.words[row, : made.lengths[row]].tolist())
        assert float(logp[row].sum()) == pytest.approx(every[symbols], abs=1e-5)


@pytest.mark.parametrize("width", [8, 24, 96, 100])
def test_a_word_is_where_its_share_of_the_sum_is_reached(width):
    weights = torch.rand(5, width, generator=torch.Generator().manual_seed(width), dtype=torch.float64)
    weights[weights < 0.4] = 0
    rows = torch.tensor([4, 0, 0, 2, 1, 3, 3]).repeat(50)
    uniforms = torch.rand(len(rows), generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    sums = weights[rows].cumsum(1)
    expected = (sums <= (uniforms * sums[:, -1])[:, None]).sum(1)
    assert torch.equal(inverse_cdf(weights, rows, uniforms), expected)


def test_rounding_never_picks_a_word_of_weight_0():
    weights = torch.zeros(1, 64)
    weights[0, [3, 17, 40]] = torch.tensor([1e-30, 0.3, 1e-9])
    uniforms = torch.cat([torch.zeros(1), 1 - torch.arange(1, 200) * 2.0**-24])
    words = inverse_cdf(weights, torch.zeros(200, dtype=torch.int64), uniforms)
    assert set(words.tolist()) <= {3, 17, 40}
