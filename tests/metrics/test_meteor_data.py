"""METEOR's data: what is shipped, and the paraphrase index that is compiled into the cache."""

import gzip
import hashlib
import importlib.util
import os
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from spidercap._native import MeteorReferences
from spidercap.errors import DataError, MissingExtraError
from spidercap.files import cache_folder
from spidercap.metrics import meteor_data

ROOT = Path(__file__).parents[2]
SHARED = ROOT / ".." / "shared" / "data" / "meteor"
RECORDS = b"0.5\na lot of\nmany\n0.25\nmany\na lot of\n"


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A paraphrase table of two records in place of the real one, and an empty cache."""
    path = tmp_path / "pycocoevalcap" / meteor_data.TABLE
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(RECORDS, mtime=0))
    (tmp_path / "pycocoevalcap" / "__init__.py").write_text("raise ImportError('never to be imported')")
    monkeypatch.setattr(meteor_data, "TABLE_SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    monkeypatch.setenv("SPIDERCAP_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    meteor_data.meteor_resources.cache_clear()
    yield path
    meteor_data.meteor_resources.cache_clear()


def score(resources, caption, reference):
    return MeteorReferences(resources, [[reference]]).score(np.array([0]), [caption])[0]


def test_the_table_is_compiled_once(table, capsys):
    assert score(meteor_data.meteor_resources(), "many", "a lot of") == pytest.approx(0.6)
    assert score(meteor_data.meteor_resources(paraphrases=False), "many", "a lot of") == 0.0
    assert "compiling METEOR's paraphrase table" in capsys.readouterr().err
    meteor_data.meteor_resources.cache_clear()
    table.unlink()
    assert meteor_data.meteor_resources().paraphrase_source == bytes.fromhex(meteor_data.TABLE_SHA256)
    assert capsys.readouterr().err == ""
    assert [path.name for path in cache_folder().iterdir()] == [meteor_data.index_path().name]


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "text"])
def test_a_damaged_index_is_compiled_anew(table, damage):
    meteor_data.meteor_resources()
    path = meteor_data.index_path()
    whole = path.read_bytes()
    changed = whole[:-1] + bytes([whole[-1] ^ 1])
    path.write_bytes({"cut": whole[:-8], "changed": changed, "empty": b"", "text": b"no index\n"}[damage])
    meteor_data.meteor_resources.cache_clear()
    assert meteor_data.meteor_resources().paraphrase_source == bytes.fromhex(meteor_data.TABLE_SHA256)
    assert path.read_bytes() == whole


def test_an_index_of_another_table_is_compiled_anew(table):
    meteor_data.meteor_resources()
    path = meteor_data.index_path()
    whole = path.read_bytes()
    path.write_bytes(whole[:16] + bytes(32) + whole[48:])
    meteor_data.meteor_resources.cache_clear()
    meteor_data.meteor_resources()
    assert path.read_bytes() == whole


def test_several_processes_at_once_leave_one_whole_index(table):
    code = (
        "from spidercap.metrics import meteor_data\n"
        f"meteor_data.TABLE_SHA256 = {meteor_data.TABLE_SHA256!r}\n"
        "print(meteor_data.meteor_resources().paraphrase_source.hex())"
    )
    environment = os.environ | {"PYTHONPATH": str(table.parents[3])}
    running = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert [process.communicate()[0].strip() for process in running] == [meteor_data.TABLE_SHA256] * 4
    assert [path.name for path in cache_folder().iterdir()] == [meteor_data.index_path().name]


def test_without_the_table_the_message_says_how_to_install_it(table):
    table.unlink()
    with pytest.raises(MissingExtraError, match=r"pip install 'spidercap\[meteor\]'.*without paraphrases"):
        meteor_data.meteor_resources()
    assert meteor_data.meteor_resources(paraphrases=False).paraphrase_source is None
    assert not cache_folder().exists()


def test_another_table_is_refused(table):
    table.write_bytes(gzip.compress(RECORDS * 2))
    with pytest.raises(DataError, match=r"is not METEOR 1\.5's English table: SHA-256 expected"):
        meteor_data.meteor_resources()


def test_a_broken_table_is_refused(table, monkeypatch):
    table.write_bytes(gzip.compress(b"0.5\na\n"))
    monkeypatch.setattr(meteor_data, "TABLE_SHA256", hashlib.sha256(table.read_bytes()).hexdigest())
    with pytest.raises(DataError, match="ends within a record of three lines; install pycocoevalcap"):
        meteor_data.meteor_resources()


def test_a_cache_that_cannot_be_written_is_named(table, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SPIDERCAP_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(DataError, match="file/cache"):
        meteor_data.meteor_resources()


def test_no_code_of_the_other_package_is_imported(table):
    meteor_data.meteor_resources()
    assert not [name for name in sys.modules if name.startswith("pycocoevalcap")]


def test_the_licence_of_wordnet_is_beside_its_data():
    licence = (meteor_data.WORDNET.parent / "COPYING.WORDNET").read_text()
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in licence


def test_the_shipped_synonyms_are_what_the_tool_makes():
    if not SHARED.exists():
        pytest.skip("needs the lists that the file is made from")
    spec = importlib.util.spec_from_file_location(
        "compact_synonyms", ROOT / "tools" / "wordnet" / "compact_synonyms.py"
    )
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    lists = SHARED / "synonym"
    made = tool.compact(lists / "english.synsets.xz", lists / "english.exceptions")
    assert zlib.decompress(made) == zlib.decompress(meteor_data.WORDNET.read_bytes())


@pytest.mark.parametrize(
    ("caption", "reference", "matches"),
    [
        ("boy", "son", True),
        ("mice", "mouse", True),
        ("bigger", "big", True),
        ("ran", "running", True),
        ("x", "y", False),
    ],
)
def test_synonyms_of_the_shipped_file(caption, reference, matches):
    assert bool(score(meteor_data.meteor_resources(paraphrases=False), caption, reference)) is matches
