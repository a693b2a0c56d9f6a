"""Send random and mutated captions through the tokenizer and every metric: no crash, no NaN, no negative score.

Usage: python tools/fuzz.py [STRINGS] [--first-batch N] [--sanitized]

With --sanitized the native core is built with address and undefined-behaviour sanitizers first, and run under them.
Batch n is always the same strings, so a failure can be looked at again with --first-batch n.
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from spidercap.metrics.catalogue import METRIC_OF, METRICS
from spidercap.metrics.digest import Digest
from spidercap.metrics.meteor_data import index_path
from spidercap.metrics.settings import Settings
from spidercap.metrics.sums import corpus_scores
from spidercap.text.tokenize import tokenize

BATCH = 1000
REFERENCES = 2
MOST = {"cider": 10, "cider_original": 10}
"""The highest score of a metric, where it is not 1."""
SENTENCES = [
    "A man riding a wave on top of a surfboard.",
    "two dogs aren't playing with the man's red frisbee",
    "The U.S. Air Force's B-2 flew at 9:30 a.m., didn't it?!",
    "a black-and-white cat, (sleeping) on a 2 1/2 ft. wide laptop",
    "Several people gonna eat $5 pizza & drink at www.example.com/menu...",
]
ODD_WORDS = """
n't 's 'll '90s o'clock cannot gonna 'tis Mr. U.S. etc. No. Ph.D c++ C# 1/2 1,000.50 10% $5 #1 @bob &amp; \u00bd \u2026
<a b='x'> <!--> </p> &lt; &#39; http://a.b/c a@b.com :-) ;D ... -- ----- !!! ?! `` '' ` ' " ( [ { -LRB- / \\ * ^ |||
\u2019s \u201cx\u201d \u00ad \u200b \ufeff \u0301 e\u0301 \u01c5 \u0130 \u03a3 \U0001f600 \u65e5\u672c
"""
CONTROLS = ["\r", "\n", "\t", "\v", "\f", "\0", "\x1c", "\x7f", "\x85", "\u2028", "\u00a0", "  ", "\ud800", "\udfff"]
ATOMS = [*ODD_WORDS.split(), *CONTROLS]


def words_of(dice: random.Random) -> str:
    """A sentence of ordinary words and of atoms that the rules treat apart."""
    pool = " ".join(dice.choices(SENTENCES, k=2)).split() + dice.choices(ATOMS, k=6)
    return dice.choice(["", " ", " ", " "]).join(dice.choices(pool, k=dice.randrange(20)))


def junk(dice: random.Random) -> str:
    """Any code points at all, half surrogate pairs too."""
    top = dice.choice([0x80, 0x100, 0x600, 0x3100, 0x10000, 0x110000])
    return "".join(chr(dice.randrange(top)) for _ in range(dice.randrange(40)))


def storm(dice: random.Random) -> str:
    """Punctuation and quotes with hardly a letter between them."""
    return "".join(dice.choices("'\"`.,;:!?-_()[]{}<>/\\&#$%@*^~|+= a1'", k=dice.randrange(60)))


def repeated(dice: random.Random) -> str:
    """The same few words over and over, which alignments and counts have most to do with."""
    return " ".join(dice.choices(dice.choices(SENTENCES[0].split(), k=3), k=dice.choice([5, 30, 300])))


def long_word(dice: random.Random) -> str:
    """One word of up to some thousand letters."""
    return dice.choice(["a", "-", "x'", "1", "\u00e9", "a.", "&", "no-"]) * dice.choice([10, 100, 1500])


def mutated(dice: random.Random) -> str:
    """A sentence with slices taken out, doubled or moved, and characters put in."""
    text = dice.choice(SENTENCES)
    for _ in range(dice.randrange(1, 6)):
        first, last = sorted(dice.randrange(len(text) + 1) for _ in range(2))
        piece = dice.choice(["", text[first:last] * 2, dice.choice(ATOMS), junk(dice)[:3]])
        text = text[:first] + piece + text[last:]
    return text


KINDS: dict[Callable[[random.Random], str], int] = {
    words_of: 40,
    mutated: 40,
    junk: 10,
    storm: 8,
    repeated: 1,
    long_word: 1,
}


def strings(dice: random.Random, count: int) -> list[str]:
    """Strings of all kinds."""
    return [make(dice) for make in dice.choices(list(KINDS), list(KINDS.values()), k=count)]


def check_batch(number: int, paraphrases: bool) -> None:
    """Tokenise one batch and score it; raise if a result cannot be. Every other batch is scored as tokens."""
    dice = random.Random(number)
    captions = strings(dice, BATCH // (1 + REFERENCES))
    references = [strings(dice, REFERENCES) for _ in captions]
    # Some captions are near their references, so that there is something to match.
    captions = [dice.choice([caption, *truths]) for caption, truths in zip(captions, references, strict=True)]
    for tokenizer in ("ptb", "ptb-compat"):
        if len(tokenize(captions, tokenizer)) != len(captions):
            raise ValueError(f"batch {number}: {tokenizer} lost a caption")
    check_scores(captions, references, Settings(("ptb", "none")[number % 2], "corpus", paraphrases, threads=2), number)


def check_scores(captions: Sequence[str], references: Sequence[Sequence[str]], settings: Settings, number: int) -> None:
    """Score with every metric and check the range of every number."""
    rows = Digest(references, METRICS.values(), settings).rows(np.arange(len(captions), dtype=np.int64), captions)
    corpus = corpus_scores(rows, list(METRIC_OF))
    for key, metric in METRICS.items():
        values = np.vstack([metric.scores(rows[key]), [[corpus[name] for name in metric.names]]])
        wrong = ~((values >= 0) & (values <= MOST.get(key, 1) * (1 + 1e-9)))
        if wrong.any():
            place = int(np.argwhere(wrong)[0][0])
            text = repr(captions[place]) if place < len(captions) else "the corpus"
            raise ValueError(f"batch {number}, {settings.tokenizer}: {key} gives {values[place]} for {text}")


def main() -> int:
    """Run as many batches as hold the number of strings asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("strings", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--first-batch", type=int, default=0)
    parser.add_argument("--sanitized", action="store_true")
    asked = parser.parse_args()
    if asked.sanitized:
        from sanitize import run_sanitized

        again = [str(Path(__file__).resolve()), str(asked.strings), "--first-batch", str(asked.first_batch)]
        return run_sanitized(again)
    paraphrases = index_path().exists()
    batches = range(asked.first_batch, asked.first_batch + -(-asked.strings // BATCH))
    for number in batches:
        if sys.stderr.isatty() or number % 100 == 0:
            print(f"\rbatch {number} of {batches.stop}", end="", file=sys.stderr, flush=True)
        check_batch(number, paraphrases)
    meteor = "METEOR with paraphrases" if paraphrases else "METEOR without paraphrases"
    print(f"\n{len(batches) * BATCH:,} strings, {meteor}: every score is a number in its range")
    return 0


if __name__ == "__main__":
    sys.exit(main())
