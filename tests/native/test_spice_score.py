"""Scene graphs and SPICE scores: by hand, and against a slow reference written straight from the definitions."""

import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spidercap import _native
from spidercap.metrics.spice.lexicon import load_lexicon


class Concept:
    """A set of strings and the synsets of all of them."""

    def __init__(self, text):
        self.strings = [text]
        self.synsets = set(load_lexicon().synsets(text))

    def equals(self, other):
        return set(self.strings) == set(other.strings) and self.synsets == other.synsets

    def similarity(self, other):
        if set(self.strings) & set(other.strings):
            return 1.0
        union = self.synsets | other.synsets
        return len(self.synsets & other.synsets) / len(union) if union else 0.0

    def absorb(self, other):
        self.strings += [text for text in other.strings if text not in self.strings]
        self.synsets |= other.synsets


def place(known, new, graded):
    """The concept of a list that takes the new one in, which is appended if none does."""
    for concept in known:
        if concept.equals(new):
            return concept
    ranked = [(concept.similarity(new) if graded else min(1, math.ceil(concept.similarity(new)))) for concept in known]
    if ranked and max(ranked) > 0:
        found = known[ranked.index(max(ranked))]
        found.absorb(new)
        return found
    known.append(new)
    return new


def merged(tuples):
    """The tuples of the scene graph, in any order, as lists of concepts."""
    nodes, attributes, relations = [], {}, {}
    for tuple_ in tuples:
        first = place(nodes, Concept(tuple_[0]), graded=True)
        if len(tuple_) == 2:
            place(attributes.setdefault(id(first), (first, []))[1], Concept(tuple_[1]), graded=False)
        if len(tuple_) == 3:
            second = place(nodes, Concept(tuple_[1]), graded=True)
            known = relations.setdefault((id(first), id(second)), (first, second, []))[2]
            place(known, Concept(tuple_[2].removeprefix("be ")), graded=False)
    return (
        [[node] for node in nodes]
        + [[node, value] for node, values in attributes.values() for value in values]
        + [[a, value, b] for a, b, values in relations.values() for value in values]
    )


def matches(ours, theirs):
    return len(ours) == len(theirs) and all(a.similarity(b) > 0 for a, b in zip(ours, theirs, strict=True))


def slow_counts(candidate, references):
    ours, theirs = merged(candidate), merged(references)
    return sum(any(matches(a, b) for b in theirs) for a in ours), len(ours), len(theirs)


def details(candidate, references):
    graphs = _native.SpiceReferences(load_lexicon())
    return graphs.details(graphs.add(references), candidate)


OBJECTS = ["man", "men", "person", "people", "dog", "puppy", "cat", "hot dog", "frankfurter", "street", "road", "zzz"]
ATTRIBUTES = ["red", "crimson", "big", "large", "two", "2", "gray", "grey", "white", "clean", "tall", ""]
PREDICATES = ["on", "be on", "ride", "riding", "sit on", "have", "near", "be near", " up"]
TUPLES = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(OBJECTS)),
        st.tuples(st.sampled_from(OBJECTS), st.sampled_from(ATTRIBUTES)),
        st.tuples(st.sampled_from(OBJECTS), st.sampled_from(OBJECTS), st.sampled_from(PREDICATES)),
    ),
    max_size=12,
)


@given(candidate=TUPLES, references=TUPLES)
@settings(deadline=None, max_examples=300)
def test_counts_are_those_of_the_slow_reference(candidate, references):
    scores, ours, theirs = details(candidate, references)
    tp, candidates, reference_count = slow_counts(candidate, references)
    assert (scores["All"]["tp"], len(ours), len(theirs)) == (tp, candidates, reference_count)
    printed = sorted(["/".join(sorted(c.strings)) for c in each] for each in merged(references))
    assert sorted([["/".join(sorted(text.split("/"))) for text in each] for each, _ in theirs]) == printed


def test_a_worked_example():
    scores, ours, theirs = details(
        [("dog", "grass", "run on"), ("dog", "brown"), ("dog",), ("grass",)],
        [("dog", "field", "run on"), ("puppy", "brown"), ("dog",), ("grass",)],
    )
    # "puppy" shares no synset with "dog"; "field" none with "grass".
    assert ours == [
        (("dog",), True),
        (("grass",), True),
        (("dog", "brown"), False),
        (("dog", "run on", "grass"), False),
    ]
    assert theirs == [
        (("dog",), True),
        (("grass",), True),
        (("dog", "run on", "field"), False),
        (("field",), False),
        (("puppy",), False),
        (("puppy", "brown"), False),
    ]
    assert scores["All"] == {
        "tp": 2,
        "fp": 2,
        "fn": 4,
        "pr": 0.5,
        "re": 1 / 3,
        "f": 2 * (0.5 * (1 / 3)) / (0.5 + 1 / 3),
    }
    assert scores["Object"]["f"] == pytest.approx(2 * 1 * 0.5 / 1.5)
    assert scores["Color"] == {"tp": 0, "fp": 1, "fn": 1, "pr": 0.0, "re": 0.0, "f": 0.0}


def bucket(text):
    """Where a string lies in the hash table of sixteen buckets that printing follows."""
    number = 0
    for character in text:
        number = (number * 31 + ord(character)) % 2**32
    return (number ^ number >> 16) % 16


def test_synonyms_merge_and_match():
    _, _, theirs = details([], [("sofa",), ("couch",), ("sofa", "gray"), ("couch", "grey")])
    noun, color = ("/".join(sorted(pair, key=bucket)) for pair in (["sofa", "couch"], ["gray", "grey"]))
    assert [each for each, _ in theirs] == [(noun,), (noun, color)]
    assert details([("sofa",)], [("couch",)])[0]["All"]["f"] == 1.0


@pytest.mark.parametrize("nodes", [("flannel", "snowy"), ("snowy", "flannel")])
def test_of_two_equally_similar_nodes_the_older_takes_the_new_string(nodes):
    new, *known = (Concept(text) for text in ("white", *nodes))
    assert known[0].similarity(new) == known[1].similarity(new) > 0 == known[0].similarity(known[1])
    _, _, theirs = details([], [(nodes[0],), (nodes[1],), ("white",)])
    assert {frozenset(text.split("/")) for (text,), _ in theirs} == {
        frozenset([nodes[0], "white"]),
        frozenset([nodes[1]]),
    }


def test_a_merged_attribute_belongs_to_no_sub_category():
    scores, _, _ = details([("road", "gray")], [("road", "gray"), ("road", "grey")])
    assert scores["Attribute"]["tp"] == 1
    assert (scores["Color"]["tp"], scores["Color"]["fp"]) == (0, 1)
    assert math.isnan(scores["Color"]["f"])


def test_no_reference_tuples():
    scores, _, _ = details([("dog", "red")], [])
    assert scores["All"] == {"tp": 0, "fp": 2, "fn": 0, "pr": 0.0, "re": 0.0, "f": 0.0}
    for name in ("Object", "Attribute", "Relation", "Cardinality", "Color", "Size"):
        assert all(math.isnan(scores[name][key]) for key in ("pr", "re", "f"))


def test_no_candidate_tuples():
    scores, ours, _ = details([], [("dog", "two")])
    assert ours == []
    assert scores["All"] == {"tp": 0, "fp": 0, "fn": 2, "pr": 0.0, "re": 0.0, "f": 0.0}
    assert scores["Cardinality"] == {"tp": 0, "fp": 0, "fn": 1, "pr": 0.0, "re": 0.0, "f": 0.0}


def test_a_reference_tuple_may_be_used_twice_so_misses_may_be_negative():
    scores, _, _ = details([("dog", "red"), ("dog", "crimson"), ("dog", "ruddy")], [("dog", "red"), ("dog",)])
    assert scores["All"]["tp"] - scores["All"]["fn"] > 0


def test_a_leading_be_is_dropped():
    scores, _, theirs = details([("dog", "hill", "be on")], [("dog", "hill", "on"), ("dog", "hill", "be be by")])
    assert scores["Relation"]["tp"] == 1
    assert ("dog", "be by", "hill") in [each for each, _ in theirs]


def test_synsets_of_irregular_forms_phrases_and_stems():
    lexicon = load_lexicon()
    assert set(lexicon.synsets("man")) <= set(lexicon.synsets("men"))
    assert set(lexicon.synsets("dog")) <= set(lexicon.synsets("Dogs"))
    assert lexicon.synsets("hot dog") == lexicon.synsets(" hot_dog ")
    assert set(lexicon.synsets("hot dog")) & set(lexicon.synsets("frankfurter"))
    assert lexicon.synsets("zzzz") == lexicon.synsets("") == []


def test_tuples_of_four_or_none_are_refused():
    for wrong in [()], [("a", "b", "c", "d")]:
        with pytest.raises(ValueError, match="one to three strings"):
            details(wrong, [])


def captions_of(nouns):
    captions = _native.ParsedCaptions()
    for noun in nouns:
        captions.start_caption()
        if noun:
            captions.add_sentence(["a", noun], ["DT", "NN"], [2, 0], ["det", "root"])
    return captions


def test_batches_score_like_single_captions_on_any_number_of_threads():
    nouns = [OBJECTS[i * i % len(OBJECTS)].replace(" ", "_") for i in range(200)] + [""]
    captions = captions_of(nouns)
    references = _native.SpiceReferences(load_lexicon())
    for first in range(0, 195, 5):
        assert references.add_parsed(captions, first, first + 5) == first // 5
    images = np.arange(201, dtype=np.int64) % len(references)
    one = references.score(images, captions)
    np.testing.assert_array_equal(one, references.score(images, captions, threads=2))
    single = [
        references.details(image, captions.tuples(i, load_lexicon()))[0]["All"]["f"] for i, image in enumerate(images)
    ]
    np.testing.assert_array_equal(one[:, 0], single)
    assert 0 < one.mean() < 1


def test_images_may_be_added_while_others_are_scored():
    captions = captions_of(["dog", "cat"] * 500)
    references = _native.SpiceReferences(load_lexicon())
    references.add([("dog",)])
    images = np.zeros(1000, dtype=np.int64)
    thread = threading.Thread(target=lambda: [references.add([(f"thing{i}", "red")]) for i in range(500)])
    thread.start()
    for _ in range(20):
        np.testing.assert_array_equal(references.score(images, captions, threads=2)[:, 0], [1.0, 0.0] * 500)
    thread.join()
    assert len(references) == 501


def test_wrong_images_are_refused():
    references = _native.SpiceReferences(load_lexicon())
    references.add([("dog",)])
    captions = captions_of(["dog"])
    for wrong in (1, -1):
        with pytest.raises(IndexError, match="not among the 1 images"):
            references.score(np.array([wrong], dtype=np.int64), captions)
    with pytest.raises(ValueError, match="1 captions but 2 images"):
        references.score(np.zeros(2, dtype=np.int64), captions)
    with pytest.raises(IndexError):
        references.details(1, [])
    with pytest.raises(IndexError):
        references.add_parsed(captions, 0, 2)


def test_no_captions_no_scores():
    references = _native.SpiceReferences(load_lexicon())
    assert references.score(np.zeros(0, dtype=np.int64), _native.ParsedCaptions(), threads=2).shape == (0, 3)
