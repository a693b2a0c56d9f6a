"""A picture file to the pixels that the network sees: the whole picture, upright, RGB, resized bilinearly."""

import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from warnings import catch_warnings, filterwarnings

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from spidercap.errors import DataError
from spidercap.files import check_regular
from spidercap.vision.formats import readable_formats, remedy, unread_format

MAX_PIXELS = 120_000_000
"""Larger pictures are refused before a pixel is decoded: a small file can claim to hold billions."""

Pixels = NDArray[np.uint8]

_ORIENTATION = 0x0112
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# What Pillow's decoders let through for damaged files, as found by flipping bytes of good ones.
_DECODING_ERRORS = (OSError, SyntaxError, ValueError, TypeError, LookupError, EOFError, MemoryError, OverflowError)
_ALL_ERRORS = (*_DECODING_ERRORS, struct.error, zlib.error, Image.DecompressionBombError)


def decode(path: Path, size: int) -> Pixels:
    """The picture as (size, size, 3); whatever is wrong with the file is a DataError that names it.

    Bilinear means Pillow's: an area-weighted triangle filter on 8-bit values. It is what the reference features
    were made with; interpolation without the filter is 0.4 away from them, against 0.001.
    """
    with _errors_named(path):
        return np.asarray(_open(path).resize((size, size), Image.Resampling.BILINEAR))


def open_picture(path: Path) -> Image.Image:
    """The picture upright, in RGB, without anything else that the file holds; errors as those of `decode`."""
    with _errors_named(path):
        return _open(path)


def _open(path: Path) -> Image.Image:
    check_regular(path)
    with Image.open(path, formats=readable_formats()) as image:
        if image.width * image.height > MAX_PIXELS:
            raise Image.DecompressionBombError
        image.load()
        return _on_white(_upright(image))


def none_readable(reasons: Sequence[str]) -> str:
    """What to say where no picture of those asked for can be read."""
    several = f"none of the {len(reasons):,} pictures can be read, the first: " if len(reasons) > 1 else ""
    return several + reasons[0]


@contextmanager
def quiet_pillow() -> Iterator[None]:
    """Silence Pillow's remarks on odd files, which would tear the progress bar; what matters is an error here."""
    with catch_warnings():
        filterwarnings("ignore", module="PIL")
        yield


@contextmanager
def _errors_named(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise DataError(f"{path} does not exist") from None
    except UnidentifiedImageError:
        raise DataError(f"{path} {_what_it_is(path)}") from None
    except Image.DecompressionBombError:
        raise DataError(f"{path} has more than {MAX_PIXELS // 1_000_000} million pixels; shrink it first") from None
    except _ALL_ERRORS as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise DataError(f"{path} cannot be decoded: {reason}") from None


def _what_it_is(path: Path) -> str:
    """What a file is that Pillow does not know."""
    with path.open("rb") as file:
        head = file.read(12)
    if not head:
        return "is empty (0 bytes)"
    if name := unread_format(head):
        return f"is not read: {remedy(name)}"
    return f"is not a picture; expected {', '.join(readable_formats())}"


def _upright(image: Image.Image) -> Image.Image:
    """The picture turned as its EXIF orientation says; a damaged EXIF part says nothing."""
    try:
        turn = _UPRIGHT.get(image.getexif().get(_ORIENTATION, 1))
    except _ALL_ERRORS:
        return image
    return image if turn is None else image.transpose(turn)


def _on_white(image: Image.Image) -> Image.Image:
    """The picture as 8-bit RGB; what is transparent shows white."""
    if image.mode.startswith("I"):
        return _from_16_bits(image)
    if image.has_transparency_data:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        return Image.alpha_composite(white, image).convert("RGB")
    return image.convert("RGB")


def _from_16_bits(image: Image.Image) -> Image.Image:
    """A grey picture of 16 bits as RGB of 8; plain conversion would clip all but the darkest values to white."""
    values = np.asarray(image).astype(np.float32)
    return Image.fromarray(np.rint(values.clip(0, 65535) / 257).astype(np.uint8)).convert("RGB")
