"""The model against torch's own LSTM and softmax."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from spidercap.errors import DataError
from spidercap.model.captioner import Dropout
from spidercap.model.lstm import Lstm, LstmState
from spidercap.model.packed import pack
from spidercap.model.random_stream import RandomStream
from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.model.word_log_probabilities import word_log_probabilities
from spidercap.text.vocabulary import BOS, Vocabulary

SIZES = (3, 3, 2, 1)
WORDS = Vocabulary(tuple(f"w{number}" for number in range(8)))


def _reference(lstm: Lstm) -> nn.LSTM:
    """torch's LSTM with the same weights; its gates are in the order input, forget, candidate, output."""
    hidden = lstm.recurrent_weight.shape[1]
    order = torch.cat(
        [torch.arange(2 * hidden), torch.arange(3 * hidden, 4 * hidden), torch.arange(2 * hidden, 3 * hidden)]
    )
    reference = nn.LSTM(lstm.input_weight.shape[1], hidden).double()
    with torch.no_grad():
        reference.weight_ih_l0.copy_(lstm.input_weight[order])
        reference.weight_hh_l0.copy_(lstm.recurrent_weight[order])
        reference.bias_ih_l0.copy_(lstm.bias[order])
        reference.bias_hh_l0.zero_()
    return reference


def _lstm() -> Lstm:
    lstm = Lstm(5, 4).double()
    lstm.initialise(torch.Generator().manual_seed(1))
    return lstm


def test_a_sequence_is_that_of_torch():
    lstm = _lstm()
    inputs = torch.randn(sum(SIZES), 5, dtype=torch.double)
    start = torch.randn(3, 4, dtype=torch.double)
    packed = nn.utils.rnn.PackedSequence(inputs, torch.tensor(SIZES))
    expected, _ = _reference(lstm)(packed, (start[None], start[None]))
    torch.testing.assert_close(lstm.sequence(inputs, LstmState(start, start), SIZES), expected.data)


def test_steps_are_the_sequence():
    lstm = _lstm()
    inputs = torch.randn(sum(SIZES), 5, dtype=torch.double)
    state = LstmState(torch.zeros(3, 4, dtype=torch.double), torch.zeros(3, 4, dtype=torch.double))
    expected = lstm.sequence(inputs, state, SIZES)
    for part, size in zip(inputs.split(SIZES), SIZES, strict=True):
        state = lstm.step(part, state.rows(slice(size)))
        torch.testing.assert_close(state.h, expected[:size])
        expected = expected[size:]


def test_the_gradient_of_a_sequence_is_right():
    lstm = _lstm()
    inputs = torch.randn(sum(SIZES), 5, dtype=torch.double, requires_grad=True)
    h = torch.randn(3, 4, dtype=torch.double, requires_grad=True)
    c = torch.randn(3, 4, dtype=torch.double, requires_grad=True)

    def run(inputs, h, c, *weights):
        return lstm.sequence(inputs, LstmState(h, c), SIZES)

    assert torch.autograd.gradcheck(run, (inputs, h, c, *lstm.parameters()))


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_word_log_probabilities_and_their_gradient(smoothing):
    hidden = torch.randn(6, 4, dtype=torch.double, requires_grad=True)
    weight = torch.randn(7, 4, dtype=torch.double, requires_grad=True)
    bias = torch.randn(7, dtype=torch.double, requires_grad=True)
    forbidden = torch.tensor([-torch.inf, 0, 0, 0, 0, 0, -torch.inf], dtype=torch.double)
    words = torch.tensor([1, 2, 3, 4, 5, 1])

    def ours(hidden, weight, bias):
        return word_log_probabilities(hidden, weight, bias + forbidden, words, smoothing)

    logp = functional.log_softmax(functional.linear(hidden, weight, bias + forbidden), dim=1)
    expected = (1 - smoothing) * logp[torch.arange(6), words] + smoothing * logp[:, 1:6].mean(dim=1)
    torch.testing.assert_close(ours(hidden, weight, bias), expected)
    share = torch.randn(6, dtype=torch.double)
    gradients = torch.autograd.grad((ours(hidden, weight, bias) * share).sum(), (hidden, weight, bias))
    torch.testing.assert_close(gradients, torch.autograd.grad((expected * share).sum(), (hidden, weight, bias)))


def test_the_gradient_can_be_taken_once_only():
    hidden = torch.randn(2, 4, requires_grad=True)
    logp = word_log_probabilities(hidden, torch.randn(5, 4), torch.zeros(5), torch.tensor([1, 2])).sum()
    logp.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        logp.backward()


def test_bos_and_padding_have_no_probability():
    model = ShowAndTell(ModelSizes(features=6, symbols=11, embedding=4, hidden=4), WORDS)
    probabilities = model.head(torch.randn(3, 4)).softmax(dim=1)
    assert probabilities.shape == (3, 16)
    assert probabilities[:, BOS].sum() == 0
    assert probabilities[:, 11:].sum() == 0


@torch.no_grad()
def test_steps_give_the_states_and_probabilities_of_the_whole_caption():
    model = ShowAndTell(ModelSizes(features=6, symbols=11, embedding=4, hidden=5), WORDS)
    features, words = torch.randn(2, 6), torch.tensor([[5, 7, 1], [5, 3, 4]])
    expected = model.teacher_forced(features, pack(words, torch.tensor([3, 3])))
    state = model.begin(features)
    for t in range(3):
        here = slice(2 * t, 2 * t + 2)
        torch.testing.assert_close(state.hidden, expected.hidden[here])
        logp = model.logits(state).log_softmax(dim=1)[[0, 1], words[:, t]]
        torch.testing.assert_close(logp, expected.logp_t[here])
        torch.testing.assert_close(model.logits(state, slice(1, 2)), model.logits(state)[1:])
        state = model.advance(state, words[:, t])


@torch.no_grad()
def test_rows_of_a_state_go_on_as_they_would_have_alone():
    model = ShowAndTell(ModelSizes(features=6, symbols=11, embedding=4, hidden=5), WORDS)
    features, words = torch.randn(3, 6), torch.tensor([4, 5, 6])
    whole = model.advance(model.begin(features), words)
    chosen = torch.tensor([2, 0, 2])
    some = model.advance(model.begin(features).rows(chosen), words[chosen])
    torch.testing.assert_close(some.hidden, whole.hidden[chosen])
    kept = whole.rows(torch.tensor([True, False, True]))
    torch.testing.assert_close(kept.hidden, whole.hidden[[0, 2]])


@torch.no_grad()
def test_other_words_can_be_fed_as_the_past():
    model = ShowAndTell(ModelSizes(features=6, symbols=11, embedding=4, hidden=5), WORDS)
    features, lengths = torch.randn(2, 6), torch.tensor([3, 2])
    told, other = torch.tensor([[5, 7, 1], [5, 3, 1]]), torch.tensor([[6, 8, 1], [4, 3, 1]])
    fed = model.teacher_forced(features, pack(told, lengths), fed=pack(other, lengths).targets)
    torch.testing.assert_close(fed.hidden, model.teacher_forced(features, pack(other, lengths)).hidden)
    assert not torch.equal(fed.hidden, model.teacher_forced(features, pack(told, lengths)).hidden)


def test_a_model_and_its_vocabulary_must_have_as_many_symbols():
    with pytest.raises(DataError, match="a model of 7 symbols, but its vocabulary holds 11"):
        ShowAndTell(ModelSizes(features=6, symbols=7), WORDS)


def test_dropout_keeps_its_share_and_depends_on_nothing_but_its_keys():
    stream = RandomStream(7, "dropout", step=3)
    examples, positions = torch.arange(64).repeat(8), torch.arange(8).repeat_interleave(64)
    ones = torch.ones(512, 130)
    dropped = Dropout(0.3, stream, examples, positions)(ones, 0)
    assert abs(float((dropped == 0).float().mean()) - 0.3) < 0.01
    assert float(dropped.mean()) == pytest.approx(1, abs=0.01)
    some = torch.tensor([5, 77, 300])
    again = Dropout(0.3, stream, examples[some], positions[some])(ones[:3], 0)
    torch.testing.assert_close(again, dropped[some])
    other = Dropout(0.3, RandomStream(7, "dropout", step=4), examples, positions)(ones, 0)
    assert (other != dropped).any()


def test_uniform_numbers_are_even():
    numbers = RandomStream(1, "sample").uniform(torch.arange(300)[:, None], torch.arange(300))
    counts = torch.histc(numbers, bins=10, min=0, max=1)
    assert float(((counts - 9000) ** 2 / 9000).sum()) < 27.9  # chi-square, 9 degrees of freedom, p = 0.001
    assert float(numbers.min()) >= 0
    assert float(numbers.max()) < 1
    assert numbers.unique().numel() > 0.99 * 90000


def test_sizes_must_be_positive():
    with pytest.raises(DataError, match="model.hidden must be at least 1, got 0"):
        ModelSizes(features=1, symbols=4, hidden=0)
