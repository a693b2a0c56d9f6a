"""The built-in dataset: drawn scenes with five captions each, made from a seed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from spidercap.data.captions import CaptionedImage
from spidercap.data.scenes.compose import compose
from spidercap.data.scenes.describe import captions_of
from spidercap.data.scenes.pictures import write_pictures

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["draw_scene", "scene_images", "write_pictures"]


def scene_images(count: int, seed: int) -> Iterator[CaptionedImage]:
    """The first `count` scenes of a seed: ids, file names, splits and captions, without drawing anything."""
    for index in range(count):
        scene = compose(index, seed)
        yield CaptionedImage(scene.id, scene.file, scene.split(), captions_of(scene))


def draw_scene(index: int, seed: int, size: int = 299) -> "Image.Image":
    """The picture of one scene, `size` pixels square."""
    from spidercap.data.scenes.draw.picture import draw_picture

    return draw_picture(compose(index, seed), size)
