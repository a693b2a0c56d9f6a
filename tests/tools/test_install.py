"""What a machine without Python, compiler, venv or space is told: one sentence each."""

import importlib.util
import os
import shutil
import subprocess
from collections import namedtuple
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def install():
    spec = importlib.util.spec_from_file_location("install", ROOT / "tools" / "install.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sentence(capsys, check):
    with pytest.raises(SystemExit) as stopped:
        check()
    assert stopped.value.code == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def test_no_compiler(install, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    assert "A C++ compiler was not found; install g++ or clang++" in sentence(capsys, install.check_compiler)


def test_a_compiler_that_is_named_but_missing(install, capsys, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler -O2")
    assert "CXX names 'no-such-compiler', which was not found" in sentence(capsys, install.check_compiler)


def test_no_venv_module(install, capsys, monkeypatch):
    monkeypatch.setattr(install.importlib.util, "find_spec", lambda name: None if name == "ensurepip" else object())
    assert "has no 'ensurepip' module; install it" in sentence(capsys, install.check_modules)


def test_no_space(install, capsys, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(install.shutil, "disk_usage", lambda _: usage(10**12, 10**12 - 10**9, 10**9))
    assert "3 GB of free disk are needed here, and 1.0 GB are left" in sentence(capsys, install.check_disk)


def test_what_is_current_is_not_installed_again(install, monkeypatch, tmp_path):
    monkeypatch.setattr(install, "step", lambda *_: pytest.fail("installed again"))
    for what, files in (("dependencies", install.dependency_files()), ("package", install.package_files())):
        install.mark(tmp_path, what, files)
    install.main(tmp_path)


def test_a_changed_source_is_noticed(install, monkeypatch, tmp_path):
    source = tmp_path / "words.cpp"
    source.write_text("1")
    install.mark(tmp_path, "package", [source])
    assert install.current(tmp_path, "package", [source])
    source.write_text("2")
    assert not install.current(tmp_path, "package", [source])


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize(
    ("python", "message"),
    [
        ("no-such-python", "no-such-python was not found; install Python 3.11 or newer"),
        ("old-python", "Python 3.11 or newer is needed, and old-python is Python 3.9.1"),
    ],
)
def test_python_missing_or_too_old(tmp_path, python, message):
    old = tmp_path / "old-python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.1\nexit 1\n')
    old.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    result = subprocess.run(
        ["make", "install", f"PYTHON={python}"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert result.returncode != 0
    assert message in result.stderr


@pytest.fixture
def apt(install, monkeypatch):
    """A machine with root and apt-get and without a browser; records what is run."""
    commands = []

    def run(command, **options):
        commands.append(command)
        assert options["timeout"] <= 240
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(install.shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(install.os, "geteuid", lambda: 0)
    monkeypatch.setattr(install.subprocess, "run", run)
    return commands


def test_the_browser_is_installed_where_that_is_possible(install, apt, capsys):
    install.install_browser()
    assert [command[-1] for command in apt] == ["update", "chromium", "chromium"]
    assert capsys.readouterr().out.endswith(" s\n")


@pytest.mark.parametrize("problem", [OSError, lambda: subprocess.TimeoutExpired("apt-get", 1), None])
def test_a_browser_that_cannot_be_had_is_no_error(install, apt, capsys, monkeypatch, problem):
    def fail(command, **options):
        if problem:
            raise problem()
        return subprocess.CompletedProcess(command, 100)

    monkeypatch.setattr(install.subprocess, "run", fail)
    install.install_browser()
    assert "not possible, they are skipped" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "user"), [("chromium", 0), ("apt-get", 1000), ("nothing", 0)])
def test_nothing_is_tried_with_a_browser_without_root_or_without_apt(install, apt, monkeypatch, name, user):
    monkeypatch.setattr(install.shutil, "which", lambda wanted: "/usr/bin/x" if wanted == name else None)
    monkeypatch.setattr(install.os, "geteuid", lambda: user)
    install.install_browser()
    assert apt == []
