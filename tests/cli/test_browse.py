"""`spidercap browse` as a command: what it refuses."""

import pytest

pytest.importorskip("jinja2", reason="needs the train extra: pip install 'spidercap[train]'")

from spidercap.cli import main


def test_an_existing_page_is_not_written_over(tmp_path, capsys):
    page = tmp_path / "page.html"
    page.write_text("mine")
    with pytest.raises(SystemExit) as stopped:
        main(["browse", str(tmp_path), "--out", str(page)])
    assert (stopped.value.code, page.read_text()) == (1, "mine")
    assert "page.html already exists; choose another --out or remove it first" in capsys.readouterr().err


def test_a_picture_that_is_not_there_is_told_in_our_words(tmp_path, capsys):
    (tmp_path / "x.csv").write_text("file,caption\ndog.jpg,a dog\n")
    with pytest.raises(SystemExit):
        main(["prepare", str(tmp_path / "x.csv"), "--out", str(tmp_path / "data")])
    capsys.readouterr()
    with pytest.raises(SystemExit) as stopped:
        main(["browse", str(tmp_path / "data"), "--out", str(tmp_path / "page.html")])
    told = capsys.readouterr().err
    assert stopped.value.code == 1
    assert "Errno" not in told
    assert told == (
        f"spidercap: the picture of dog: {tmp_path / 'data' / 'images' / 'dog.jpg'} does not exist; "
        "give its folder by --images\n"
    )
