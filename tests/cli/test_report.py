"""`spidercap report` as a command."""

import shutil

import pytest

from spidercap.cli import main


def run(capsys, *arguments):
    """Exit code, standard output and standard error of one command."""
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    found = capsys.readouterr()
    return stopped.value.code or 0, found.out, found.err


def test_all_forms_from_one_command(trained, tmp_path, capsys):
    files = [tmp_path / f"report.{ending}" for ending in ("html", "md", "tex", "csv", "svg")]
    code, out, _ = run(capsys, "report", trained / "mle", trained / "pg", "--out", *files, "--examples", 1)
    assert code == 0
    assert all(file.stat().st_size > 500 for file in files)
    assert "MLE" in out
    assert "2 runs, 6 images of the split test" in out


def test_the_validation_images_can_be_chosen(trained, tmp_path, capsys):
    code, out, _ = run(capsys, "report", trained / "mle", "--split", "val", "--out", tmp_path / "report.csv")
    assert code == 0
    assert "images of the split val" in out


def test_rollouts_that_are_left_out_are_told(trained, tmp_path, capsys):
    shutil.copytree(trained / "pg", tmp_path / "pg")
    (tmp_path / "pg" / "last" / "training.pt").write_bytes(b"cut")
    code, _, err = run(capsys, "report", tmp_path / "pg", "--out", tmp_path / "report.html")
    assert code == 0
    assert "note: what each word is worth to PG-0.5*BLEU-4 + ROUGE-L is left out" in err


def test_what_is_no_run_gets_one_sentence(trained, tmp_path, capsys):
    code, _, err = run(capsys, "report", trained / "data", "--out", tmp_path / "report.html")
    assert code == 1
    assert err.count("\n") == 1
    assert "is not a run; expected a folder made by `spidercap train`" in err
    assert not (tmp_path / "report.html").exists()


def test_an_unknown_ending_is_a_wrong_command(trained, capsys):
    code, _, err = run(capsys, "report", trained / "mle", "--out", "report.pdf")
    assert code == 2
    assert "expected a name that ends in .html, .md, .tex, .csv" in err
