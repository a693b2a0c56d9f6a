"""What the two commands install, that they repair what was interrupted, and the one sentence for each thing missing."""

import fcntl
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections import namedtuple
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from spidercap.extras import PARTS

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tools"


@pytest.fixture
def install(tool):
    tool("torch_build")
    return tool("install")


@pytest.fixture
def venv(tmp_path):
    """An environment with nothing but pip, made in a moment."""
    folder = tmp_path / "environment"
    subprocess.check_call([sys.executable, "-m", "venv", "--without-pip", str(folder)])
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "pip").symlink_to(Path(importlib.util.find_spec("pip").origin).parent)
    return folder


def sentence(capsys, check, *arguments):
    with pytest.raises(SystemExit) as stopped:
        check(*arguments)
    assert stopped.value.code == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def mark_all(install, venv, command="test"):
    install.mark(venv, command, install.package_content(command))
    install.mark(venv, "core", install.core_content())


# What is missing


def test_no_compiler(install, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    assert "A C++ compiler was not found; install g++ or clang++" in sentence(capsys, install.check_compiler)


def test_a_compiler_that_is_named_but_missing(install, capsys, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler -O2")
    assert "CXX names 'no-such-compiler', which was not found" in sentence(capsys, install.check_compiler)


def test_no_venv_module(install, capsys, monkeypatch):
    monkeypatch.setattr(install.importlib.util, "find_spec", lambda name: None if name == "ensurepip" else object())
    assert "has no 'ensurepip' module; install it" in sentence(capsys, install.check_modules)


def test_no_space(install, capsys, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(install.shutil, "disk_usage", lambda _: usage(10**12, 10**12 - 10**9, 10**9))
    assert "3.3 GB of free disk are needed here, and 1.0 GB are left" in sentence(capsys, install.check_disk, 2.2)


def test_a_disk_that_becomes_full(install):
    text = "Collecting torch\nERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n"
    assert install.reason(text) == "the disk is full; free some of it and run the command again"


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare, for a small disk")
def test_a_disk_that_is_full_from_the_start_on(tmp_path):
    command = (
        f"mount -t tmpfs -o size=64k none {tmp_path} && exec {sys.executable} {TOOLS}/install.py {tmp_path}/v demo"
    )
    done = subprocess.run(["unshare", "-rm", "sh", "-c", command], capture_output=True, text=True)
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("this machine lends no small disk")
    assert done.returncode == 1
    assert (
        done.stderr == f"{tmp_path}/v could not be made: the disk is full; free some of it and run the command again\n"
    )


def test_no_network(install, venv, capsys, monkeypatch):
    for name, value in {"INDEX_URL": "http://127.0.0.1:9/simple", "RETRIES": "1", "FIND_LINKS": ""}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    monkeypatch.setattr(install.torch_build, "CPU_INDEX", "http://127.0.0.1:9/cpu")
    error = sentence(capsys, install.main, venv, "demo", "")
    assert error.startswith("tools: the package index could not be reached; check the network and pip's settings")


def test_the_last_error_is_told_where_nothing_better_is_known(install):
    assert install.reason("fine\nerror: first\nERROR: the last\nmore\n") == "ERROR: the last"
    assert install.reason("") == "no output"


def test_another_word_than_cpu_and_cuda(install, venv, capsys):
    assert "TORCH must be cpu or cuda, got 'gpu'" in sentence(capsys, install.main, venv, "demo", "gpu")


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize(
    ("python", "message"),
    [
        ("no-such-python", "no-such-python was not found; install Python 3.11 or newer"),
        ("old-python", "Python 3.11 or newer is needed, and old-python is Python 3.9.1"),
    ],
)
@pytest.mark.parametrize("target", ["demo", "test"])
def test_python_missing_or_too_old(tmp_path, python, message, target):
    old = tmp_path / "old-python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.1\nexit 1\n')
    old.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    result = subprocess.run(
        ["make", target, f"PYTHON={python}"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert result.returncode != 0
    assert message in result.stderr


def test_what_python_compiles_is_kept(tmp_path):
    """Containers often tell it not to; then torch is compiled anew by every process that a test starts."""
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "[${PYTHONDONTWRITEBYTECODE-kept}]"\nexit 1\n')
    python.chmod(0o755)
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run(["make", "python", f"PYTHON={python}"], cwd=ROOT, env=environment, capture_output=True)
    assert b"[kept]\n" in result.stdout


# What is installed


def test_the_demo_gets_what_it_asks_for_and_no_tools_of_development(install):
    names = {name.partition(">")[0] for name in install.requirements("demo")} | {"torch", *install.DATA_PACKAGES}
    needed = {module for part in ("caption", "weights", "pages", "plots", "meteor") for module in PARTS[part].modules}
    distributions = packages_distributions()
    assert {distributions[module][0].lower() for module in needed} <= names
    development = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["dev"]
    assert not names & {*development, "tensorboard", "starlette"}


def test_the_tests_get_everything(install):
    names = install.requirements("test")
    assert {"ruff", "pytest-xdist", "playwright", "starlette>=0.46", "tensorboard>=2.15"} <= {*names}
    assert {*install.requirements("demo")} <= {*names}


def test_every_package_is_pinned(install):
    pinned = re.findall(r"^(.+)==", (ROOT / "constraints.txt").read_text(), flags=re.MULTILINE)
    wanted = ["torch", *install.requirements("test"), *install.BUILD_PACKAGES, *install.DATA_PACKAGES]
    assert {plain(name.partition(">")[0]) for name in wanted} <= {*map(plain, pinned)}


def plain(name):
    """A package's name as pip compares it."""
    return name.lower().replace("_", "-")


@pytest.mark.parametrize(("installed", "asked"), [("demo", "demo"), ("test", "test"), ("test", "demo")])
def test_what_is_there_is_not_installed_again(install, monkeypatch, venv, installed, asked):
    monkeypatch.setattr(install, "Step", lambda *_: pytest.fail("installed again"))
    mark_all(install, venv, installed)
    install.main(venv, asked, "")


def test_the_demo_s_packages_are_not_enough_for_the_tests(install, venv):
    mark_all(install, venv, "demo")
    assert install.has_packages(venv, "demo")
    assert not install.has_packages(venv, "test")


def test_a_changed_source_is_noticed(install, venv):
    install.mark(venv, "core", b"1")
    assert install.current(venv, "core", b"1")
    assert not install.current(venv, "core", b"2")


def test_every_source_of_the_core_counts(install):
    content = install.core_content()
    sources = [path for path in (ROOT / "native").rglob("*") if path.suffix in (".h", ".cpp")]
    assert len(sources) > 50
    assert all(str(path.relative_to(ROOT)).encode() in content for path in sources)


def test_another_build_of_torch_means_another_environment(install, monkeypatch, tmp_path, capsys):
    version = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages" / "torch" / "version.py"
    version.parent.mkdir(parents=True)
    version.write_text("cuda: Optional[str] = '13.0'\nhip: Optional[str] = None\n")
    assert install.torch_build.installed(tmp_path / ".venv") == "cuda"
    for wish in ("", "cuda"):
        install.remove_other_build(tmp_path / ".venv", wish)
        assert version.exists()
    install.remove_other_build(tmp_path / ".venv", "cpu")
    assert not (tmp_path / ".venv").exists()
    assert "another build of torch than TORCH=cpu" in capsys.readouterr().out


# What was interrupted, and two at once


def test_an_environment_without_pip_is_made_anew(install, venv, capsys):
    next(venv.glob("lib/python*/site-packages/pip")).unlink()
    (venv / "left-over").touch()
    install.make_environment(venv)
    assert not (venv / "left-over").exists()
    assert subprocess.run([*install.pip_of(venv), "--version"], capture_output=True).returncode == 0
    assert "is not whole, so it is made anew" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["file", "folder", "dangling"])
def test_what_stands_in_the_place_of_the_environment_goes(install, monkeypatch, tmp_path, kind):
    place = tmp_path / ".venv"
    if kind == "file":
        place.touch()
    else:
        (place / "bin").mkdir(parents=True)
    if kind == "dangling":
        (place / "bin" / "python").symlink_to(tmp_path / "removed-python")
    made, run = [], subprocess.run

    def record(command, **options):
        made.append(not place.exists())
        return (
            subprocess.CompletedProcess(command, 0) if {"venv", "ensurepip"} & {*command} else run(command, **options)
        )

    monkeypatch.setattr(install.subprocess, "run", record)
    install.make_environment(place)
    assert made[-1]


def test_a_working_environment_stays(install, venv):
    (venv / "mine").touch()
    install.make_environment(venv)
    assert (venv / "mine").exists()


@pytest.mark.parametrize("damage", ["no record", "missing file", "short file", "none"])
def test_a_package_that_was_interrupted_is_installed_again(install, venv, damage):
    packages = next(venv.glob("lib/python*/site-packages"))
    information = packages / "thing-1.0.dist-info"
    information.mkdir()
    (packages / "thing.py").write_text("12345")
    (information / "RECORD").write_text("thing.py,sha256=x,5\n__pycache__/thing.pyc,,\nthing-1.0.dist-info/RECORD,,\n")
    if damage == "no record":
        (information / "RECORD").unlink()
    if damage == "missing file":
        (packages / "thing.py").unlink()
    if damage == "short file":
        (packages / "thing.py").write_text("123")
    install.forget_unfinished(venv)
    assert information.exists() == (damage == "none")


def test_the_second_of_two_waits(install, venv):
    mark_all(install, venv)
    command = [sys.executable, str(TOOLS / "install.py"), str(venv), "demo"]
    folder = os.open(venv.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as second:
        assert second.stdout.readline() == "Another make is installing into environment; waiting until it is done\n"
        assert second.poll() is None
        os.close(folder)
        assert second.wait(timeout=60) == 0


@pytest.fixture
def endless(venv):
    """The command, with a pip that writes its number down and never ends."""
    packages = next(venv.glob("lib/python*/site-packages"))
    (packages / "pip").unlink()
    (packages / "pip").mkdir()
    (packages / "pip" / "__main__.py").write_text(
        "import os, sys, time\n"
        "if 'install' in sys.argv:\n"
        f"    open({str(venv / 'new')!r}, 'w').write(str(os.getpid()))\n"
        f"    os.replace({str(venv / 'new')!r}, {str(venv / 'number')!r})\n"
        "    time.sleep(600)\n"
    )
    return [sys.executable, str(TOOLS / "install.py"), str(venv), "demo"]


def number_of_pip(venv):
    end = time.monotonic() + 120
    while not (venv / "number").exists():
        assert time.monotonic() < end, "pip was not started"
        time.sleep(0.05)
    return int((venv / "number").read_text())


def runs(number):
    """Whether a process is there that has not ended; one that nobody has waited for yet has."""
    try:
        return ") Z" not in Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_is_one_sentence_and_stops_pip(venv, endless, how):
    with subprocess.Popen(endless, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as installing:
        number = number_of_pip(venv)
        installing.send_signal(how)
        assert installing.stderr.read() == "Stopped; the same command goes on where this one was\n"
    assert installing.returncode == 1
    assert not runs(number)


def test_whoever_comes_after_a_killed_one_waits_for_the_pip_it_left(venv, endless):
    with subprocess.Popen(endless, stdout=subprocess.DEVNULL) as killed:
        number = number_of_pip(venv)
        killed.kill()
    assert runs(number)
    (venv / "number").unlink()
    with subprocess.Popen(endless, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as second:
        assert second.stdout.readline() == "Another make is installing into environment; waiting until it is done\n"
        os.kill(number, signal.SIGKILL)
        assert number_of_pip(venv) != number
        second.send_signal(signal.SIGINT)


def test_a_build_that_is_under_way_is_stopped_when_the_rest_fails(install, venv, monkeypatch, capsys):
    began = []

    class Slow(install.Step):
        def __init__(self, venv, what, wanted, *stamp):
            super().__init__(venv, what, ["--help"], *stamp)
            self.process.wait()
            if what == "native core":
                self.process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
                began.append(self.process)

        def finish(self):
            if self.what == "dependencies":
                install.stop("dependencies: no")

    monkeypatch.setattr(install, "Step", Slow)
    monkeypatch.setattr(install, "check_disk", lambda _: None)
    monkeypatch.setattr(install, "choose_torch", lambda *_: install.torch_build.for_cuda("2.13.0", ""))
    assert sentence(capsys, install.install_packages, venv, "demo", "", True) == "dependencies: no\n"
    assert began[0].poll() is not None
    assert not install.has_packages(venv, "demo")


# The browser


@pytest.fixture
def apt(install, monkeypatch):
    """A machine with root and apt-get and without a browser; records what is run."""
    commands = []

    def run(command, **options):
        commands.append(command)
        assert options["timeout"] <= 240
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(install.shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(install.os, "geteuid", lambda: 0)
    monkeypatch.setattr(install.subprocess, "run", run)
    return commands


def test_the_browser_is_installed_where_that_is_possible(install, apt, capsys):
    install.install_browser()
    assert [command[-1] for command in apt] == ["update", "chromium", "chromium"]
    assert capsys.readouterr().out.endswith(" s\n")


@pytest.mark.parametrize("problem", [OSError, lambda: subprocess.TimeoutExpired("apt-get", 1), None])
def test_a_browser_that_cannot_be_had_is_no_error(install, apt, capsys, monkeypatch, problem):
    def fail(command, **options):
        if problem:
            raise problem()
        return subprocess.CompletedProcess(command, 100)

    monkeypatch.setattr(install.subprocess, "run", fail)
    install.install_browser()
    assert "not possible, they are skipped" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "user"), [("chromium", 0), ("apt-get", 1000), ("nothing", 0)])
def test_nothing_is_tried_with_a_browser_without_root_or_without_apt(install, apt, monkeypatch, name, user):
    monkeypatch.setattr(install.shutil, "which", lambda wanted: "/usr/bin/x" if wanted == name else None)
    monkeypatch.setattr(install.os, "geteuid", lambda: user)
    install.install_browser()
    assert apt == []
