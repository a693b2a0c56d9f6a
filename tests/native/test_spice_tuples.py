"""From a parsed sentence to raw SPICE tuples: sentences worked through by hand with the rules."""

import pytest

from spidercap import _native
from spidercap.metrics.spice.lexicon import load_lexicon


def parsed(*sentences):
    """One caption; each word of a sentence is word/TAG/head/label."""
    captions = _native.ParsedCaptions()
    captions.start_caption()
    for sentence in sentences:
        fields = [token.rsplit("/", 3) for token in sentence.split()]
        words, tags, heads, labels = zip(*fields, strict=True) if fields else ((), (), (), ())
        captions.add_sentence(words, tags, [int(head) for head in heads], labels)
    return captions


def tuples(*sentences):
    return parsed(*sentences).tuples(0, load_lexicon())


def edges(sentence, enhanced=False):
    """Edges as text; a copy of a word has a stroke."""
    (graph,) = parsed(sentence).graphs(0, load_lexicon(), enhanced)
    return {f"{label}({a}{chr(39) * ac},{b}{chr(39) * bc})" for label, a, ac, b, bc in graph}


# Sentence, then its tuples in the order of the rules.
SENTENCES = [
    (
        "a/DT/2/det dog/NN/0/root in/IN/4/case front/NN/2/nmod of/IN/7/case a/DT/7/det house/NN/4/nmod",
        [("dog", "house", "in front of"), ("dog",), ("house",), ("front",)],
    ),
    (
        "a/DT/2/det man/NN/4/nsubj is/VBZ/4/cop next/JJ/0/root to/TO/7/case a/DT/7/det car/NN/4/nmod",
        [("man", "car", "next to"), ("car",), ("man",)],
    ),
    (
        "a/DT/2/det couple/NN/5/nsubj of/IN/4/case girls/NNS/2/nmod play/VBP/0/root chess/NN/5/dobj",
        [("girl", "chess", "play"), ("girl", "a"), ("chess",), ("girl",), ("couple",)],
    ),
    (
        "one/CD/5/nsubj of/IN/4/case the/DT/4/det boys/NNS/1/nmod ate/VBD/0/root apples/NNS/5/dobj",
        [("boy", "apple", "eat"), ("boy", "one"), ("apple",), ("boy",)],
    ),
    (
        "a/DT/2/det boy/NN/0/root and/CC/2/cc his/PRP$/5/nmod:poss dog/NN/2/conj",
        [("boy", "dog", "have"), ("boy",), ("dog",)],
    ),
    (
        "a/DT/2/det girl/NN/3/nsubj walks/VBZ/0/root to/TO/5/case school/NN/3/nmod and/CC/5/cc from/IN/8/case "
        "church/NN/5/conj",
        [("girl", "school", "walk to"), ("girl", "church", "walk from"), ("school",), ("church",), ("girl",)],
    ),
    (
        "people/NNS/2/nsubj stand/VBP/0/root near/IN/7/case and/CC/3/cc on/IN/3/conj a/DT/7/det bus/NN/2/nmod",
        [("people", "bus", "stand near"), ("people", "bus", "stand on"), ("bus",), ("people",)],
    ),
    (
        "a/DT/2/det horse/NN/4/nsubj is/VBZ/4/auxpass ridden/VBN/0/root by/IN/7/case a/DT/7/det man/NN/4/nmod",
        [("man", "horse", "ride"), ("man",), ("horse",)],
    ),
    (
        "a/DT/2/det man/NN/3/nsubj picks/VBZ/0/root up/RP/3/compound:prt a/DT/6/det box/NN/3/dobj",
        [("man", "box", "pick up"), ("box",), ("man",)],
    ),
    (
        "the/DT/2/det kite/NN/3/nsubj is/VBZ/0/root up/RP/3/compound:prt a/DT/6/det tree/NN/3/dobj",
        [("kite", "tree", " up"), ("tree",), ("kite",)],
    ),
    (
        "two/CD/2/nummod dogs/NNS/3/nsubj chase/VBP/0/root three/CD/5/nummod cats/NNS/3/dobj",
        [("dog", "cat", "chase"), ("dog", "two"), ("cat", "three"), ("cat",), ("dog",)],
    ),
    ("a/DT/3/det fire/NN/3/compound truck/NN/0/root", [("truck", "fire")]),
    (
        "the/DT/2/det dog/NN/4/nsubj is/VBZ/4/cop brown/JJ/0/root",
        [("dog", "brown"), ("dog", "brown"), ("dog",)],
    ),
    (
        "Red/JJ/2/amod Cats/NNS/3/nsubj Sleep/VBP/0/root and/CC/3/cc eat/VBP/3/conj fish/NN/5/dobj",
        [("cat", "fish", "eat"), ("cat", "sleep"), ("cat", "red"), ("fish",), ("cat",)],
    ),
    (
        "cups/NNS/0/root on/IN/3/case tables/NNS/1/nmod or/CC/1/cc boxes/NNS/1/conj",
        [("cup", "table", "on"), ("cup",), ("box",), ("table",)],
    ),
    ("one/CD/2/nummod dog/NN/0/root", [("dog",)]),
    ("dogs/NNS/0/root two/CD/1/nummod", [("dog",)]),
]


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES)
def test_tuples_of(sentence, expected):
    assert tuples(sentence) == expected


def test_flat_two_word_preposition():
    found = edges("he/PRP/2/nsubj ran/VBD/0/root out/IN/5/case of/IN/5/case town/NN/2/nmod")
    assert found == {"root(0,2)", "nsubj(2,1)", "case(5,3)", "mwe(3,4)", "nmod:out_of(2,5)"}


def test_a_copy_of_the_verb_carries_the_second_preposition():
    found = edges("people/NNS/2/nsubj stand/VBP/0/root near/IN/6/case and/CC/3/cc on/IN/3/conj buses/NNS/2/nmod")
    assert {"nmod:near(2,6)", "nmod:on(2',6)", "nsubj(2',1)", "conj:and(2,2')", "conj:and(3,5)"} <= found


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("cat/NN/0/root as/RB/1/cc well/RB/2/mwe as/IN/2/mwe dog/NN/1/conj", "conj:and(1,5)"),
        ("red/JJ/0/root but/CC/1/cc rather/RB/4/advmod dark/JJ/1/conj", "conj:negcc(1,4)"),
        ("red/JJ/0/root but/CC/1/cc also/RB/4/advmod dark/JJ/1/conj", "conj:and(1,4)"),
        ("tea/NN/0/root not/RB/1/cc to/TO/4/mark mention/VB/2/mwe cake/NN/1/conj", "conj:and(1,5)"),
        ("tea/NN/0/root cake/NN/1/conj OR/CC/1/cc", "conj:OR(1,2)"),
        ("tea/NN/0/root Or/CC/1/cc cake/NN/1/conj", "conj:or(1,3)"),
        ("tea/NN/0/root cake/NN/1/conj", "conj(1,2)"),
        ("tea/NN/0/root and/CC/1/cc cake/NN/1/conj but/CC/1/cc milk/NN/1/conj", "conj:and(1,3)"),
        ("tea/NN/0/root and/CC/1/cc cake/NN/1/conj but/CC/1/cc milk/NN/1/conj", "conj:but(1,5)"),
    ],
)
def test_names_of_conjunctions(sentence, expected):
    assert expected in edges(sentence)


def test_plural_pronouns_may_stand_for_plural_nouns_and_singular_ones_not():
    assert tuples("dogs/NNS/0/root with/IN/4/case their/PRP$/4/nmod:poss bones/NNS/1/nmod")[1:2] == [
        ("dog", "bone", "have")
    ]
    assert ("dog", "bone", "have") not in tuples("dogs/NNS/0/root with/IN/4/case its/PRP$/4/nmod:poss bones/NNS/1/nmod")


def attributes_of_car(children):
    """Attributes, in order, of a noun at position 17 with adjectives at 14, 15, 16 and other words before."""
    adjectives = ["old/JJ/17/amod", "wet/JJ/17/amod", "red/JJ/17/amod"]
    others = ["so/RB/17/advmod"] * (children - 3) + ["so/RB/1/advmod"] * (16 - children)
    return [attribute for _, attribute in tuples(" ".join([*others, *adjectives, "car/NN/0/root"]))[:3]]


def test_children_from_the_sixteenth_position_on_wrap_round():
    assert attributes_of_car(children=12) == ["red", "old", "wet"]
    assert attributes_of_car(children=13) == ["old", "wet", "red"]


def test_sentences_of_a_caption_follow_each_other():
    assert tuples("dogs/NNS/0/root", "a/DT/2/det cat/NN/0/root") == [("dog",), ("cat",)]


def test_captions_without_words_or_sentences_have_no_tuples():
    assert tuples() == []
    assert tuples("") == []


def test_lemmas_follow_word_and_tag():
    lexicon = load_lexicon()
    expected = {
        ("dogs", "NNS"): "dog",
        ("Dogs", "NNS"): "dog",
        ("dogs", "NN"): "dogs",
        ("women", "NNS"): "woman",
        ("bus", "NNS"): "bus",
        ("riding", "VBG"): "ride",
        ("ridden", "VBN"): "ride",
        ("riding", "NN"): "riding",
        ("bigger", "JJR"): "bigger",
        ("Paris", "NNP"): "Paris",
        ("an", "DT"): "a",
        ("me", "PRP"): "I",
        ("I", "PRP"): "I",
        ("their", "PRP$"): "they",
        ("'s", "VBZ"): "be",
        ("'d", "VBD"): "have",
        ("'d", "MD"): "would",
        ("n't", "RB"): "not",
        ("-lrb-", "NNS"): "-lrb-_NNS",
        ("", "NNS"): "",
    }
    assert {pair: lexicon.lemma(*pair) for pair in expected} == expected


def test_unknown_words_follow_their_ending():
    lexicon = load_lexicon()
    assert lexicon.lemma("blorptrucks", "NNS") == "blorptruck"
    assert lexicon.lemma("glimberies", "NNS") == "glimbery"
    assert lexicon.lemma("blorpwalking", "VBG") == "blorpwalk"


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("zombis", "NNS", "zombi"),
        ("stats", "NNS", "stats"),
        ("hogties", "VBZ", "hogtie"),
        ("galaxies", "NNS", "galaxy"),
        ("teeming", "VBG", "teem"),
        # What stands behind a hyphen changes as it would alone.
        ("blorp-held", "VBN", "blorp-hold"),
        ("café-goers", "NNS", "café-goer"),
        # Other characters than letters, digits and apostrophes behind it: no other form.
        ("façades", "NNS", "façades"),
        ("plants/trees", "NNS", "plants/trees"),
        ("hue.phubai", "NNS", "hue.phubai"),
    ],
)
def test_rare_words_have_the_lemma_that_the_reference_gives_them(word, tag, lemma):
    assert load_lexicon().lemma(word, tag) == lemma


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("dog/XX/0/root", "unknown part-of-speech tag 'XX'"),
        ("dog/NN/0/rot", "unknown dependency label 'rot'"),
        ("dog/NN/0/nmod:agent", "unknown dependency label"),
        ("dog/NN/2/root", "head 2 of word 1"),
        ("dog/NN/1/root", "head 1 of word 1"),
        ("dog/NN/-1/root", "head -1 of word 1"),
    ],
)
def test_bad_parses_are_refused(sentence, message):
    with pytest.raises(ValueError, match=message):
        parsed(sentence)


def test_unequal_lengths_are_refused():
    captions = _native.ParsedCaptions()
    captions.start_caption()
    with pytest.raises(ValueError, match="as many tags, heads and labels as words"):
        captions.add_sentence(["dog"], ["NN", "NN"], [0], ["root"])


def test_a_sentence_needs_a_caption():
    with pytest.raises(ValueError, match="start_caption"):
        _native.ParsedCaptions().add_sentence(["dog"], ["NN"], [0], ["root"])


def test_a_caption_that_is_not_there_is_an_index_error():
    with pytest.raises(IndexError):
        parsed("dog/NN/0/root").tuples(1, load_lexicon())


def test_files_of_another_kind_are_refused():
    with pytest.raises(ValueError, match="lemma file does not start"):
        _native.SpiceLexicon(b"something else\n", b"")
    with pytest.raises(ValueError, match="synset file does not start"):
        _native.SpiceLexicon(b"spidercap lemmas 1\n", b"something else\n")
    with pytest.raises(ValueError, match="ends too early"):
        _native.SpiceLexicon(b"spidercap lemmas 1\n", b"spidercap synsets 1\n\x05\x00\x05")
