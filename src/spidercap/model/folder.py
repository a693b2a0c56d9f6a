"""A captioner on disk: a folder with `config.json`, `model.safetensors`, `vocabulary.txt` and `MODEL_CARD.md`.

Nothing is ever unpickled, and everything is checked before it is used: a folder is as good as its sentence of error.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from spidercap import __version__
from spidercap.data.records import field as json_field
from spidercap.errors import DataError, UsageError
from spidercap.files import make_folder, new_file, read_json, sha256_of
from spidercap.model.card import model_card
from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.text.prepared import VOCABULARY_FILE
from spidercap.text.vocabulary import Vocabulary

CONFIG_FILE = "config.json"
WEIGHTS_FILE = "model.safetensors"
CARD_FILE = "MODEL_CARD.md"
BEST = "best"
SHIPPED = Path(__file__).parent / "shipped"
"""The model that comes with the package: a model folder, which need only be put here."""
FORMAT_VERSION = 1
ARCHITECTURE = "show-and-tell"
LARGEST_SIZE = 1_000_000
DTYPES = (torch.float32, torch.float16, torch.bfloat16)


@dataclass(frozen=True)
class Captioner:
    """A model, the words it says, and what is known of it.

    `facts` may hold: data (name, hash), features (network, width), metrics with their signatures, algorithm, steps,
    seed. They are told by the model card; `features` is what captioning checks its input by.
    """

    model: ShowAndTell
    vocabulary: Vocabulary
    facts: dict[str, Any] = field(default_factory=dict)


def save_model(folder: Path, captioner: Captioner, *, half: bool = False) -> None:
    """Write a captioner, over an older one if there is one; each file appears whole. `half` stores 16-bit weights."""
    sizes, vocabulary = captioner.model.sizes, captioner.vocabulary
    if sizes.symbols != vocabulary.size:
        raise DataError(
            f"the model has {sizes.symbols:,} symbols and its vocabulary {vocabulary.size:,}; they must agree"
        )
    weights = {name: _stored(value, half) for name, value in captioner.model.state_dict().items()}
    _check_finite(weights, "the model, as 16-bit numbers" if half else "the model")
    make_folder(folder)
    vocabulary.save(folder / VOCABULARY_FILE)
    config = json.dumps(_config(captioner, sha256_of(folder / VOCABULARY_FILE)), indent=2, ensure_ascii=False)
    with new_file(folder / WEIGHTS_FILE, "wb") as file:
        file.write(save(weights, metadata={"format": "pt"}))
    with new_file(folder / CONFIG_FILE) as file:
        file.write(config + "\n")
    with new_file(folder / CARD_FILE) as file:
        file.write(model_card(captioner.model, captioner.facts))


def _config(captioner: Captioner, vocabulary_sha256: str) -> dict[str, object]:
    return {
        "format": "spidercap model",
        "version": FORMAT_VERSION,
        "architecture": ARCHITECTURE,
        "sizes": asdict(captioner.model.sizes),
        "vocabulary_sha256": vocabulary_sha256,
        "made_by": f"spidercap {__version__}",
        "facts": captioner.facts,
    }


def _stored(value: Tensor, half: bool) -> Tensor:
    return value.detach().to("cpu", torch.float16 if half else torch.float32).contiguous()


def find_model(folder: Path | None) -> Path:
    """The model folder itself, the best model of a run folder, or the model that comes with the package."""
    if folder is None:
        if not SHIPPED.is_dir():
            raise UsageError(
                "no model comes with this version of spidercap; "
                "train one with spidercap train and give its folder with --model"
            )
        return SHIPPED
    if not (folder / WEIGHTS_FILE).exists() and (folder / BEST / WEIGHTS_FILE).exists():
        return folder / BEST
    return folder


def load_model(folder: Path) -> Captioner:
    """Read a model folder and check that its files belong together; the weights come as float32."""
    _check_is_model(folder)
    config = read_json(folder / CONFIG_FILE)
    where = str(folder / CONFIG_FILE)
    _check_kind(config, where)
    vocabulary = _read_vocabulary(folder, json_field(config, "vocabulary_sha256", str, where))
    sizes = _read_sizes(json_field(config, "sizes", dict, where), where)
    if sizes.symbols != vocabulary.size:
        raise DataError(
            f"{where}: a model of {sizes.symbols:,} symbols, but {VOCABULARY_FILE} holds {vocabulary.size:,}; "
            "copy the whole folder again"
        )
    weights = _read_weights(folder / WEIGHTS_FILE, sizes)
    model = ShowAndTell(sizes)
    model.load_state_dict(weights)
    return Captioner(model.eval(), vocabulary, json_field(config, "facts", dict, where))


def _check_is_model(folder: Path) -> None:
    if not folder.is_dir():
        raise DataError(f"{folder} is not a folder; a model is a folder, as spidercap train makes it")
    for name in (CONFIG_FILE, WEIGHTS_FILE, VOCABULARY_FILE):
        if not (folder / name).is_file():
            raise DataError(
                f"{folder} is not a model (no {name}); expected {CONFIG_FILE}, {WEIGHTS_FILE} and {VOCABULARY_FILE}, "
                f"or a run folder with {BEST}/"
            )


def _check_kind(config: Any, where: str) -> None:
    version = json_field(config, "version", int, where)
    if version != FORMAT_VERSION:
        cure = "update spidercap" if version > FORMAT_VERSION else "train the model again"
        raise DataError(f"{where}: version {version}, this spidercap reads {FORMAT_VERSION}; {cure}")
    architecture = json_field(config, "architecture", str, where)
    if architecture != ARCHITECTURE:
        raise DataError(f"{where}: the architecture {architecture!r} is not known; expected {ARCHITECTURE!r}")


def _read_vocabulary(folder: Path, sha256: str) -> Vocabulary:
    path = folder / VOCABULARY_FILE
    if sha256_of(path) != sha256:
        raise DataError(f"{path} is not the vocabulary that the model was trained with; copy the whole folder again")
    return Vocabulary.load(path)


def _read_sizes(record: dict[str, Any], where: str) -> ModelSizes:
    names = ModelSizes.__dataclass_fields__
    values = {name: json_field(record, name, int, f"{where}, sizes") for name in names}
    for name, value in values.items():
        if not 1 <= value <= LARGEST_SIZE:
            raise DataError(f"{where}: the size {name} must be in 1 to {LARGEST_SIZE:,}, got {value}")
    return ModelSizes(**values)


def _read_weights(path: Path, sizes: ModelSizes) -> dict[str, Tensor]:
    try:
        weights = load_file(path)
    except (SafetensorError, OSError) as error:
        raise DataError(f"{path} is not a whole safetensors file ({error}); copy it again") from None
    _check_shapes(path, weights, sizes)
    _check_finite(weights, str(path))
    return {name: value.float() for name, value in weights.items()}


def _check_shapes(path: Path, weights: dict[str, Tensor], sizes: ModelSizes) -> None:
    """The file's tensors against those of a model of these sizes, before memory is taken for one."""
    with torch.device("meta"):
        expected = ShowAndTell(sizes).state_dict()
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
