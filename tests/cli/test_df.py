"""`spidercap df` as people run it."""

import gzip
import json

import pytest

from spidercap.cli import main

REFERENCES = {"1": ["A dog runs.", "the dog"], "2": ["a dog"], "3": ["A cat"]}


@pytest.fixture
def run(capsys):
    """Run a command; give its exit code, standard output and standard error."""

    def command(*arguments):
        with pytest.raises(SystemExit) as stopped:
            main([*map(str, arguments)])
        out, err = capsys.readouterr()
        return stopped.value.code, out, err

    return command


@pytest.fixture
def references(tmp_path):
    path = tmp_path / "references.json"
    path.write_text(json.dumps(REFERENCES))
    return path


def test_the_example_writes_a_readable_file(run, references, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("df", "references.json", "--out", "frequencies.tsv.gz")
    assert (code, err) == (0, "")
    assert out.startswith("frequencies.tsv.gz: 3 n-grams that occur in at least 2 of 3 images, fingerprint ")
    lines = gzip.decompress((tmp_path / "frequencies.tsv.gz").read_bytes()).decode().splitlines()
    assert lines[1:] == [
        "# images: 3",
        "# tokenizer: ptb",
        "# source: references.json",
        "a\t3",
        "a dog\t2",
        "dog\t2",
    ]


def test_score_uses_the_file_and_names_it(run, references, tmp_path):
    out = tmp_path / "df.tsv.gz"
    results = tmp_path / "r.json"
    results.write_text('{"1": "a dog runs", "2": "a dog", "3": "a cat"}')
    assert run("df", references, "--out", out)[0] == 0
    with_file = run("score", results, "--refs", references, "--metrics", "cider", "--df", out, "--json")[1]
    alone = run("score", results, "--refs", references, "--metrics", "cider", "--json")[1]
    one, other = (json.loads(text)["systems"][0]["scores"]["CIDEr"] for text in (with_file, alone))
    assert one["value"] == other["value"]
    assert "df:references.json(3," in one["signature"]


def test_another_tokenizer_is_written_down_and_checked(run, references, tmp_path):
    out = tmp_path / "df.tsv.gz"
    assert run("df", references, "--out", out, "--tokenizer", "none")[0] == 0
    assert b"# tokenizer: none\n" in gzip.decompress(out.read_bytes())
    results = tmp_path / "r.json"
    results.write_text('{"1": "a dog runs", "2": "a dog", "3": "a cat"}')
    code, _, err = run("score", results, "--refs", references, "--metrics", "cider", "--df", out)
    assert code == 2
    assert "were counted with the tokenizer none, and captions are tokenised with ptb; use the same" in err


def test_nothing_is_written_over(run, references, tmp_path):
    out = tmp_path / "df.tsv.gz"
    out.write_text("precious")
    code, _, err = run("df", references, "--out", out)
    assert code == 1
    assert "df.tsv.gz already exists; choose another --out" in err
    assert out.read_text() == "precious"


def test_a_split_of_a_prepared_dataset(run, tmp_path):
    table = tmp_path / "pets.csv"
    table.write_text("id,split,caption\n1,train,a dog\n2,train,a dog\n3,val,a cat\n")
    assert run("prepare", table, "--out", tmp_path / "pets")[0] == 0
    out = tmp_path / "df.tsv.gz"
    assert run("df", tmp_path / "pets", "--split", "train", "--out", out)[0] == 0
    assert b"# images: 2\n# tokenizer: ptb\n# source: pets:train\n" in gzip.decompress(out.read_bytes())
    code, _, err = run("df", tmp_path / "pets", "--split", "test", "--out", tmp_path / "other.tsv.gz")
    assert code == 1
    assert "no image is in the split 'test'; it has train, val" in err


def test_several_sources_and_text_files(run, tmp_path):
    one, two = tmp_path / "r1.txt", tmp_path / "r2.txt"
    one.write_text("a dog\na cat\n")
    two.write_text("the dog\nthe cat\n")
    out = tmp_path / "df.tsv.gz"
    assert run("df", one, two, "--out", out)[0] == 0
    assert gzip.decompress(out.read_bytes()).decode().splitlines()[3:] == ["# source: r1.txt+r2.txt", "a\t2", "the\t2"]
