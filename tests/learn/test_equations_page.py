"""docs/equations.md names functions and tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_function_and_test_of_the_page_exists():
    rows = re.findall(r"^\| [^-].*\|$", (ROOT / "docs" / "equations.md").read_text(), flags=re.MULTILINE)[1:]
    tests = "".join(path.read_text() for path in (ROOT / "tests" / "learn").glob("test_*.py"))
    assert len(rows) > 8
    for row in rows:
        _, function, test = (cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1])
        source, *names = re.findall(r"`([^`]+)`", function)
        code = (ROOT / "src" / "spidercap" / source).read_text()
        for name in names:
            defined = re.search(rf"^(def|class) {name}\b", code, flags=re.MULTILINE)
            assert defined or (ROOT / "src" / "spidercap" / name).exists(), row
        for name in re.findall(r"`([^`]+)`", test):
            assert (ROOT / name).exists() if "/" in name else f"def {name}(" in tests, row
