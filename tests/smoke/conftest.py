"""Pages of the documentation as scripts."""

import re
import shlex
from pathlib import Path

import pytest

from spidercap.cli import main

DOCS = Path(__file__).parents[2] / "docs"
SMALLER = (
    "--model.embedding=32",
    "--model.hidden=32",
    "--decode.limit=16",
)
"""Added to every training: sizes of minutes become sizes of seconds."""
BASELINE = ("--learn.baseline_steps=2", "--learn.baseline_width=16")
"""Added to those from another run, all of which learn by policy gradient."""
FASTER = ("--train.batch=16", "--train.learning_rate=0.01", "--train.warmup_steps=5")
"""Added to those from random weights: SPICE takes long over the word salad of a captioner that has learnt nothing."""


def commands_of(page):
    """The `spidercap` commands of a page's code blocks that name no language."""
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    return [shlex.split(line) for language, block in blocks if not language for line in block.splitlines()]


def _more(arguments):
    if arguments[0] != "train":
        return ()
    return SMALLER + (BASELINE if "--init" in arguments else FASTER)


@pytest.fixture(scope="module")
def play():
    """Run all commands of a page in a folder, trainings with smaller sizes.

    All in one process: starting one for each would take longer than the work.
    """

    def run(page, folder):
        commands = commands_of(page)
        assert commands, page
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            for program, *arguments in commands:
                assert program == "spidercap", f"{page}: {program} {shlex.join(arguments)}"
                with pytest.raises(SystemExit) as stopped:
                    main([*arguments, *_more(arguments)])
                assert not stopped.value.code, f"{page}: spidercap {shlex.join(arguments)}"

    return run
