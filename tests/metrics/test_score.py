"""`spidercap.score`: forms of input, what comes back, bad input, and what must never change a number."""

import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spidercap
from spidercap.errors import DataError, UsageError
from spidercap.metrics import chunks
from spidercap.metrics import systems as systems_module

CANDIDATES = ["a man on a horse", "dogs run in snow"]
REFERENCES = [["a man rides a horse", "a person on a horse"], ["two dogs play in the snow"]]
NGRAM = ["bleu", "rouge", "cider", "cider_original"]
# Every metric that needs no extra.
ALL = {"metrics": [*NGRAM, "meteor"], "paraphrases": False}
WORDS = st.lists(
    st.sampled_from(["a", "man", "dog", "Dogs", "runs", "'s", "the.", "big,", "été", "\r", "("]), max_size=9
).map(" ".join)
SETS = st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=9)


def test_the_worked_example_of_the_specification():
    found = spidercap.score(CANDIDATES, REFERENCES, NGRAM)
    assert found.corpus == pytest.approx(
        {
            "Bleu_1": 0.711766580212326,
            "Bleu_2": 0.49422585472236275,
            "Bleu_3": 0.3394613580480448,
            "Bleu_4": 5.684404483233366e-05,
            "ROUGE_L": (0.8 + 0.5791139240506329) / 2,
            "CIDEr": (3.8095238095238098 + 1.4481987601098405) / 2,
            "CIDEr_original": found.corpus["CIDEr_original"],
        },
        rel=0,
        abs=1e-12,
    )
    assert found.per_image[0]["CIDEr"] == 3.8095238095238098
    assert found.per_image.column("ROUGE_L").tolist() == [0.8, 0.5791139240506329]


def test_dicts_keep_the_callers_ids_in_the_order_of_the_references():
    by_id = spidercap.score({"y": CANDIDATES[1], 7: CANDIDATES[0]}, {7: REFERENCES[0], "y": REFERENCES[1]}, NGRAM)
    assert list(by_id.per_image) == [7, "y"]
    assert by_id.per_image["y"] == spidercap.score(CANDIDATES, REFERENCES, NGRAM).per_image[1]
    assert len(by_id.per_image) == 2
    assert by_id.details == {}


def test_perfect_captions_bring_no_chunk_to_the_corpus_score_of_meteor():
    found = spidercap.score(
        ["a red bus", "two dogs play"], [["a red bus"], ["two dogs play"]], "meteor", paraphrases=False
    )
    assert found.corpus["METEOR"] == 1.0


def test_the_default_is_the_coco_evaluation_with_spice_and_spider():
    found = spidercap.score(CANDIDATES, REFERENCES, paraphrases=False)
    seven = ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR", "ROUGE_L", "CIDEr"]
    assert list(found.corpus) == [*seven, "SPICE", "SPIDEr"]


def test_signatures_say_what_must_be_equal():
    found = spidercap.score(CANDIDATES, REFERENCES, **ALL)
    version = spidercap.__version__
    assert found.signature == {
        **{f"Bleu_{n}": f"BLEU|n:4|closest|clipped|tok:ptb|spidercap:{version}" for n in (1, 2, 3, 4)},
        "ROUGE_L": f"ROUGE-L|beta:1.2|tok:ptb|spidercap:{version}",
        "CIDEr": f"CIDEr-D|n:4|sigma:6|tok:ptb|df:corpus(2)|spidercap:{version}",
        "CIDEr_original": f"CIDEr|n:4|tok:ptb|df:corpus(2)|spidercap:{version}",
        "METEOR": f"METEOR-1.5|en|tok:ptb|modules:exact+stem+synonym|spidercap:{version}",
    }
    other = spidercap.score(CANDIDATES, REFERENCES, "cider", tokenizer="none", df="corpus")
    assert "tok:none" in other.signature["CIDEr"]
    table = spidercap.score(CANDIDATES, REFERENCES, "cider", df="coco").signature["CIDEr"]
    assert re.search(r"\|df:coco-val2014\(40504,[0-9a-f]{8}\)\|", table)


def test_a_single_image_warns_and_says_why():
    found = spidercap.score(CANDIDATES[:1], REFERENCES[:1], ["CIDEr"])
    assert found.corpus["CIDEr"] == 0
    assert any("every n-gram occurs in all images, so its weight is log(1/1) = 0" in text for text in found.warnings)
    assert spidercap.score(CANDIDATES[:1], REFERENCES[:1], ["Bleu_4"]).warnings == ()


def test_empty_captions_are_scored_and_counted():
    found = spidercap.score(["", " ", CANDIDATES[1]], [*REFERENCES, ["x"]], **ALL)
    assert found.per_image[0] == dict.fromkeys(found.corpus, 0.0)
    assert found.warnings == ("2 of 3 captions are empty; they are scored, and lower the scores",)


def test_an_empty_reference_counts_in_the_divisor_of_cider():
    one = spidercap.score(CANDIDATES, [REFERENCES[0], ["two dogs play in the snow"]], "cider").per_image[1]["CIDEr"]
    two = spidercap.score(CANDIDATES, [REFERENCES[0], ["two dogs play in the snow", ""]], "cider").per_image[1]["CIDEr"]
    assert two == pytest.approx(one / 2)


def test_without_a_tokenizer_rouge_keeps_empty_pieces():
    """As the specification has it: split at U+0020 alone, so blanks around and between words are words."""
    found = spidercap.score(["a  b", " a b"], [["a  b"], ["a b"]], ["rouge", "bleu"], tokenizer="none")
    assert found.per_image[0]["ROUGE_L"] == 1.0
    precision, recall = 2 / 3, 1.0
    assert found.per_image[1]["ROUGE_L"] == pytest.approx(2.44 * precision * recall / (recall + 1.44 * precision))
    assert found.per_image[1]["Bleu_2"] == pytest.approx(1, abs=1e-8)


@pytest.mark.parametrize(
    ("candidates", "references", "message"),
    [
        (["a"], {1: ["a"]}, "must be two lists, or two dicts with the same ids"),
        (["a", "b"], [["a"]], "2 candidates and 1 lists of references; give one for each"),
        ([], [], "there is nothing to score"),
        ({}, {}, "there is nothing to score"),
        ({1: "a", 2: "b"}, {1: ["a"]}, "1 of 2 images have no references, the first is 2; .* the same ids"),
        ({1: "a"}, {1: ["a"], 2: ["b"]}, "1 of 2 images have no caption, the first is 2"),
        ([None], [["a"]], "the caption of image 0 is NoneType, expected text"),
        ([3.5], [["a"]], "the caption of image 0 is float, expected text"),
        ([["a"]], [["a"]], "the caption of image 0 is list, expected text"),
        (["a"], ["a b"], "the references of image 0 must be a list of one or more captions"),
        (["a"], [[]], "the references of image 0 must be a list of one or more captions"),
        (["a"], [None], "the references of image 0 must be a list of one or more captions"),
        ({"x": "a"}, {"x": ["a", None]}, "a reference of image 'x' is not text"),
    ],
)
def test_bad_input_is_named(candidates, references, message):
    with pytest.raises(DataError, match=message):
        spidercap.score(candidates, references, NGRAM)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tokenizer": "moses"}, "`tokenizer` must be one of ptb, ptb-compat, none, got 'moses'"),
        ({"threads": -1}, r"`threads` must be 0 \(all cores\) or more, got -1"),
        ({"metrics": ["blue"]}, r"unknown metric 'blue'; did you mean bleu\?"),
        ({"metrics": []}, "no metric was asked for"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(UsageError, match=message):
        spidercap.score(CANDIDATES, REFERENCES, **options)


def same(one, other):
    assert one.corpus == other.corpus
    assert dict(one.per_image) == dict(other.per_image)


@given(SETS, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_the_order_of_images_changes_no_number(images, random):
    shuffled = random.sample(list(enumerate(images)), len(images))
    forth = spidercap.score({i: c for i, (c, _) in enumerate(images)}, {i: r for i, (_, r) in enumerate(images)}, **ALL)
    back = spidercap.score({i: c for i, (c, _) in shuffled}, {i: r for i, (_, r) in shuffled}, **ALL)
    same(forth, back)


@given(SETS, st.integers(1, 4))
@settings(max_examples=40)
@pytest.mark.parametrize("tokenizer", ["ptb", "ptb-compat", "none"])
def test_chunks_and_threads_change_no_number(tokenizer, images, size):
    captions, references = [c for c, _ in images], [r for _, r in images]
    whole = spidercap.score(captions, references, tokenizer=tokenizer, threads=1, **ALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(systems_module, "CHUNK", size)
        same(whole, spidercap.score(captions, references, tokenizer=tokenizer, threads=2, **ALL))


def test_several_chunks_are_really_made(monkeypatch):
    made = []
    monkeypatch.setattr(systems_module, "CHUNK", 1)
    digest = chunks.Digest
    monkeypatch.setattr(chunks, "Digest", lambda *a, **k: made.append(a) or digest(*a, **k))
    spidercap.score(CANDIDATES, REFERENCES, NGRAM)
    assert len(made) == 2


def test_compat_lexes_all_captions_as_one_text():
    """A final single letter and period is read with the caption after it: `K.` before `A ` is `k`, alone it is `k.`."""
    references = [["the letter K"], ["a dog"]]
    captions = ["The letter K.", "A dog"]
    alone = spidercap.score(captions, references, "Bleu_1")
    together = spidercap.score(captions, references, "Bleu_1", tokenizer="ptb-compat")
    assert alone.per_image[0]["Bleu_1"] == pytest.approx(2 / 3)
    assert together.per_image[0]["Bleu_1"] == pytest.approx(1)


@given(SETS)
@settings(max_examples=40)
def test_scores_stay_in_their_range(images):
    found = spidercap.score([c for c, _ in images], [r for _, r in images], **ALL)
    for scores in [found.corpus, *found.per_image.values()]:
        for metric, value in scores.items():
            assert 0 <= value <= (10.0000001 if metric.startswith("CIDEr") else 1), metric


def test_importing_and_scoring_needs_neither_torch_nor_scipy():
    code = (
        "import sys, spidercap; spidercap.score(['a'], [['a']], ['bleu', 'rouge']);"
        "print([m for m in ('torch', 'scipy', 'rich', 'cyclopts') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_the_package_has_no_other_attribute():
    with pytest.raises(AttributeError, match="has no attribute 'scorer'"):
        getattr(spidercap, "scor" + "er")


def test_captions_too_long_for_meteor_are_an_error_of_the_data():
    long = "dog " * 3000
    assert spidercap.score([long], [[long]], "rouge").corpus["ROUGE_L"] == 1
    with pytest.raises(DataError, match="METEOR cannot be computed: caption 0: the caption has 3000 words"):
        spidercap.score([long], [[long]], "meteor", paraphrases=False)
