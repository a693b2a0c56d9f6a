"""Model folders: what is written is what is read, and what does not belong together says so."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from spidercap.errors import DataError
from spidercap.model.folder import find_model, load_model, save_model
from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.text.vocabulary import Vocabulary

FACTS = {
    "algorithm": "mle",
    "seed": 3,
    "data": {"name": "scenes | small", "sha256": "ab12"},
    "metrics": {"CIDEr": {"value": 0.9, "signature": "tok:ptb"}},
}


@pytest.fixture
def captioner():
    vocabulary = Vocabulary(("a", "dog", "sleeps"))
    sizes = ModelSizes(features=5, symbols=vocabulary.size, embedding=4, hidden=3)
    made = ShowAndTell(sizes, vocabulary, seed=1)
    made.facts = FACTS
    return made


@pytest.fixture
def folder(tmp_path, captioner):
    save_model(tmp_path / "runs" / "model", captioner)
    return tmp_path / "runs" / "model"


def test_what_is_written_is_read(folder, captioner):
    read = load_model(folder)
    assert read.vocabulary == captioner.vocabulary
    assert read.facts == FACTS
    assert read.sizes == captioner.sizes
    for name, value in captioner.state_dict().items():
        assert torch.equal(read.state_dict()[name], value)
    assert torch.equal(read.forbidden, captioner.forbidden)


def test_half_precision_takes_half_the_space_and_comes_back_as_float32(tmp_path, folder, captioner):
    save_model(tmp_path / "half", captioner, half=True)
    stored = load_file(tmp_path / "half" / "model.safetensors")
    assert {value.dtype for value in stored.values()} == {torch.float16}
    read = load_model(tmp_path / "half")
    for name, value in captioner.state_dict().items():
        assert read.state_dict()[name].dtype == torch.float32
        torch.testing.assert_close(read.state_dict()[name], value, rtol=1e-3, atol=1e-4)


def test_a_model_is_written_over_file_by_file(folder, captioner):
    other = ShowAndTell(captioner.sizes, captioner.vocabulary, seed=9)
    other.facts = {"steps": 2}
    save_model(folder, other)
    read = load_model(folder)
    assert read.facts == {"steps": 2}
    assert torch.equal(read.output.weight, other.output.weight)
    assert sorted(path.name for path in folder.iterdir()) == [
        "MODEL_CARD.md",
        "config.json",
        "model.safetensors",
        "vocabulary.txt",
    ]


def test_the_card_tells_the_facts(folder):
    card = (folder / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "| algorithm | mle |" in card
    assert "## data\n\n| what | value |\n| --- | --- |\n| name | scenes \\| small |" in card
    assert '| CIDEr | {"value": 0.9, "signature": "tok:ptb"} |' in card
    assert "| parameters | 178 |" in card


def test_the_best_model_of_a_run_is_found(tmp_path, folder, captioner):
    assert find_model(folder) == folder
    save_model(tmp_path / "run" / "best", captioner)
    (tmp_path / "run" / "config.json").write_text("{}")
    assert find_model(tmp_path / "run") == tmp_path / "run" / "best"
    assert find_model(tmp_path / "none") == tmp_path / "none"


def _change_config(folder, **changes):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def _change_weights(folder, **changes):
    path = folder / "model.safetensors"
    weights = {name: value.clone() for name, value in load_file(path).items()}
    kept = {name: value for name, value in (weights | changes).items() if value is not None}
    save_file(kept, path)


SIZES = {"features": 5, "symbols": 6, "embedding": 4, "hidden": 3}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"version": 2}, r"config\.json: version 2, this spidercap reads 1; update spidercap"),
        ({"version": 0}, r"config\.json: version 0, this spidercap reads 1; train the model again"),
        ({"version": "1"}, r'config\.json: "version" is text, expected a whole number'),
        ({"architecture": "transformer"}, r"the architecture 'transformer' is not known; expected 'show-and-tell'"),
        ({"vocabulary_sha256": "0"}, r"vocabulary\.txt is not the vocabulary that the model was trained with"),
        ({"sizes": SIZES | {"symbols": 7}}, r"a model of 7 symbols, but its vocabulary holds 6; copy the whole"),
        ({"sizes": SIZES | {"hidden": 4}}, r"projection\.weight is 3 × 5, but config\.json says 4 × 5; copy the whole"),
        ({"sizes": SIZES | {"hidden": 10**15}}, r"the size hidden must be in 1 to 1,000,000, got 10{15}"),
        ({"sizes": SIZES | {"hidden": 0}}, r"the size hidden must be in 1 to 1,000,000, got 0"),
        ({"sizes": SIZES | {"hidden": 2.5}}, r'config\.json, sizes: "hidden" is a number, expected a whole number'),
        ({"sizes": {"hidden": 3}}, r'config\.json, sizes: the key "features" is missing'),
        ({"facts": []}, r'config\.json: "facts" is a list, expected an object'),
    ],
)
def test_a_config_that_does_not_fit(folder, changes, sentence):
    _change_config(folder, **changes)
    with pytest.raises(DataError, match=sentence):
        load_model(folder)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"output.bias": torch.full((8,), torch.nan)}, r"output\.bias holds 8 NaN or infinite values; use an earlier"),
        ({"output.bias": torch.zeros(16)}, r"output\.bias is 16, but config\.json says 8"),
        ({"output.bias": torch.zeros(8, dtype=torch.int32)}, r"output\.bias holds torch\.int32, expected float32"),
        ({"output.bias": None}, r"the tensor output\.bias is missing; expected projection\.weight"),
        ({"attention.weight": torch.zeros(2)}, r"the tensor attention\.weight is not part of the model"),
    ],
)
def test_weights_that_do_not_fit(folder, changes, sentence):
    _change_weights(folder, **changes)
    with pytest.raises(DataError, match=sentence):
        load_model(folder)


@pytest.mark.parametrize("keep", [0, 4, 100, -5])
def test_weights_cut_short(folder, keep):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(DataError, match=r"model\.safetensors is not a whole safetensors file \(.+\); copy it again"):
        load_model(folder)


def test_a_pickle_is_not_opened(folder, captioner):
    torch.save(captioner.state_dict(), folder / "model.safetensors")
    with pytest.raises(DataError, match="is not a whole safetensors file"):
        load_model(folder)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocabulary.txt"])
def test_missing_files(folder, name):
    (folder / name).unlink()
    with pytest.raises(
        DataError, match=rf"model is not a model \(no {name}\); expected config\.json, .* or a run folder"
    ):
        load_model(folder)


def test_no_folder_at_all(tmp_path):
    with pytest.raises(DataError, match="none is not a folder; a model is a folder, as spidercap train makes it"):
        load_model(tmp_path / "none")


def test_the_vocabulary_of_another_model(folder):
    Vocabulary(("a", "cat", "sleeps")).save(folder / "vocabulary.txt")
    with pytest.raises(DataError, match=r"vocabulary\.txt is not the vocabulary that the model was trained with"):
        load_model(folder)


def test_models_that_must_not_be_saved(tmp_path, captioner):
    with torch.no_grad():
        captioner.output.bias[0] = 1e6
    with pytest.raises(DataError, match=r"the model, as 16-bit numbers: output\.bias holds 1 NaN or infinite"):
        save_model(tmp_path / "m", captioner, half=True)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written(tmp_path, captioner):
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="cannot be written: Not a directory"):
        save_model(tmp_path / "file" / "model", captioner)
