"""A dataset small enough to be learnt by heart in a second."""

import json

import numpy as np
import pytest
import torch

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


@pytest.fixture
def settings(small):
    """Flags of a quick run on the small dataset."""
    return [f"--data.folder={small / 'data'}", f"--features.folder={small / 'features'}", *SETTINGS]
