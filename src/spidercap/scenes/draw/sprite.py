"""From shapes to pixels: antialiased, lit from one side, with its shadow on the ground or its image in the water."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from spidercap.scenes.draw.light import Light
from spidercap.scenes.draw.pen import Shape, bounds


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a thing stands in the picture: the pixel of its origin, pixels a metre, and how it is seen."""

    x: float
    y: float
    scale: float
    mirror: bool = False
    shadow: bool = True
    reflect: bool = False
    haze: float = 0.0
    blur: float = 0.0
    glow: bool = False


def paint(picture: Image.Image, shapes: Iterable[Shape], placed: Placed, light: Light, grain: np.ndarray) -> None:
    """Draws shapes into the picture, shadow first."""
    shapes = tuple(shapes)
    if not shapes:
        return
    corner, layer = rasterise(shapes, placed, picture.size)
    if layer is None:
        return
    layer = _lit(layer, placed, light, grain)
    if placed.blur > 0.4:
        layer = layer.convert("RGBa").filter(ImageFilter.GaussianBlur(placed.blur)).convert("RGBA")
    if placed.shadow:
        _cast_shadow(picture, layer.getchannel("A"), corner, placed, light)
    if placed.reflect:
        _reflect(picture, layer, corner, placed)
    picture.paste(layer, corner, layer)


def rasterise(
    shapes: tuple[Shape, ...], placed: Placed, size: tuple[int, int]
) -> tuple[tuple[int, int], Image.Image | None]:
    """The shapes as an RGBA layer and its upper left corner in the picture; None where nothing is inside."""
    flip = -1 if placed.mirror else 1
    left, bottom, right, top = bounds(shapes)
    if placed.mirror:
        left, right = -right, -left
    margin = 4
    x0 = max(-margin, math.floor(placed.x + left * placed.scale) - margin)
    x1 = min(size[0] + margin, math.ceil(placed.x + right * placed.scale) + margin)
    y0 = max(-margin, math.floor(placed.y - top * placed.scale) - margin)
    y1 = min(size[1] + margin, math.ceil(placed.y - bottom * placed.scale) + margin)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return (0, 0), None
    fine = 4 if max(size) <= 400 else 2
    layer = Image.new("RGBA", ((x1 - x0) * fine, (y1 - y0) * fine), (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    across, down, scale = (placed.x - x0) * fine, (placed.y - y0) * fine, placed.scale * fine
    for shape in shapes:
        draw.polygon(
            [(across + flip * x * scale, down - y * scale) for x, y in shape.points], fill=(*shape.colour, 255)
        )
    return (x0, y0), layer.convert("RGBa").reduce(fine).convert("RGBA")


def _lit(layer: Image.Image, placed: Placed, light: Light, grain: np.ndarray) -> Image.Image:
    """Light on the side of the sun, shade on the other and below, a grain of texture, haze with distance."""
    wide, high = layer.size
    alpha = layer.getchannel("A")
    radius = min(9.0, max(1.2, min(wide, high) / 11))
    soft = alpha.filter(ImageFilter.BoxBlur(radius))
    offset = max(1, round(radius * 0.8))
    near = ImageChops.offset(soft, -light.side * offset, offset)
    far = ImageChops.offset(soft, light.side * offset, -offset)
    relief = (np.asarray(near, np.float32) - np.asarray(far, np.float32)) / 255
    fall = np.linspace(1.05, 0.9, high, dtype=np.float32)[:, None]
    rows, columns = np.arange(high) % grain.shape[0], np.arange(wide) % grain.shape[1]
    texture = 1 + 0.022 * grain[np.ix_(rows, columns)]
    brightness = (1 - 0.34 * relief) * fall * texture
    colour = np.asarray(layer.convert("RGB"), np.float32) * brightness[:, :, None]
    tint = (1.0, 1.0, 1.0) if placed.glow else light.tint
    colour = colour * np.array(tint, np.float32)
    colour += (np.array(light.haze, np.float32) - colour) * (placed.haze * light.haze_strength)
    result = Image.fromarray(np.clip(colour, 0, 255).astype(np.uint8), "RGB")
    result.putalpha(alpha)
    return result


def _cast_shadow(
    picture: Image.Image, alpha: Image.Image, corner: tuple[int, int], placed: Placed, light: Light
) -> None:
    """The silhouette, laid on the ground away from the light, and a dark place under the feet."""
    base = round(placed.y) - corner[1]
    if base < 4:
        return
    squash, shear = 0.3, light.side * -1.1
    high = max(2, int(base * squash))
    margin = int(abs(shear) * base * squash) + 8
    wide = alpha.width + 2 * margin
    steep = 1 / squash
    shape = (1, shear, -margin - shear * high, 0, steep, base - high * steep)
    cast = alpha.transform((wide, high + 8), Image.Transform.AFFINE, shape, Image.Resampling.BILINEAR)
    cast = cast.filter(ImageFilter.GaussianBlur(max(0.8, placed.scale * 0.03))).point(
        lambda value: int(value * light.shadow)
    )
    picture.paste((24, 26, 44), (corner[0] - margin, corner[1] + base - high), cast)
    bottom = min(alpha.height, base + 3)
    box = alpha.crop((0, max(0, min(bottom, base) - max(3, base // 9)), alpha.width, bottom)).getbbox()
    if box and base < alpha.height + 8:
        half = max(4, (box[2] - box[0]) // 2 + 3)
        deep = max(3, min(half // 4, base // 8))
        spot = Image.new("L", (2 * half + 12, 2 * deep + 12), 0)
        ImageDraw.Draw(spot).ellipse((6, 6, 2 * half + 6, 2 * deep + 6), fill=int(255 * min(0.6, light.shadow * 1.25)))
        spot = spot.filter(ImageFilter.GaussianBlur(2.5))
        centre = corner[0] + (box[0] + box[2]) // 2
        picture.paste((22, 22, 34), (centre - half - 6, round(placed.y) - deep - 6), spot)


def _reflect(picture: Image.Image, layer: Image.Image, corner: tuple[int, int], placed: Placed) -> None:
    """The thing upside down in the water, faint and torn by ripples."""
    base = min(layer.height, max(2, round(placed.y) - corner[1]))
    mirrored = layer.crop((0, 0, layer.width, base)).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    high = max(2, int(base * 0.7))
    mirrored = mirrored.resize((layer.width, high), Image.Resampling.BILINEAR).filter(ImageFilter.GaussianBlur(1.2))
    fade = np.asarray(mirrored.getchannel("A"), np.float32) * np.linspace(0.5, 0.04, high, dtype=np.float32)[:, None]
    rows = np.arange(high)
    fade *= (0.75 + 0.25 * np.sin(rows * 1.1))[:, None]
    mirrored.putalpha(Image.fromarray(fade.astype(np.uint8), "L"))
    picture.paste(mirrored, (corner[0], corner[1] + base - 1), mirrored)
