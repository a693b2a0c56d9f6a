"""Batches: every example once an epoch, the same for every number of processes."""

import numpy as np
import pytest
import torch

from spidercap.cli.train import read_recipe
from spidercap.model.packed import one_step_before
from spidercap.text.vocabulary import EOS
from spidercap.train.batches import CaptionBatches, ImageBatches, Order, prefetched
from spidercap.train.data import load_data
from spidercap.train.world import World


@pytest.fixture
def data(settings):
    return load_data(read_recipe(None, settings))


def test_an_epoch_holds_every_example_once_in_an_order_of_its_own():
    order = Order(seed=3, count=50, batch=16)
    epochs = [np.concatenate([order.examples(4 * epoch + step) for step in range(4)]) for epoch in (0, 1)]
    for examples in epochs:
        assert sorted(examples) == list(range(50))
    assert list(epochs[0]) != list(epochs[1])
    assert len(order.examples(3)) == 2


def test_packed_captions_are_the_captions(data):
    batches = CaptionBatches(data.train, data.vocabulary, Order(0, 120, 16), data.source, World())
    batch = batches[2]
    captions = batch.captions
    assert batch.global_words == len(captions.targets) == sum(captions.sizes)
    for row, image in enumerate(batch.ids):
        mine = captions.rows == row
        words = captions.targets[mine].tolist()
        assert words[-1] == EOS
        before = one_step_before(torch.zeros(len(batch.ids), dtype=torch.int64), captions.targets, captions.sizes)
        assert before[mine].tolist() == [0, *words[:-1]]
        assert image.split("-")[1] in data.vocabulary.decode(words)
        torch.testing.assert_close(batch.images[row], torch.from_numpy(data.source.store.rows([image]))[0])
    lengths = torch.bincount(captions.rows)
    assert (lengths[:-1] >= lengths[1:]).all()


@pytest.mark.parametrize("kind", ["captions", "images"])
def test_processes_share_a_batch_out_between_them(data, kind):
    def batches(world):
        if kind == "captions":
            return CaptionBatches(data.train, data.vocabulary, Order(0, 115, 16), data.source, world)
        return ImageBatches(data.train, Order(0, 35, 16), data.source, world)

    whole = batches(World())
    shares = [batches(World(rank, 3)) for rank in range(3)]
    for step in range(4):
        parts = [share[step] for share in shares]
        assert sorted(i for part in parts for i in part.ids) == sorted(whole[step].ids)
        assert sorted(torch.cat([part.examples for part in parts]).tolist()) == list(range(len(whole[step].ids)))
        image_of = dict(zip(whole[step].examples.tolist(), whole[step].ids, strict=True))
        for part in parts:
            assert part.global_count == len(whole[step].ids)
            assert [image_of[example] for example in part.examples.tolist()] == list(part.ids)
            assert part.global_words in (whole[step].global_words, 0 if not part.ids else None)


def test_a_process_may_have_nothing_to_do(data):
    batches = CaptionBatches(data.train, data.vocabulary, Order(0, 33, 32), data.source, World(1, 2))
    assert batches[1].ids == ()
    assert batches[1].global_count == 1


def test_batches_come_in_order(data):
    batches = ImageBatches(data.train, Order(0, 40, 16), data.source, World())
    assert [batch.ids for batch in prefetched(batches, 1, 5)] == [batches[step].ids for step in range(1, 5)]
    assert list(prefetched(batches, 3, 3)) == []
