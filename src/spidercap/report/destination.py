"""Where a file is to go, looked at before the work that fills it."""

import os
import tempfile
from errno import EISDIR
from pathlib import Path

from spidercap.errors import DataError


def check_destination(path: Path) -> None:
    """Raise unless a file can be written there."""
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise DataError(
            f"{path} cannot be written: {error.strerror}; choose a place with space and write permission"
        ) from None
