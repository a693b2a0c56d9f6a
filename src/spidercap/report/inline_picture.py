"""Pictures inside pages."""

import base64
import io
from pathlib import Path

from spidercap.errors import DataError

PICTURE_SIZE = 299


def data_uri(path: Path, image_id: str, size: int = PICTURE_SIZE) -> str:
    """The picture, at most `size` pixels wide and high, as a JPEG data URI."""
    from spidercap.vision.pictures import open_picture, quiet_pillow

    try:
        with quiet_pillow():
            picture = open_picture(path)
    except DataError as error:
        raise DataError(f"the picture of {image_id}: {error}; give its folder by `images`") from None
    picture.thumbnail((size, size))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=85)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()
