"""How often the reference saw words with their tags, from the terms of the lexicon."""

import math
import random
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools" / "parser"
UNITS = {"T1": 15.7, "T2": 94.0, "T3": 12255.0}


@pytest.fixture(autouse=True)
def tools(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))


def lexicon(counts, closed=()):
    """A lexicon whose words had their tags so often."""
    from lexicon import Lexicon, offset_of_count

    unseen = {"T1": -15.0, "T2": -14.0, "T3": -9.0}
    offsets = {word: offset_of_count(sum(tags.values())) for word, tags in counts.items()}
    pairs = {
        word: {tag: unseen[tag] + offsets[word] + math.log1p(count * UNITS[tag]) for tag, count in tags.items()}
        for word, tags in counts.items()
    }
    return Lexicon({}, unseen, offsets, pairs, frozenset(closed))


def many_counts():
    dice = random.Random(1)
    return {
        f"w{number}": {tag: dice.choice((1, 2, 2, 4, 6)) for tag in dice.sample(sorted(UNITS), dice.choice((1, 2)))}
        for number in range(200)
    }


def test_units_are_found_that_make_all_counts_add_up():
    from word_counts import Words, incomplete_words, units_of

    counts = many_counts()
    assert units_of(Words.of(lexicon(counts))) == pytest.approx(UNITS, rel=1e-6)
    assert incomplete_words(lexicon(counts)) == []


def test_words_with_a_tag_that_no_tree_shows_are_told():
    from word_counts import incomplete_words

    found = lexicon(
        many_counts() | {"odd": {"T1": 3, "T2": 2}, "often": {"T1": 400, "T2": 9}, "shut": {"T1": 5}}, ["shut"]
    )
    for word in ("odd", "often", "shut"):
        found.pairs[word].pop("T1")
    # How often "often" was seen is not known exactly, and "shut" takes no tag but its own.
    assert incomplete_words(found) == ["odd"]


def test_the_shipped_lexicon_adds_up(capsys, monkeypatch):
    import word_counts

    monkeypatch.setattr("sys.argv", ["word_counts.py"])
    word_counts.main()
    words, _, exact, *_ = (int(part.replace(",", "")) for part in capsys.readouterr().out.split() if part[0].isdigit())
    assert words > 20_000
    assert exact > 0.94 * words
