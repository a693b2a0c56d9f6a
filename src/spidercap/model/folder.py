"""A captioner on disk: a folder with `config.json`, `model.safetensors`, `vocabulary.txt` and `MODEL_CARD.md`.

Nothing is ever unpickled, and everything is checked before it is used: a folder is as good as its sentence of error.
"""

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor

from spidercap import __version__
from spidercap.data.json_fields import field as json_field
from spidercap.errors import DataError, UsageError
from spidercap.files import make_folder, new_file, read_json, sha256_of
from spidercap.model.architectures import ARCHITECTURES
from spidercap.model.captioner import Captioner
from spidercap.model.card import model_card
from spidercap.text.prepared import VOCABULARY_FILE
from spidercap.text.vocabulary import Vocabulary
from spidercap.vision.skeleton import skeleton
from spidercap.vision.tensor_file import read_tensors

CONFIG_FILE = "config.json"
WEIGHTS_FILE = "model.safetensors"
CARD_FILE = "MODEL_CARD.md"
BEST = "best"
SHIPPED = Path(__file__).parent / "shipped"
"""The model that comes with the package: a model folder, which need only be put here."""
FORMAT_VERSION = 1
LARGEST_SIZE = 1_000_000
DTYPES = (torch.float32, torch.float16, torch.bfloat16)


def save_model(folder: Path, captioner: Captioner, *, half: bool = False) -> None:
    """Write a captioner, over an older one if there is one; each file appears whole. `half` stores 16-bit weights."""
    weights = {name: _stored(value, half) for name, value in captioner.state_dict().items()}
    _check_finite(weights, "the model, as 16-bit numbers" if half else "the model")
    make_folder(folder)
    captioner.vocabulary.save(folder / VOCABULARY_FILE)
    config = json.dumps(_config(captioner, sha256_of(folder / VOCABULARY_FILE)), indent=2, ensure_ascii=False)
    with new_file(folder / WEIGHTS_FILE, "wb") as file:
        file.write(save(weights, metadata={"format": "pt"}))
    with new_file(folder / CONFIG_FILE) as file:
        file.write(config + "\n")
    with new_file(folder / CARD_FILE) as file:
        file.write(model_card(captioner))


def _config(captioner: Captioner, vocabulary_sha256: str) -> dict[str, object]:
    return {
        "format": "spidercap model",
        "version": FORMAT_VERSION,
        "architecture": captioner.architecture,
        "sizes": asdict(captioner.sizes),
        "vocabulary_sha256": vocabulary_sha256,
        "made_by": f"spidercap {__version__}",
        "facts": captioner.facts,
    }


def _stored(value: Tensor, half: bool) -> Tensor:
    return value.detach().to("cpu", torch.float16 if half else torch.float32).contiguous()


def find_model(model: Path | None) -> Path:
    """The model folder itself, the best model of a run folder, or the model that comes with the package."""
    if model is None:
        if not SHIPPED.is_dir():
            raise UsageError(
                "no model comes with this version of spidercap; "
                "train one with spidercap train and give its folder with `model`"
            )
        return SHIPPED
    if not (model / WEIGHTS_FILE).exists() and (model / BEST / WEIGHTS_FILE).exists():
        return model / BEST
    return model


def load_model(folder: Path) -> Captioner:
    """Read a model folder and check that its files belong together; the weights come as float32."""
    _check_is_model(folder)
    config = read_json(folder / CONFIG_FILE)
    where = str(folder / CONFIG_FILE)
    kind = _kind(config, where)
    vocabulary = _read_vocabulary(folder, json_field(config, "vocabulary_sha256", str, where))
    sizes = _read_sizes(kind, json_field(config, "sizes", dict, where), where)
    weights = _read_weights(folder / WEIGHTS_FILE, _expected_weights(kind, sizes, vocabulary, where))
    captioner = kind(sizes, vocabulary)
    captioner.load_state_dict(weights)
    captioner.facts = json_field(config, "facts", dict, where)
    return captioner.eval()


def _expected_weights(kind: type[Captioner], sizes: Any, vocabulary: Vocabulary, where: str) -> dict[str, Tensor]:
    """The tensors of such a captioner, before memory is taken for one."""
    try:
        with skeleton():
            return kind(sizes, vocabulary).state_dict()
    except DataError as error:
        raise DataError(f"{where}: {error}; copy the whole folder again") from None


def _check_is_model(folder: Path) -> None:
    if not folder.is_dir():
        raise DataError(f"{folder} is not a folder; a model is a folder, as spidercap train makes it")
    for name in (CONFIG_FILE, WEIGHTS_FILE, VOCABULARY_FILE):
        if not (folder / name).is_file():
            raise DataError(
                f"{folder} is not a model (no {name}); expected {CONFIG_FILE}, {WEIGHTS_FILE} and {VOCABULARY_FILE}, "
                f"or a run folder with {BEST}/"
            )


def _kind(config: Any, where: str) -> type[Captioner]:
    version = json_field(config, "version", int, where)
    if version != FORMAT_VERSION:
        cure = "update spidercap" if version > FORMAT_VERSION else "train the model again"
        raise DataError(f"{where}: version {version}, this spidercap reads {FORMAT_VERSION}; {cure}")
    architecture = json_field(config, "architecture", str, where)
    if architecture not in ARCHITECTURES:
        known = " or ".join(map(repr, ARCHITECTURES))
        raise DataError(f"{where}: the architecture {architecture!r} is not known; expected {known}")
    return ARCHITECTURES[architecture]


def _read_vocabulary(folder: Path, sha256: str) -> Vocabulary:
    path = folder / VOCABULARY_FILE
    if sha256_of(path) != sha256:
        raise DataError(f"{path} is not the vocabulary that the model was trained with; copy the whole folder again")
    return Vocabulary.load(path)


def _read_sizes(kind: type[Captioner], record: dict[str, Any], where: str) -> Any:
    names = [part.name for part in fields(kind.sizes_type)]
    values = {name: json_field(record, name, int, f"{where}, sizes") for name in names}
    for name, value in values.items():
        if not 1 <= value <= LARGEST_SIZE:
            raise DataError(f"{where}: the size {name} must be in 1 to {LARGEST_SIZE:,}, got {value}")
    return kind.sizes_type(**values)


def _read_weights(path: Path, expected: dict[str, Tensor]) -> dict[str, Tensor]:
    weights = read_tensors(path)
    _check_shapes(path, weights, expected)
    _check_finite(weights, str(path))
    return {name: value.float() for name, value in weights.items()}


def _check_shapes(path: Path, weights: dict[str, Tensor], expected: dict[str, Tensor]) -> None:
    for name in sorted(expected.keys() ^ weights.keys()):
        found = "is missing" if name in expected else "is not part of the model"
        raise DataError(f"{path}: the tensor {name} {found}; expected {', '.join(expected)}")
    for name, wanted in expected.items():
        value = weights[name]
        if value.shape != wanted.shape:
            raise DataError(
                f"{path}: {name} is {_shape(value)}, but {CONFIG_FILE} says {_shape(wanted)}; "
                "copy the whole folder again"
            )
        if value.dtype not in DTYPES:
            raise DataError(f"{path}: {name} holds {value.dtype}, expected float32, float16 or bfloat16")


def _check_finite(weights: dict[str, Tensor], where: str) -> None:
    for name, value in weights.items():
        if not value.isfinite().all():
            count = int((~value.isfinite()).sum())
            raise DataError(f"{where}: {name} holds {count:,} NaN or infinite values; use an earlier checkpoint")


def _shape(value: Tensor) -> str:
    return " × ".join(map(str, value.shape))
