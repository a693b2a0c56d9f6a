"""The rollout tree against rollouts decoded one by one, and against the exact distribution."""

from collections import Counter
from itertools import product

import pytest
import torch

from spidercap.decode.rollout import Sampling, sample_with_rollouts
from spidercap.errors import UsageError
from spidercap.model.random_stream import RandomStream
from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.text.vocabulary import EOS, Vocabulary

LIMIT = 7
EXAMPLES = torch.tensor([5, 0, 9])


def make_model(symbols=6, seed=2, sharpness=6.0):
    """A small policy that ends captions at different lengths."""
    vocabulary = Vocabulary(tuple(f"w{number}" for number in range(symbols - 3)))
    model = ShowAndTell(ModelSizes(4, symbols, 5, 8), vocabulary, seed).double()
    with torch.no_grad():
        model.output.weight *= sharpness
    return model


@pytest.fixture(scope="module")
def features():
    return torch.randn(3, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


@torch.no_grad()
def naive(model, feature, stream, keys, prefix, limit):
    """One caption decoded from its start; the words of the prefix are given, the others drawn."""
    state, words = model.begin(feature[None]), []
    for position in range(limit):
        if words:
            state = model.advance(state, torch.tensor(words[-1:]))
        if position < len(prefix):
            word = prefix[position]
        else:
            uniform = stream.uniform(*(torch.tensor([key]) for key in (*keys, position)))
            cumulated = model.logits(state)[0].softmax(0).cumsum(0)
            word = int((cumulated <= uniform * cumulated[-1]).sum())
        words.append(word)
        if word == EOS:
            break
    return words


def said(sequences, row):
    return sequences.words[row, : sequences.lengths[row]].tolist()


@pytest.mark.parametrize(("rollouts", "paths"), [(1, 1), (3, 1), (2, 2), (0, 3)])
def test_the_same_random_numbers_give_the_words_of_naive_rollouts(features, rollouts, paths):
    model, stream = make_model(), RandomStream(7, "rollouts", 3)
    found = sample_with_rollouts(
        model, features, stream, EXAMPLES, Sampling(rollouts=rollouts, paths=paths, limit=LIMIT)
    )
    assert found.members.shape[::2] == (3 * paths, rollouts)
    for row in range(3 * paths):
        image, m = divmod(row, paths)
        example = int(EXAMPLES[image])
        path = naive(model, features[image], stream, (example, m, 0, 0), [], LIMIT)
        assert said(found.sequences, row) == path
        for t, k in product(range(1, len(path)), range(rollouts)):
            member = int(found.members[row, t - 1, k])
            expected = naive(model, features[image], stream, (example, m, t, k), path[:t], LIMIT)
            assert said(found.sequences, member) == expected
            assert found.images[member] == image
        assert (found.members[row, len(path) - 1] == row).all()


def test_finished_captions_end_in_eos_and_cut_ones_do_not(features):
    found = sample_with_rollouts(make_model(), features, RandomStream(1, "r"), EXAMPLES, Sampling(rollouts=3, limit=4))
    sequences = found.sequences
    last = sequences.words[torch.arange(len(sequences)), sequences.lengths - 1]
    assert torch.equal(last == EOS, sequences.finished)
    assert (sequences.lengths[~sequences.finished] == 4).all()
    assert sequences.finished.any()
    assert not sequences.finished.all()


def test_rows_are_the_distinct_prefixes(features):
    found = sample_with_rollouts(
        make_model(), features, RandomStream(1, "r"), EXAMPLES, Sampling(rollouts=5, limit=LIMIT)
    )
    prefixes = {
        (int(image), tuple(said(found.sequences, row)[:position]))
        for row, image in enumerate(found.images)
        for position in range(int(found.sequences.lengths[row]))
    }
    assert found.rows == len(prefixes)


@torch.no_grad()
def exact(model, feature, prefix, limit, probability=1.0):
    """Every caption that begins with the prefix, and its probability."""
    if prefix[-1:] == (EOS,) or len(prefix) == limit:
        return {prefix: probability}
    state = model.begin(feature[None])
    for word in prefix:
        state = model.advance(state, torch.tensor([word]))
    captions = {}
    for following, share in enumerate(model.logits(state)[0].softmax(0).tolist()):
        if share > 0:
            captions |= exact(model, feature, (*prefix, following), limit, probability * share)
    return captions


@pytest.mark.parametrize("reuse", [False, True])
def test_rollouts_have_the_distribution_of_the_policy(reuse):
    model, count = make_model(symbols=4, sharpness=3.0), 3000
    feature = torch.ones(4, dtype=torch.float64)
    found = sample_with_rollouts(
        model,
        feature.repeat(count, 1),
        RandomStream(3, "r"),
        torch.arange(count),
        Sampling(rollouts=2, limit=3, reuse=reuse),
    )
    by_prefix: dict[tuple, Counter] = {}
    for row in range(count):
        path = tuple(said(found.sequences, row))
        for t in range(len(path)):
            for member in found.members[row, t].tolist():
                by_prefix.setdefault(path[: t + 1], Counter())[tuple(said(found.sequences, member))] += 1
    assert len(by_prefix) > 10
    for prefix, counts in by_prefix.items():
        expected, total = exact(model, feature, prefix, 3), counts.total()
        assert set(counts) <= set(expected)
        for caption, probability in expected.items():
            # 5 standard deviations; a follower serves several prefixes, but is one of the K of each.
            slack = 5 * (2 * total * probability * (1 - probability)) ** 0.5 + 1e-9
            assert abs(counts[caption] - total * probability) <= slack, (prefix, caption)


def test_reuse_starts_fewer_rollouts_and_each_prefix_has_k(features):
    options = {"rollouts": 3, "limit": LIMIT}
    fresh, reused = (
        sample_with_rollouts(make_model(), features, RandomStream(4, "r"), EXAMPLES, Sampling(reuse=reuse, **options))
        for reuse in (False, True)
    )
    assert torch.equal(fresh.paths.words, reused.paths.words)
    assert len(reused.sequences) < len(fresh.sequences)
    for row, t in reused.paths.mask.nonzero().tolist():
        members = reused.members[row, t]
        prefix = reused.paths.words[row, : t + 1]
        assert (reused.sequences.words[members][:, : t + 1] == prefix).all()
        assert t == reused.paths.lengths[row] - 1 or len(set(members.tolist())) == 3


def test_the_path_can_be_one_of_its_rollouts(features):
    found = sample_with_rollouts(
        make_model(), features, RandomStream(4, "r"), EXAMPLES, Sampling(rollouts=3, limit=LIMIT, count_path=True)
    )
    own = torch.arange(3)[:, None].expand(found.members.shape[:2])
    assert torch.equal(found.members[:, :, 0], own)
    inside = torch.arange(found.members.shape[1]) < found.paths.lengths[:, None] - 1
    assert (found.members[:, :, 1:][inside] >= 3).all()
    assert len(found.sequences) == 3 + 2 * int(inside.sum())


@pytest.mark.parametrize(("name", "value"), [("rollouts", -1), ("paths", 0), ("limit", 0)])
def test_impossible_numbers_are_refused(name, value):
    with pytest.raises(UsageError, match=f"`{name}` must be at least"):
        Sampling(**{name: value})
