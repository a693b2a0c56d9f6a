"""The built-in dataset: drawn scenes with five captions each, made from a seed."""

from typing import TYPE_CHECKING

from spidercap.scenes.compose import Scene, compose
from spidercap.scenes.describe import captions_of
from spidercap.scenes.picture_files import write_pictures

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["Scene", "captions_of", "compose", "draw_scene", "write_pictures"]


def draw_scene(index: int, seed: int, size: int = 299) -> "Image.Image":
    """The picture of one scene, `size` pixels square."""
    from spidercap.scenes.draw.picture import draw_picture

    return draw_picture(compose(index, seed), size)
