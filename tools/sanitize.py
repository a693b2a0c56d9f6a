"""Build the native core with address and undefined-behaviour sanitizers and run the native tests under them."""

import os
import subprocess
import sys
from pathlib import Path

from try_wheel import borrowing_environment

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "sanitize"
DEFINES = ["-C", "cmake.define.SPIDERCAP_SANITIZE=ON", "-C", f"build-dir={BUILD / 'cmake'}"]


def main(arguments: list[str]) -> int:
    return run_sanitized(["-m", "pytest", "-p", "no:cacheprovider", *(arguments or ["tests/native"])])


def run_sanitized(arguments: list[str]) -> int:
    """Build the core with sanitizers into an environment of its own and run its Python with these arguments."""
    python = borrowing_environment(BUILD / "venv")
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-build-isolation"]
    subprocess.check_call([*install, "--quiet", "--force-reinstall", *DEFINES, str(ROOT)])
    options = {"LD_PRELOAD": runtime(), "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}
    return subprocess.call([str(python), *arguments], cwd=ROOT, env=os.environ | options)


def runtime() -> str:
    """The libraries that must be loaded before Python's own; libstdc++ too, so that exceptions are intercepted."""
    compiler = os.environ.get("CXX", "c++")
    names = ["libasan.so", "libstdc++.so"]
    return " ".join(
        subprocess.check_output([compiler, f"-print-file-name={name}"], text=True).strip() for name in names
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
