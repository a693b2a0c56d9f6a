"""The example at the end of each verb's help runs, in a new folder, in the order of the verbs."""

import json
import re
import shlex
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from PIL import Image

from spidercap.cli import COMMANDS, app
from spidercap.extras import PARTS

CAPTIONS = {"1": ["a man rides a horse", "a person on a horse"], "2": ["two dogs play in the snow", "dogs in snow"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that examples name and do not make themselves."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "references.json").write_text(json.dumps(CAPTIONS))
    (folder / "pictures").mkdir()
    for image in CAPTIONS:
        Image.new("RGB", (32, 32), "olive").save(folder / "pictures" / f"{image}.png")
    (folder / "results.json").write_text(json.dumps([{"image_id": k, "caption": v[1]} for k, v in CAPTIONS.items()]))
    return folder


def example(*command):
    found = app
    for name in command:
        found = found[name]
    line = re.search(r"^\s*Example: (spidercap .+)$", found.default_command.__doc__, flags=re.MULTILINE)
    assert line, f"`spidercap {' '.join(command)}` has no example"
    return [sys.executable, "-m", *shlex.split(line[1])]


def wait_for_answer(address):
    """Until the server answers, be it with a refusal."""
    for _ in range(100):
        try:
            urllib.request.urlopen(address, timeout=10).close()
        except urllib.error.HTTPError as refusal:
            refusal.close()
        except OSError:
            time.sleep(0.1)
            continue
        return


def run(command, folder):
    """Run an example to its end; one that serves is interrupted once it answers where it says."""
    if "serve" not in command:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True)
    process = subprocess.Popen(
        [*command, "--port", "0"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    first = ""
    while not (address := re.search(r"http://\S+", first)) and process.poll() is None:
        first += process.stdout.readline()
    if address:
        wait_for_answer(address[0])
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=60)
    return subprocess.CompletedProcess(command, process.returncode, first + rest, errors)


@pytest.mark.skipif(not PARTS["weights"].installed, reason=f"needs weights: {PARTS['weights'].command}")
def test_examples_run_in_order(folder):
    for words in COMMANDS:
        command = example(*words)
        result = run(command, folder)
        assert result.returncode == 0, f"{shlex.join(command)}: {result.stderr}"
        assert result.stdout
    assert len(json.loads((folder / "captions_all_mle_results.json").read_text())) == 20
    assert (folder / "scenes.html").stat().st_size > 100_000
    assert (folder / "runs" / "small-demo" / "report.html").stat().st_size > 200_000


@pytest.mark.skipif(not PARTS["weights"].installed, reason=f"needs weights: {PARTS['weights'].command}")
def test_a_second_demo_keeps_everything_and_other_settings_are_refused(folder):
    command = example("demo")
    again = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert again.returncode == 0
    assert again.stdout.count("kept") == 3
    assert again.stdout.startswith("The paper in miniature: 24 drawn scenes, their features, 8 trainings and a report")
    todo = again.stdout.partition("What to look at next:\n")[2].split()
    assert [(folder / name).exists() for name in todo if name.endswith(".html")] == [True, True]
    other = subprocess.run([*command, "--seed", "7"], cwd=folder, capture_output=True, text=True)
    assert other.returncode == 2
    assert "holds built-in scenes, count 24, seed 0" in other.stderr
