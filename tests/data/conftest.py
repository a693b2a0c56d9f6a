"""Sources written on the spot."""

import json
import lzma

import pytest

from spidercap.data.intake import ReadOptions
from spidercap.data.sources import read_sources


@pytest.fixture
def write(tmp_path):
    """Write a file: text, bytes, or a value as JSON; packed where the name ends in .xz."""

    def to(name, content):
        path = tmp_path / "sources" / name
        path.parent.mkdir(exist_ok=True)
        text = content if isinstance(content, str | bytes) else json.dumps(content)
        encoded = text if isinstance(text, bytes) else text.encode()
        path.write_bytes(lzma.compress(encoded) if name.endswith(".xz") else encoded)
        return path

    return to


@pytest.fixture
def read(write):
    """Write one file and read it as a dataset."""

    def source(name, content, source_format=None, **options):
        return read_sources([write(name, content)], ReadOptions(**options), source_format)

    return source


@pytest.fixture
def coco():
    """The official form with one caption for each (image id, caption)."""

    def content(*captions, **more):
        images = [{"id": image, "file_name": f"{image}.jpg"} for image in dict.fromkeys(image for image, _ in captions)]
        annotations = [
            {"id": number, "image_id": image, "caption": caption} for number, (image, caption) in enumerate(captions)
        ]
        return {"images": images, "annotations": annotations} | more

    return content
