"""Two metrics as a newcomer would write them: one that may be undefined, and one that needs objects of each image."""

import numpy as np

from spidercap.metrics.metric import Metric
from spidercap.metrics.reference_digest import ReferenceDigest


class WordDigest(ReferenceDigest):
    """The words of each image's references."""

    name = "words"

    def __init__(self, words):
        self.words = words

    @classmethod
    def of(cls, references, settings):
        return cls([{word for text in image for word in text.split()} for image in references.tokens])

    def statistics(self, images, tokens, asked, threads):
        pairs = [(text.split(), self.words[image]) for text, image in zip(tokens, images, strict=True)]
        shares = [sum(word in known for word in words) / len(words) if words else np.nan for words, known in pairs]
        return dict.fromkeys(asked, np.array(shares))


class ObjectDigest(WordDigest):
    """The objects that each image shows."""

    name = "objects"
    needs = ("objects",)

    @classmethod
    def of(cls, references, settings):
        return cls([set(objects) for objects in references.inputs["objects"]])


KNOWN_WORDS = Metric(
    key="known_words",
    names=("KnownWords",),
    reads=WordDigest,
    asks="share",
    variant="known words",
    may_be_undefined=True,
    titles={"KnownWords": "known words"},
)
OBJECTS = Metric(
    key="objects",
    names=("Objects",),
    reads=ObjectDigest,
    asks="share",
    variant="objects",
    may_be_undefined=True,
)
