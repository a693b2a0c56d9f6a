"""Check the native core with clang-tidy, in an environment of its own: its wheel is as large as all our other tools."""

import os
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from try_wheel import install, new_environment

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "tidy"


def main(arguments: list[str]) -> int:
    tidy = install_tidy()
    configure()
    files = arguments or sorted(str(path.relative_to(ROOT)) for path in (ROOT / "native").glob("*/*.cpp"))
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        failed = sum(workers.map(lambda file: check(tidy, file), files))
    print(f"clang-tidy: {failed} of {len(files)} files have something to mend" if failed else "clang-tidy: all is well")
    return int(failed > 0)


def install_tidy() -> Path:
    python = new_environment(BUILD / "venv")
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["tidy"]
    install(python, "-c", str(ROOT / "constraints.txt"), *wanted)
    return python.parent / "clang-tidy"


def configure() -> None:
    """Write the compiler's commands, which clang-tidy reads; nothing is built."""
    defines = ["-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", f"-DPython_EXECUTABLE={sys.executable}"]
    cmake = [str(Path(sys.executable).parent / "cmake"), "-S", str(ROOT), "-B", str(BUILD), "-G", "Ninja", *defines]
    subprocess.run(cmake, check=True, stdout=subprocess.DEVNULL)


def check(tidy: Path, file: str) -> bool:
    """Print what clang-tidy says about a file; whether it said anything."""
    command = [str(tidy), "-p", str(BUILD), "--quiet", file]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    print(done.stdout, end="", flush=True)
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
