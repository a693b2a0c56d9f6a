"""The state of a run on disk: one file, replaced as a whole, read without unpickling anything but tensors."""

import io
import pickle
from pathlib import Path
from typing import Any

import torch

from spidercap.errors import DataError
from spidercap.files import new_file

FORMAT_VERSION = 1


def save_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Write the state; the file before it stays until the new one is whole and on the disk."""
    # Through memory: torch turns a full disk into an error that cannot be told from others.
    buffer = io.BytesIO()
    torch.save({"version": FORMAT_VERSION, **state}, buffer)
    with new_file(path, "wb") as file:
        file.write(buffer.getbuffer())


def load_checkpoint(path: Path) -> dict[str, Any]:
    """Read a state."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, KeyError, pickle.UnpicklingError) as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise DataError(f"{path} is not a whole checkpoint ({reason}); remove the run and start again") from None
    if not isinstance(state, dict) or state.get("version") != FORMAT_VERSION:
        found = state.get("version") if isinstance(state, dict) else type(state).__name__
        raise DataError(f"{path} has version {found}, expected {FORMAT_VERSION}; it is of another spidercap")
    return state
