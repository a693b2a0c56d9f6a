"""The estimators of section 5 against the exact gradient of J, which enumeration gives."""

from dataclasses import replace

import pytest
import torch

from spidercap.decode.rollout import Sampling
from spidercap.learn.algorithm import Batch
from spidercap.learn.baseline import Baseline, baseline_loss
from spidercap.learn.policy import teacher_forced_pass
from spidercap.learn.policy_gradient import (
    PolicyGradient,
    action_value,
    advantage,
    full_sum_loss,
    policy_gradient_loss,
)
from spidercap.model.random_stream import RandomStream

LIMIT = 3


def sampling(rollouts=1):
    return Sampling(rollouts=rollouts, limit=LIMIT)


def make_baseline(output=0.0, bias=0.0):
    baseline = Baseline(5, 8, seed=1).double()
    with torch.no_grad():
        baseline.output.weight += output
        baseline.output.bias += bias
    return baseline


def estimates(world, algorithm, batches, count):
    """One estimate of ∇J a batch, (batches, weights)."""
    losses = (algorithm.loss(world.batch(count), step).loss for step in range(batches))
    return torch.stack([-world.gradient_of(loss) for loss in losses])


@pytest.mark.parametrize(("reuse", "count_path"), [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("baseline", [make_baseline(), make_baseline(0.4, 0.9)], ids=["without", "with baseline"])
@pytest.mark.parametrize(("rollouts", "paths"), [(1, 1), (3, 1), (1, 2)])
def test_the_mean_of_the_estimator_is_the_exact_gradient(world, rollouts, paths, baseline, reuse, count_path):
    algorithm = PolicyGradient(world.policy, baseline, Sampling(paths, rollouts, reuse, count_path, LIMIT))
    found, exact = estimates(world, algorithm, 24, 800 // paths), world.exact_gradient()
    error = found.std(0) / len(found) ** 0.5
    assert (found.mean(0) - exact).norm() < 0.15 * exact.norm()
    # 24 batches: Student's t at 5 standard errors, over a few hundred weights.
    assert ((found.mean(0) - exact).abs() <= 5 * error + 1e-12).all()


def test_a_wrong_reward_would_be_noticed(world):
    """The test above can fail: every word paid with V(s_0) instead of Q has another mean."""
    count = 2000
    sampled = world.policy.sample(world.batch(count), 0, sampling())
    rewards, _ = world.policy.rewards(["x"] * count, sampled.sequences, sampled.images)
    shuffled = rewards[torch.randperm(len(rewards), generator=torch.Generator().manual_seed(0))]
    gradients = []
    for values in (rewards, shuffled):
        forced = teacher_forced_pass(world.policy.captioner, world.feature.expand(count, -1), sampled.paths)
        q_t = forced.packed(action_value(values, sampled.members))
        gradients.append(-world.gradient_of(policy_gradient_loss(forced.logp_t, q_t) / count))
    exact = world.exact_gradient()
    right, wrong = ((each - exact).norm() / exact.norm() for each in gradients)
    assert wrong > 3 * right


@pytest.mark.parametrize("bias", [0.0, 0.7])
def test_exact_values_on_all_paths_give_the_exact_gradient(world, bias):
    """Eq. 7 with the expectation over paths taken by enumeration; no random number is drawn."""
    p, forced = world.probabilities()
    p = p.detach()
    q = torch.zeros(world.captions.words.shape, dtype=torch.float64)
    for row, t in world.captions.mask.nonzero().tolist():
        q[row, t] = world.value(world.captions.words[row, : t + 1].tolist())
    b_t = make_baseline(0.3, bias)(forced.hidden)
    loss = policy_gradient_loss(forced.logp_t, forced.spread(p) * advantage(forced.packed(q), b_t))
    torch.testing.assert_close(-world.gradient_of(loss), world.exact_gradient(), rtol=1e-10, atol=1e-12)


def test_the_full_sum_over_words_gives_the_exact_gradient(world):
    """Eq. 7 in full: Σ_g over all words, for every state, each path with its probability."""
    p, forced = world.probabilities()
    p = p.detach()
    q = torch.zeros(len(forced.logp_t), world.policy.captioner.vocabulary_size, dtype=torch.float64)
    for place, (row, t) in enumerate(
        zip(forced.order[forced.layout.rows].tolist(), forced.layout.positions.tolist(), strict=True)
    ):
        prefix = world.captions.words[row, :t].tolist()
        for word in (1, 2, 3, 4):
            q[place, word] = world.value([*prefix, word])
    logp = world.policy.captioner.head(forced.hidden).log_softmax(1)
    loss = torch.zeros((), dtype=torch.float64)
    for place in range(len(q)):
        one = slice(place, place + 1)
        loss = loss + forced.spread(p)[place] * full_sum_loss(logp[one], q[one], torch.full((1,), 0.4))
    torch.testing.assert_close(-world.gradient_of(loss), world.exact_gradient(), rtol=1e-10, atol=1e-12)


def test_the_baseline_sends_no_gradient_into_the_captioner(world):
    forced = world.probabilities()[1]
    baseline = make_baseline(0.3)
    loss = baseline_loss(torch.ones(len(forced.logp_t)), baseline(forced.hidden))
    weights = [*world.policy.captioner.parameters(), *baseline.parameters()]
    found = torch.autograd.grad(loss, weights, allow_unused=True)
    inside = len(list(world.policy.captioner.parameters()))
    assert all(gradient is None for gradient in found[:inside])
    assert all(gradient is not None and gradient.abs().sum() > 0 for gradient in found[inside:])


def test_the_value_at_the_end_is_the_reward():
    rewards = torch.tensor([1.0, 5.0, 7.0])
    members = torch.tensor([[[1, 2], [0, 0]]])
    assert action_value(rewards, members).tolist() == [[6.0, 1.0]]


def test_the_value_of_a_finished_path_is_its_reward(world):
    sampled = world.policy.sample(world.batch(50), 0, sampling(3))
    rewards, _ = world.policy.rewards(["x"] * 50, sampled.sequences, sampled.images)
    q = action_value(rewards, sampled.members)
    last = sampled.paths.lengths - 1
    torch.testing.assert_close(q[torch.arange(50), last], rewards[:50])


def spread(world, algorithm):
    return float(estimates(world, algorithm, 300, 4).var(0).sum())


def test_variance_falls_with_rollouts_and_with_the_baseline(world):
    plain = spread(world, PolicyGradient(world.policy, make_baseline(), sampling()))
    more = spread(world, PolicyGradient(world.policy, make_baseline(), sampling(3)))
    mean = world.value([])
    based = spread(world, PolicyGradient(world.policy, make_baseline(0.0, mean), sampling()))
    assert more < 0.9 * plain
    assert based < 0.6 * plain


def test_in_the_warm_up_only_the_baseline_learns(world):
    algorithm = PolicyGradient(world.policy, make_baseline(), sampling(3), warmup=2)
    for step, learns in ((0, False), (1, False), (2, True)):
        loss = algorithm.loss(world.batch(4), step).loss
        gradients = torch.autograd.grad(loss, list(algorithm.module.parameters()))
        baseline = list(algorithm.baseline.parameters())
        assert any(gradient.abs().sum() > 0 for gradient in gradients[-len(baseline) :])
        assert any(gradient.abs().sum() > 0 for gradient in gradients[: -len(baseline)]) == learns


def test_two_processes_add_up_to_one(world):
    algorithm = PolicyGradient(world.policy, make_baseline(0.2), Sampling(2, 2, limit=LIMIT))
    whole = world.batch(6)
    shares = [
        Batch(whole.ids[part], whole.images[part], whole.examples[part], 6)
        for part in (slice(0, None, 2), slice(1, None, 2))
    ]
    one = algorithm.loss(whole, 3)
    two = [algorithm.loss(share, 3) for share in shares]
    torch.testing.assert_close(sum(each.loss for each in two), one.loss)
    assert one.log == pytest.approx({name: sum(each.log[name] for each in two) for name in one.log})


def test_the_gradient_reaches_the_encoder(world):
    features = world.feature.repeat(3, 1).requires_grad_()
    batch = Batch(("x",) * 3, features, torch.arange(3), 3)
    PolicyGradient(world.policy, make_baseline(), sampling(3)).loss(batch, 0).loss.backward()
    assert features.grad is not None
    assert features.grad.abs().sum() > 0


def test_random_numbers_belong_to_the_example(world):
    policy = replace(world.policy, seed=9)
    both = policy.sample(world.batch(2), 5, sampling(2))
    second = policy.sample(Batch(("x",), world.feature, torch.tensor([1]), 2), 5, sampling(2))
    assert torch.equal(both.paths.words[1, : both.paths.lengths[1]], second.paths.words[0, : second.paths.lengths[0]])
    stream = RandomStream(9, "sample", 5)
    assert stream.uniform(torch.tensor([1])) == stream.uniform(torch.tensor([0, 1]))[1]
