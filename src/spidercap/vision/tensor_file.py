"""Tensors from a safetensors file; nothing is ever unpickled."""

from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from spidercap.errors import DataError
from spidercap.files import check_regular, read_errors


def read_tensors(path: Path) -> dict[str, Tensor]:
    """All tensors by name; whatever is wrong with the file is a DataError that names it."""
    with read_errors(path):
        check_regular(path)
        try:
            return load_file(path)
        except (SafetensorError, ValueError, TypeError, LookupError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise DataError(f"{path} is not a whole safetensors file ({reason}); copy it again") from None
