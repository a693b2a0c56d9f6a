"""The state of a run on disk: one file, replaced as a whole, read without unpickling anything but tensors."""

import io
from pathlib import Path
from textwrap import shorten
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
    except Exception as error:  # noqa: BLE001 (bytes that are no checkpoint lead to errors of any kind)
        reason = shorten(str(error) or type(error).__name__, 120, placeholder=" …")
        raise DataError(f"{path} is not a whole checkpoint ({reason}); remove the run and start again") from None
    if not isinstance(state, dict) or state.get("version") != FORMAT_VERSION:
        found = state.get("version") if isinstance(state, dict) else type(state).__name__
        raise DataError(f"{path} has version {found}, expected {FORMAT_VERSION}; it is of another spidercap")
    return state
