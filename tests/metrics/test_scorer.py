"""The reward form: the same numbers as `score`, from any thread, and digests that are kept."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spidercap
from spidercap.errors import DataError, UsageError
from spidercap.metrics import reference_digest

REFERENCES = {
    "a": ["a man rides a horse", "a person on a horse"],
    "b": ["two dogs play in the snow"],
    3: ["a red bus on the street.", "A bus", "the street"],
}
CAPTIONS = ["a man on a horse", "dogs run in snow", "A bus on a street", ""]
MIX = "CIDEr + 2*METEOR + 0.5*Bleu_4 - ROUGE_L"


def make(expression=MIX, **options):
    return spidercap.Scorer(expression, REFERENCES, **{"paraphrases": False} | options)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SPIDERCAP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "digests"


@pytest.mark.parametrize("df", ["corpus", "coco"])
def test_a_reward_is_the_weighted_sum_of_what_score_gives(df):
    ids = ["b", 3, "a"]
    found = spidercap.score(dict(zip(ids, CAPTIONS[:3], strict=True)), REFERENCES, df=df, paraphrases=False)
    weights = {"CIDEr": 1, "METEOR": 2, "Bleu_4": 0.5, "ROUGE_L": -1}
    expected = [sum(weight * found.per_image[i][metric] for metric, weight in weights.items()) for i in ids]
    rewards = make(df=df).score(ids, CAPTIONS[:3])
    assert rewards.dtype == np.float64
    assert rewards.tolist() == pytest.approx(expected, rel=1e-14)


@given(st.lists(st.tuples(st.sampled_from(list(REFERENCES)), st.sampled_from(CAPTIONS)), max_size=12))
@settings(max_examples=30)
def test_a_caption_gets_the_same_reward_in_any_batch(pairs):
    scorer = make("CIDEr + METEOR")
    together = scorer.score([i for i, _ in pairs], [c for _, c in pairs])
    assert together.tolist() == [scorer.score([i], [c])[0] for i, c in pairs]


def test_metrics_are_columns_in_the_order_of_the_expression():
    scorer = make()
    assert list(scorer.weights) == ["CIDEr", "METEOR", "Bleu_4", "ROUGE_L"]
    columns = scorer.metrics(["a"], ["a person on a horse"])
    assert columns.shape == (1, 4)
    assert columns[0, 3] == 1.0


def test_called_in_the_style_of_trl():
    scorer = make("Bleu_1")
    rewards = scorer(ids=["a", "b"], completions=CAPTIONS[:2], prompts=["x", "y"], trainer_state=None)
    assert rewards == scorer.score(["a", "b"], CAPTIONS[:2]).tolist()
    assert all(type(reward) is float for reward in rewards)


def test_threads_share_one_scorer():
    scorer = make()
    ids, captions = ["a", "b", 3, 3] * 200, CAPTIONS * 200
    expected = scorer.score(ids, captions).tolist()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: scorer.score(ids, captions).tolist(), range(32)))
    assert all(one == expected for one in found)


def test_the_signature_names_all_that_the_reward_depends_on():
    version = spidercap.__version__
    assert make("CIDEr + 0.5*METEOR", df="corpus").signature == (
        f"1*(CIDEr-D|n:4|sigma:6|tok:ptb|df:corpus(3)|spidercap:{version}) + "
        f"0.5*(METEOR-1.5|en|tok:ptb|modules:exact+stem+synonym|spidercap:{version})"
    )


@pytest.mark.parametrize(
    ("ids", "captions", "message"),
    [
        (["z"], ["a"], "the Scorer has no references of the image 'z'"),
        (["a", "b"], ["a"], "2 ids and 1 captions; give one id for each caption"),
        (["a"], [None], "the caption of image 'a' is NoneType, expected text"),
    ],
)
def test_bad_batches_are_named(ids, captions, message):
    with pytest.raises(DataError, match=message):
        make("CIDEr").score(ids, captions)


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ({}, "a Scorer needs references of at least one image"),
        ({1: []}, "the references of image 1 must be a list of one or more captions"),
        ({1: "a dog"}, "the references of image 1 must be a list of one or more captions"),
        ({1: ["a", 2]}, "a reference of image 1 is not text"),
    ],
)
def test_bad_references_are_named(references, message):
    with pytest.raises(DataError, match=message):
        spidercap.Scorer("CIDEr", references)


def test_a_tokenizer_that_looks_at_neighbours_is_refused():
    with pytest.raises(UsageError, match="their scores would depend on how they are cut into batches; use ptb here"):
        make("CIDEr", tokenizer="ptb-compat")


def test_an_empty_batch_has_no_rewards():
    assert make().score([], []).shape == (0,)


def test_kept_digests_give_the_same_rewards_without_tokenising_again(cache, monkeypatch):
    expected = make().score(list(REFERENCES), CAPTIONS[:3]).tolist()
    assert make(keep=True).score(list(REFERENCES), CAPTIONS[:3]).tolist() == expected
    kept = {path: path.read_bytes() for path in cache.iterdir()}
    assert sorted(path.suffix for path in kept) == [".meteor", ".ngram"]
    monkeypatch.setattr(reference_digest, "tokenize_references", None)
    assert make(keep=True).score(list(REFERENCES), CAPTIONS[:3]).tolist() == expected
    assert {path: path.read_bytes() for path in cache.iterdir()} == kept


def test_without_keep_nothing_is_written(cache):
    make()
    assert not cache.exists()


@pytest.mark.parametrize("suffix", [".ngram", ".meteor"])
@pytest.mark.parametrize("damage", ["cut", "empty", "flip", "long"])
def test_damaged_digests_are_made_again(cache, suffix, damage):
    expected = make(keep=True).score(list(REFERENCES), CAPTIONS[:3]).tolist()
    (path,) = cache.glob(f"*{suffix}")
    content = path.read_bytes()
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 0x55
    damaged = {"cut": content[: len(content) // 2], "empty": b"", "flip": bytes(flipped), "long": content + b"x" * 8}
    path.unlink()
    path.write_bytes(damaged[damage])
    assert make(keep=True).score(list(REFERENCES), CAPTIONS[:3]).tolist() == expected
    assert path.read_bytes() == content


def test_a_digest_that_cannot_be_written_is_named(cache):
    make("CIDEr", keep=True)
    (path,) = cache.iterdir()
    path.unlink()
    path.mkdir()
    with pytest.raises(DataError, match=f"{path.name} cannot be written"):
        make("CIDEr", keep=True)


def test_a_digest_is_kept_by_what_decides_it(cache):
    def names(**options):
        make("CIDEr", keep=True, **options)
        return {path.name for path in cache.iterdir()}

    first = names()
    assert names() == first
    with_table = names(df="coco")
    assert len(with_table - first) == 1
    assert len(names(tokenizer="none") - with_table) == 1
    before = names()
    spidercap.Scorer("CIDEr", {"a": ["x y"], "b": ["z"]}, keep=True)
    spidercap.Scorer("CIDEr", {"a": ["x", "y"], "b": ["z"]}, keep=True)
    spidercap.Scorer("CIDEr", {"a": ["x"], "b": ["y", "z"]}, keep=True)
    assert len(names() - before) == 3


def test_metrics_of_one_family_of_statistics_share_a_digest(cache):
    make("Bleu_4", keep=True)
    make("ROUGE_L + CIDEr", keep=True)
    assert len(list(cache.iterdir())) == 1


def test_a_cache_that_cannot_be_made_is_named(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SPIDERCAP_CACHE", str(tmp_path / "file"))
    with pytest.raises(DataError, match="digests cannot be made: .*; set SPIDERCAP_CACHE to a folder"):
        make("CIDEr", keep=True)


def test_two_processes_may_keep_a_digest_at_once(cache):
    code = (
        "import spidercap; r = {i: [f'a dog {i} runs', 'two cats', str(i)] for i in range(2000)};"
        "s = spidercap.Scorer('CIDEr + METEOR', r, paraphrases=False, keep=True);"
        "print(s.score(list(r), ['a dog runs']*2000).sum())"
    )
    crew = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    printed = {process.communicate()[0] for process in crew}
    assert len(printed) == 1
    assert float(printed.pop()) > 0
    assert [process.returncode for process in crew] == [0, 0, 0]
    assert sorted(path.suffix for path in cache.iterdir()) == [".meteor", ".ngram"]
