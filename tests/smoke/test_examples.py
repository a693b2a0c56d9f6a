"""The example at the end of each verb's help runs, in a new folder, in the order of the verbs."""

import json
import re
import shlex
import subprocess
import sys

import pytest

from spidercap.cli import VERBS, app
from spidercap.extras import PARTS

CAPTIONS = {"1": ["a man rides a horse", "a person on a horse"], "2": ["two dogs play in the snow", "dogs in snow"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that examples name and do not make themselves."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "references.json").write_text(json.dumps(CAPTIONS))
    (folder / "results.json").write_text(json.dumps([{"image_id": k, "caption": v[1]} for k, v in CAPTIONS.items()]))
    return folder


def example(verb):
    found = re.search(r"^\s*Example: (spidercap .+)$", app[verb].default_command.__doc__, flags=re.MULTILINE)
    assert found, f"`spidercap {verb}` has no example"
    return shlex.split(found[1])


@pytest.mark.skipif(not PARTS["weights"].installed, reason=f"needs weights: {PARTS['weights'].command}")
def test_examples_run_in_order(folder):
    for verb in VERBS:
        command = [sys.executable, "-m", *example(verb)]
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert result.returncode == 0, f"{shlex.join(command)}: {result.stderr}"
        assert result.stdout
    assert (folder / "scenes.html").stat().st_size > 100_000
    assert (folder / "runs" / "small-demo" / "dataset.html").exists()


@pytest.mark.skipif(not PARTS["weights"].installed, reason=f"needs weights: {PARTS['weights'].command}")
def test_a_second_demo_keeps_everything_and_other_settings_are_refused(folder):
    command = [sys.executable, "-m", *example("demo")]
    again = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert again.returncode == 0
    assert again.stdout.count("kept") == 3
    other = subprocess.run([*command, "--seed", "7"], cwd=folder, capture_output=True, text=True)
    assert other.returncode == 2
    assert "holds built-in scenes, count 24, seed 0" in other.stderr
