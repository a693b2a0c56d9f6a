"""An encoder that was trained along with a captioner: its weights lie in the captioner's folder."""

from pathlib import Path

from safetensors.torch import save
from torch import Tensor

from spidercap.errors import DataError
from spidercap.files import make_folder, new_file, sha256_of
from spidercap.vision.encoders import Encoder, TorchEncoder
from spidercap.vision.inception import Inception
from spidercap.vision.skeleton import skeleton
from spidercap.vision.tensor_file import read_tensors
from spidercap.vision.weights import NETWORK

TUNED_FILE = "encoder.safetensors"


def save_tuned(folder: Path, network: Inception) -> str:
    """Write the encoder's weights; the name of the network that they make."""
    make_folder(folder)
    path = folder / TUNED_FILE
    weights = {name: value.detach().cpu().contiguous() for name, value in network.state_dict().items()}
    with new_file(path, "wb") as file:
        file.write(save(weights, metadata={"network": NETWORK}))
    return _name(path)


def load_tuned(folder: Path, network: Inception) -> None:
    """Give a network the weights in a captioner's folder."""
    path = folder / TUNED_FILE
    weights = read_tensors(path)
    try:
        network.load_state_dict(weights, assign=True)
    except RuntimeError as error:
        reason = str(error).splitlines()[0].removesuffix(":")
        raise DataError(f"{path} does not hold a whole Inception-V3 ({reason}); copy it again") from None


def tuned_encoder(folder: Path, backend: str) -> Encoder:
    """The encoder of a captioner's folder."""
    path = folder / TUNED_FILE
    with skeleton():
        network = Inception()
    load_tuned(folder, network)
    if backend == "openvino":
        from spidercap.vision.openvino_encoder import OpenvinoEncoder

        return OpenvinoEncoder(network.eval(), _name(path))
    return TorchEncoder(network.eval(), _name(path))


def encoder_of(weights: dict[str, Tensor]) -> Encoder:
    """The encoder of a checkpoint, whose weights are in memory."""
    with skeleton():
        network = Inception()
    network.load_state_dict(weights, assign=True)
    return TorchEncoder(network.eval(), f"{NETWORK}-tuned")


def _name(path: Path) -> str:
    """Weights decide what vectors mean, so the name tells them apart."""
    return f"{NETWORK}-tuned-{sha256_of(path)[:8]}"
