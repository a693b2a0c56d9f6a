"""MIXER, self-critical and leave-one-out: worked by hand, and against the exact gradient."""

import pytest
import torch

from spidercap.decode.greedy import greedy
from spidercap.decode.rollout import Sampling
from spidercap.errors import UsageError
from spidercap.learn.algorithm import Batch
from spidercap.learn.baseline import Baseline
from spidercap.learn.leave_one_out import LeaveOneOut, leave_one_out_advantage
from spidercap.learn.mixer import Annealing, Mixer, mixer_loss, sample_after
from spidercap.learn.self_critical import SelfCritical, self_critical_advantage
from spidercap.model.packed import pack
from spidercap.model.random_stream import RandomStream
from spidercap.text.vocabulary import EOS

LIMIT = 3


def test_leave_one_out_by_hand():
    found = leave_one_out_advantage(torch.tensor([[1.0, 2.0, 6.0]]))
    assert found.tolist() == [[1 - 4.0, 2 - 3.5, 6 - 1.5]]


def test_leave_one_out_needs_others(world):
    with pytest.raises(UsageError, match=r"at least 2 captions of an image, got learn\.paths = 1"):
        LeaveOneOut(world.policy, Sampling(1))


def test_self_critical_by_hand():
    found = self_critical_advantage(torch.tensor([[1.0, 2.0], [0.0, 5.0]]), torch.tensor([1.0, 3.0]))
    assert found.tolist() == [[0.0, 1.0], [-3.0, 2.0]]


def test_mixer_by_hand():
    logp_t, a_t = torch.tensor([-1.0, -2.0, -3.0]), torch.tensor([9.0, 0.5, -1.0])
    assert mixer_loss(logp_t, a_t, torch.tensor([True, False, False])) == 1.0 + 1.0 - 3.0


@pytest.mark.parametrize(
    ("annealing", "expected"),
    [
        (Annealing(6, 6, 0.5), [6, 6, 6, 6, 6, 0, 0, 0, 0, 0]),
        (Annealing(4, 2, 0.8), [4, 4, 4, 4, 2, 2, 2, 2, 0, 0]),
        (Annealing(3, 2, 0.4), [3, 3, 1, 1, 0, 0, 0, 0, 0, 0]),
        (Annealing(0, 1, 0.5), [0] * 10),
        (Annealing(5, 1, 0.0), [0] * 10),
    ],
)
def test_annealing(annealing, expected):
    assert [annealing.words_by_cross_entropy(step, 10) for step in range(10)] == expected


def check_unbiased(world, algorithm, batch):
    gradients = [-world.gradient_of(algorithm.loss(batch, step).loss) for step in range(24)]
    found, exact = torch.stack(gradients), world.exact_gradient()
    error = found.std(0) / len(found) ** 0.5
    assert ((found.mean(0) - exact).abs() <= 5 * error + 1e-12).all()
    assert (found.mean(0) - exact).norm() < 0.2 * exact.norm()


@pytest.mark.parametrize(
    "make",
    [
        lambda policy: SelfCritical(policy, Sampling(limit=LIMIT)),
        lambda policy: LeaveOneOut(policy, Sampling(4, limit=LIMIT)),
    ],
)
def test_the_mean_is_the_exact_gradient(world, make):
    check_unbiased(world, make(world.policy), world.batch(400))


def captioned(world, words, count):
    """A batch whose captions are all the same words."""
    captions = pack(torch.tensor([words] * count), torch.full((count,), len(words)))
    plain = world.batch(count)
    return Batch(plain.ids, plain.images, plain.examples, count, captions, count * len(words))


def make_mixer(world, annealing, weight=1.0):
    return Mixer(world.policy, Baseline(5, 8, seed=1).double(), annealing, 10, LIMIT, weight)


def test_mixer_without_given_words_is_reinforce(world):
    check_unbiased(world, make_mixer(world, Annealing(0, 1, 0.5)), captioned(world, [3, EOS], 400))


def test_mixer_with_all_words_given_is_cross_entropy(world):
    batch = captioned(world, [4, 3, EOS], 5)
    mixer = make_mixer(world, Annealing(30, 30, 0.5))
    expected = -world.policy.captioner.teacher_forced(batch.images, batch.captions).logp_t.sum() / 5
    found = mixer.loss(batch, 0)
    torch.testing.assert_close(found.loss, expected)
    assert found.log["mixer_words"] == 30


def test_the_weight_multiplies_the_gradient_of_the_baseline(world):
    batch = captioned(world, [3, EOS], 20)
    losses = [make_mixer(world, Annealing(0, 1, 0.5), weight) for weight in (1.0, 3.0)]
    one, three = (torch.autograd.grad(each.loss(batch, 0).loss, each.baseline.output.bias)[0] for each in losses)
    torch.testing.assert_close(three, 3 * one)


def test_a_sample_begins_with_the_given_words(world):
    given, lengths = torch.tensor([[4, 3], [3, EOS], [4, 4]]), torch.tensor([1, 2, 2])
    stream = RandomStream(0, "r")
    found = sample_after(
        world.policy.captioner, world.feature.expand(3, -1), given, lengths, stream, torch.arange(3), limit=3
    )
    assert found.words[0, 0] == 4
    assert found.words[1, :2].tolist() == [3, EOS]
    assert found.lengths[1] == 2
    assert found.words[2, :2].tolist() == [4, 4]


def test_the_baseline_of_self_critical_is_the_greedy_reward(world):
    count = 6
    found = SelfCritical(world.policy, Sampling(limit=LIMIT)).loss(world.batch(count), 0)
    likeliest = greedy(world.policy.captioner, world.feature, LIMIT)
    reward = float(world.policy.rewards(["x"], likeliest, torch.zeros(1, dtype=torch.int64))[0][0])
    assert found.log["value/sum"] - found.log["advantage/sum"] == pytest.approx(reward * found.log["length"])
