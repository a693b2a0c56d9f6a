"""Textures: smooth noise that tiles, laid over the ground in perspective."""

import numpy as np
from PIL import Image, ImageFilter

from spidercap.scenes.draw.camera import Plane
from spidercap.scenes.draw.colour import Colour

TILE = 256


def noise_tile(random: np.random.RandomState, cells: int) -> Plane:
    """Smooth noise in [-1, 1] of 256 × 256 that repeats without a seam."""
    values = (random.random_sample((cells, cells)) * 255).astype(np.uint8)
    around = np.pad(values, 2, mode="wrap")
    step = TILE / cells
    full = Image.fromarray(around).resize((round(step * (cells + 4)),) * 2, Image.Resampling.BICUBIC)
    start = round(step * 2)
    return np.asarray(full, np.float32)[start : start + TILE, start : start + TILE] / 127.5 - 1


def sample(tile: Plane, across: Plane, depth: Plane, metres: float) -> Plane:
    """The tile laid on the ground, one repeat every so many metres, fainter where it would flicker."""
    per_metre = TILE / metres
    rows = np.floor(depth * per_metre).astype(np.int64) % TILE
    columns = np.floor(across * per_metre).astype(np.int64) % TILE
    return tile[rows, columns]


def tinted(base: Colour, pattern: Plane, strength: float) -> Plane:
    """A colour made lighter and darker by a pattern around 0."""
    return np.array(base, np.float32) * (1 + strength * pattern)[:, :, None]


def vertical(size: int, colours: list[tuple[float, Colour]]) -> Plane:
    """A gradient from top to bottom through colours at shares of the height."""
    rows = np.linspace(0, 1, size)
    stops = [at for at, _ in colours]
    parts = [np.interp(rows, stops, [colour[k] for _, colour in colours]) for k in range(3)]
    return np.repeat(np.stack(parts, 1)[:, None, :], size, 1).astype(np.float32)


def to_picture(values: Plane) -> Image.Image:
    """Numbers 0-255 as an RGB picture."""
    return Image.fromarray(np.clip(values, 0, 255).astype(np.uint8), "RGB")


def softened(mask: Plane, radius: float) -> Plane:
    """A 0-1 mask with soft edges."""
    image = Image.fromarray((np.clip(mask, 0, 1) * 255).astype(np.uint8), "L")
    return np.asarray(image.filter(ImageFilter.GaussianBlur(radius)), np.float32) / 255
