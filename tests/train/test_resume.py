"""Killed twenty times at random moments, a run ends with the weights and numbers of one that was left alone."""

import json
import random
import signal
import time

import torch

from spidercap.train.checkpoint import load_checkpoint

KILLS = 20
TIMES = ("seconds", "words_per_second", "input_wait")


def numbers(run):
    """The lines of metrics.jsonl without the times."""
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key not in TIMES} for line in lines]


def same(left, right):
    """Whether two states are equal to the last bit, times apart."""
    if isinstance(left, torch.Tensor):
        return torch.equal(left, right)
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left if key not in TIMES)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


def changed(path, before, process, patience=60.0):
    """Wait until the file has another time stamp, or the process has ended."""
    end = time.monotonic() + patience
    while time.monotonic() < end and process.is_alive():
        if path.exists() and path.stat().st_mtime_ns != before:
            return
        time.sleep(0.005)


def finish(process):
    process.join()
    assert process.exitcode == 0


def test_kills_change_nothing(settings, tmp_path, new_process):
    chosen = random.Random(5)
    more = ["--train.epochs=90", "--train.checkpoint_every=3", "--train.log_every=2", "--train.validate_every=50"]
    command = ["train", *settings, *more, "--out"]
    calm, killed = tmp_path / "calm", tmp_path / "killed"
    finish(new_process([*command, calm]))
    checkpoint, kills = killed / "last" / "training.pt", 0
    for _ in range(KILLS):
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        process = new_process([*command, killed])
        # Now and then before the first step, mostly somewhere between two checkpoints or while one is written.
        if chosen.random() < 0.8:
            changed(checkpoint, before, process)
        time.sleep(chosen.uniform(0, 0.1))
        process.kill()
        process.join()
        kills += process.exitcode == -signal.SIGKILL
    assert kills == KILLS
    finish(new_process([*command, killed]))
    assert numbers(killed) == numbers(calm)
    left, right = (load_checkpoint(run / "last" / "training.pt") for run in (calm, killed))
    for part in ("module", "optimizer"):
        assert same(left[part], right[part])
    assert {**left["counters"], "seconds": 0, "log_length": 0} == {**right["counters"], "seconds": 0, "log_length": 0}
