"""Two processes give the scores of one."""

import json
import os
import socket
import subprocess
import sys
from importlib.util import find_spec

import pytest

import spidercap

pytestmark = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
METRICS = ["bleu", "rouge", "cider", "meteor"]
IMAGES = [(f"a dog number {i} runs in snow", [f"the dog {i % 7} runs", "snow and a man"]) for i in range(41)]
WORKER = """
import json, sys
import torch.distributed as dist
from spidercap.distributed import DistributedCaptionMetric

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()
task = json.loads(sys.argv[1])
mine = task["images"][rank::size]
metric = DistributedCaptionMetric(task["metrics"], df=task["df"], paraphrases=False, threads=1)
metric.update([c for c, _ in mine], [r for _, r in mine])
scores = metric.compute()
again = metric.compute()
metric.sync()
print(json.dumps([scores, again, metric.state()["images"] + sum(len(t) for t, _ in metric.state()["waiting"])]))
dist.destroy_process_group()
"""


@pytest.mark.parametrize("df", ["coco", "corpus"])
def test_two_processes_give_the_numbers_of_one(df):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    task = json.dumps({"images": IMAGES, "metrics": METRICS, "df": df})
    crew = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, task],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port},
        )
        for rank in range(2)
    ]
    found = [json.loads(process.communicate(timeout=120)[0].splitlines()[-1]) for process in crew]
    captions, references = [c for c, _ in IMAGES], [r for _, r in IMAGES]
    expected = spidercap.score(captions, references, METRICS, df=df, paraphrases=False).corpus
    assert found == [[expected, expected, len(IMAGES)]] * 2


def test_without_a_process_group_it_is_a_plain_metric():
    from spidercap.distributed import DistributedCaptionMetric

    metric = DistributedCaptionMetric(METRICS, paraphrases=False)
    metric.update(*map(list, zip(*IMAGES, strict=True)))
    metric.sync()
    plain = spidercap.CaptionMetric(METRICS, paraphrases=False)
    plain.update(*map(list, zip(*IMAGES, strict=True)))
    assert metric.compute() == plain.compute()
