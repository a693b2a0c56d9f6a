"""A small share of `make fuzz`, without sanitizers."""

import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).parents[2] / "tools" / "fuzz.py"


def test_no_string_crashes_a_metric_or_gives_a_number_out_of_range():
    run = subprocess.run([sys.executable, str(FUZZ), "20000"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "20,000 strings" in run.stdout
