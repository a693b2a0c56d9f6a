"""The order of the tests, and trained runs that reports are made of, small enough to be trained in seconds."""

import os
import shutil
import signal

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says more about the machine than about us.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
# A run in the background may have been told to ignore interrupts, and so would the programs that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
if "PYTEST_XDIST_WORKER" in os.environ:
    # A worker has a core: threads of torch, here and in programs that tests start, would wait for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

LONGEST = (
    "smoke/test_documents.py",
    "smoke/test_examples.py",
    "train/test_algorithms.py",
    "train/test_distributed.py",
    "study/test_browser.py",
    "train/test_resume.py",
    "tools/test_fuzz.py",
)
"""They begin first, so that two workers end together."""
collect_ignore = ["more"]
"""Tests that need other people's programs run in environments of their own: tools/test_more.py."""
ANIMALS = ("dog", "horse", "cat", "bird", "cow", "fox")
PLACES = ("grass", "street", "beach", "snow", "table")
SETTINGS = (
    "--model.embedding=16",
    "--model.hidden=16",
    "--decode.limit=10",
    "--train.batch=16",
    "--train.warmup_steps=2",
    "--train.log_every=2",
)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: next((n for n, name in enumerate(LONGEST) if item.path.match(name)), len(LONGEST)))


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium; tests that use it are skipped where it is not."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright (a development tool)")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("needs Debian's chromium: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        launched.close()


def make_data(folder):
    """A prepared dataset `data` of 30 images, with pictures, and its `features`."""
    import numpy as np
    from PIL import Image

    from spidercap.cli.prepare import prepare
    from spidercap.vision.feature_store import import_vectors

    pairs = [(animal, place) for animal in range(len(ANIMALS)) for place in range(len(PLACES))]
    rows, vectors = ["id,file,caption_1,caption_2"], []
    for animal, place in pairs:
        a, p = ANIMALS[animal], PLACES[place]
        rows.append(f"{a}-{p},{a}-{p}.jpg,a {a} on the {p},one {a} stands on a {p} & looks <up>")
        vectors.append(np.eye(11)[[animal, 6 + place]].sum(axis=0))
    (folder / "captions.csv").write_text("\n".join(rows) + "\n")
    prepare([str(folder / "captions.csv")], out=folder / "data", split="0.6,0.2,0.2", minimum_count=1)
    (folder / "data" / "images").mkdir()
    ids = [row.split(",")[0] for row in rows[1:]]
    for number, image in enumerate(ids):
        Image.new("RGB", (40, 30), (8 * number, 90, 120)).save(folder / "data" / "images" / f"{image}.jpg")
    np.save(folder / "vectors.npy", np.array(vectors, dtype=np.float32))
    import_vectors(folder / "vectors.npy", ids, folder / "features")


def train(folder, name, *flags, init=None):
    """Train the run `name` on the folder's data."""
    from spidercap.cli.train import read_recipe
    from spidercap.train.start import train_run

    recipe = folder / "recipe.toml"
    recipe.write_text("[learn]\nbaseline_width = 8\nbaseline_steps = 2\n")
    data = [f"--data.folder={folder / 'data'}", f"--features.folder={folder / 'features'}"]
    train_run(read_recipe(recipe, [*data, *SETTINGS, *flags]), folder / name, init)


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A folder with the runs `mle`, `pg` and `mixer`."""
    folder = tmp_path_factory.mktemp("trained")
    make_data(folder)
    train(folder, "mle", "--train.epochs=8", "--train.learning_rate=0.02")
    start = {"init": folder / "mle"}
    train(folder, "pg", "--learn.algorithm=pg", "--learn.reward=0.5*Bleu_4 + ROUGE_L", "--train.epochs=2", **start)
    mixer = ("--learn.algorithm=mixer", "--learn.reward=BCMR", "--train.optimizer=sgd", "--train.epochs=1")
    train(folder, "mixer", *mixer, **start)
    return folder
