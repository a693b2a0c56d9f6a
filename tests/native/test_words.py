"""Words in the native core against the regular expression that defines them."""

import re
import sys
import threading
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spidercap._native import WordIndex, count_words, split_words

LETTERS = st.sampled_from("aZk09' -.\n\u212a\u0130\u0131\u00e9\u2028\U0001f600")
CAPTIONS = st.one_of(st.text(LETTERS), st.text(st.characters(exclude_categories=["Cs"])))


def reference(caption):
    return re.findall(r"[a-z0-9']+", caption.lower())


@given(CAPTIONS)
def test_words_are_the_matches_of_the_expression(caption):
    assert split_words(caption) == reference(caption)


def test_every_character_of_unicode_is_lowered_as_python_does():
    characters = (chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
    text = " ".join(f"x{character}y" for character in characters)
    assert split_words(text) == reference(text)


@given(st.lists(CAPTIONS))
def test_counts_are_those_of_the_words(captions):
    assert count_words(captions) == Counter(word for caption in captions for word in reference(caption))


@given(st.lists(CAPTIONS), st.lists(st.from_regex(r"[a-z0-9']{1,3}", fullmatch=True), unique=True))
def test_ids_are_those_of_the_words(captions, words):
    ids, starts = WordIndex(words, 3, 2).encode(captions)
    expected = [[words.index(word) + 3 if word in words else 2 for word in reference(text)] for text in captions]
    assert [ids[starts[i] : starts[i + 1]].tolist() for i in range(len(captions))] == expected
    assert (ids.dtype, starts.dtype) == (np.int32, np.int64)


def test_worked_by_hand():
    assert split_words("A man's T-shirt, no. 7!") == ["a", "man's", "t", "shirt", "no", "7"]
    ids, starts = WordIndex(["dog", "a"], 3, 2).encode(["A dog!", "", "the dog"])
    assert (ids.tolist(), starts.tolist()) == ([4, 3, 2, 3], [0, 2, 2, 4])


def test_several_threads_may_encode_at_once():
    index, captions = WordIndex(["dog"], 3, 2), ["a dog"] * 20_000
    sums = []
    workers = [threading.Thread(target=lambda: sums.append(int(index.encode(captions)[0].sum()))) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sums == [100_000, 100_000]
