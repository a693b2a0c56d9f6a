"""The parser's training: steps behind trees, weights behind scores, the rule behind words, the grammar and its file."""

import json
import lzma
import math
from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tools" / "parser"
SHIPPED = ROOT / "src" / "spidercap" / "metrics" / "data" / "spice_parser.bin"
HEAD, SMALL, LAST = "@NP| NN_", "@NP| NN_ JJ<", "@NodeSet-1"


@pytest.fixture(autouse=True)
def tools(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))


def binarised(determiner, adjectives, noun):
    """A caption of one noun phrase, as the reference prints its K best trees."""
    inner = f"({HEAD} (NN {noun}))"
    for adjective in reversed(adjectives):
        inner = f"({SMALL} (JJ {adjective}) {inner})"
    return f"(ROOT (NP ({LAST} (DT {determiner}) {inner})) (.$$. .$.))"


def flat(determiner, adjectives, noun):
    """The same tree with marks, not binarised."""
    middle = "".join(f"(JJ {adjective}) " for adjective in adjectives)
    return f"(ROOT (NP (DT {determiner}) {middle}(NN {noun})))"


def test_the_end_mark_is_no_part_of_a_tree_and_active_labels_hold_blanks():
    from trees import local_rules

    assert local_rules(binarised("the", ["wet"], "dog")) == [
        ("ROOT", "NP"),
        ("NP", LAST),
        (LAST, "DT", SMALL),
        ("DT", "the", ""),
        (SMALL, "JJ", HEAD),
        ("JJ", "wet", ""),
        (HEAD, "NN"),
        ("NN", "dog", ""),
    ]


def test_a_word_with_a_blank_inside_is_one_word():
    from trees import local_rules

    rules = local_rules("(NP (CD^NP 4 1/2) (NNS^NP dogs))")
    assert rules == [("NP", "CD^NP", "NNS^NP"), ("CD^NP", "4\u00a01/2", ""), ("NNS^NP", "dogs", "")]


def test_flat_rules_of_a_binarised_tree_with_their_steps():
    from trees import flat_rules, local_rules

    assert dict(flat_rules(local_rules(binarised("the", ["wet"], "dog")))) == {
        ("ROOT", "NP"): (("ROOT", "NP"),),
        ("NP", "DT", "JJ", "NN"): (("NP", LAST), (LAST, "DT", SMALL), (SMALL, "JJ", HEAD), (HEAD, "NN")),
    }


@pytest.fixture
def binariser():
    from trees import Binariser

    right = "@NP| NN_ PP>"
    learnt = Binariser()
    learnt.learn(
        {
            ("NP", "DT", "NN"): (("NP", LAST), (LAST, "DT", HEAD), (HEAD, "NN")),
            ("NP", "NN", "PP", "PP"): (("NP", LAST), (LAST, right, "PP"), (right, HEAD, "PP"), (HEAD, "NN")),
            ("NP", "DT", "JJ", "NN"): (("NP", LAST), (LAST, "DT", SMALL), (SMALL, "JJ", HEAD), (HEAD, "NN")),
            ("NP", "JJ", "NN", "PP"): (("NP", LAST), (LAST, "JJ", right), (right, HEAD, "PP"), (HEAD, "NN")),
            ("NP", "PP", "JJ", "JJ", "NN"): (
                ("NP", LAST),
                (LAST, "PP", SMALL),
                (SMALL, "JJ", SMALL),
                (SMALL, "JJ", HEAD),
                (HEAD, "NN"),
            ),
        }.items()
    )
    return learnt


def test_a_flat_rule_never_seen_binarised_is_built_from_steps_of_others(binariser):
    chain = (("NP", LAST), (LAST, "DT", SMALL), (SMALL, "JJ", SMALL), (SMALL, "JJ", HEAD), (HEAD, "NN"))
    assert binariser.steps(("NP", "DT", "JJ", "JJ", "NN")) == chain


def test_a_flat_rule_with_a_step_that_no_tree_shows_has_no_steps(binariser):
    assert binariser.steps(("NP", "CD", "JJ", "NN")) is None
    assert binariser.steps(("VP", "DT", "NN")) is None


def test_a_flat_rule_that_could_be_built_in_two_ways_has_no_steps(binariser):
    rule = ("NP", "NN", "NN")
    binariser.following[HEAD, "<", "NN", True] = LAST
    assert binariser.steps(rule) == (("NP", LAST), (LAST, "NN", HEAD), (HEAD, "NN"))
    del binariser.chains[rule]
    binariser.following[HEAD, ">", "NN", True] = LAST
    assert binariser.steps(rule) is None


DETERMINERS, ADJECTIVES, NOUNS = ("the", "a", "some"), ("wet", "tall", "odd"), ("dog", "cup", "odd", "kite")
TERMS = {
    (LAST, "DT", HEAD): math.log(0.6),
    (LAST, "DT", SMALL): math.log(0.4),
    (SMALL, "JJ", HEAD): math.log(0.7),
    (SMALL, "JJ", SMALL): math.log(0.3),
} | {
    (tag, word, ""): math.log(place / sum(range(1, len(words) + 1)))
    for tag, words in (("DT", DETERMINERS), ("JJ", ADJECTIVES), ("NN", NOUNS))
    for place, word in enumerate(words, 1)
}


def score(tree):
    """The log-probability of a binarised tree in the little grammar above; steps without a choice cost nothing."""
    from trees import local_rules

    return sum(TERMS.get(rule, 0.0) for rule in local_rules(tree))


def phrases():
    """Noun phrases of the little grammar: determiner, adjectives, noun."""
    for determiner in DETERMINERS:
        for noun in NOUNS:
            for count in range(3):
                for adjectives in permutations(ADJECTIVES, count):
                    yield determiner, adjectives, noun


def record(parts, *, kind="coco"):
    """A line of a file of parses."""
    determiner, adjectives, noun = parts
    words, size = [determiner, *adjectives, noun], len(adjectives) + 2
    sentence = {
        "w": " ".join(words),
        "t": " ".join(["DT", *["JJ"] * len(adjectives), "NN"]),
        "h": [*[size] * (size - 1), 0],
        "r": " ".join(["det", *["amod"] * len(adjectives), "root"]),
        "m": flat(*parts),
        "p": score(binarised(*parts)),
    }
    return {"c": " ".join(words), "k": kind, "s": [sentence]}


@pytest.fixture
def folder(tmp_path):
    """Files of parses, of which only two trees are binarised, and one more of the K best of a frame."""
    records = [record(parts) for parts in phrases() if parts != ("a", ("tall", "odd"), "kite")]
    for line, parts in ((0, ("the", (), "dog")), (4, ("the", ("wet", "tall"), "dog"))):
        records[line]["s"][0]["kb"] = [[0, score(binarised(*parts)), binarised(*parts)]]
    frames = [{"w": "the wet", "kb": [[0, score(tree), tree]]} for tree in [binarised("the", ["wet"], "cup")]]
    for name, lines in (("parses_00", records), ("kbest_00", frames)):
        with lzma.open(tmp_path / f"{name}.jsonl.xz", "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in lines)
    return tmp_path


def load_folder(folder):
    from treebank import load

    from train import data_files

    return load(data_files([folder]), processes=1)


def test_the_treebank_holds_best_trees_and_all_scored_trees_in_steps(folder):
    treebank = load_folder(folder)
    assert len(treebank.best) == len(list(phrases())) - 1
    assert len(treebank.scored) == len(treebank.best) + 1
    assert treebank.tree(0) == [("ROOT", "NP"), ("NP", "DT", "NN"), ("DT", "the", ""), ("NN", "dog", "")]
    assert set(treebank.kinds.tolist()) == {"coco"}
    uses = treebank.step_uses()
    assert uses["ROOT", "NP"] == len(treebank.best)
    assert uses[SMALL, "JJ", HEAD] == len(treebank.best) - len(DETERMINERS) * len(NOUNS)


def test_trees_far_below_the_best_are_left_out(tmp_path):
    from treebank import HOPELESS, read_file

    ranked = [[0, -1.0, binarised("the", [], "dog")], [1, -2.0 - HOPELESS, binarised("a", [], "dog")]]
    path = tmp_path / "kbest_00.jsonl.xz"
    path.write_bytes(lzma.compress(json.dumps({"w": "the dog", "kb": ranked}).encode()))
    assert read_file(path)[2].scores == [-1.0]


def test_the_fit_gives_back_scores_of_trees_left_out(folder):
    from fit import fit_terms
    from trees import local_rules

    treebank = load_folder(folder)
    fit = fit_terms(treebank, 200)
    assert np.abs(fit.residuals).max() < 1e-4
    weights = dict(zip(treebank.terms, fit.weights.tolist(), strict=True))
    tree = binarised("a", ["tall", "odd"], "kite")
    assert sum(weights[rule] for rule in local_rules(tree)) == pytest.approx(score(tree), abs=1e-4)
    assert weights[HEAD, "NN"] == 0.0


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("17", "0"),
        ("17:52", "0."),
        ("-3", "0-"),
        ("17th", "0a"),
        ("7-sided", "0-a"),
        ("dog", "."),
        ("giraffe", ".e"),
        ("t-shirt", "-.t"),
        ("°", "!"),
        ("日本", "!"),
        ("né", "."),
        ("¿qué", ".é"),
    ],
)
def test_shapes_of_words(word, expected):
    from lexicon import shape

    assert shape(word) == expected


TAGS = ("VBZ^VP", *(f"T{number}" for number in range(40)))


def offset(count):
    """What a word that the reference saw so often adds to tags it was not seen with."""
    return math.log(count / (count + 0.4))


def unseen(tag):
    return -12.0 - 0.31 * TAGS.index(tag)


def vocabulary(left_out=()):
    """Terms by the lexicon's rule: 120 known words, of which each has one tag of its own, and 30 unknown ones."""
    values = {}
    for number in range(120):
        count = 2 if number % 2 else 1 + number // 8
        word = f"known{number}q"
        values[word] = {tag: unseen(tag) + offset(count) for tag in TAGS if (word, tag) not in left_out}
        values[word]["T7"] = -8.0 - number / 50
    for number in range(30):
        values[f"unknown{number}".translate(str.maketrans("0123456789", "abcdefghij")) + "z"] = {
            "T1": -10.25,
            "T2": -9.5,
        }
    uses = {word: dict.fromkeys(tags, 3.0) for word, tags in values.items()}
    return values, uses


def test_the_lexicon_finds_the_rule_and_stores_only_what_it_does_not_give():
    from lexicon import make_lexicon

    lexicon = make_lexicon(*vocabulary())
    assert lexicon.unseen["T3"] == pytest.approx(unseen("T3"), abs=1e-6)
    assert lexicon.offsets["known1q"] == pytest.approx(offset(2), abs=1e-6)
    assert lexicon.offsets["known16q"] == pytest.approx(offset(3), abs=1e-6)
    assert lexicon.pairs["known16q"] == {"T7": pytest.approx(-8.32)}
    assert len(lexicon.offsets) == 120
    assert lexicon.shapes[".z"] == {"T1": -10.25, "T2": -9.5}


def test_the_lexicon_gives_terms_that_no_tree_showed():
    from lexicon import make_lexicon

    lexicon = make_lexicon(*vocabulary(left_out={("known16q", "T3"), ("known1q", "T9")}))
    assert lexicon.term("T3", "known16q") == pytest.approx(unseen("T3") + offset(3), abs=1e-6)
    assert lexicon.term("T9", "known1q") == pytest.approx(unseen("T9") + offset(2), abs=1e-6)
    assert lexicon.term("T2", "nobodyz") == -9.5
    assert lexicon.term("T9", "nobodyz") == -np.inf


def test_words_that_no_rule_fits_take_only_the_tags_they_have():
    from lexicon import OFTEN, make_lexicon

    values, uses = vocabulary()
    values["often"], uses["often"] = {"T1": -2.0, "T5": -3.0}, {"T1": 9.0, "T5": 9.0}
    lexicon = make_lexicon(values, uses)
    assert lexicon.closed == {"often"}
    assert lexicon.term("T5", "often") == -3.0
    assert lexicon.term("T2", "often") == -np.inf
    assert lexicon.term("T2", "often", any_tag=True) == pytest.approx(unseen("T2") + OFTEN, abs=1e-6)


def test_words_alone_tell_what_they_are():
    """Trees of a closed word may have had to take any tags; these are none of its own."""
    from lexicon import make_lexicon

    values, uses = vocabulary()
    values["often"] = {tag: unseen(tag) + offset(400) for tag in TAGS if tag != "T7"} | {"T1": -2.0}
    values["rarez"], values["odd"] = {"T9": -3.0}, {"T1": -2.0}
    uses |= {word: dict.fromkeys(values[word], 9.0) for word in ("often", "rarez", "odd")}
    assert make_lexicon(values, uses).closed == {"rarez", "odd"}
    lexicon = make_lexicon(values, uses, {"often": 13, "rarez": 37, "odd": 174, "known1q": 123})
    assert lexicon.closed == {"often", "odd"}
    assert lexicon.pairs["often"] == {"T1": -2.0}
    assert lexicon.offsets["often"] == pytest.approx(offset(400), abs=1e-6)
    assert "rarez" not in lexicon.offsets


def test_terms_of_a_tag_add_up_to_a_probability_of_one():
    from lexicon import make_lexicon, normalised

    before = make_lexicon(*vocabulary())
    after, taken = normalised(before)
    total = sum(math.exp(after.term("T7", word)) for word in after.offsets)
    assert total == pytest.approx(1.0)
    assert after.term("T3", "known1q") == pytest.approx(before.term("T3", "known1q") - taken["T3"])


def test_shapes_never_seen_have_the_terms_that_others_share():
    from lexicon import unseen_shape

    shapes = {name: {"NN": (-3.0, 9), "JJ": (float(number), 9)} for number, name in enumerate(("a", "b", "c"))}
    assert unseen_shape(shapes) == {"NN": (-3.0, 3)}


def test_heads_and_last_steps_are_folded_into_the_steps_beside_them():
    from grammar import fold

    weights = {("ROOT", "NP"): -0.5, ("NP", LAST): -0.25, (HEAD, "NN"): 0.0, ("@dead", "DT", "NN"): -1.0} | {
        rule: weight for rule, weight in TERMS.items() if rule[-1]
    }
    grammar = fold(weights)
    assert grammar.unary == {("ROOT", "NP"): -0.5}
    assert grammar.binary == {
        ("NP", "DT", "NN"): pytest.approx(math.log(0.6) - 0.25),
        ("NP", "DT", SMALL): pytest.approx(math.log(0.4) - 0.25),
        (SMALL, "JJ", "NN"): pytest.approx(math.log(0.7)),
        (SMALL, "JJ", SMALL): pytest.approx(math.log(0.3)),
    }
    assert grammar.phrase_of == {SMALL: "NP"}


def test_normalised_weights_keep_the_scores_of_trees_and_come_near_to_frequencies():
    from grammar import normalised

    # A constant of 5 went from the step of SMALL to the one above it, one of 2 to the words of JJ.
    weights = {
        ("ROOT", "NP"): 0.0,
        ("NP", "DT", "NN"): math.log(0.5),
        ("NP", "DT", SMALL): math.log(0.5) + 5,
        (SMALL, "JJ", "NN"): -7.0,
    }
    uses = Counter(
        {("ROOT", "NP"): 100000, ("NP", "DT", "NN"): 50000, ("NP", "DT", SMALL): 50000, (SMALL, "JJ", "NN"): 50000}
    )
    found = normalised(weights, uses, {"JJ": 2.0})
    assert sum(found.values()) - found["NP", "DT", "NN"] == pytest.approx(math.log(0.5))
    assert found[SMALL, "JJ", "NN"] == pytest.approx(0.0, abs=1e-3)
    assert found["NP", "DT", SMALL] == pytest.approx(math.log(0.5), abs=1e-3)


def test_states_are_numbered_by_use_whatever_the_order_of_the_data():
    from grammar import fold, number_states

    weights = {("ROOT", "NP"): 0.0, ("NP", LAST): 0.0, (HEAD, "NN"): 0.0} | {rule: -1.0 for rule in TERMS if rule[-1]}
    uses = Counter({"JJ": 2, "ROOT": 1})
    states = number_states(fold(weights), ["NN", "DT", "JJ"], uses)
    assert states.names == ["JJ", "DT", "NN", "ROOT", "NP", SMALL]
    backwards = number_states(fold(dict(reversed(weights.items()))), ["JJ", "DT", "NN"], uses)
    assert backwards == states


def test_actives_behind_the_same_labels_have_numbers_side_by_side():
    from grammar import Grammar, number_states

    rules = [("NP", "DT", "@a"), ("NP", "JJ", "@b"), ("NP", "DT", "@c"), ("NP", "JJ", "@d"), ("NP", "DT", "@d")]
    uses = Counter({"DT": 9, "JJ": 8, "@d": 7, "@c": 6, "@b": 5, "@a": 4, "@z": 3})
    closed = {("NP", "@z", "DT"): 0.0}
    states = number_states(Grammar(dict.fromkeys(rules, 0.0) | closed, {}, {}), ["DT", "JJ"], uses)
    assert states.names == ["DT", "JJ", "NP", "@c", "@a", "@d", "@b", "@z"]
    assert states.openers == 7


@pytest.mark.parametrize(
    ("label", "plain"),
    [("NP^ROOT-B", "NP"), ("NP-TMP^VP-B", "NP-TMP"), ("ADJP-v", "ADJP"), ("DT^NP^U", "DT"), ("-LRB-^PRN", "-LRB-^PRN")],
)
def test_plain_labels(label, plain):
    from grammar import plain_label

    assert plain_label(label) == plain


def test_tags_that_follow_each_other_are_counted_with_the_ends_of_captions(tmp_path):
    from grammar import States
    from neighbours import FRAME_WEIGHT, count_tags
    from treebank import load

    lines = [record(("the", (), "dog")), record(("a", ("wet", "red"), "cup"), kind="frame")]
    for name, some in (("parses_00", lines[:1]), ("frames_00", lines[1:])):
        text = "".join(json.dumps(line) + "\n" for line in some).encode()
        (tmp_path / f"{name}.jsonl.xz").write_bytes(lzma.compress(text))
    treebank = load([tmp_path / "parses_00.jsonl.xz", tmp_path / "frames_00.jsonl.xz"], processes=1)
    counts = count_tags(treebank, States(["DT", "JJ", "NN"], {"DT": 0, "JJ": 1, "NN": 2}, 3, 3, 3))
    seen = FRAME_WEIGHT
    assert counts.tolist() == [[0, seen, 1, 0], [0, seen, seen, 0], [0, 0, 0, 1 + seen], [1 + seen, 0, 0, 0]]


def test_a_model_file_gives_back_its_sections(tmp_path):
    from model_file import read, read_texts, text_table, write

    text, starts = text_table(["dog", "", "kéfir"])
    write(tmp_path / "model.bin", {"word_text": text, "word_starts": starts})
    assert read_texts(read(tmp_path / "model.bin"), "word") == ["dog", "", "kéfir"]


def test_training_writes_the_same_file_twice_and_the_parser_parses_with_it(folder, tmp_path):
    from spidercap._native import CaptionParser
    from train import train

    first, second = (train([folder], tmp_path / name, None) for name in ("first.bin", "second.bin"))
    assert first == second
    assert (tmp_path / "first.bin").read_bytes() == (tmp_path / "second.bin").read_bytes()
    assert not list(tmp_path.glob("*.trial"))
    tree, found, whole = CaptionParser(str(tmp_path / "first.bin")).trees(["a tall odd kite"], True)[0]
    assert tree == flat("a", ["tall", "odd"], "kite")
    assert found == pytest.approx(score(binarised("a", ["tall", "odd"], "kite")), abs=1e-3)
    assert whole


def test_checkpoints_spare_finished_steps(folder, tmp_path):
    from train import kept

    assert kept(tmp_path, "step", lambda: [1, 2]) == [1, 2]
    assert kept(tmp_path, "step", lambda: pytest.fail("done again")) == [1, 2]


def test_a_folder_without_files_is_told(tmp_path):
    from train import data_files

    with pytest.raises(SystemExit, match="no parses_"):
        data_files([tmp_path])


def test_odds_of_tags_are_learnt_from_recorded_tags(tmp_path):
    from tag_odds import recorded_words
    from treebank import load

    parts = [("the", (), "dog"), ("the", (), "road."), ("the", ("wet",), "cup")]
    lines = [record(parts[0]), record(parts[2])]
    lines[0]["s"].append({"m": flat(*parts[1]), "p": -1.0})
    path = tmp_path / "parses_00.jsonl.xz"
    path.write_bytes(lzma.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    recorded = recorded_words(load([path], processes=1), {"DT": 4, "NN": 7})
    # The period of "road." may be a word of its own for the parser.
    assert recorded.captions == ["the dog", "the wet cup"]
    assert recorded.tags.tolist() == [4, 7, 4, -1, 7]
    assert recorded.starts == [0, 2, 5]


def test_new_steps_are_counted_once_in_the_order_of_the_files(folder, monkeypatch):
    import coverage
    from trees import Binariser

    treebank = load_folder(folder)
    binariser = Binariser()
    binariser.learn(treebank.chains.items())
    monkeypatch.setattr(coverage, "BLOCK", 5)
    blocks = coverage.in_order(treebank, binariser)["coco"]
    # ROOT NP, and the steps of phrases with none and one adjective; then the one that two adjectives add.
    assert blocks[0] == 7
    assert blocks[1:] == [0] * (len(blocks) - 1)


def test_held_out_steps_that_no_tree_shows(tmp_path, binariser):
    from coverage import held_out

    path = tmp_path / "heldout.jsonl.xz"
    lines = [record(("the", ("wet",), "dog")), {"k": "coco", "s": [{"m": "(ROOT (NP (CD two) (NN dog)))"}]}]
    path.write_bytes(lzma.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    shown = {("ROOT", "NP"), ("NP", LAST), (LAST, "DT", SMALL), (SMALL, "JJ", HEAD), (HEAD, "NN")}
    assert held_out(path, binariser, shown) == {"coco": 500.0}


def test_new_steps_of_further_sentences_are_those_of_their_best_trees(tmp_path):
    from coverage import further

    path = tmp_path / "kbest.jsonl.xz"
    best, other = "(ROOT (NP (DT the) (NN dog)))", "(ROOT (X (DT the) (NN dog)))"
    lines = [
        {"c": "the dog", "kb": [[0, -1.0, best], [1, -2.0, other]]},
        {"c": "a dog", "kb": [[0, -1.0, other]]},
        {"c": "unlisted", "kb": [[0, -1.0, other]]},
        {"c": "of", "kb": []},
    ]
    path.write_bytes(lzma.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    shown = {("ROOT", "NP"), ("NP", "DT", "NN")}
    assert further(path, {"the dog": "coco", "a dog": "coco", "of": "noise"}, shown) == {"coco": [0, 2]}


def test_what_scores_leave_for_a_word_left_out_of_the_fit(folder):
    from fit import fit_terms
    from prove_lexicon import Split, left_over

    treebank = load_folder(folder)
    left_out = np.array([term == ("NN", "cup", "") for term in treebank.terms])
    in_tree = np.add.reduceat(left_out[treebank.scored.numbers].astype(int), treebank.scored.starts[:-1])
    weights = fit_terms(treebank, 200).weights
    values = left_over(treebank, Split({"cup"}, left_out, in_tree), type("Fitted", (), {"weights": weights}))
    assert values == {"cup": {"NN": pytest.approx(weights[left_out][0], abs=1e-4)}}
