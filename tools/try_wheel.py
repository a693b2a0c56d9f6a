"""Build a wheel into dist/ and try it in a new environment, away from the source tree."""

import shutil
import subprocess
import sys
import sysconfig
import tempfile
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
        python = new_environment(Path(folder) / "venv")
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", str(wheel)]
        subprocess.check_call(pip)
        subprocess.check_call([str(python), "-c", TRIAL], cwd=folder)
        subprocess.check_call([str(python.parent / "spidercap"), "doctor"], cwd=folder)
        try_captioner(python, Path(folder))
    print(f"{wheel.relative_to(ROOT)} ({wheel.stat().st_size / 1e6:.1f} MB) works without the source tree")


def try_captioner(python: Path, folder: Path) -> None:
    """Caption a picture with the captioner that came with the wheel."""
    if not SHIPPED.is_dir():
        print(f"no captioner to try: {SHIPPED.relative_to(ROOT)} does not exist")
        return
    subprocess.check_call([str(python), "-c", PICTURE], cwd=folder)
    said = subprocess.check_output([str(python.parent / "spidercap"), "caption", "scene.jpg"], cwd=folder, text=True)
    assert said.startswith("scene.jpg\t"), said
    print(said, end="")


def new_environment(folder: Path) -> Path:
    """An environment that sees the dependencies installed here, but not the spidercap installed here."""
    venv.create(folder, with_pip=False)
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return folder / "bin" / "python"


if __name__ == "__main__":
    main()
