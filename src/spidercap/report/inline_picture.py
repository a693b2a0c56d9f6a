"""Pictures inside pages."""

import base64
import io
from pathlib import Path

from spidercap.errors import DataError

PICTURE_SIZE = 299


def data_uri(path: Path, image_id: str, size: int = PICTURE_SIZE) -> str:
    """The picture, at most `size` pixels wide and high, as a JPEG data URI."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(path) as file:
            picture = ImageOps.exif_transpose(file).convert("RGB")
    except (OSError, UnidentifiedImageError) as error:
        raise DataError(
            f"{path}, the picture of {image_id}, cannot be read ({error}); give its folder by --images"
        ) from None
    picture.thumbnail((size, size))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=85)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()
