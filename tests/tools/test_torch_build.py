"""Which build of torch is chosen: real pips that look into folders and indexes made here."""

import http.server
import sys
import threading

import pytest

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
TAG = f"cp{sys.version_info[0]}{sys.version_info[1]}"
WHEEL = f"torch-2.13.0+cpu-{TAG}-{TAG}-linux_x86_64.whl"
REFUSES = "http://127.0.0.1:9/cpu"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the registry's build has no CUDA")


@pytest.fixture
def build(tool, monkeypatch, tmp_path):
    """The module, on a machine without a GPU whose pip looks into an empty folder and nowhere else."""
    module = tool("torch_build")
    (tmp_path / "wheels").mkdir()
    monkeypatch.setattr(module, "has_gpu", lambda: False)
    monkeypatch.setattr(module, "CPU_INDEX", REFUSES)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    return module


@pytest.fixture
def index():
    """The address of an index that has torch's wheel for the processor, or that never answers (`/slow`)."""
    over = threading.Event()

    class Index(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path.startswith("/slow"):
                over.wait(60)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<!DOCTYPE html><a href="{WHEEL.replace("+", "%2B")}">{WHEEL}</a>'.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}"
    over.set()
    server.shutdown()
    server.server_close()


def test_a_wheel_where_pip_looks_comes_first(build, tmp_path, index, monkeypatch):
    (tmp_path / "wheels" / WHEEL).touch()
    monkeypatch.setattr(build, "CPU_INDEX", f"{index}/cpu")
    chosen = build.choose(PIP, "2.13.0", "")
    assert (chosen.requirement, chosen.index) == ("torch==2.13.0+cpu", None)
    assert "the build for the processor, from where pip looks" in chosen.told


def test_then_pytorch_s_own_index(build, index, monkeypatch):
    monkeypatch.setattr(build, "CPU_INDEX", f"{index}/cpu")
    chosen = build.choose(PIP, "2.13.0", "")
    assert (chosen.requirement, chosen.index) == ("torch==2.13.0+cpu", f"{index}/cpu")


def test_of_another_version_it_has_nothing(build, index, monkeypatch):
    monkeypatch.setattr(build, "CPU_INDEX", f"{index}/cpu")
    assert build.choose(PIP, "2.12.0", "cpu") is None


def test_an_index_that_refuses_leaves_the_registry_s(build):
    chosen = build.choose(PIP, "2.13.0", "")
    assert (chosen.requirement, chosen.index) == ("torch===2.13.0", None)
    assert chosen.gigabytes > 4
    assert chosen.told.endswith(f"no build for the processor is where pip looks, and {REFUSES} has no answer")


def test_nobody_waits_for_an_index_that_does_not_answer(build, index, monkeypatch):
    monkeypatch.setattr(build, "CPU_INDEX", f"{index}/slow")
    monkeypatch.setattr(build, "ANSWER_SECONDS", 1)
    assert build.choose(PIP, "2.13.0", "").requirement == "torch===2.13.0"


def test_insisting_on_the_processor_s_build_where_there_is_none(build):
    assert build.choose(PIP, "2.13.0", "cpu") is None


def test_the_sentence_for_it(build, tool, monkeypatch, tmp_path, capsys):
    install = tool("install")
    monkeypatch.setattr(install, "pip_of", lambda _: PIP)
    with pytest.raises(SystemExit):
        install.choose_torch(tmp_path, "cpu")
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert error.startswith("No build of torch 2.13.0 for the processor was found: none is where pip looks")
    assert "make TORCH=cuda" in error


@pytest.mark.parametrize(("gpu", "wish"), [(True, ""), (False, "cuda")])
def test_the_registry_s_build_for_gpus_and_for_those_who_insist(build, tmp_path, monkeypatch, gpu, wish):
    (tmp_path / "wheels" / WHEEL).touch()
    monkeypatch.setattr(build, "has_gpu", lambda: gpu)
    assert build.choose(PIP, "2.13.0", wish).requirement == "torch===2.13.0"


@pytest.mark.parametrize(("script", "expected"), [("echo 'GPU 0: X'", True), ("exit 9", False), ("echo none", False)])
def test_a_gpu_is_what_nvidia_s_driver_lists(tool, monkeypatch, tmp_path, script, expected):
    module = tool("torch_build")
    program = tmp_path / "nvidia-smi"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert module.has_gpu() is expected


@pytest.mark.parametrize(("line", "expected"), [("None", "cpu"), ("'13.0'", "cuda")])
def test_the_installed_build(build, tmp_path, line, expected):
    assert build.installed(tmp_path) is None
    version = tmp_path / "lib" / "python3.11" / "site-packages" / "torch" / "version.py"
    version.parent.mkdir(parents=True)
    version.write_text(f"__version__ = '2.13.0'\ncuda: Optional[str] = {line}\nhip: Optional[str] = None\n")
    assert build.installed(tmp_path) == expected
