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
    # "dog" is known, but no K best trees show it; "flies" and "zebras" are in the lists alone.
    assert missing_words(tmp_path, tmp_path / "model.bin") == ["dog", "flies", "zebras"]


def test_answers_of_the_reference_are_kept(tmp_path):
    from ask import ask
    from treebank import read_lines

    script = tmp_path / "run"
    script.write_text('#!/bin/sh\n[ "$1 $2 $3 $4" = "folder kbest 200 3" ] && sed \'s/.*/{"w":"&","kb":[]}/\'\n')
    script.chmod(script.stat().st_mode | stat.S_IEXEC)
    ask([str(script), "folder"], ["the dog", "odd"], tmp_path / "kbest_00.jsonl.xz")
    assert [record["w"] for record in read_lines(tmp_path / "kbest_00.jsonl.xz")] == ["the dog", "odd"]
    assert not list(tmp_path.glob("*.tmp"))


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
