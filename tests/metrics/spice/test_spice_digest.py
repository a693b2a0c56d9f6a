"""SPICE digests on disk: the same numbers, no parse at the second start, and never a crash."""

import math
import struct

import numpy as np
import pytest

import spidercap
from spidercap import _native
from spidercap.metrics import reference_digest
from spidercap.metrics.reference_digest import ReferenceTexts
from spidercap.metrics.settings import Settings
from spidercap.metrics.spice import spice_digest
from spidercap.metrics.spice.spice_digest import SpiceDigest

REFERENCES = {
    "a": ["a man rides a brown horse", "two people on a horse"],
    "b": ["two dogs play in the snow"],
    "c": ["", "."],
    "d": ["the woman's red hat", "a young girl or woman in a gray grey hat"],
}
CAPTIONS = ["a person on a brown horse", "dogs in snow", "a cat", "a girl with a hat and a hat"]
TOKENS = [list(texts) for texts in REFERENCES.values()]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SPIDERCAP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "digests"


def digested(tokens):
    return SpiceDigest.of(ReferenceTexts(tokens, Settings(), tokenised=True), Settings(threads=1))


def loaded(path):
    return SpiceDigest.load(path, "key", Settings())


def rows(digest, captions):
    """One caption for each of the first images."""
    return digest.statistics(np.arange(len(captions), dtype=np.int64), captions, ["tuples"], 1)["tuples"]


def make(keep=True, references=REFERENCES):
    return spidercap.Scorer("SPIDEr", references, df="coco", keep=keep)


def rewards(scorer):
    return scorer.score(list(REFERENCES), CAPTIONS).tolist()


def test_a_loaded_digest_is_the_saved_one(tmp_path):
    made = digested(TOKENS)
    made.save(tmp_path / "digest", "key")
    read = loaded(tmp_path / "digest")
    assert rows(read, CAPTIONS).tolist() == rows(made, CAPTIONS).tolist()
    for image, caption in enumerate(CAPTIONS):
        assert read.details(image, caption).as_json() == made.details(image, caption).as_json()
    read.save(tmp_path / "again", "key")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "digest").read_bytes()


def test_the_second_start_parses_nothing(cache, monkeypatch):
    expected = rewards(make(keep=False))
    assert not cache.exists()
    assert rewards(make()) == expected
    assert sorted(path.suffix for path in cache.iterdir()) == [".ngram", ".spice"]
    monkeypatch.setattr(SpiceDigest, "of", None)
    monkeypatch.setattr(reference_digest, "tokenize_references", None)
    assert rewards(make()) == expected


@pytest.mark.parametrize("what", ["parser", "lexicon", "references"])
def test_a_digest_is_kept_by_what_decides_it(cache, monkeypatch, what):
    make()
    if what == "parser":
        other = type("Parser", (), {"hash": "other", "parse": spice_digest.caption_parser().parse})
        monkeypatch.setattr(spice_digest, "caption_parser", lambda: other)
    if what == "lexicon":
        monkeypatch.setattr(spice_digest, "lexicon_hash", lambda: "other")
    make(references=REFERENCES | {"a": ["a man"]} if what == "references" else REFERENCES)
    assert len(list(cache.glob("*.spice"))) == 2


@pytest.mark.parametrize("damage", ["cut", "empty", "flip", "long", "key"])
def test_damaged_digests_are_made_again(cache, damage):
    expected = rewards(make())
    (path,) = cache.glob("*.spice")
    content = path.read_bytes()
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 0x55
    digested(TOKENS).save(path, "another key")
    other = path.read_bytes()
    damaged = {"cut": content[: len(content) // 2], "empty": b"", "flip": bytes(flipped), "long": content + b"x" * 8}
    path.unlink()
    path.write_bytes((damaged | {"key": other})[damage])
    assert rewards(make()) == expected
    assert path.read_bytes() == content


def test_every_cut_and_every_flipped_byte_is_noticed(tmp_path):
    path = tmp_path / "digest"
    digested(TOKENS[:2]).save(path, "key")
    content = path.read_bytes()
    damaged = [content[:size] for size in range(0, len(content), 7)]
    for place in range(0, len(content), 3):
        flipped = bytearray(content)
        flipped[place] ^= 0x10
        damaged.append(bytes(flipped))
    for bad in damaged:
        path.write_bytes(bad)
        with pytest.raises(_native.FlatFileError):
            loaded(path)


# Magic, version and byte order, key; text, ends of texts, strings, their ends, tuples, and three counts an image.
SIZES = (1, 4, 1, 1, 8, 4, 4, 20, 4, 4, 4)
MASK = (1 << 64) - 1


def read_vectors(content):
    vectors, at = [], 0
    for size in SIZES:
        (count,) = struct.unpack_from("<Q", content, at)
        vectors.append(bytearray(content[at + 8 : at + 8 + count * size]))
        at += 8 + count * size
    assert at + 8 == len(content)
    return vectors


def with_checksum(vectors):
    """A file of these vectors whose checksum is right."""
    state, content = 0xCBF29CE484222325, b""
    for vector, size in zip(vectors, SIZES, strict=True):
        for part in (struct.pack("<Q", len(vector) // size), bytes(vector)):
            content += part
            whole = len(part) // 8 * 8
            for at in range(0, whole, 8):
                state = (state ^ int.from_bytes(part[at : at + 8], "little")) * 0x9E3779B97F4A7C15 & MASK
                state ^= state >> 31
            for byte in part[whole:]:
                state = (state ^ byte) * 0x9E3779B97F4A7C15 & MASK
    return content + struct.pack("<Q", state)


@pytest.mark.parametrize("vector", range(4, len(SIZES)))
def test_numbers_that_cannot_be_are_noticed_whatever_the_checksum_says(tmp_path, vector):
    path = tmp_path / "digest"
    digested(TOKENS).save(path, "key")
    vectors = read_vectors(path.read_bytes())
    assert with_checksum(vectors) == path.read_bytes()
    vectors[vector][0:4] = b"\xff\xff\xff\x7f"
    path.write_bytes(with_checksum(vectors))
    with pytest.raises(_native.FlatFileError, match="damaged"):
        loaded(path)


def test_what_is_not_a_number_is_null_in_json():
    details = digested([["a dog"]]).details(0, "two dogs")
    assert math.isnan(details.scores["Color"]["f"])
    assert details.as_json()["scores"]["Color"]["f"] is None
    assert digested([[""]]).details(0, "a dog").scores["All"]["f"] == 0


@pytest.mark.parametrize(
    "caption",
    ["", "a dog", "the dog is brown", "a man on a horse and a man on a horse", "a red dog on the green hill " * 100],
)
def test_repeated_tuples_are_counted(caption):
    (row,) = rows(digested([["a dog"]]), [caption])
    tuples = spice_digest.raw_tuples(caption)
    assert row[1:].tolist() == [len(tuples), len(tuples) - len(set(tuples))]


def test_a_repetition_worked_by_hand():
    # The rules for copulas and for predicate adjectives both see that the dog is brown.
    assert rows(digested([["a dog"]]), ["the dog is brown"]).tolist() == [[2 / 3, 3, 1]]
