"""Tests against other people's programs: what is there to run, and what an unknown name gets."""

import sys

import pytest


def test_an_unknown_name_is_told_before_anything_is_installed(tool, monkeypatch):
    more = tool("test_more")
    monkeypatch.setattr(more, "build_wheel", lambda: pytest.fail("built"))
    with pytest.raises(SystemExit, match="there is no tests/more/nothing; there are: .*pycocoevalcap"):
        more.main(["nothing"])


def test_a_folder_that_fails_is_named_and_the_others_run(tool, monkeypatch, capsys):
    more, seen = tool("test_more"), []
    monkeypatch.setattr(more, "build_wheel", lambda: None)
    monkeypatch.setattr(more, "passes", lambda name, wheel: bool(seen.append(name)))
    with pytest.raises(SystemExit, match="failed: pycocoevalcap"):
        more.main([])
    assert "pycocoevalcap" in seen


def test_a_pip_that_fails_ends_it_with_a_sentence(tool):
    with pytest.raises(SystemExit, match="pip failed: no-such-command; check the network"):
        tool("test_more").pip(sys.executable, "no-such-command")
