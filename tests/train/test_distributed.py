"""Two processes give the numbers of one; a dead process ends the job, and torchrun's restart goes on."""

import json
import subprocess
import sys
from datetime import timedelta

import pytest

from spidercap.cli.train import read_recipe
from spidercap.errors import DataError
from spidercap.train import world
from spidercap.train.start import train_run

TORCHRUN = (sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
# 120 captions in batches of 17: the last batch holds one, and the second process has nothing to do there.
MORE = ("--train.epochs=6", "--train.log_every=1", "--train.checkpoint_every=2", "--train.batch=17")


@pytest.fixture(autouse=True)
def one_thread_a_process(monkeypatch):
    """What torchrun would set anyway, with a warning."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="module")
def single(settings, tmp_path_factory):
    """The run of one process."""
    out = tmp_path_factory.mktemp("single") / "one"
    train_run(read_recipe(None, [*settings, *MORE]), out)
    return out


def job(settings, out):
    return ["train", *settings, *MORE, "--out", str(out)]


def lines(run, kind):
    found = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [line for line in found if line["kind"] == kind]


def check_same(run, single):
    assert [line["step"] for line in lines(run, "train")] == [line["step"] for line in lines(single, "train")]
    for mine, expected in zip(lines(run, "train"), lines(single, "train"), strict=True):
        assert mine["loss"] == pytest.approx(expected["loss"], rel=1e-4)
        assert mine["words"] == expected["words"]
    for mine, expected in zip(lines(run, "validation"), lines(single, "validation"), strict=True):
        assert mine["CIDEr"] == pytest.approx(expected["CIDEr"], rel=1e-4)


def test_two_processes_give_the_numbers_of_one(settings, single, tmp_path, two_processes):
    two_processes(job(settings, tmp_path / "two"))
    check_same(tmp_path / "two", single)


DIES = """
import os, signal
from torch.optim.optimizer import register_optimizer_step_post_hook
from spidercap.cli import main

steps = 0


def count(*_):
    global steps
    steps += 1
    if steps == 7:
        os.kill(os.getpid(), signal.SIGKILL)


if os.environ["RANK"] == "1" and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
    register_optimizer_step_post_hook(count)
main()
"""
"""Trains, but the second process dies in its seventh step, between two checkpoints."""


def test_a_dead_process_ends_the_job_and_a_restart_goes_on(settings, single, tmp_path):
    (tmp_path / "dies.py").write_text(DIES)
    command = [*TORCHRUN, "--max-restarts", "1", str(tmp_path / "dies.py"), *job(settings, tmp_path / "two")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Signal 9 (SIGKILL)" in done.stderr or "exitcode: -9" in done.stderr
    check_same(tmp_path / "two", single)


def test_a_process_does_not_wait_for_ever_for_the_others(monkeypatch):
    monkeypatch.setattr(world, "CONNECTING", timedelta(seconds=1))
    place = {"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "0"}
    for name, value in place.items():
        monkeypatch.setenv(name, value)
    refused = pytest.raises(DataError, match=r"did not find each other within 1 s .*; start the same command again")
    with refused, world.connected():
        pass
