"""Two processes give the scores of one."""

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

import spidercap

pytestmark = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
TABLES = ["coco", "corpus"]
METRICS = ["bleu", "rouge", "cider", "meteor"]
IMAGES = [(f"a dog number {i} runs in snow", [f"the dog {i % 7} runs", "snow and a man"]) for i in range(41)]
WORKER = """
import json, sys
import torch.distributed as dist
from spidercap.distributed import DistributedCaptionMetric

task, rank, size = json.loads(sys.argv[1]), int(sys.argv[2]), 2
dist.init_process_group("gloo", init_method=task["meeting"], rank=rank, world_size=size)
mine = task["images"][rank::size]
found = []
for df in task["tables"]:
    metric = DistributedCaptionMetric(task["metrics"], df=df, paraphrases=False, threads=1)
    metric.update([c for c, _ in mine], [r for _, r in mine])
    scores = metric.compute()
    again = metric.compute()
    metric.sync()
    found.append([scores, again, metric.state()["images"] + sum(len(t) for t, *_ in metric.state()["waiting"])])
print(json.dumps(found))
dist.destroy_process_group()
"""


def test_two_processes_give_the_numbers_of_one(tmp_path):
    # They meet in a file: a port that is free now may be taken when they start.
    task = json.dumps(
        {"images": IMAGES, "metrics": METRICS, "tables": TABLES, "meeting": f"file://{tmp_path / 'meeting'}"}
    )
    crew = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, task, str(rank)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    found = [json.loads(process.communicate(timeout=300)[0].splitlines()[-1]) for process in crew]
    captions, references = [c for c, _ in IMAGES], [r for _, r in IMAGES]
    expected = [spidercap.score(captions, references, METRICS, df=df, paraphrases=False).corpus for df in TABLES]
    assert found == [[[scores, scores, len(IMAGES)] for scores in expected]] * 2


def test_without_a_process_group_it_is_a_plain_metric():
    from spidercap.distributed import DistributedCaptionMetric

    metric = DistributedCaptionMetric(METRICS, paraphrases=False)
    metric.update(*map(list, zip(*IMAGES, strict=True)))
    metric.sync()
    plain = spidercap.CaptionMetric(METRICS, paraphrases=False)
    plain.update(*map(list, zip(*IMAGES, strict=True)))
    assert metric.compute() == plain.compute()
