"""The first thing that README shows is what happens."""

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

from spidercap.extras import PARTS

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.skipif(not PARTS["meteor"].installed, reason=f"needs METEOR's table: {PARTS['meteor'].command}")
def test_the_first_command_prints_what_stands_below_it(tmp_path):
    text = README.read_text(encoding="utf-8")
    block = re.search(r"^```\n(\$ pip install .*?)^```$", text, re.DOTALL | re.MULTILINE)[1]
    install, *commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    assert install == "pip install '.[meteor]'"
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    run = subprocess.run(
        ["sh", "-ec", "\n".join(commands)],
        cwd=tmp_path,
        env=os.environ | {"PATH": path, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stderr
    shown = [line.strip() for line in block.splitlines() if line.strip() and not line.startswith("$ ")]
    printed = [line.strip() for line in run.stdout.splitlines() if line.strip()]
    assert printed[: len(shown)] == shown


def test_how_much_faster_is_the_same_everywhere():
    text = README.read_text(encoding="utf-8")
    first, _, rest = text.partition("## What you can do with it")
    told = re.findall(r"(\d+) times", first)
    assert len(told) == 2
    assert all(f"{times} ×" in rest for times in told)
    benchmarks = (README.parent / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert f"| {told[0]} × |" in benchmarks.partition("### The whole command")[2].partition("###")[0]
