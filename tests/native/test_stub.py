"""The committed type stub describes the extension as it is built."""

import subprocess
import sys
from importlib.resources import files

import pytest

STUB = files("spidercap") / "_native.pyi"


def test_the_stub_is_current(tmp_path):
    pytest.importorskip("nanobind")
    new = tmp_path / "_native.pyi"
    subprocess.check_call([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "spidercap._native", "-o", str(new)])
    assert new.read_text() == STUB.read_text(), "run `make stubs`"
