"""CIDEr-D and original CIDEr: against a slow reference, with frequencies of the references and from a table."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spidercap._native import DocumentFrequencies, FlatFileError, NgramReferences

Counts = Counter[tuple[str, ...]]


def ngrams(caption: str) -> Counts:
    words = caption.split()
    return Counter(tuple(words[i : i + n]) for n in range(1, 5) for i in range(len(words) - n + 1))


def naive_frequencies(references: list[list[str]]) -> Counts:
    return Counter(gram for refs in references for gram in {g for reference in refs for g in ngrams(reference)})


def weights(caption: str, frequencies: Counts, log_images: float) -> tuple[list[dict], list[float]]:
    vectors: list[dict] = [{}, {}, {}, {}]
    for gram, count in ngrams(caption).items():
        vectors[len(gram) - 1][gram] = count * (log_images - math.log(max(1.0, frequencies[gram])))
    return vectors, [math.sqrt(sum(w * w for w in vector.values())) for vector in vectors]


def naive_cider(candidate: str, references: list[str], frequencies: Counts, log_images: float, clipped: bool) -> float:
    sums = [0.0] * 4
    vectors, norms = weights(candidate, frequencies, log_images)
    for reference in references:
        others, other_norms = weights(reference, frequencies, log_images)
        difference = max(0, len(candidate.split()) - 1) - max(0, len(reference.split()) - 1)
        for n in range(4):
            value = 0.0
            for gram, weight in vectors[n].items():
                other = others[n].get(gram, 0.0)
                value += (min(weight, other) if clipped else weight) * other
            if norms[n] != 0 and other_norms[n] != 0:
                value /= norms[n] * other_norms[n]
            sums[n] += value * (math.e ** (-(difference**2) / 72.0) if clipped else 1.0)
    return (sums[0] + sums[1] + sums[2] + sums[3]) / 4 / len(references) * 10


def check(digest: NgramReferences, images: list[tuple[list[str], str]], frequencies: Counts, log_images: float) -> None:
    result = digest.score(np.arange(len(images)), [candidate for _, candidate in images], ["cider", "cider_d"])
    for name, clipped in (("cider_d", True), ("cider", False)):
        expected = [naive_cider(candidate, refs, frequencies, log_images, clipped) for refs, candidate in images]
        assert result[name].tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12)


CAPTIONS = st.lists(st.sampled_from(["a", "b", "c", "d", "dog", "x\u00a0y", "strange"]), max_size=9).map(" ".join)
IMAGES = st.lists(st.tuples(st.lists(CAPTIONS, min_size=1, max_size=10), CAPTIONS), min_size=1, max_size=6)


@settings(deadline=None)
@given(IMAGES)
def test_frequencies_of_the_references(images):
    references = [refs for refs, _ in images]
    check(NgramReferences(references), images, naive_frequencies(references), math.log(len(images)))


GRAMS = st.lists(st.sampled_from(["a", "b", "c", "zebra"]), min_size=1, max_size=4).map(tuple)


@settings(deadline=None)
@given(IMAGES, st.dictionaries(GRAMS, st.integers(1, 50)))
def test_frequencies_from_a_table(images, table):
    frequencies = DocumentFrequencies()
    frequencies.add_counts([" ".join(gram) for gram in table], np.array(list(table.values()), dtype=np.int64), 50)
    check(NgramReferences([refs for refs, _ in images], frequencies), images, Counter(table), math.log(50))


@settings(deadline=None)
@given(IMAGES, IMAGES)
def test_counted_frequencies_add_up(first, second):
    references = [[refs for refs, _ in images] for images in (first, second)]
    frequencies = DocumentFrequencies()
    for part in references:
        frequencies.add(part)
    names, counts = frequencies.counts()
    assert frequencies.images == len(first) + len(second)
    assert dict(zip(names, counts.tolist(), strict=True)) == {
        " ".join(gram): count for gram, count in naive_frequencies(references[0] + references[1]).items()
    }


@settings(deadline=None)
@given(IMAGES)
def test_entries_of_frequency_one_may_be_left_out(images):
    references, candidates = [refs for refs, _ in images], [candidate for _, candidate in images]
    counted, table = DocumentFrequencies(), DocumentFrequencies()
    counted.add(references)
    names, counts = counted.counts(minimum=2)
    assert all(count >= 2 for count in counts)
    table.add_counts(names, counts, counted.images)
    results = [
        digest.score(np.arange(len(images)), candidates, ["cider_d"])["cider_d"].tolist()
        for digest in (NgramReferences(references), NgramReferences(references, table))
    ]
    assert results[0] == results[1]


def test_the_logarithm_of_the_images_may_be_given():
    table = DocumentFrequencies()
    table.add_counts(["a"], np.array([3]), 0)
    images = [(["a b c"], "a b")]
    check(NgramReferences([["a b c"]], table, log_images=2.5), images, Counter({("a",): 3}), 2.5)


def test_a_single_image_scores_zero_with_its_own_frequencies():
    result = NgramReferences([["a b c d"]]).score(np.array([0]), ["a b c d"], ["cider_d", "cider"])
    assert result["cider_d"].tolist() == result["cider"].tolist() == [0.0]


def test_short_captions_reach_a_quarter_per_order():
    references = [["a"], ["b c"], ["d e f"], ["g h i j"]]
    result = NgramReferences(references).score(np.arange(4), ["a", "b c", "d e f", "g h i j"], ["cider", "cider_d"])
    assert result["cider_d"].tolist() == pytest.approx([2.5, 5.0, 7.5, 10.0])
    assert result["cider"].tolist() == pytest.approx([2.5, 5.0, 7.5, 10.0])


def test_references_without_a_word_score_zero():
    result = NgramReferences([[""], [" "]]).score(np.arange(2), ["a", ""], ["cider", "cider_d"])
    assert result["cider_d"].tolist() == result["cider"].tolist() == [0.0, 0.0]


def test_tables_are_checked():
    table = DocumentFrequencies()
    with pytest.raises(ValueError, match="1 to 4 words"):
        table.add_counts(["a b c d e"], np.array([2]), 1)
    with pytest.raises(ValueError, match="in 1 to 2147483647, found 0"):
        table.add_counts(["a"], np.array([0]), 1)
    with pytest.raises(ValueError, match="found 2 counts and 1 n-grams"):
        table.add_counts(["a"], np.array([1, 2]), 1)
    table.add_counts(["a"], np.array([7]), 5)
    with pytest.raises(ValueError, match="at least the largest document frequency 7, found 5"):
        NgramReferences([["a"]], table)


def test_a_saved_digest_gives_the_same_scores(tmp_path):
    references = [["a b c d", "a b"], ["c d e"], ["b " * 20, "x y"]]
    digest = NgramReferences(references)
    digest.save(tmp_path / "digest", "key")
    loaded = NgramReferences.load(tmp_path / "digest", "key")
    metrics = ["bleu", "rouge_l", "cider_d", "cider"]
    before, after = (d.score(np.array([2, 0, 1]), ["b b x", "a b d", "é"], metrics) for d in (digest, loaded))
    assert (loaded.images, loaded.references, loaded.nbytes) == (3, 5, digest.nbytes)
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_a_digest_of_other_references_or_a_damaged_one_is_refused(tmp_path):
    path = tmp_path / "digest"
    NgramReferences([["a b c d"]]).save(path, "key")
    with pytest.raises(FlatFileError, match="was made from other references"):
        NgramReferences.load(path, "other")
    whole = path.read_bytes()
    flipped = whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:]
    for damaged in (whole[:-9], whole[: len(whole) // 2], whole[:10], b"", flipped, whole + b"x"):
        path.write_bytes(damaged)
        with pytest.raises(FlatFileError, match="digest"):
            NgramReferences.load(path, "key")
    with pytest.raises(FlatFileError, match="cannot be read"):
        NgramReferences.load(tmp_path / "absent")
    with pytest.raises(FlatFileError, match="cannot be written"):
        NgramReferences([["a"]]).save(tmp_path / "no" / "folder")
