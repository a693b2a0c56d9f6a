"""Build a wheel into dist/ and try it in new environments, away from the source tree.

In the first there is nothing but the wheel and what it asks for, and the wheel workflow's own tests run there; the
second borrows the packages installed here, torch among them, and captions a picture.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ROOT / "src" / "spidercap" / "model" / "shipped"
PICTURE = "from spidercap.scenes import draw_scene; draw_scene(1, 0, 299).save('scene.jpg')"
TRIAL = """
import spidercap._native, spidercap, pathlib
assert "site-packages" in spidercap.__file__, spidercap.__file__
assert spidercap._native.split_words("It's a Wheel") == ["it's", "a", "wheel"]
assert (pathlib.Path(spidercap.__file__).parent / "py.typed").exists()
"""


def main() -> None:
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    subprocess.check_call([sys.executable, "-m", "build", "--no-isolation", "--outdir", "dist"], cwd=ROOT)
    wheel = next((ROOT / "dist").glob("*.whl"))
    with tempfile.TemporaryDirectory() as folder:
        try_alone(wheel, Path(folder, "alone"))
        try_captioner(wheel, Path(folder, "captioner"))
    print(f"{wheel.relative_to(ROOT)} ({wheel.stat().st_size / 1e6:.1f} MB) works without the source tree")


def try_alone(wheel: Path, folder: Path) -> None:
    """Do what the wheel workflow does after building: its requirements, its copied tests, its command."""
    workflow = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]
    python = new_environment(folder / "venv")
    install(python, "-c", str(ROOT / "constraints.txt"), str(wheel), *workflow["test-requires"])
    for source in workflow["test-sources"]:
        copy(ROOT / source, folder / source)
    subprocess.check_call([str(python), "-c", TRIAL], cwd=folder)
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    subprocess.check_call(workflow["test-command"], shell=True, cwd=folder, env=os.environ | {"PATH": path})


def try_captioner(wheel: Path, folder: Path) -> None:
    """Caption a picture with the captioner that came with the wheel."""
    if not SHIPPED.is_dir():
        print(f"no captioner to try: {SHIPPED.relative_to(ROOT)} does not exist")
        return
    python = borrowing_environment(folder / "venv")
    install(python, "--no-deps", str(wheel))
    subprocess.check_call([str(python), "-c", PICTURE], cwd=folder)
    said = subprocess.check_output([str(python.parent / "spidercap"), "caption", "scene.jpg"], cwd=folder, text=True)
    assert said.startswith("scene.jpg\t"), said
    print(said, end="")


def new_environment(folder: Path) -> Path:
    """The Python of a new, empty environment."""
    venv.create(folder, with_pip=False)
    return folder / "bin" / "python"


def borrowing_environment(folder: Path) -> Path:
    """The Python of a new environment that has the packages installed here, behind its own."""
    python = new_environment(folder)
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "borrowed.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return python


def install(python: Path, *wanted: str) -> None:
    """Install into an environment that has no pip of its own."""
    subprocess.check_call([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", *wanted])


def copy(source: Path, to: Path) -> None:
    """Copy a file or a folder to a place whose folders may not be there yet."""
    to.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, to)


if __name__ == "__main__":
    main()
