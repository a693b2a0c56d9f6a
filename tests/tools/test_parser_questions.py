"""What the parser's training asks the reference for, and what it says of trees that it did not find."""

import json
import lzma
import stat
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools" / "parser"
SHIPPED = TOOLS.parents[1] / "src" / "spidercap" / "metrics" / "data" / "spice_parser.bin"


@pytest.fixture(autouse=True)
def tools(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))


def test_every_word_is_asked_for_in_every_frame():
    from ask import framed

    assert framed(["dog", "odd"], ["the {}", "it is {}"]) == ["the dog", "it is dog", "the odd", "it is odd"]


@pytest.mark.parametrize(("word", "asked"), [("t-shirt", True), ("Paris", False), (":)", False), ("4\u00a01/2", False)])
def test_words_that_the_reference_would_split_are_not_asked_for(word, asked):
    from ask import is_askable

    assert is_askable(word) == asked


def test_invented_words_are_the_committed_answers():
    from ask import INVENTED, SHAPE_FRAMES, framed
    from treebank import read_lines

    questions = framed(INVENTED.read_text(encoding="utf-8").split(), SHAPE_FRAMES)
    answers = list(read_lines(INVENTED.parent / "kbest_shapes_00.jsonl.xz"))
    assert len(answers) == len(questions)
    assert not any(letter.isupper() for question in questions for letter in question)


def write_lines(path, lines):
    path.write_bytes(lzma.compress("".join(line + "\n" for line in lines).encode()))


def test_words_of_the_lists_that_no_tree_shows_are_asked_for(tmp_path):
    from ask import missing_words
    from model_file import text_table, write

    write_lines(tmp_path / "parses_00.jsonl.xz", [json.dumps({"c": "a dog", "s": [{"w": "a dog"}]})])
    write_lines(tmp_path / "kbest_frames_00.jsonl.xz", [json.dumps({"w": "the kite", "kb": []})])
    write_lines(tmp_path / "captions.tsv.xz", ["coco\ta dog flies", "coco\ta kite"])
    write_lines(tmp_path / "pool.tsv.xz", ["long\tParis flies (odd) zebras"])
    text, starts = text_table(["dog", "kite"])
    write(tmp_path / "model.bin", {"word_text": text, "word_starts": starts})
    asked = tmp_path / "asked"
    asked.mkdir()
    write_lines(
        asked / "alone_00.jsonl.xz", [json.dumps({"w": w, "trees": n}) for w, n in (("emu", 120), ("xyzzy", 37))]
    )
    # "dog" is known, but no K best trees show it, nor "emu"; "flies" and "zebras" are in the lists alone.
    assert missing_words(tmp_path, tmp_path / "model.bin", asked) == ["dog", "emu", "flies", "zebras"]
    write_lines(asked / "kbest_words_00.jsonl.xz", [json.dumps({"w": "the emu", "kb": []})])
    assert missing_words(tmp_path, tmp_path / "model.bin", asked) == ["dog", "flies", "zebras"]


def test_of_another_list_only_the_words_not_asked_for_yet_are_asked_for(tmp_path):
    from ask import INVENTED, counted, words_alone

    from train import trees_alone

    known = next(iter(trees_alone([INVENTED.parent])))
    (tmp_path / "words.txt").write_text(f"{known}\nzorbling\nZorb\nzorbling\n")
    assert words_alone(tmp_path, SHIPPED, tmp_path / "words.txt") == ["zorbling"]
    answers = [{"w": "known", "kb": [[0, -1.0, ""]] * 120}, {"w": "zorbling", "kb": [[0, -1.0, ""]] * 37}]
    lines = "".join(json.dumps(answer) + "\n" for answer in answers).encode()
    assert [json.loads(line)["w"] for line in counted(lines, known_only=True).splitlines()] == ["known"]


def test_answers_of_the_reference_are_kept(tmp_path):
    from ask import answers, keep
    from treebank import read_lines

    script = tmp_path / "run"
    script.write_text('#!/bin/sh\n[ "$1 $2 $3 $4" = "folder kbest 200 3" ] && sed \'s/.*/{"w":"&","kb":[]}/\'\n')
    script.chmod(script.stat().st_mode | stat.S_IEXEC)
    keep(answers([str(script), "folder"], ["the dog", "odd"], 200, 3), tmp_path / "kbest_00.jsonl.xz")
    assert [record["w"] for record in read_lines(tmp_path / "kbest_00.jsonl.xz")] == ["the dog", "odd"]
    assert not list(tmp_path.glob("*.tmp"))


def test_the_trees_of_words_alone_are_counted():
    from ask import counted

    answers = [{"w": "odd", "kb": [[0, -1.0, "(X odd)"]] * 3}, {"w": "etc. .", "kb": [[0, -1.0, ""]]}]
    lines = "".join(json.dumps(answer) + "\n" for answer in [*answers, {"w": "none", "kb": []}]).encode()
    found = counted(lines, known_only=False)
    assert list(map(json.loads, found.splitlines())) == [{"w": "odd", "trees": 3}]


def test_closed_words_are_asked_for_by_what_they_have_alone(tmp_path):
    from ask import closed_words

    counts = {"is": 9, "zorble": 37, "their": 174, "wagon": 120, "flies": 123}
    write_lines(tmp_path / "alone_00.jsonl.xz", [json.dumps({"w": w, "trees": n}) for w, n in counts.items()])
    assert closed_words(tmp_path / "alone_00.jsonl.xz") == ["is", "their"]


def test_committed_answers_of_words_alone_are_of_all_known_words():
    from ask import INVENTED, is_askable
    from lexicon import UNKNOWN_ALONE
    from model_file import read, read_texts

    from train import trees_alone

    alone = trees_alone([INVENTED.parent])
    known = {word for word, trees in alone.items() if trees != UNKNOWN_ALONE}
    words = {word for word in read_texts(read(SHIPPED), "word") if is_askable(word)}
    assert words - known <= {"'ll", "'re", "'ve", "etc."}
    assert known <= words


def test_new_sentences_are_of_every_kind_and_not_parsed_yet(tmp_path):
    from ask import new_sentences

    write_lines(tmp_path / "parses_00.jsonl.xz", [json.dumps({"c": "a dog"})])
    write_lines(tmp_path / "heldout_00.jsonl.xz", [json.dumps({"c": "a cow"})])
    write_lines(
        tmp_path / "captions.tsv.xz", ["coco\ta dog", "coco\ta cat", "coco\ta cow", "coco\ta kite", "noise\tof"]
    )
    write_lines(tmp_path / "pool.tsv.xz", ["long\tParis", "long\t" + "very " * 50, "long\ta tree"])
    assert set(new_sentences(tmp_path, 99)) == {"a cat", "a kite", "of", "a tree"}
    assert len(new_sentences(tmp_path, 3)) == 3


def test_sentences_for_new_steps_have_the_same_tags_and_other_words():
    from random import Random

    from ask import new_steps, reworded, showing_new_steps

    tree = "(ROOT (NP (DT^NP the) (@NP| NN^NP_ (NN^NP dog))) (.$$. .$.))"
    tagged = [("DT^NP", "the", ""), ("NN^NP", "dog", "")]
    assert reworded(tagged, {"NN^NP": ["wug"], "DT^NP": ["a"]}, Random(1)) == "the wug"
    known = {("ROOT", "NP"), ("NP", "DT^NP"), ("@NP| NN^NP_", "NN^NP")}
    assert new_steps(tree, known) == [("NP", "DT^NP", "@NP| NN^NP_")]
    answers = [{"w": "x", "kb": [[0, -1.0, "(ROOT (NP (DT^NP a)))"], [1, -2.0, tree], [2, -3.0, tree]]}] * 3
    found = showing_new_steps("".join(json.dumps(answer) + "\n" for answer in answers).encode(), known)
    kept = [[ranked[0] for ranked in record["kb"]] for record in map(json.loads, found.splitlines())]
    assert kept == [[0, 1, 2], [0, 1]]


def test_steps_that_few_trees_have_are_asked_for_with_all_words_changed(tmp_path, monkeypatch):
    import ask
    from treebank import load

    tree = "(ROOT (NP (DT^NP the) (@NP| NN^NP_ (NN^NP {}))))"
    often = [json.dumps({"w": "the dog", "kb": [[rank, -1.0, tree.format("dog")] for rank in range(6)]})]
    once = [json.dumps({"w": "of it", "kb": [[0, -1.0, "(ROOT (X (IN^X of) (PRP^X it)))"]]})]
    write_lines(tmp_path / "kbest_00.jsonl.xz", often + once)
    monkeypatch.setattr(ask, "words_by_tag", lambda model: {"IN^X": ["by"], "PRP^X": ["him"], "NN^NP": ["wug"]})
    treebank = load([tmp_path / "kbest_00.jsonl.xz"], processes=1)
    assert ask.rare_steps(treebank) == {("ROOT", "X"), ("X", "IN^X", "PRP^X")}
    assert ask.rare_rewordings(treebank, SHIPPED) == ["by him"]


@pytest.fixture(scope="module")
def scorer():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(TOOLS))
        from tree_score import TreeScore

        return TreeScore(SHIPPED)


@pytest.mark.parametrize("caption", ["a dog runs", "two zorbles near the t-shirt of a man who is smiling", "a , b"])
@pytest.mark.parametrize("marked", [True, False])
def test_the_score_of_a_tree_is_the_parsers_own(scorer, caption, marked):
    from trees import local_rules

    from spidercap._native import CaptionParser

    tree, score, _ = CaptionParser(str(SHIPPED)).trees([caption], marked)[0]
    assert scorer.score(local_rules(tree), marked) == pytest.approx(score, abs=1e-3)


def test_what_is_missing_for_a_tree_is_told(scorer):
    from tree_score import MissingStepError, MissingWordError
    from trees import local_rules

    with pytest.raises(MissingWordError, match="CC zorbles"):
        scorer.score(local_rules("(ROOT (NP (DT the) (CC zorbles)))"), marked=False)
    with pytest.raises(MissingStepError, match="NP IN TO NN"):
        scorer.score(local_rules("(ROOT (NP (IN of) (TO to) (NN dog)))"), marked=False)


@pytest.mark.parametrize(
    ("ours", "cause"), [(0.0, "term"), (-1e6, "search"), ("same", "tie")], ids=["term", "search", "tie"]
)
def test_causes_of_another_tree_by_its_score(scorer, ours, cause):
    from causes import tree_cause
    from trees import local_rules

    tree = "(ROOT (FRAG (NP (DT the) (NN dog))))"
    score = scorer.score(local_rules(tree), marked=False) if ours == "same" else ours
    assert tree_cause(scorer, {"m": tree}, score)[0] == cause
    assert tree_cause(scorer, {"m": "(ROOT (NP (DT the) (CC zorbles)))"}, 0.0) == ("word or tag", "CC zorbles")
