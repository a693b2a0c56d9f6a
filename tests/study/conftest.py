"""Small studies: a few coloured pictures, two systems, three references each."""

import json
from pathlib import Path

import pytest

from spidercap.extras import PARTS

if PARTS["study"].installed:
    from PIL import Image

    from spidercap.study.create import new_study
    from spidercap.study.database import connect
    from spidercap.study.plan import Wishes
    from spidercap.study.simulate import SimulatedClock
    from spidercap.study.store import Store
else:
    collect_ignore_glob = ["test_*.py"]


class Material:
    """Files to make studies of."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder, self.ids = folder, [f"p{number:03}" for number in range(count)]
        self.images = folder / "images"
        self.images.mkdir()
        for number, image in enumerate(self.ids):
            colour = (number * 37 % 256, number * 91 % 256, 120)
            Image.new("RGB", (48, 36), colour).save(self.images / f"{image}.png")
        self.references = self.write("references", {i: [f"a wall {i}", f"the wall of {i}"] for i in self.ids})
        self.systems = {
            "plain": self.write("plain", {i: f"a wall {i}" for i in self.ids}),
            "fancy": self.write("fancy", {i: f"one fancy wall called {i}" for i in self.ids}),
        }

    def write(self, name: str, content: object) -> Path:
        """A JSON file."""
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(content))
        return path

    def study(self, name: str = "study", systems=None, references=None, **wishes) -> Path:
        """A new study's folder."""
        folder = self.folder / name
        truths = [self.references] if references is None else references
        new_study(folder, systems or self.systems, truths, self.images, Wishes(**{"control": 0.0, **wishes}))
        return folder


@pytest.fixture(scope="session")
def new_material():
    return Material


@pytest.fixture
def material(tmp_path):
    return Material(tmp_path, 6)


@pytest.fixture(autouse=True)
def stores_are_closed(monkeypatch):
    """Close what a test leaves open."""
    connections = []

    def remembered(path):
        connections.append(connect(path))
        return connections[-1]

    monkeypatch.setattr("spidercap.study.store.connect", remembered)
    yield
    for connection in connections:
        connection.close()


@pytest.fixture
def clock():
    return SimulatedClock()


@pytest.fixture
def store(material, clock):
    return Store(material.study(), clock)
