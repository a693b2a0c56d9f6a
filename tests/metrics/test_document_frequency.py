"""Document frequencies: counted, written, read back, and the built-in table."""

import gzip
import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spidercap
from spidercap.errors import DataError, UsageError
from spidercap.metrics.document_frequency import TITLE, DocumentFrequencies, built_in

REFERENCES = [["a b a b", "b c"], ["a b", "x"], ["x y"]]
WORDS = st.lists(st.sampled_from("abcdé"), max_size=6).map(" ".join)
IMAGES = st.lists(st.lists(WORDS, min_size=1, max_size=3), min_size=1, max_size=8)


def naive(references):
    counts = {}
    for captions in references:
        found = set()
        for words in map(str.split, captions):
            found |= {" ".join(words[i : i + n]) for n in range(1, 5) for i in range(len(words) - n + 1)}
        for ngram in found:
            counts[ngram] = counts.get(ngram, 0) + 1
    return {ngram: count for ngram, count in counts.items() if count > 1}


def file_of(tmp_path, *lines, name="x.tsv.gz"):
    path = tmp_path / name
    path.write_bytes(gzip.compress("\n".join(lines).encode() + b"\n"))
    return path


def test_images_are_counted_not_occurrences():
    frequencies = DocumentFrequencies.of([REFERENCES], "ptb", "here")
    assert frequencies.images == 3
    assert frequencies.counts == {"a": 2, "b": 2, "a b": 2, "x": 2}


@given(IMAGES, st.integers(1, 3))
def test_counts_equal_a_naive_count_whatever_the_chunks(references, size):
    chunks = [references[first : first + size] for first in range(0, len(references), size)]
    frequencies = DocumentFrequencies.of(chunks, "ptb", "here")
    assert frequencies.counts == naive(references)
    assert frequencies.images == len(references)


def test_the_file_can_be_read_by_people(tmp_path):
    path = tmp_path / "df.tsv.gz"
    DocumentFrequencies.of([REFERENCES], "ptb", "here").save(path)
    assert gzip.decompress(path.read_bytes()).decode().splitlines() == [
        TITLE,
        "# images: 3",
        "# tokenizer: ptb",
        "# source: here",
        "a\t2",
        "a b\t2",
        "b\t2",
        "x\t2",
    ]


@given(IMAGES)
def test_what_is_written_is_read(tmp_path_factory, references):
    path = tmp_path_factory.mktemp("df") / "df.tsv.gz"
    made = DocumentFrequencies.of([references], "none", "some files")
    made.save(path)
    read = DocumentFrequencies.load(path)
    assert (read.counts, read.images) == (made.counts, made.images)
    assert (read.tokenizer, read.source, read.fingerprint) == ("none", "some files", made.fingerprint)
    again = path.read_bytes()
    read.save(path)
    assert path.read_bytes() == again


def test_scores_with_the_file_of_the_references_are_those_of_the_corpus(tmp_path):
    captions, references = ["a b x", "x", "x y"], REFERENCES
    path = tmp_path / "df.tsv.gz"
    DocumentFrequencies.of([references], "ptb", "here").save(path)
    names = ["CIDEr", "CIDEr_original"]
    by_file = spidercap.score(captions, references, names, df=path)
    by_corpus = spidercap.score(captions, references, names)
    assert list(by_file.per_image.values()) == list(by_corpus.per_image.values())
    assert by_file.signature["CIDEr"].count("df:here(3,") == 1


def test_a_single_image_has_a_score_with_a_table():
    found = spidercap.score(["a man riding a horse"], [["a man riding a horse"]], ["CIDEr"], df="coco")
    assert found.corpus["CIDEr"] == pytest.approx(10.0)
    assert found.warnings == ()


def test_the_built_in_table_is_that_of_coco_val2014():
    table = built_in("coco")
    assert (table.images, table.tokenizer, table.source) == (40504, "ptb", "coco-val2014")
    assert len(table.counts) == 349_293
    assert min(table.counts.values()) == 2
    assert max(table.counts.values()) == table.counts["a"] <= 40504
    assert all(table.counts[longer] <= table.counts["in"] for longer in table.counts if longer.startswith("in "))


def test_weights_of_the_built_in_table_by_hand():
    """CIDEr of a one-word caption equal to its one reference: 10/4 if the word's weight is not 0."""
    counts = built_in("coco").counts
    assert math.log(40504 / counts["zebra"]) > 0
    found = spidercap.score(["zebra"], [["zebra"]], ["CIDEr"], df="coco")
    assert found.corpus["CIDEr"] == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["# something else"], "expected a file made by `spidercap df`, which begins with"),
        ([TITLE, "# images: 2", "# tokenizer: ptb"], r"not as `spidercap df` writes it"),
        ([TITLE, "# images: x", "# tokenizer: ptb", "# source: s"], "not as `spidercap df` writes it .*'x'"),
        ([TITLE, "# images: 2", "# tokenizer: ptb", "# source: s", "a"], "entry 1 is not an n-gram, a tab and a count"),
        ([TITLE, "# images: 2", "# tokenizer: ptb", "# source: s", "a\t2", "b\t1.5"], "entry 2 is not an n-gram"),
        ([TITLE, "# images: 2", "# tokenizer: ptb", "# source: s", "a\t-1"], "entry 1 is not an n-gram"),
        ([TITLE, "# images: 2", "# tokenizer: ptb", "# source: s", "a b c d e\t2"], "must have 1 to 4 words"),
        (
            [TITLE, "# images: 2", "# tokenizer: ptb", "# source: s", "a\t3"],
            "counts more images than the 2 of the header",
        ),
        ([TITLE, "# images: -2", "# tokenizer: ptb", "# source: s"], "not as `spidercap df` writes it"),
    ],
)
def test_damaged_files_are_refused(tmp_path, lines, message):
    with pytest.raises(DataError, match=message):
        DocumentFrequencies.load(file_of(tmp_path, *lines))


def test_a_file_that_is_not_gzip_or_cut_short(tmp_path):
    path = tmp_path / "df.tsv.gz"
    path.write_text("a\t2\n")
    with pytest.raises(DataError, match=r"df\.tsv\.gz is not a whole gzip file .*; copy it again"):
        DocumentFrequencies.load(path)
    DocumentFrequencies.of([REFERENCES], "ptb", "here").save(path)
    content = path.read_bytes()
    for end in (len(content) // 2, len(content) - 1):
        path.write_bytes(content[:end])
        with pytest.raises(DataError, match="is not a whole gzip file"):
            DocumentFrequencies.load(path)


def test_unknown_frequencies_are_named():
    with pytest.raises(UsageError, match="unknown document frequencies 'cocoo'; expected corpus, coco or a file"):
        spidercap.score(["a"], [["a"]], ["CIDEr"], df="cocoo")


def test_frequencies_of_another_tokenizer_are_refused():
    table = DocumentFrequencies.of([REFERENCES], "none", "here")
    with pytest.raises(
        UsageError, match="of here were counted with the tokenizer none, and captions are tokenised with ptb"
    ):
        spidercap.score(["a"], [["a"]], ["CIDEr"], df=table)


def test_the_lines_are_sorted_by_bytes(tmp_path):
    path = tmp_path / "df.tsv.gz"
    DocumentFrequencies.of([[["b é a z", "a"], ["é z b a"]]], "ptb", "here").save(path)
    lines = gzip.decompress(path.read_bytes()).splitlines()[4:]
    assert len(lines) == 4
    assert all(one < other for one, other in pairwise(lines))
