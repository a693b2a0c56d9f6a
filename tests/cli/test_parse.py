"""`spidercap parse` as people run it: what it prints and draws, its exit code, and what is on the disk afterwards."""

import io
import json
import sys
from xml.etree import ElementTree

import pytest

import spidercap
from spidercap.cli import main
from spidercap.metrics.spice.caption_parse import parse_caption

CAPTION = "a brown dog on a hill"
REFERENCES = ["a dog on a green hill", "the brown dog"]


@pytest.fixture
def run(capsys):
    """Run the command; give its exit code, standard output and standard error."""

    def command(*arguments):
        with pytest.raises(SystemExit) as stopped:
            main(["parse", *map(str, arguments)])
        out, err = capsys.readouterr()
        return stopped.value.code, out, err

    return command


@pytest.fixture
def give(monkeypatch):
    """Put bytes on standard input."""

    def put(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))

    return put


def test_tree_dependencies_and_tuples_are_printed(run):
    code, out, err = run(CAPTION)
    assert (code, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert ["2", "brown", "JJ", "amod", "3", "dog"] in lines
    assert ["3", "dog", "NN", "root", "–"] in lines
    assert ["objects", "(dog)", "(hill)"] in lines
    assert ["attributes", "(dog,", "brown)"] in lines
    assert ["relations", "(dog,", "on,", "hill)"] in lines
    assert any(line.endswith("JJ brown") for line in out.splitlines())
    assert "not matched" not in out


def test_with_references_what_is_matched_is_printed(run):
    code, out, _ = run(CAPTION, "--references", *REFERENCES)
    assert code == 0
    expected = spidercap.score([CAPTION], [REFERENCES], "SPICE").corpus["SPICE"]
    row = next(line.split() for line in out.splitlines() if line.strip().startswith("All"))
    assert row[1] == f"{expected:.4f}"
    assert "(hill, green)" in next(line for line in out.splitlines() if "not matched" in line)


def test_json_is_one_object_a_caption(run):
    code, out, _ = run(CAPTION, "", "--json", "--references", *REFERENCES)
    first, second = map(json.loads, out.splitlines())
    assert code == 0
    assert list(first) == [
        "caption", "tokens", "tags", "tree", "log_probability", "whole", "dependencies", "tuples", "references", "spice"
    ]  # fmt: skip
    assert first["tokens"] == CAPTION.split()
    assert first["dependencies"][1] == {"label": "amod", "head": 3, "token": 2}
    assert first["tuples"]["relations"] == [["dog", "on", "hill"]]
    assert first["spice"]["scores"]["All"]["f"] == spidercap.score([CAPTION], [REFERENCES], "SPICE").corpus["SPICE"]
    assert first["spice"]["scores"]["Size"]["f"] is None
    assert {"tuple": ["dog", "brown"], "matched": True} in first["spice"]["candidate"]
    assert (second["caption"], second["tokens"], second["tuples"]["objects"]) == ("", [], [])
    assert "spice" not in json.loads(run(CAPTION, "--json")[1])


def test_captions_of_a_file_and_of_standard_input(run, give, tmp_path):
    path = tmp_path / "captions.txt"
    path.write_text(f"{CAPTION}\n\na cat\n")
    give(path.read_bytes())
    from_file = run("--file", path, "--json")
    assert from_file == run("--json")
    assert [json.loads(line)["caption"] for line in from_file[1].splitlines()] == [CAPTION, "", "a cat"]


def test_references_of_an_image(run, tmp_path):
    path = tmp_path / "refs.json"
    path.write_text(json.dumps({"7": REFERENCES, "8": ["x"]}))
    assert run(CAPTION, "--json", "--refs", path, "--id", "7") == run(CAPTION, "--json", "--references", *REFERENCES)


def test_drawings(run, tmp_path):
    code, _, _ = run(CAPTION, "--references", *REFERENCES, "--svg", tmp_path / "a.svg", "--html", tmp_path / "a.html")
    assert code == 0
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")
    page = (tmp_path / "a.html").read_text()
    assert page.startswith("<!doctype html>")
    assert all(reference in page for reference in REFERENCES)
    assert run(CAPTION, "a cat", "--html", tmp_path / "b.html")[0] == 0
    assert (tmp_path / "b.html").read_text().count("<section") == 2


@pytest.mark.parametrize(
    "caption", ["dog", "...", "犬が走る", "🐶🐶", "[bold]x[/bold] :-)", "a dog on the hill " * 200]
)
@pytest.mark.parametrize("references", [[], REFERENCES, [""]])
def test_any_caption_is_printed(run, tmp_path, caption, references):
    given = ["--references", *references] if references else []
    code, out, err = run(caption, *given, "--svg", tmp_path / "a.svg")
    assert (code, err) == (0, "")
    assert "".join(parse_caption(caption).tokens[:1]) in out
    ElementTree.parse(tmp_path / "a.svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "--file", "x.txt"], "give captions or --file, not both"),
        (["a", "--references", "b", "--refs", "x.json"], "give --references or --refs, not both"),
        (["a", "--refs", "x.json"], "--refs and --id go together"),
        (["a", "--id", "7"], "--refs and --id go together"),
        (["a", "b", "--svg", "x.svg"], "--svg draws one caption, got 2; use --html for several"),
        (["a\udcff"], r"'a\udcff' is not UTF-8"),
    ],
)
def test_commands_that_cannot_be_carried_out(run, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_parse(run, give, monkeypatch, tmp_path):
    give(b"")
    assert run()[::2] == (1, "spidercap: standard input: no caption was found; expected one a line\n")
    give(b"a dog\n\xff\n")
    assert "standard input, line 2: byte 0xff is not UTF-8" in run()[2]
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    code, _, err = run()
    assert code == 2
    assert "give captions, a --file, or lines on standard input" in err
    assert "none.txt does not exist" in run("--file", tmp_path / "none.txt")[2]


def test_an_image_without_references(run, tmp_path):
    path = tmp_path / "refs.json"
    path.write_text(json.dumps({"7": REFERENCES}))
    code, _, err = run("a", "--refs", path, "--id", "9")
    assert code == 1
    assert "refs.json: no image has the id '9'; give one that it has, such as '7'" in err


@pytest.mark.parametrize("option", ["--svg", "--html"])
def test_a_drawing_is_never_written_over(run, tmp_path, option):
    path = tmp_path / "drawing"
    path.write_text("mine")
    code, out, err = run("a", option, path)
    assert (code, out, path.read_text()) == (1, "", "mine")
    assert f"drawing already exists; choose another {option} or remove it first" in err
