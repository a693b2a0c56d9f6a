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
