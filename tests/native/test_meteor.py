"""The native METEOR against worked examples and against a slow, obvious twin written from its description."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spidercap._native import (
    MeteorReferences,
    MeteorResources,
    ParaphraseCompiler,
    meteor_additive,
    meteor_score,
    meteor_stem,
    meteor_tokens,
)

SYNONYMS = {"boy": {1, 2}, "son": {2}, "mouse": {3}, "dog": {4}, "hound": {4, 5}, "big": {6}, "large": {6}, "run": {7}}
IRREGULAR = {"mice": {3}, "ran": {7}}
PARAPHRASES = {
    ("before",): [("front",), ("front", "of"), ("in", "front"), ("in", "front", "of")],
    ("dog",): [("dogs",)],
    ("dogs",): [("dog",), ("hound", "dog")],
    ("front",): [("before",)],
    ("in", "front"): [("before",), ("run",)],
    ("million",): [("000",)],
}
FUNCTION = {"a", "the", "of", "in"}


def varint(value):
    return bytes([value & 0x7F | 0x80]) + varint(value >> 7) if value >= 0x80 else bytes([value])


def wordnet_bytes(*tables):
    encoded = b""
    for table in tables:
        encoded += varint(len(table))
        for word, synsets in sorted(table.items()):
            numbers = sorted(synsets)
            differences = [b - a for a, b in zip([0, *numbers], numbers, strict=False)]
            encoded += bytes((0, len(word))) + word.encode() + varint(len(numbers)) + b"".join(map(varint, differences))
    return np.frombuffer(encoded, dtype=np.uint8)


def index_bytes(paraphrases):
    compiler = ParaphraseCompiler()
    for source in sorted(paraphrases, key=" ".join):
        for target in paraphrases[source]:
            compiler.feed(f"0.5\n{' '.join(source)}\n{' '.join(target)}\n".encode())
    return compiler.finish(bytes(range(32)))


def resources(paraphrases=PARAPHRASES):
    index = None if paraphrases is None else index_bytes(paraphrases)
    return MeteorResources(wordnet_bytes(SYNONYMS, IRREGULAR), index)


def statistics(caption, *references, using=None):
    digest = MeteorReferences(using or resources(), [list(references)])
    return digest.statistics(np.array([0]), [caption])[0].tolist()


def score(caption, *references, using=None):
    return MeteorReferences(using or resources(), [list(references)]).score(np.array([0]), [caption])[0]


# --- normalisation and stems ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("caption", "tokens"),
    [
        ("A man's dog isn't here.", "a man 's dog isn 't here ."),
        ("a man 's dog", "a man ' s dog"),
        ("dog. the cat", "dog. the cat"),
        ("dog. The cat", "dog . the cat"),
        ("The dog sat. 5 cats", "the dog sat . 5 cats"),
        ("No. 5 bus", "no. 5 bus"),
        ("no. 5 bus", "no . 5 bus"),
        ("Mr. Smith met Dr. Who.", "mr. smith met dr. who ."),
        ("in the U.S. today", "in the us today"),
        ("p.m. now", "pm now"),
        ("e.g. a cat", "eg a cat"),
        ("3.5 feet.", "3.5 feet ."),
        ("wait...then..go....", "wait ... then .. go ...."),
        ("a,b,c", "a , b,c"),
        ("1,000 and 10,5,6 a,5 5,a", "1,000 and 10,5,6 a , 5 5 , a"),
        ("well-known x-y-z 1-2-3", "well known x y-z 1 2-3"),
        ("-lrb- a -rrb-", "-lrb- a -rrb-"),
        ("a - b -- c --- d \u2013 e \u2014 f", "a - b - c -- d - e \u2014 f"),
        ("`` quoted '' and \"q\"", '" quoted " and " q "'),
        ("'90s rock 'n' roll dogs' o'clock", "' 90s rock ' n ' roll dogs ' o 'clock"),
        ("5's 5'a 5'10", "5 's 5'a 5 ' 10"),
        ("\u5bd2\u6708 \U0001f600", "\u5bd2 \u6708 \U0001f600"),
        ("e\u0301", "e \u0301"),
        ("50% $5 a/b a_b #1 (x)", "50 % $ 5 a / b a _ b # 1 ( x )"),
        ("a.b a.b. .5 5. .", "a.b ab .5 5 . ."),
        ("\u00a0", ""),
        ("", ""),
        ("\x01a\x01 b\x01", "a \x01 b"),
        ("A\tB\r\nC", "a b c"),
        ("\u0130\u212a \u03a3", "i\u0307 k \u03c3"),
    ],
)
def test_tokens(caption, tokens):
    assert " ".join(meteor_tokens(caption)) == tokens


@given(st.text(alphabet="aZ09 é\u0416", max_size=30))
def test_text_without_punctuation_is_only_lowered_and_split(caption):
    assert meteor_tokens(caption) == caption.lower().split()


@given(st.text(max_size=40))
def test_any_text_gives_lower_case_tokens_without_blanks(caption):
    for token in meteor_tokens(caption):
        assert token
        assert token == token.lower()
        assert not set(token) & set(" \t\n\r\f")


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("skis", "ski"),
        ("added", "ad"),
        ("evening", "even"),
        ("paste", "past"),
        ("organized", "organ"),
        ("news", "news"),
        ("by", "by"),
        ("ties", "tie"),
        ("cries", "cri"),
        ("hopping", "hop"),
        ("hoping", "hope"),
        ("using", "use"),
        ("generously", "generous"),
        ("communities", "communiti"),
        ("relational", "relat"),
        ("geology", "geolog"),
        ("toys", "toy"),
        ("gas", "gas"),
        ("kiwis", "kiwi"),
        ("herring", "herring"),
        ("'tis'", "tis"),
        ("youth", "youth"),
        ("national", "nation"),
        ("talkative", "talkat"),
        ("controlling", "control"),
        ("adoption", "adopt"),
        ("caf\u00e9s", "caf\u00e9"),
    ],
)
def test_stem(word, stem):
    assert meteor_stem(word) == stem


# --- scores worked by hand -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("caption", "references", "expected"),
    [
        ("dog", ["dog"], 1.0),
        ("dog", ["cat"], 0.0),
        ("", ["a dog"], 0.0),
        ("a dog", [""], 0.0),
        ("", [""], 0.0),
        ("a dog", ["", "a dog"], 1.0),
        ("boy", ["son"], 0.8),
        ("mice", ["mouse"], 0.8),
        ("million", ["000"], 0.6),
        ("dogs", ["dog"], 0.0),
        ("a dogs", ["a dog"], 0.7),
        ("x dogs", ["x dog"], 0.8),
        ("the of", ["of the"], 0.4),
        ("a", ["a a a"], 0.14814814814814814),
        ("tv", ["v8"], 1.0),
        ("before", ["in front of"], 0.6),
        ("in front of", ["before"], 0.258352917461762),
        ("a a a", ["a a"], 0.4443438716486749),
        ("the dog", ["the the dog dog"], 0.2581998173093651),
    ],
)
def test_score(caption, references, expected):
    assert score(caption, *references) == pytest.approx(expected, abs=1e-12)


def test_the_first_of_equal_references_gives_the_statistics():
    assert statistics("a b", "a", "b", "a b c")[:2] == [2, 1]
    assert statistics("a dog", "x y z", "u v")[:2] == [2, 3]


def test_the_separator_of_the_protocol_vanishes_from_captions_and_splits_references():
    assert score("a|||b", "ab") == 1.0
    assert score("dog", "cat|||dog") == 1.0
    assert score("a dog", "|||") == 0.0


def test_without_paraphrases_that_module_finds_nothing():
    assert score("million", "000", using=resources(None)) == 0.0
    assert resources(None).paraphrase_source is None
    assert resources().paraphrase_source == bytes(range(32))


def test_a_perfect_caption_counts_no_chunk_in_the_sum():
    rows = np.array([statistics("a dog", "a dog"), statistics("dog a", "a dog")])
    assert rows[:, 20].tolist() == [1, 2]
    assert meteor_additive(rows)[:, 20].tolist() == [0, 2]
    assert meteor_score(rows) == pytest.approx([1.0, 0.4])


# --- the twin ------------------------------------------------------------------------------------------------------


def polynomial(word):
    value = 0
    for unit in np.frombuffer(word.encode("utf-16-le"), dtype="<u2").tolist():
        value = (31 * value + unit) % 2**32
    return value


def synsets(word):
    if word in IRREGULAR:
        return SYNONYMS.get(word, set()) | IRREGULAR[word]
    base = SYNONYMS.get(word[:-1], set()) if word.endswith("s") and len(word) > 2 else set()
    return SYNONYMS.get(word, set()) | base


def spans(words, phrase):
    size = len(phrase)
    return [i for i in range(len(words) - size + 1) if tuple(words[i : i + size]) == phrase]


def twin_candidates(h, r, paraphrases):
    """(module, r, lr, h, lh) in order of generation."""
    same = [[polynomial(a) == polynomial(b) for b in h] for a in r]
    yield from ((0, i, 1, j, 1) for i in range(len(r)) for j in range(len(h)) if same[i][j])
    if list(map(polynomial, h)) == list(map(polynomial, r)):
        return
    for i, a in enumerate(r):
        for j, b in enumerate(h):
            if not same[i][j] and meteor_stem(a) == meteor_stem(b):
                yield 1, i, 1, j, 1
    for i, a in enumerate(r):
        for j, b in enumerate(h):
            if not same[i][j] and synsets(a) & synsets(b):
                yield 2, i, 1, j, 1
    for i in range(len(r)):
        for size in range(1, 8):
            for target in paraphrases.get(tuple(r[i : i + size]), []) if i + size <= len(r) else []:
                yield from ((3, i, size, j, len(target)) for j in spans(h, target))
    for j in range(len(h)):
        for size in range(1, 8):
            for target in paraphrases.get(tuple(h[j : j + size]), []) if j + size <= len(h) else []:
                yield from ((3, i, len(target), j, size) for i in spans(r, target))


def twin_alignment(h, r, candidates, width):
    lists = [[c for c in candidates if c[1] == i] for i in range(len(r))]
    cover_r = [sum(c[1] <= i < c[1] + c[2] for c in candidates) for i in range(len(r))]
    cover_h = [sum(c[3] <= j < c[3] + c[4] for c in candidates) for j in range(len(h))]
    fixed = [
        len(own) == 1
        and set(cover_r[i : i + own[0][2]]) == {1}
        and set(cover_h[own[0][3] : own[0][3] + own[0][4]]) == {1}
        for i, own in enumerate(lists)
    ]

    def value(c):
        return 2 if c[0] == 0 else c[2] // 2 + c[4] // 2

    def ordered(states):
        return sorted(states, key=lambda s: (-s[0], s[1], s[2]))[:width]

    states = [(0, 0, 0, 0, None, frozenset(), ())]  # K, C, D, next, E, used words of h, chosen
    for i, own in enumerate(lists):
        produced = []
        for k, c, d, following, end, used, chosen in ordered(states):
            if i < following:
                produced.append((k, c, d, following, end, used, chosen))
                continue
            for m in own:
                words = set(range(m[3], m[3] + m[4]))
                if used & words:
                    continue
                broken = end is not None and end != m[3]
                own_d = d + abs(i - m[3]) if fixed[i] else d
                produced.append((k + value(m), c + broken, own_d, i + m[2], m[3] + m[4], used | words, (*chosen, m)))
                d += abs(i - m[3])
            if not fixed[i]:
                produced.append((k, c + (end is not None), d, i + 1, None, used, chosen))
        states = produced
    closed = [(s[0], s[1] + (s[4] is not None), *s[2:]) for s in ordered(states)]
    return ordered(closed)[0][6]


def twin_statistics(h, r, paraphrases, width=40):
    row = [0] * 23
    row[:4] = len(h), len(r), sum(w in FUNCTION for w in h), sum(w in FUNCTION for w in r)
    before = None
    for module, i, li, j, lj in twin_alignment(h, r, list(twin_candidates(h, r, paraphrases)), width):
        for word in h[j : j + lj]:
            row[4 + 4 * module + 2 * (word in FUNCTION)] += 1
        for word in r[i : i + li]:
            row[4 + 4 * module + 2 * (word in FUNCTION) + 1] += 1
        row[20] += before != (i, j)
        row[21] += lj
        row[22] += li
        before = (i + li, j + lj)
    return row


VOCABULARY = sorted(
    {
        "a",
        "the",
        "of",
        "in",
        "tv",
        "v8",
        "x",
        "hounds",
        "dogged",
        *SYNONYMS,
        *IRREGULAR,
        "before",
        "front",
        "million",
        "000",
    }
)
words = st.sampled_from(VOCABULARY)
few_words = st.sampled_from(["a", "dog", "dogs", "hound", "in", "front", "before"])
phrases = st.lists(few_words, min_size=1, max_size=3).map(tuple)
tables = st.dictionaries(phrases, st.lists(phrases, max_size=4, unique=True).map(sorted), max_size=12)


@settings(deadline=None)
@given(st.lists(words, max_size=12), st.lists(words, max_size=12))
def test_statistics_equal_the_twin(h, r):
    assert statistics(" ".join(h), " ".join(r)) == twin_statistics(h, r, PARAPHRASES)


@settings(deadline=None)
@given(st.lists(few_words, max_size=14), st.lists(few_words, max_size=14), tables)
def test_statistics_equal_the_twin_with_any_paraphrases(h, r, paraphrases):
    assert statistics(" ".join(h), " ".join(r), using=resources(paraphrases)) == twin_statistics(h, r, paraphrases)


@settings(deadline=None, max_examples=10)
@given(st.lists(words, min_size=66, max_size=75), st.lists(words, max_size=75))
def test_long_captions_equal_the_twin(h, r):
    assert statistics(" ".join(h), " ".join(r)) == twin_statistics(h, r, PARAPHRASES)


@pytest.mark.parametrize(
    ("caption", "reference", "other_width"),
    [
        ("dog a dog hound dogs x a dogs before", "dog before hound x x dog front a hound x before dog", 39),
        ("dog a dog hound dogs x a dogs before", "dog before hound x x dog front a hound x before dog", 41),
        (
            "x a front dogs before dogs x front hound front x dog",
            "x x hound x front dogs dogs x front dog hound a dogs",
            39,
        ),
        ("front hound x dogs dog hound dogs dogs dog x", "before before hound hound in dog dog x hound x hound", 41),
    ],
)
def test_the_beam_is_40_states_wide(caption, reference, other_width):
    expected = twin_statistics(caption.split(), reference.split(), PARAPHRASES)
    assert statistics(caption, reference) == expected
    assert twin_statistics(caption.split(), reference.split(), PARAPHRASES, other_width) != expected


def test_references_left_out_by_their_bound_would_not_have_won():
    generator = np.random.default_rng(8)
    few = ["a", "dog", "dogs", "hound", "in", "front", "before", "x", "y", "z"]
    text = lambda: " ".join(generator.choice(few, generator.integers(1, 8)))  # noqa: E731
    using = resources()
    captions = [text() for _ in range(4000)]
    references = [[text() for _ in range(6)] for _ in captions]
    images = np.arange(len(captions))
    together = MeteorReferences(using, references).statistics(images, captions)
    alone = [MeteorReferences(using, [[own[k]] for own in references]).statistics(images, captions) for k in range(6)]
    best = np.argmax([meteor_score(rows) for rows in alone], axis=0)
    assert np.array_equal(together, np.array(alone)[best, images])


@given(st.lists(words, max_size=10), st.lists(st.lists(words, max_size=10), min_size=1, max_size=5))
def test_the_best_reference_wins(h, references):
    rows = np.array([twin_statistics(h, r, PARAPHRASES) for r in references])
    best = int(np.argmax(meteor_score(rows)))
    assert statistics(" ".join(h), *(" ".join(r) for r in references)) == rows[best].tolist()


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_has_a_score_between_0_and_1(caption, reference):
    assert 0 <= score(caption, reference) <= 1
    assert score(caption, caption) in (0.0, 1.0) or len(meteor_tokens(caption)) > 1


# --- batches, digests, bad input -----------------------------------------------------------------------------------


def random_batch(images=40, captions=500):
    generator = np.random.default_rng(5)
    text = lambda: " ".join(generator.choice(VOCABULARY, generator.integers(1, 12)))  # noqa: E731
    references = [[text() for _ in range(3)] for _ in range(images)]
    return references, generator.integers(0, images, captions), [text() for _ in range(captions)]


def test_threads_and_callers_do_not_change_the_numbers():
    references, images, captions = random_batch()
    digest = MeteorReferences(resources(), references)
    alone = digest.statistics(images, captions)
    assert np.array_equal(digest.statistics(images, captions, threads=3), alone)
    found = []
    callers = [threading.Thread(target=lambda: found.append(digest.statistics(images, captions))) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert all(np.array_equal(one, alone) for one in found)


def test_a_saved_digest_scores_the_same():
    references, images, captions = random_batch()
    using = resources()
    digest = MeteorReferences(using, references)
    again = MeteorReferences.load(using, digest.save())
    assert again.images == digest.images == 40
    assert np.array_equal(again.statistics(images, captions), digest.statistics(images, captions))


def test_a_damaged_or_foreign_digest_is_refused():
    using = resources()
    saved = MeteorReferences(using, [["a dog"], ["a cat"]]).save()
    for position in range(0, saved.size, 7):
        damaged = saved.copy()
        damaged[position] ^= 1
        with pytest.raises(ValueError, match="digest"):
            MeteorReferences.load(using, damaged)
    with pytest.raises(ValueError, match="digest"):
        MeteorReferences.load(using, saved[:-1].copy())
    with pytest.raises(ValueError, match="other WordNet or paraphrase data"):
        MeteorReferences.load(resources(None), saved)


def test_digests_outlive_the_names_of_their_resources():
    digest = MeteorReferences(resources(), [["a dog"]])
    assert digest.score(np.array([0]), ["a dog"]).tolist() == [1.0]


@pytest.mark.parametrize(
    ("images", "captions", "message"),
    [([1], ["a"], "image index 1 is not among the 1 images"), ([-1], ["a"], "-1"), ([0, 0], ["a"], "found 2")],
)
def test_wrong_image_indices_are_refused(images, captions, message):
    with pytest.raises(ValueError, match=message):
        MeteorReferences(resources(), [["a"]]).score(np.array(images), captions)


def test_an_image_without_references_is_refused():
    with pytest.raises(ValueError, match="image 1 has no reference"):
        MeteorReferences(resources(), [["a"], []])


def test_gigantic_pairs_are_refused_with_the_caption_named():
    digest = MeteorReferences(resources(), [["x"], ["a " * 3000]])
    assert digest.score(np.array([0]), ["a " * 100_000])[0] == 0.0
    with pytest.raises(ValueError, match="caption 1: the caption has 3000 words and a reference 3000"):
        digest.score(np.array([0, 1]), ["x", "a " * 3000])


def test_one_word_repeated():
    row = statistics("dog " * 200, "dog " * 150)
    assert row[:2] == [200, 150]
    assert row[20:] == [1, 150, 150]


def test_an_empty_batch_has_no_scores():
    digest = MeteorReferences(resources(), [])
    assert digest.score(np.zeros(0, dtype=np.int64), []).shape == (0,)
    assert digest.statistics(np.zeros(0, dtype=np.int64), []).shape == (0, 23)


# --- the paraphrase index ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"0.5\na\n", "ends within a record"),
        (b"0.5\n\nb\n", "line 2: expected a phrase"),
        (b"0.5\nb\nc\n0.5\na\nc\n", "line 5: the source phrases are not in bytewise order"),
        (b"0.5\na b c d e f g h\nx\n", "more than 7 words"),
    ],
)
def test_malformed_tables_are_refused(text, message):
    compiler = ParaphraseCompiler()

    def compile_all():
        compiler.feed(text)
        compiler.finish(bytes(32))

    with pytest.raises(ValueError, match=message):
        compile_all()


def test_the_index_does_not_depend_on_how_the_table_is_cut():
    text = b"0.5\na\nb c\n1\na b\nc\n2.5\nd\na b c"
    whole, pieces = ParaphraseCompiler(), ParaphraseCompiler()
    whole.feed(text + b"\n")
    for i in range(len(text)):
        pieces.feed(text[i : i + 1])
    assert pieces.finish(bytes(32)).tobytes() == whole.finish(bytes(32)).tobytes()
    assert whole.records == 3


def test_a_damaged_index_is_refused():
    index = index_bytes(PARAPHRASES)
    wordnet = wordnet_bytes(SYNONYMS, IRREGULAR)
    for position in [*range(16), *range(48, index.size, 5)]:  # 16 to 47: what the index was made from
        damaged = index.copy()
        damaged[position] ^= 1
        with pytest.raises(ValueError, match="paraphrase index"):
            MeteorResources(wordnet, damaged)
    for size in (0, 10, 80, index.size - 8):
        with pytest.raises(ValueError, match="cut short"):
            MeteorResources(wordnet, index[:size].copy())


def test_malformed_synonyms_are_refused():
    whole = wordnet_bytes(SYNONYMS, IRREGULAR)
    for size in range(whole.size):
        with pytest.raises(ValueError, match="WordNet data"):
            MeteorResources(whole[:size].copy(), None)
