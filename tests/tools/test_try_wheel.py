"""What the wheel workflow runs after building must need nothing of the source tree but what it copies."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_workflow_s_tests_name_no_file_outside_their_folder():
    workflow = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]
    assert "tests/native" in workflow["test-sources"]
    assert "pytest tests/native" in workflow["test-command"]
    for path in (ROOT / "tests" / "native").glob("*.py"):
        assert not re.search(r"__file__|syspath|\.\./|from (tests|tools)\b", path.read_text(encoding="utf-8")), path
