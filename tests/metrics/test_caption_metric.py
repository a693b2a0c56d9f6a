"""Scores of captions that come in batches: chunks, shards and processes change no bit."""

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spidercap
from spidercap.errors import DataError, UsageError
from spidercap.metrics.chunks import Chunk
from spidercap.metrics.names import metric_names
from spidercap.metrics.settings import Settings
from spidercap.metrics.systems import evaluate_in_passing

WORDS = st.lists(
    st.sampled_from(["a", "man", "dog", "Dogs", "runs", "'s", "the.", "big,", "été", "snow"]), max_size=9
).map(" ".join)
IMAGES = st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=12)
OPTIONS = {"metrics": ["bleu", "rouge", "cider", "cider_original", "meteor"], "paraphrases": False}


def metric(df="corpus", **more):
    return spidercap.CaptionMetric(df=df, **OPTIONS | more)


def split(images):
    return [caption for caption, _ in images], [references for _, references in images]


def added(images, size=3, **options):
    found = metric(**options)
    for first in range(0, len(images), size):
        found.update(*split(images[first : first + size]))
    return found


@pytest.mark.parametrize("df", ["corpus", "coco"])
@given(images=IMAGES, size=st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_batches_give_what_score_gives(df, images, size):
    assert added(images, size, df=df).compute() == spidercap.score(*split(images), df=df, **OPTIONS).corpus


@pytest.mark.parametrize("df", ["corpus", "coco"])
@given(images=IMAGES, random=st.randoms(use_true_random=False), shards=st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_shards_merge_to_the_same_bits(df, images, random, shards):
    shuffled = random.sample(images, len(images))
    merged = metric(df)
    for shard in range(shards):
        merged.merge(json.loads(json.dumps(added(shuffled[shard::shards], df=df).state())))
    assert merged.compute() == added(images, df=df).compute()
    if df == "coco":
        assert merged.state() == added(images, df=df).state()


def test_processes_merge_to_the_same_bits(tmp_path):
    images = [(f"a dog number {i} runs in snow", [f"the dog {i % 7} runs", "snow and a man"]) for i in range(60)]
    code = (
        "import json, sys, spidercap; m = spidercap.CaptionMetric(['bleu', 'meteor', 'cider'], paraphrases=False);"
        "images = json.load(sys.stdin); m.update([c for c, _ in images], [r for _, r in images]);"
        "json.dump(m.state(), sys.stdout)"
    )
    merged, alone = (spidercap.CaptionMetric(["bleu", "meteor", "cider"], paraphrases=False) for _ in range(2))
    for shard in range(3):
        run = subprocess.run(
            [sys.executable, "-c", code], input=json.dumps(images[shard::3]), capture_output=True, text=True, check=True
        )
        merged.merge(json.loads(run.stdout))
    alone.update(*split(images))
    assert merged.state() == alone.state()
    assert (
        merged.compute()
        == alone.compute()
        == spidercap.score(*split(images), ["bleu", "meteor", "cider"], df="coco", paraphrases=False).corpus
    )


def test_the_state_stays_small_with_a_table():
    found = metric("coco")
    found.update(["a dog runs"] * 1000, [["a dog", "a cat runs"]] * 1000)
    assert len(json.dumps(found.state())) < 2000


def test_reset_forgets():
    found = metric()
    found.update(["a dog"], [["a dog"]])
    found.reset()
    with pytest.raises(DataError, match="nothing to score"):
        found.compute()
    found.update([], [])
    found.update(["a man", "x"], [["a man"], ["y"]])
    assert found.compute()["Bleu_1"] == pytest.approx(2 / 3, abs=1e-8)


def test_compute_can_be_asked_at_any_time():
    found = metric()
    found.update(["a dog", "b"], [["a dog"], ["c"]])
    first = found.compute()
    assert found.compute() == first
    found.update(["c"], [["a c"]])
    assert found.compute() == added([("a dog", ["a dog"]), ("b", ["c"]), ("c", ["a c"])]).compute() != first


def test_states_of_other_metrics_do_not_merge():
    with pytest.raises(DataError, match="cannot merge a state made with BLEU"):
        metric("coco").merge(spidercap.CaptionMetric(["bleu"], df="coco").state())


def test_states_of_other_frequencies_do_not_merge():
    with pytest.raises(DataError, match="cannot merge a state made with .*df:corpus.* into one with .*df:coco-val2014"):
        metric("coco").merge(metric("corpus").state())


def test_bad_batches_are_named():
    with pytest.raises(DataError, match="2 captions and 1 lists of references; give one for each"):
        metric().update(["a", "b"], [["a"]])
    with pytest.raises(DataError, match="the caption of image 1 is NoneType"):
        metric().update(["a", None], [["a"], ["b"]])


def test_a_tokenizer_that_looks_at_neighbours_is_refused():
    with pytest.raises(UsageError, match="their scores would depend on how they are cut into batches"):
        metric(tokenizer="ptb-compat")


@given(IMAGES, st.integers(1, 4), st.sampled_from(["corpus", "coco"]))
@settings(max_examples=25, deadline=None)
def test_chunks_of_several_systems_give_what_score_gives(images, size, df):
    captions, references = split(images)
    systems = [captions, captions[::-1]]

    def chunks():
        for first in range(0, len(images), size):
            part = slice(first, first + size)
            yield Chunk([system[part] for system in systems], references[part])

    names = metric_names(OPTIONS["metrics"])
    found = evaluate_in_passing(chunks, 2, names, Settings(df=df, paraphrases=False))
    for one, system in zip(found, systems, strict=True):
        whole = spidercap.score(system, references, df=df, **OPTIONS)
        assert (one.corpus, one.signature, one.warnings) == (whole.corpus, whole.signature, whole.warnings)
        assert one.images == len(images)


def test_chunks_are_read_once_with_a_table_and_twice_without():
    calls = []

    def chunks():
        calls.append(1)
        return iter([Chunk([["a dog"]], [["a dog"]])])

    evaluate_in_passing(chunks, 1, ["CIDEr"], Settings(df="coco"))
    assert len(calls) == 1
    evaluate_in_passing(chunks, 1, ["CIDEr"], Settings())
    assert len(calls) == 3
    evaluate_in_passing(chunks, 1, ["Bleu_1"], Settings())
    assert len(calls) == 4
