"""A dataset small enough to be learnt by heart in a second."""

import json
import multiprocessing

import numpy as np
import pytest
import torch
from torch.distributed import TCPStore

from spidercap.cli.prepare import prepare
from spidercap.vision.feature_store import import_vectors

COLOURS = ("red", "blue", "green", "black")
ANIMALS = ("dog", "horse", "cat", "bird", "cow")
PLACES = ("grass", "street", "beach")
SETTINGS = (
    "--model.embedding=16",
    "--model.hidden=16",
    "--model.dropout=0.2",
    "--train.batch=16",
    "--train.metrics=CIDEr,Bleu_4",
    "--train.learning_rate=0.01",
    "--train.warmup_steps=5",
)


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Small models gain nothing from threads."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A folder with a prepared dataset `data` and its `features`: 60 images of an animal of some colour somewhere."""
    folder = tmp_path_factory.mktemp("small")
    captions, vectors = {}, []
    for colour in range(len(COLOURS)):
        for animal in range(len(ANIMALS)):
            for place in range(len(PLACES)):
                c, a, p = COLOURS[colour], ANIMALS[animal], PLACES[place]
                captions[f"{c}-{a}-{p}"] = [f"a {c} {a} on the {p}", f"one {a} stands on a {p} and it is {c}", f"a {a}"]
                vectors.append(np.eye(12)[[colour, 4 + animal, 9 + place]].sum(axis=0))
    (folder / "captions.json").write_text(json.dumps(captions))
    prepare([str(folder / "captions.json")], out=folder / "data", split="0.6,0.2,0.2", minimum_count=1)
    np.save(folder / "vectors.npy", np.array(vectors, dtype=np.float32))
    import_vectors(folder / "vectors.npy", list(captions), folder / "features")
    return folder


@pytest.fixture(scope="session")
def settings(small):
    """Flags of a quick run on the small dataset."""
    return [f"--data.folder={small / 'data'}", f"--features.folder={small / 'features'}", *SETTINGS]


COMMAND = """
import os
from spidercap.cli import main

os.environ |= environment
main(arguments)
"""


@pytest.fixture(scope="session")
def new_process():
    """Starts `spidercap` in a process of its own that has everything imported: that takes longer than most runs."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["spidercap.train.start", "torch._dynamo", "torch.utils.tensorboard"])

    def start(arguments, environment=None):
        given = {"arguments": [*map(str, arguments)], "environment": {"OMP_NUM_THREADS": "1", **(environment or {})}}
        process = context.Process(target=exec, args=(COMMAND, given))
        process.start()
        return process

    return start


@pytest.fixture
def two_processes(new_process):
    """Runs `spidercap` in two processes of one job, which find each other as torchrun's do."""
    store = TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    job = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(store.port)}
    job |= {"TORCHELASTIC_USE_AGENT_STORE": "True", "TORCHELASTIC_RESTART_COUNT": "0"}

    def run(arguments):
        crew = [new_process(arguments, {**job, "RANK": str(rank), "LOCAL_RANK": str(rank)}) for rank in range(2)]
        for process in crew:
            process.join()
        assert [process.exitcode for process in crew] == [0, 0]

    yield run
    del store
