"""The vocabulary: order, numbers, file, and the paper's 8,855 words."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spidercap.data.intake import ReadOptions
from spidercap.data.sources import read_sources
from spidercap.errors import DataError
from spidercap.text.vocabulary import BOS, EOS, UNK, Vocabulary
from spidercap.text.words import count_words

COCO = Path(__file__).parents[2] / ".." / "shared" / "data" / "coco"
SMALL = Vocabulary(("a", "dog", "man's"))
WORDS = st.from_regex(r"[a-z0-9']{1,4}", fullmatch=True)


def test_words_by_falling_count_and_then_by_alphabet():
    counts = {"dog": 5, "a": 9, "cat": 5, "hen": 4}
    assert Vocabulary.from_counts(counts).words == ("a", "cat", "dog")
    assert Vocabulary.from_counts(counts, minimum_count=4).words == ("a", "cat", "dog", "hen")


def test_symbols_and_sizes():
    assert (BOS, EOS, UNK) == (0, 1, 2)
    assert SMALL.symbols == ("<bos>", "<eos>", "<unk>", "a", "dog", "man's")
    assert (SMALL.size, SMALL.padded_size, SMALL.never_generated.tolist()) == (6, 8, [0, 6, 7])


@pytest.mark.parametrize(("words", "padded"), [(0, 8), (5, 8), (6, 16), (8855, 8864)])
def test_the_padded_size_is_a_multiple_of_8(words, padded):
    vocabulary = Vocabulary(tuple(f"w{number}" for number in range(words)))
    assert vocabulary.padded_size == padded
    assert len(vocabulary.never_generated) == 1 + padded - words - 3


def test_encoding_worked_by_hand():
    encoded = SMALL.encode(["A dog, a DOG!", "", "the man's dog"])
    assert encoded.ids.tolist() == [3, 4, 3, 4, 2, 5, 4]
    assert encoded.starts.tolist() == [0, 4, 4, 7]
    assert (encoded.unknown, encoded.cut_count, len(encoded)) == (1, 0, 3)
    assert encoded[2].tolist() == [2, 5, 4]
    assert encoded.lengths.tolist() == [4, 0, 3]


def test_long_captions_are_cut_and_counted():
    encoded = SMALL.encode(["a dog a dog", "", "a the", "the cat a"], max_length=2)
    assert [encoded[i].tolist() for i in range(4)] == [[3, 4], [], [3, 2], [2, 2]]
    assert encoded.cut.tolist() == [True, False, False, True]
    assert (encoded.cut_count, encoded.unknown) == (2, 3)


def test_nothing_to_encode():
    encoded = SMALL.encode([])
    assert (len(encoded), encoded.ids.size, encoded.cut.size) == (0, 0, 0)
    with pytest.raises(DataError, match="`max_length` must be at least 1, got 0"):
        SMALL.encode(["a"], max_length=0)


@given(st.lists(st.lists(WORDS)), st.integers(1, 4))
def test_cutting_is_slicing(captions, limit):
    texts = [" ".join(words) for words in captions]
    vocabulary = Vocabulary(tuple(sorted({word for words in captions for word in words[::2]})))
    whole, cut = vocabulary.encode(texts), vocabulary.encode(texts, limit)
    assert [cut[i].tolist() for i in range(len(texts))] == [whole[i][:limit].tolist() for i in range(len(texts))]
    assert cut.cut.tolist() == [len(words) > limit for words in captions]


@given(st.lists(WORDS, unique=True), st.data())
def test_encoding_and_decoding_round_trip(words, data):
    vocabulary = Vocabulary(tuple(words))
    captions = data.draw(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
    encoded = vocabulary.encode(captions)
    for index, caption in enumerate(captions):
        found = re.findall(r"[a-z0-9']+", caption.lower())
        expected = " ".join(word if word in words else "<unk>" for word in found)
        assert vocabulary.decode(encoded[index]) == expected


def test_decoding_stops_at_the_end():
    assert SMALL.decode([BOS, 3, 4, EOS, 3]) == "a dog"
    assert SMALL.decode(np.array([3, UNK])) == "a <unk>"
    assert SMALL.decode([]) == ""


@pytest.mark.parametrize("identity", [6, -1])
def test_ids_outside_the_vocabulary(identity):
    with pytest.raises(DataError, match=f"id {identity} is not in the vocabulary; expected 0 to 5"):
        SMALL.decode([3, identity])


def test_the_file_is_one_symbol_a_line(tmp_path):
    SMALL.save(tmp_path / "vocabulary.txt")
    assert (tmp_path / "vocabulary.txt").read_bytes() == b"<bos>\n<eos>\n<unk>\na\ndog\nman's\n"
    assert Vocabulary.load(tmp_path / "vocabulary.txt") == SMALL


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a\ndog\n", r"v\.txt: the first three lines must be <bos>, <eos>, <unk>, found \['a', 'dog'\]"),
        ("<bos>\n<eos>\na\n", r"v\.txt: the first three lines must be"),
        ("", r"v\.txt: the first three lines must be"),
        ("<bos>\n<eos>\n<unk>\na\n\ndog\n", r"v\.txt, line 5 is blank; every line holds one word"),
        ("<bos>\n<eos>\n<unk>\na\ndog\na\n", r"v\.txt, line 6: a stands on line 4 already; words must be unique"),
        ("<bos>\n<eos>\n<unk>\nDog\n", r"v\.txt, line 4: 'Dog' is no word of captions; expected a-z, 0-9 and ' only"),
        ("<bos>\n<eos>\n<unk>\na dog\n", r"v\.txt, line 4: 'a dog' is no word"),
        ("<bos>\n<eos>\n<unk>\n<eos>\n", r"v\.txt, line 4: '<eos>' is no word"),
        ("<bos>\n<eos>\n<unk>\nbär\n", r"v\.txt, line 4: 'bär' is no word"),
    ],
)
def test_wrong_files(tmp_path, text, sentence):
    (tmp_path / "v.txt").write_text(text)
    with pytest.raises(DataError, match=sentence):
        Vocabulary.load(tmp_path / "v.txt")


@pytest.mark.skipif(not COCO.exists(), reason="needs the captions of COCO")
def test_the_words_of_the_paper():
    dataset = read_sources([COCO / "captions_train2014.jsonl.xz"], ReadOptions())
    counts = count_words([caption for image in dataset.vocabulary_images() for caption in image.captions])
    vocabulary = Vocabulary.from_counts(counts)
    assert len(vocabulary.words) == 8855
    assert vocabulary.padded_size == 8864
    assert len(Vocabulary.from_counts(counts, minimum_count=4).words) == 9902
