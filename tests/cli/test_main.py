"""The command line as a whole: help, exit codes, one line of error."""

import json
import subprocess
import sys

import pytest

from spidercap.cli import VERBS, main
from spidercap.errors import DataError, MissingExtraError
from spidercap.extras import PARTS, Part, require


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "spidercap", *arguments], capture_output=True, text=True)


def test_help_lists_the_verbs_that_work():
    result = run("--help")
    assert result.returncode == 0
    for verb in VERBS:
        assert verb in result.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_each_help_ends_with_an_example(verb):
    result = run(verb, "--help")
    assert result.returncode == 0
    assert f"Example: spidercap {verb}" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["prepar"], 'Unknown command "prepar"'),
        (["doctor", "--jsn"], "Did you mean --json?"),
        (["doctor", "extra"], "extra"),
    ],
)
def test_usage_errors_are_one_line_and_exit_with_2(arguments, message):
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("spidercap: ")
    assert message in result.stderr


def test_data_errors_are_one_line_and_exit_with_1(monkeypatch, capsys):
    def fail():
        raise DataError("photos.csv, line 3: no caption")

    monkeypatch.setattr("spidercap.cli.app", lambda *_, **__: fail())
    with pytest.raises(SystemExit) as stopped:
        main([])
    assert stopped.value.code == 1
    assert capsys.readouterr().err == "spidercap: photos.csv, line 3: no caption\n"


def test_doctor_prints_versions_threads_and_parts():
    facts = json.loads(run("doctor", "--json").stdout)
    assert facts["versions"]["python"] == sys.version.split()[0]
    assert facts["threads"]["usable threads"] >= 1
    assert set(facts["parts"]) == set(PARTS)
    assert "Optional parts" in run("doctor").stdout


def test_a_missing_part_names_its_command(monkeypatch):
    monkeypatch.setitem(PARTS, "kites", Part("flying", ["no_such_module"], "pip install kites"))
    with pytest.raises(MissingExtraError, match="flying needs .*; run: pip install kites"):
        require("kites")
