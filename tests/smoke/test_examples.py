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

from spidercap.cli import COMMANDS, app, main
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
    return shlex.split(line[1])[1:]


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


@pytest.fixture
def run(folder, capfd, monkeypatch):
    """Run an example to its end, here, because starting a process takes longer than most: exit code, output, errors."""
    monkeypatch.chdir(folder)

    def go(arguments):
        if "serve" in arguments:
            return serve(arguments)
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        return ended.value.code or 0, *capfd.readouterr()

    return go


def serve(arguments):
    """Run an example that serves in a process of its own, and interrupt it once it answers where it says."""
    command = [sys.executable, "-m", "spidercap", *arguments, "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    first = ""
    while not (address := re.search(r"http://\S+", first)) and process.poll() is None:
        first += process.stdout.readline()
    if address:
        wait_for_answer(address[0])
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=60)
    return process.returncode, first + rest, errors


@pytest.mark.skipif(not PARTS["weights"].installed, reason=f"needs weights: {PARTS['weights'].command}")
def test_examples_run_in_order(folder, run):
    for words in COMMANDS:
        arguments = example(*words)
        code, output, errors = run(arguments)
        assert code == 0, f"spidercap {shlex.join(arguments)}: {errors}"
        assert output
    assert len(json.loads((folder / "captions_all_mle_results.json").read_text())) == 20
    assert (folder / "scenes.html").stat().st_size > 100_000
    assert (folder / "runs" / "small-demo" / "report.html").stat().st_size > 200_000


@pytest.mark.skipif(not PARTS["weights"].installed, reason=f"needs weights: {PARTS['weights'].command}")
def test_a_second_demo_keeps_everything_and_other_settings_are_refused(folder, run):
    arguments = example("demo")
    code, output, _ = run(arguments)
    assert code == 0
    assert output.count("kept") == 3
    assert output.startswith("The paper in miniature: 24 drawn scenes, their features, 8 trainings and a report")
    todo = output.partition("What to look at next:\n")[2].split()
    assert [(folder / name).exists() for name in todo if name.endswith(".html")] == [True, True]
    code, _, errors = run([*arguments, "--seed", "7"])
    assert code == 2
    assert "holds built-in scenes, count 24, seed 0" in errors
