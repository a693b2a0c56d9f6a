"""Every file that is read back, damaged in many ways: it is read, or one sentence names it and the remedy."""

import json
import random
import shutil

import numpy as np
import pytest
import torch

from spidercap.data.captions import CaptionedImage, Dataset
from spidercap.errors import SpidercapError
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.metrics.scorer import Scorer
from spidercap.model.folder import load_model, save_model
from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.text.prepared import count_dataset, write_prepared
from spidercap.text.vocabulary import Vocabulary
from spidercap.vision.extract import extract
from spidercap.vision.feature_store import FeatureStore, import_vectors
from spidercap.vision.find_pictures import Picture
from spidercap.vision.inception import Block, Convolution, Inception
from spidercap.vision.tuned import load_tuned, save_tuned

TRIALS = 60
OTHER_JSON = (
    "null",
    "[]",
    "{}",
    '"x"',
    "5",
    "9" * 5000,
    "[" * 99_999,
    '{"version": 1}',
    '{"version": null, "count": "x"}',
)
REFERENCES = {"1": ["a dog runs", "a dog"], "2": ["a cat sleeps", "the cat"]}


def damages(content, seed):
    """Versions of a file's content: cut, filled with noise, with changed bytes, and JSON of other shapes."""
    chance = random.Random(seed)
    yield b""
    yield chance.randbytes(len(content))
    yield content * 2
    for text in OTHER_JSON:
        yield text.encode()
    for _ in range(TRIALS):
        yield content[: chance.randrange(len(content))]
        changed = bytearray(content)
        # The beginnings of binary files tell the most.
        for _ in range(chance.randint(1, 4)):
            changed[chance.randrange(min(len(changed), chance.choice([150, len(changed)])))] = chance.randrange(256)
        yield bytes(changed)
    if content.startswith(b"\x93NUMPY"):
        yield content[:8] + b"\xf6\xff" + b"{" * 65_526
        yield content.replace(b"'shape': (", b"'shape': ((", 1)
        yield content.replace(b"'<f4'", b"'|O8'", 1)


def sentence(read, *arguments):
    """What is told of an error that a user can mend, "" where there is none; any other error is a failure."""
    try:
        read(*arguments)
    except SpidercapError as error:
        return str(error)
    return ""


def check(folder, read, names, tmp_path):
    """Damage each file of a folder in turn and read it."""
    for name in names:
        content = (folder / name).read_bytes()
        for number, damaged in enumerate(damages(content, name)):
            copy = tmp_path / "copies" / f"{name}-{number}"
            shutil.copytree(folder, copy)
            (copy / name).write_bytes(damaged)
            told = sentence(read, copy)
            assert not told or str(copy) in told, f"{name} {number}: {told}"
            assert not any(words in told for words in ("allow_pickle", "sys.set_int", "Traceback", "\n"))
            shutil.rmtree(copy)


@pytest.fixture
def pictures(tmp_path):
    from PIL import Image

    for number in range(3):
        Image.new("RGB", (20, 20), (80 * number, 9, 9)).save(tmp_path / f"{number}.png")
    return [Picture(str(number), str(tmp_path / f"{number}.png")) for number in range(3)]


class Pixel:
    """An encoder that stops after the second picture if told."""

    network, width, size = "pixel", 3, 4

    def __init__(self, last=9):
        self.left = last

    def encode(self, pixels):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return pixels[:, 0, 0].astype(np.float32)


def test_prepared_datasets(tmp_path):
    images = tuple(CaptionedImage(str(n), f"{n}.jpg", "train", (f"a dog {n}", "a cat")) for n in range(5))
    write_prepared(count_dataset(Dataset("d", images), 1), tmp_path / "data")

    def read(folder):
        Dataset.load(folder)
        Vocabulary.load(folder / "vocabulary.txt")

    check(tmp_path / "data", read, ["captions.jsonl", "dataset.json", "vocabulary.txt"], tmp_path)


def test_feature_stores(tmp_path):
    np.save(tmp_path / "v.npy", np.arange(12, dtype=np.float32).reshape(4, 3))
    import_vectors(tmp_path / "v.npy", list("abcd"), tmp_path / "store")
    names = ["features.npy", "ids.txt", "features.json"]
    check(tmp_path / "store", lambda folder: FeatureStore.open(folder).rows(["a", "d"]), names, tmp_path)


def test_finished_features(tmp_path, pictures):
    extract(pictures, Pixel, tmp_path / "f")
    names = ["features.npy", "ids.txt", "features.json"]
    check(tmp_path / "f", lambda folder: extract(pictures, Pixel, folder), names, tmp_path)


def test_partial_work(tmp_path, pictures):
    with pytest.raises(KeyboardInterrupt):
        extract(pictures, lambda: Pixel(2), tmp_path / "f", batch=1)

    def finish(out):
        assert extract(pictures, Pixel, out, batch=1).count == 3
        assert np.array_equal(FeatureStore.open(out).rows(["2"])[0], [160, 9, 9])

    def read(folder):
        folder.rename(folder.with_name("g.partial"))
        out = folder.with_name("g")
        told = sentence(finish, out)
        assert not told or (str(out) in told and ("settings.json" in told or "work of another kind" in told))
        shutil.rmtree(out, ignore_errors=True)
        if folder.with_name("g.partial").exists():
            folder.with_name("g.partial").rename(folder)
        else:
            folder.mkdir()

    check(tmp_path / "f.partial", read, ["settings.json", "journal.jsonl", "features.npy"], tmp_path)


def test_models(tmp_path):
    vocabulary = Vocabulary(("a", "dog"))
    sizes = ModelSizes(3, vocabulary.size, embedding=2, hidden=2)
    save_model(tmp_path / "m", ShowAndTell(sizes, vocabulary))
    check(tmp_path / "m", load_model, ["config.json", "model.safetensors", "vocabulary.txt"], tmp_path)


def test_tuned_encoders(tmp_path):
    layers = (Convolution("a", 2, (3, 3)), Block("b", ((Convolution("c", 2),),)))
    save_tuned(tmp_path / "m", Inception(layers))
    check(tmp_path / "m", lambda folder: load_tuned(folder, Inception(layers)), ["encoder.safetensors"], tmp_path)


def test_document_frequencies(tmp_path):
    (tmp_path / "df").mkdir()
    tokens = [["a dog runs", "a dog"], ["a dog sits"]]
    DocumentFrequencies.of([tokens], "ptb", "x").save(tmp_path / "df" / "x.gz")
    check(tmp_path / "df", lambda folder: DocumentFrequencies.load(folder / "x.gz"), ["x.gz"], tmp_path)


def test_kept_digests_are_made_again(tmp_path, monkeypatch):
    monkeypatch.setenv("SPIDERCAP_CACHE", str(tmp_path / "cache"))
    expression = "CIDEr + SPICE"

    def score():
        return Scorer(expression, REFERENCES, df="coco", keep=True).score(["1", "2"], ["a dog", "a cat sleeps"])

    wanted = score()
    digests = sorted((tmp_path / "cache" / "digests").iterdir())
    assert digests
    for path in digests:
        content = path.read_bytes()
        for damaged in list(damages(content, path.suffix))[:40]:
            path.write_bytes(damaged)
            assert np.isfinite(score()).all()
            assert np.array_equal(score(), wanted)
            path.write_bytes(content)


def test_study_databases(tmp_path):
    pytest.importorskip("starlette")
    from PIL import Image

    from spidercap.study.create import new_study
    from spidercap.study.plan import Wishes
    from spidercap.study.store import Store

    (tmp_path / "images").mkdir()
    for name in REFERENCES:
        Image.new("RGB", (9, 9)).save(tmp_path / "images" / f"{name}.png")
    (tmp_path / "r.json").write_text(json.dumps({name: texts[0] for name, texts in REFERENCES.items()}))
    wishes = Wishes("s", raters=1, control=0.0)
    new_study(tmp_path / "s", {"a": tmp_path / "r.json"}, [], tmp_path / "images", wishes)

    def read(folder):
        store = Store(folder)
        try:
            store.invite("anna", "hash")
        finally:
            store.close()

    check(tmp_path / "s", read, ["study.sqlite"], tmp_path)


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)
