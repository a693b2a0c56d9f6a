"""Run the tests that need other people's programs: every folder of tests/more in an environment of its own.

Usage: python tools/test_more.py [NAME …]

A folder has a requirements.txt, whose programs may contradict ours and each other, and tests. Environments stay under
build/more, so that a second run installs nothing but the package as it is now.
"""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests" / "more"
PLACE = ROOT / "build" / "more"


def main(names: list[str]) -> None:
    known = sorted(path.parent.name for path in TESTS.glob("*/requirements.txt"))
    if unknown := sorted({*names} - {*known}):
        sys.exit(f"there is no tests/more/{unknown[0]}; there are: {', '.join(known)}")
    wheel = build_wheel()
    failed = [name for name in names or known if not passes(name, wheel)]
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")
    print(f"All is well with {', '.join(names or known)}")


def build_wheel() -> Path:
    """The package as it is now; only what changed since the last build is compiled."""
    for old in PLACE.glob("*.whl"):
        old.unlink()
    pip(sys.executable, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(PLACE), str(ROOT))
    return next(PLACE.glob("*.whl"))


def passes(name: str, wheel: Path) -> bool:
    """Install what a folder asks for and the package, and run the folder's tests."""
    print(f"{name}: installing into {(PLACE / name).relative_to(ROOT)}, then its tests", flush=True)
    python = PLACE / name / "bin" / "python"
    if not python.exists():
        venv.create(PLACE / name, with_pip=True)
    pip(str(python), "install", "pytest", str(wheel), "-r", str(TESTS / name / "requirements.txt"))
    pip(str(python), "install", "--no-deps", "--force-reinstall", str(wheel))
    command = [str(python), "-m", "pytest", str(TESTS / name)]
    return subprocess.call(command, cwd=ROOT) == 0


def pip(python: str, *arguments: str) -> None:
    if subprocess.call([python, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments], cwd=ROOT) != 0:
        sys.exit(f"pip failed: {' '.join(arguments)}; check the network and run the command again")


if __name__ == "__main__":
    main(sys.argv[1:])
