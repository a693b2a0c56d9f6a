"""Texts come into the native core in one way: half a surrogate pair, which is no character, becomes a blank."""

import numpy as np
import pytest

from spidercap import _native
from spidercap.metrics.meteor_data import meteor_resources
from spidercap.metrics.spice.lexicon import load_lexicon
from spidercap.metrics.spice_parser import caption_parser

# What users may hand over, and what the core then sees: each half is a blank, also two that would make a pair.
BROKEN = "a dog\ud83d\ude00 on\udfffgrass \u00e9\ud800"
CLEAN = "a dog   on grass \u00e9 "
ONE = np.zeros(1, dtype=np.int64)
REFERENCES = ["a dog on grass \u00e9", "two dogs"]


def frequencies(references):
    table = _native.DocumentFrequencies()
    table.add(references)
    return table


def table_of_counts(ngrams):
    table = _native.DocumentFrequencies()
    table.add_counts(ngrams, ONE + 1, 1)
    return table.lines()


def ngram(references):
    return _native.NgramReferences(references)


def ngram_scores(references, captions):
    scores = ngram(references).score(ONE, captions, ["bleu", "rouge_l", "cider_d", "cider"])
    return {name: values.tolist() for name, values in scores.items()}


def meteor(references):
    return _native.MeteorReferences(meteor_resources(paraphrases=False), references)


def spice(tuples):
    references = _native.SpiceReferences(load_lexicon())
    references.add([("dog",), ("dog", "brown")])
    references.add(tuples)
    return references.details(0, tuples)[1:], references.details(1, [("dog",)])[1:]


def spice_tuples(words):
    captions = _native.ParsedCaptions()
    captions.start_caption()
    captions.add_sentence(words, ["NN"] * len(words), list(range(len(words))), ["dep"] * len(words))
    return captions.tuples(0, load_lexicon())


def parsed(captions):
    parses = caption_parser().parse(captions)
    return [parses.tuples(caption, load_lexicon()) for caption in range(len(parses))]


ENTRIES = {
    "split_words": lambda text: _native.split_words(text),
    "count_words": lambda text: _native.count_words([text]),
    "WordIndex": lambda text: _native.WordIndex([text], 0, 9).encode(["a"])[0].tolist(),
    "WordIndex.encode": lambda text: _native.WordIndex(["dog", "on"], 0, 9).encode([text])[0].tolist(),
    "tokenize": lambda text: _native.tokenize([text]),
    "tokenize, together": lambda text: _native.tokenize([text], together=True),
    "DocumentFrequencies.add": lambda text: frequencies([[text]]).lines(),
    "DocumentFrequencies.add_counts": lambda text: table_of_counts([text[:8]]),
    "NgramReferences": lambda text: ngram_scores([[text]], ["a dog on grass"]),
    "NgramReferences.score": lambda text: ngram_scores([REFERENCES], [text]),
    "meteor_tokens": lambda text: _native.meteor_tokens(text),
    "meteor_stem": lambda text: _native.meteor_stem(text),
    "MeteorReferences": lambda text: meteor([[text]]).statistics(ONE, ["a dog on grass"]).tolist(),
    "MeteorReferences.statistics": lambda text: meteor([REFERENCES]).statistics(ONE, [text]).tolist(),
    "MeteorReferences.score": lambda text: meteor([REFERENCES]).score(ONE, [text]).tolist(),
    "SpiceLexicon.lemma": lambda text: load_lexicon().lemma(text, "NN"),
    "SpiceLexicon.synsets": lambda text: load_lexicon().synsets(text),
    "ParsedCaptions.add_sentence": lambda text: spice_tuples([text, "dog"]),
    "SpiceReferences.add, details": lambda text: spice([(text,), (text, "brown")]),
    "CaptionParser.trees": lambda text: caption_parser().trees([text]),
    "CaptionParser.dependencies": lambda text: caption_parser().dependencies([text]),
    "CaptionParser.tag_choices": lambda text: [part.tolist() for part in caption_parser().tag_choices([text])],
    "CaptionParser.parse": lambda text: parsed([text]),
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_half_a_surrogate_pair_is_a_blank(entry):
    assert ENTRIES[entry](BROKEN) == ENTRIES[entry](CLEAN)


LISTS = {
    "count_words": lambda captions: _native.count_words(captions),
    "WordIndex.encode": lambda captions: _native.WordIndex(["a"], 0, 9).encode(captions),
    "tokenize": lambda captions: _native.tokenize(captions),
    "NgramReferences.score": lambda captions: ngram_scores([REFERENCES], captions),
    "MeteorReferences.score": lambda captions: meteor([REFERENCES]).score(ONE, captions),
    "CaptionParser.trees": lambda captions: caption_parser().trees(captions),
    "CaptionParser.dependencies": lambda captions: caption_parser().dependencies(captions),
    "CaptionParser.tag_choices": lambda captions: caption_parser().tag_choices(captions),
    "CaptionParser.parse": lambda captions: caption_parser().parse(captions),
}


@pytest.mark.parametrize("entry", LISTS)
def test_what_is_no_list_of_captions_is_named(entry):
    with pytest.raises(TypeError, match="expected a list of captions, found one str"):
        LISTS[entry]("a dog")
    with pytest.raises(TypeError, match="expected a list of captions, found int"):
        LISTS[entry](7)
    with pytest.raises(TypeError, match="caption 1: expected str, found NoneType"):
        LISTS[entry](["a dog", None])


@pytest.mark.parametrize("digest", [ngram, meteor, frequencies], ids=["n-grams", "METEOR", "df"])
def test_what_is_no_list_of_references_is_named(digest):
    with pytest.raises(TypeError, match="image 1, caption 0: expected str, found NoneType"):
        digest([["a dog"], [None]])
    with pytest.raises(TypeError, match="image 0, expected a list of captions, found one str"):
        digest(["a dog"])
