"""The native parser: trees, heads and labels of captions, and what it does with input that is no caption."""

import hashlib
import struct
from importlib.resources import files

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spidercap._native import CaptionParser
from spidercap.metrics.spice.lexicon import load_lexicon

from .naive_parser import NaiveParser

MODEL = files("spidercap") / "metrics" / "data" / "spice_parser.bin"
WITHOUT_LIMITS = {
    "tag_beam": 1e30,
    "tag_odds": -1e30,
    "label_odds": -1e30,
    "active_odds": -1e30,
    "class_odds": -1e30,
}
HEADER_BYTES = 48


@pytest.fixture(scope="module")
def parser():
    return CaptionParser(str(MODEL))


def test_a_caption_gets_the_tree_and_score_that_the_reference_gives_it(parser):
    tree, score, whole = parser.trees(["the surfers are headed towards the exciting wave"])[0]
    noun_phrases = "(NP (DT the) (NNS surfers))", "(NP (DT the) (JJ exciting) (NN wave))"
    verb_phrase = f"(VP (VBP are) (VP (VBN headed) (PP (IN towards) {noun_phrases[1]})))"
    assert tree == f"(ROOT (S {noun_phrases[0]} {verb_phrase}))"
    assert whole
    assert score == pytest.approx(-65.795, abs=0.02)


def test_marks_are_shown_on_request(parser):
    tree = parser.trees(["two dogs"], marks=True)[0][0]
    assert tree == "(ROOT (X-U (NP-B (CD^NP two) (NNS^NP dogs))))"


def test_heads_and_labels(parser):
    words, tags, heads, labels = parser.dependencies(["a man is riding a horse on the beach"])[0]
    assert words == ["a", "man", "is", "riding", "a", "horse", "on", "the", "beach"]
    assert tags == ["DT", "NN", "VBZ", "VBG", "DT", "NN", "IN", "DT", "NN"]
    assert heads == [2, 4, 4, 0, 6, 4, 9, 9, 6]
    assert labels == ["det", "nsubj", "aux", "root", "det", "dobj", "case", "det", "nmod"]


def test_a_passive_subject_is_told_by_its_auxiliary(parser):
    labels = parser.dependencies(["a cake is eaten by a dog"])[0][3]
    assert labels == ["det", "nsubjpass", "auxpass", "root", "case", "det", "nmod"]


def test_a_word_outside_the_vocabulary_is_parsed_by_its_shape(parser):
    unknown, rare = parser.trees(["two blorfs", "two giraffes"], marks=True)
    assert unknown[0] == rare[0].replace("giraffes", "blorfs")
    assert unknown[1] == rare[1]


def test_an_empty_caption_has_a_root_and_no_words(parser):
    assert parser.trees(["", "   "]) == [("(ROOT)", 0.0, True)] * 2
    assert parser.dependencies([""]) == [([], [], [], [])]


def is_tree(heads):
    """Whether exactly one word is the root and every word leads to it."""
    if heads.count(0) != 1:
        return False
    for word in range(1, len(heads) + 1):
        seen = set()
        while word:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word - 1]
    return True


AWKWARD = ["dog", "dog dog dog", "! ? , .", "的 猫", "🐈 🐕 a 🐈", "é", "- -- ---", "'s", "a" * 5000, "12:35 p.m. 3-d"]


@pytest.mark.parametrize("caption", AWKWARD)
def test_awkward_input_gets_a_tree(parser, caption):
    words, tags, heads, labels = parser.dependencies([caption])[0]
    assert words == caption.split()
    assert len(tags) == len(labels) == len(words)
    assert all(tags)
    assert is_tree(heads)


@pytest.mark.parametrize("length", [60, 61, 100, 1000])
def test_long_captions_are_parsed_in_pieces(parser, length):
    caption = " ".join(["a red dog runs"] * (length // 4 + 1)).split()[:length]
    heads = parser.dependencies([" ".join(caption)])[0][2]
    assert len(heads) == length
    assert is_tree(heads)


KNOWN = (
    "a the his two dog dogs man people bench snow red small running sitting rides holding is are has on in with of to "
    "and or while next very quickly there that who it up front top black tennis"
)
COMMON = "a the dog dogs running runs red on and to with is very quickly his two that xyz 3 's"
WORDS = st.sampled_from(COMMON.split()) | st.text(
    st.characters(exclude_categories=["Cs", "Zs", "Cc"]), min_size=1, max_size=6
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(WORDS | st.text(st.characters(exclude_categories=["Cs", "Zs", "Cc"]), min_size=1, max_size=6), max_size=14)
)
def test_any_row_of_words_gets_one_root(parser, words):
    heads = parser.dependencies([" ".join(words)])[0][2]
    assert not heads or is_tree(heads)


def test_the_limits_of_the_search_never_find_more_than_the_exact_search(parser):
    captions = ["a dog and a cat sit on a red chair", "two men are playing", "man with hat", "very"]
    exact = CaptionParser(str(MODEL), **WITHOUT_LIMITS).trees(captions)
    limited = parser.trees(captions)
    assert all(best[1] >= found[1] - 1e-3 for best, found in zip(exact, limited, strict=True))
    assert [best[0] for best in exact] == [found[0] for found in limited]


@pytest.fixture(scope="module")
def naive():
    return NaiveParser(MODEL.read_bytes())


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(KNOWN.split()), min_size=1, max_size=6).map(" ".join))
@example("the small black dog and the man")
@example("dogs running and dog runs")
@example("he gives her broken broken red red")
@example("a man is holding the red tennis top and sitting")
@example("there is a dog in front of the bench that rides in snow")
def test_the_search_without_limits_finds_what_the_plainest_search_finds(naive, caption):
    best = naive.best(caption)
    _, score, whole = CaptionParser(str(MODEL), **WITHOUT_LIMITS).trees([caption])[0]
    assert whole == (best is not None)
    assert best is None or score == pytest.approx(best, abs=1e-3)


@pytest.mark.parametrize(
    ("caption", "last"),
    [
        ("a man on a beach road.", ["road", "."]),
        ("fruit bread etc.", ["etc.", "."]),
        ("a sign on main st.", ["st."]),
        ("a man watching t.v.", ["t.v."]),
        ("a dog .", ["."]),
        ("a dog ...", ["..", "."]),
        ("a st. dog", ["dog"]),
    ],
)
def test_a_period_behind_the_last_word_is_a_word_unless_it_is_the_abbreviation_s(parser, caption, last):
    words = parser.dependencies([caption])[0][0]
    assert words == [*caption.split()[:-1], *last]


@pytest.mark.parametrize("end", [".", "!", "!!", "?!", "wow !!!"])
def test_a_caption_may_hold_several_sentences(parser, end):
    first, second = f"an owl naps {end}", "a goat eats the hat"
    lexicon = load_lexicon()
    apart, together = parser.parse([first, second]), parser.parse([f"{first} {second}"])
    assert len(together) == 1
    assert sorted(together.tuples(0, lexicon)) == sorted(apart.tuples(0, lexicon) + apart.tuples(1, lexicon))


def test_the_odds_of_tags_leave_fewer_tags_and_the_trees_as_they_are(parser):
    captions = [
        "a dog and a cat sit on a red chair",
        "a man riding a wave on top of a surfboard",
        "two men are playing",
    ]
    unfiltered = CaptionParser(str(MODEL), tag_odds=-1e19)
    ends, tags, margins, features = unfiltered.tag_choices(captions)
    words = sum(len(caption.split()) for caption in captions)
    assert len(ends) == words
    assert len(tags) == len(margins) == ends[-1]
    assert len(features) % words == 0
    assert len(parser.tag_choices(captions)[1]) < 0.7 * len(tags)
    assert parser.trees(captions, True) == unfiltered.trees(captions, True)


def test_a_model_in_the_making_has_no_odds(tmp_path):
    path = tmp_path / "model.bin"
    path.write_bytes(MODEL.read_bytes().replace(b"odds_units\0", b"none_units\0", 1))
    captions = ["a dog and a cat sit on a red chair"]
    unfiltered = CaptionParser(str(MODEL), tag_odds=-1e19)
    made = CaptionParser(str(path)).tag_choices(captions)
    assert all((a == b).all() for a, b in zip(made, unfiltered.tag_choices(captions), strict=True))


def test_odd_captions_have_wider_limits():
    """Where tags follow each other as they seldom do, more that is unlikely happens at once."""
    wide, narrow = CaptionParser(str(MODEL), odder=6), CaptionParser(str(MODEL), odder=0)
    for caption, is_wider in (
        ("a man is holding a small dog in the park", False),
        ("of red a the stands two quickly and", True),
    ):
        assert (len(wide.chart_items([caption])[-1]) > len(narrow.chart_items([caption])[-1])) == is_wider


@pytest.mark.parametrize(
    ("caption", "tree"),
    [
        ("baby zebra standing in the sand", "(ROOT (NP (NP (NN baby)) (NP (NP (NN zebra) (NN standing)) (PP "),
        ("a cat and a dog and a bird", "(ROOT (NP (NP (DT a) (NN cat)) (CC and) (NP (DT a) (NN dog) (CC and) "),
        ("cats and dogs and birds sit", "(ROOT (S (NP (NP (NNS cats)) (CC and) (NP (NNS dogs) (CC and) (NNS birds)))"),
    ],
)
def test_of_trees_with_the_same_score_the_one_with_the_shortest_first_part_is_taken(parser, caption, tree):
    """As the reference prints them."""
    assert parser.trees([caption])[0][0].startswith(tree)


def test_frequent_words_have_no_tags_but_their_own(parser):
    """As in the reference, where "is" is a verb whatever stands around it; "the" has been seen as a noun."""
    tags = parser.dependencies(["a stop sign the is behind some trees", "the is of the building is beautiful"])
    assert tags[0][1] == ["DT", "NN", "NN", "NN", "VBZ", "IN", "DT", "NNS"]
    assert [tag for word, tag in zip(*tags[1][:2], strict=True) if word == "is"] == ["VBZ", "VBZ"]


@pytest.mark.parametrize("word", ["their", "or", "its"])
def test_a_caption_without_a_tree_has_one_with_any_tags(parser, naive, word):
    """No tree of these words alone has the tags that they usually have: the reference then tries all tags."""
    assert naive.best(word) is not None
    assert naive._best([word], any_tag=False) is None
    _, score, whole = parser.trees([word])[0]
    assert whole
    assert score == pytest.approx(naive.best(word), abs=1e-3)


def test_captions_that_repeat_have_the_same_parse(parser):
    captions = ["a dog runs", "two cats sit", "a dog runs", "", "two cats sit", "a man sleeps"] * 60
    alone = [parser.parse([caption]) for caption in captions[:6]]
    together, lexicon = parser.parse(captions, 2), load_lexicon()
    assert len(together) == len(captions)
    for number, _ in enumerate(captions):
        assert together.tuples(number, lexicon) == alone[number % 6].tuples(0, lexicon)


def test_the_hash_is_that_of_the_content(parser):
    assert parser.hash == hashlib.sha256(MODEL.read_bytes()[HEADER_BYTES:]).hexdigest()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"", "is empty"),
        (lambda data: b"x" * 100, "is not one"),
        (lambda data: data[:8] + struct.pack("<I", 99) + data[12:], "has version 99, expected 4"),
        (lambda data: data[:500], "is cut short"),
        (lambda data: data[: len(data) // 2], "is cut short"),
    ],
)
def test_a_damaged_model_file_is_named(tmp_path, change, message):
    path = tmp_path / "model.bin"
    path.write_bytes(change(MODEL.read_bytes()))
    with pytest.raises(RuntimeError, match=f"model file {message}"):
        CaptionParser(str(path))


def section_entries(data):
    """Where the table has each section's entry: name, offset and size."""
    count = struct.unpack_from("<I", data, 12)[0]
    places = (HEADER_BYTES + 40 * number for number in range(count))
    return {data[place : place + 24].rstrip(b"\0").decode(): place for place in places}


SECTIONS = section_entries(MODEL.read_bytes())


@pytest.mark.parametrize("name", sorted(SECTIONS))
@pytest.mark.parametrize("size", [0, 2, -4])
def test_a_section_of_the_wrong_size_is_named(tmp_path, name, size):
    path, data = tmp_path / "model.bin", bytearray(MODEL.read_bytes())
    place = SECTIONS[name] + 32
    struct.pack_into("<Q", data, place, size if size >= 0 else struct.unpack_from("<Q", data, place)[0] + size)
    path.write_bytes(data)
    with pytest.raises(RuntimeError, match="model file has a damaged part, "):
        CaptionParser(str(path))


@pytest.mark.parametrize(
    "name", ["step_parent", "pair_left", "pair_right", "unary_parent", "entry_tag", "pair_steps", "state_class"]
)
def test_a_number_out_of_range_is_named(tmp_path, name):
    path, data = tmp_path / "model.bin", bytearray(MODEL.read_bytes())
    offset = struct.unpack_from("<Q", data, SECTIONS[name] + 24)[0]
    data[offset : offset + 4] = b"\xff" * 4
    path.write_bytes(data)
    with pytest.raises(RuntimeError, match=f"model file has a damaged part, {name};"):
        CaptionParser(str(path))


def test_a_section_lies_where_numbers_can_be_read(tmp_path):
    path, data = tmp_path / "model.bin", bytearray(MODEL.read_bytes())
    place = SECTIONS["tag_follows"] + 24
    struct.pack_into("<Q", data, place, struct.unpack_from("<Q", data, place)[0] - 1)
    path.write_bytes(data)
    with pytest.raises(RuntimeError, match=r"model file is damaged: .*model\.bin"):
        CaptionParser(str(path))


def test_charts_without_limits_have_estimates_too():
    features, tags, ends, *_, estimates, is_best = CaptionParser(str(MODEL), **WITHOUT_LIMITS).chart_items(
        ["a dog", ""]
    )
    assert ends[0] == ends[1] == len(estimates)
    assert len(tags) == 2
    assert len(features) % 2 == 0
    assert is_best.any()


def test_a_missing_model_file_is_named(tmp_path):
    with pytest.raises(RuntimeError, match="cannot be opened.*nothing.bin"):
        CaptionParser(str(tmp_path / "nothing.bin"))
