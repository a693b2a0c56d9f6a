"""The command line as a whole: help, exit codes, one line of error."""

import json
import os
import subprocess
import sys

import pytest

from spidercap.cli import VERBS, app, main
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

    monkeypatch.setattr(app["doctor"], "default_command", fail)
    with pytest.raises(SystemExit) as stopped:
        main(["doctor"])
    assert stopped.value.code == 1
    assert capsys.readouterr().err == "spidercap: photos.csv, line 3: no caption\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["prepare", "scenes", "--min-count", "0", "--count", "1"], "--min-count must be at least 1, got 0"),
        (["prepare", "scenes", "--picture-size", "3"], "--picture-size must be at least 32, got 3"),
        (["prepare", __file__], "say it with --format (coco, "),
        (["prepare", "captions.json", "--seed", "3"], "--seed is for the built-in scenes; leave it out, or name the"),
    ],
)
def test_errors_of_the_library_name_the_options_of_the_verb(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main([*arguments, "--out", "made"])
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


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


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("[enforce fail at alloc_cpu.cpp:117] DefaultCPUAllocator: not enough memory"),
        ImportError("libtorch_cpu.so: failed to map segment from shared object"),
        OSError(12, "Cannot allocate memory"),
    ],
)
def test_lack_of_memory_is_one_sentence(monkeypatch, capsys, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("spidercap.cli.app", fail)
    with pytest.raises(SystemExit) as stopped:
        main([])
    assert stopped.value.code == 1
    assert capsys.readouterr().err == (
        "spidercap: the memory does not suffice; give fewer or smaller inputs at once, or close other programs\n"
    )


def test_an_error_of_our_own_is_not_taken_for_lack_of_memory(monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("a bug")

    monkeypatch.setattr("spidercap.cli.app", fail)
    with pytest.raises(RuntimeError, match="a bug"):
        main([])


def test_a_hostile_name_stays_one_line():
    result = run("score", "b.json", "--refs", "a\x1b[31m\nspidercap: fine.json")
    assert result.stderr == r"spidercap: a\x1b[31m\nspidercap: fine.json does not exist; check the path" + "\n"


def test_letters_that_the_terminal_lacks_are_escaped():
    code = ["-c", "from spidercap.cli import main; main(['score', 'b.json', '--refs', 'é.json'])"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    result = subprocess.run([sys.executable, *code], capture_output=True, text=True, env=environment)
    assert result.stderr == r"spidercap: \xe9.json does not exist; check the path" + "\n"
