"""What is behind everything: sky, hills, water, ground, walls and floors."""

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from spidercap.scenes.dice import Dice
from spidercap.scenes.draw import texture
from spidercap.scenes.draw.camera import Camera, Plane
from spidercap.scenes.draw.colour import Colour, jitter, mix, shade
from spidercap.scenes.draw.light import Light
from spidercap.scenes.draw.pen import Pen
from spidercap.scenes.draw.sprite import Placed, paint

GRASS: Colour = (116, 162, 78)
SAND: Colour = (232, 206, 156)


@dataclass(frozen=True, slots=True)
class Setting:
    """All that the drawing of a place needs to know."""

    camera: Camera
    light: Light
    dice: Dice
    random: np.random.RandomState
    view: str
    """"ground", "water" (the main thing is in it), "table" or "sky"."""


def sky(setting: Setting) -> Image.Image:
    """The sky with clouds, sun or moon and stars."""
    camera, light, dice = setting.camera, setting.light, setting.dice
    line = max(0.1, camera.horizon / camera.size)
    picture = texture.to_picture(
        texture.vertical(
            camera.size,
            [
                (0, light.zenith),
                (line * 0.6, mix(light.zenith, light.horizon, 0.6)),
                (line, light.horizon),
                (1, light.horizon),
            ],
        )
    )
    if light.night:
        _stars(picture, setting)
    elif light.clouds < 0.6:
        _sun(picture, setting)
    if light.clouds > 0.12:
        tile = texture.noise_tile(setting.random, 6) * 0.6 + texture.noise_tile(setting.random, 14) * 0.4
        _clouds(picture, setting, tile, dice.between(0.9, 1.3))
    return picture


def _stars(picture: Image.Image, setting: Setting) -> None:
    draw, dice, camera = ImageDraw.Draw(picture), setting.dice, setting.camera
    for _ in range(40):
        x, y = dice.between(0, camera.size), dice.between(0, camera.horizon * 0.85)
        tone = int(dice.between(120, 240))
        draw.point((x, y), (tone, tone, min(255, tone + 15)))
    if dice.chance(0.7):
        _glow(
            picture,
            (dice.between(0.1, 0.9) * camera.size, camera.horizon * dice.between(0.15, 0.5)),
            camera.size * 0.035,
            (244, 240, 220),
            2.6,
        )


def _sun(picture: Image.Image, setting: Setting) -> None:
    camera, dice = setting.camera, setting.dice
    low = setting.light.horizon[2] < 170
    if not low and dice.chance(0.5):
        return
    x = camera.size * (0.5 + setting.light.side * dice.between(0.15, 0.42))
    y = camera.horizon * (dice.between(0.72, 0.98) if low else dice.between(0.1, 0.4))
    _glow(picture, (x, y), camera.size * (0.06 if low else 0.045), (255, 236, 190) if low else (255, 250, 226), 4)


def _glow(picture: Image.Image, at: tuple[float, float], radius: float, colour: Colour, spread: float) -> None:
    """A disc of light with a halo."""
    size = int(radius * spread * 2) + 2
    grid = np.arange(size, dtype=np.float32) - size / 2
    far = np.sqrt(grid[:, None] ** 2 + grid[None, :] ** 2) / radius
    strength = np.where(far < 1, 1.0, np.clip(1 - (far - 1) / (spread - 1), 0, 1) ** 2 * 0.5)
    mask = Image.fromarray((strength * 255).astype(np.uint8), "L")
    picture.paste(colour, (int(at[0] - size / 2), int(at[1] - size / 2)), mask)


def _clouds(picture: Image.Image, setting: Setting, tile: Plane, stretch: float) -> None:
    camera, light = setting.camera, setting.light
    high = max(8, int(camera.horizon))
    rows = (np.linspace(0, 1, high) ** 0.8 * 150 * stretch).astype(int) % texture.TILE
    columns = (np.arange(camera.size) * 210 / camera.size).astype(int) % texture.TILE
    field = tile[np.ix_(rows, columns)]
    cover = np.clip((field + light.clouds * 1.2 - 0.62) * 2.4, 0, 1) * np.linspace(1, 0.35, high)[:, None]
    tone = mix((255, 255, 255), light.horizon, 0.35 if not light.night else 0.9)
    mask = Image.fromarray((cover * (215 if not light.night else 90)).astype(np.uint8), "L").filter(
        ImageFilter.GaussianBlur(1.4)
    )
    picture.paste(tone, (0, 0), mask)


def ridge(picture: Image.Image, setting: Setting, high: float, colour: Colour, rough: float, snow: float = 0) -> None:
    """A line of hills or mountains on the horizon; `high` in shares of the picture."""
    camera, dice = setting.camera, setting.dice
    fine = 2
    waves = [(dice.between(0.6, 1.4) * 2**k, dice.between(0, math.tau), rough**k) for k in range(6)]
    total = sum(amount for _, _, amount in waves)
    points: list[tuple[float, float]] = []
    for x in range(0, camera.size + 4, 3):
        wave = (
            sum(math.sin(x / camera.size * math.tau * rate + start) * amount for rate, start, amount in waves) / total
        )
        points.append((x * fine, (camera.horizon + 2 - high * camera.size * (0.62 + 0.5 * wave)) * fine))
    layer = Image.new("L", (camera.size * fine, camera.size * fine), 0)
    ImageDraw.Draw(layer).polygon([*points, (points[-1][0], camera.size * fine), (0, camera.size * fine)], fill=255)
    mask = layer.reduce(fine)
    picture.paste(_hillside(setting, points, colour, high, snow, fine), (0, 0), mask)


def _hillside(
    setting: Setting, points: list[tuple[float, float]], colour: Colour, high: float, snow: float, fine: int
) -> Image.Image:
    camera, light = setting.camera, setting.light
    rows = np.arange(camera.size, dtype=np.float32)[:, None]
    crest = np.interp(np.arange(camera.size), [x / fine for x, _ in points], [y / fine for _, y in points])[None, :]
    below = np.clip((rows - crest) / max(1.0, high * camera.size), 0, 1)
    tile = texture.noise_tile(setting.random, 22)
    grain = tile[np.ix_(np.arange(camera.size) % texture.TILE, np.arange(camera.size) % texture.TILE)]
    slope = np.convolve(np.gradient(crest[0]), np.full(11, 1 / 11), "same")[None, :] * -light.side
    base = np.array(colour, np.float32) * (1 + 0.12 * grain + 0.22 * np.clip(slope, -1, 1) * (1 - below))[:, :, None]
    if snow:
        cap = np.clip((snow - below + 0.06 * grain) * 7, 0, 1)[:, :, None]
        base = base * (1 - cap) + np.array((240, 244, 250), np.float32) * cap
    tinted = base * np.array(light.tint, np.float32)
    fade = (0.3 + 0.35 * below + 0.3 * light.haze_strength)[:, :, None] * 0.8
    return texture.to_picture(tinted * (1 - fade) + np.array(light.haze, np.float32) * fade)


def tree_line(picture: Image.Image, setting: Setting, colour: Colour, high: float) -> None:
    """Far trees as a soft dark edge on the horizon."""
    camera, dice, light = setting.camera, setting.dice, setting.light
    tone = mix(_tinted(colour, light), light.haze, 0.25 + 0.5 * light.haze_strength)
    layer = Image.new("L", (camera.size * 2, camera.size * 2), 0)
    draw = ImageDraw.Draw(layer)
    x = -10.0
    while x < camera.size + 10:
        radius = camera.size * high * dice.between(0.35, 1.0)
        draw.ellipse(
            ((x - radius) * 2, (camera.horizon - radius * 1.2) * 2, (x + radius) * 2, (camera.horizon + radius) * 2),
            fill=255,
        )
        x += radius * 0.8
    band = layer.crop((0, 0, camera.size * 2, int(camera.horizon + 2) * 2)).reduce(2)
    top = texture.to_picture(
        texture.vertical(
            camera.size, [(0, shade(tone, 1.2)), (camera.horizon / camera.size, shade(tone, 0.72)), (1, tone)]
        )
    )
    picture.paste(top, (0, 0), Image.new("L", picture.size, 0) if band.height == 0 else _onto(band, picture.size))


def _onto(mask: Image.Image, size: tuple[int, int]) -> Image.Image:
    full = Image.new("L", size, 0)
    full.paste(mask, (0, 0))
    return full


def _tinted(colour: Colour, light: Light) -> Colour:
    red, green, blue = (int(min(255, part * share)) for part, share in zip(colour, light.tint, strict=True))
    return red, green, blue


def lay(picture: Image.Image, setting: Setting, ground: Plane, mask: Plane | None = None, haze: float = 1.0) -> None:
    """Puts a ground below the horizon, tinted by the light and fading into haze far off."""
    camera, light = setting.camera, setting.light
    _, depth, below = camera.plane()
    colour = ground * np.array(light.tint, np.float32)
    fade = np.clip(depth / (camera.distance * 14), 0, 1)[:, :, None] * haze * (0.35 + 0.65 * light.haze_strength)
    colour = colour * (1 - fade) + np.array(light.haze, np.float32) * fade
    cover = below.astype(np.float32) if mask is None else below * mask
    picture.paste(texture.to_picture(colour), (0, 0), Image.fromarray((cover * 255).astype(np.uint8), "L"))


def speckled(setting: Setting, base: Colour, strength: float = 0.16, metres: float = 0.0) -> Plane:
    """Ground with coarse and fine noise."""
    camera = setting.camera
    across, depth, _ = camera.plane()
    span = metres or camera.size / camera.scale
    coarse = texture.sample(texture.noise_tile(setting.random, 10), across, depth, span * 1.4)
    fine = texture.sample(texture.noise_tile(setting.random, 90), across, depth, span * 0.8)
    calm = 1 / (1 + np.maximum(depth, 0) / (camera.distance * 1.5))
    return texture.tinted(jitter(base, setting.dice, 12), coarse * 0.6 + fine * 0.7 * calm, strength)


def water(setting: Setting, base: Colour) -> Plane:
    """Water that mirrors the sky, with ripples that lie flat far off."""
    camera, light = setting.camera, setting.light
    across, depth, _ = camera.plane()
    span = camera.size / camera.scale
    ripple = texture.sample(texture.noise_tile(setting.random, 24), across * 0.35, depth, span * 0.9)
    small = texture.sample(texture.noise_tile(setting.random, 64), across * 0.3, depth, span * 0.8)
    rows = np.clip((np.arange(camera.size) - camera.horizon) / (camera.size - camera.horizon), 0, 1)[:, None, None]
    tone = (
        np.array(mix(base, light.horizon, 0.55), np.float32) * (1 - rows)
        + np.array(mix(base, light.zenith, 0.25), np.float32) * rows
    )
    waves = (ripple * 0.6 + small * 0.5)[:, :, None]
    glint = np.clip(waves - 0.55, 0, 1) * 160 * (0.4 if light.night else 1)
    lit: Plane = (tone * (1 + 0.13 * waves) + glint).astype(np.float32)
    return lit


def tiles(setting: Setting, first: Colour, second: Colour, metres: float) -> Plane:
    """A chequered floor."""
    across, depth, _ = setting.camera.plane()
    odd = (np.floor(across / metres) + np.floor(depth / metres)) % 2
    joint = (
        np.minimum(
            np.abs(across / metres - np.round(across / metres)), np.abs(depth / metres - np.round(depth / metres))
        )
        < 0.025
    )
    base = np.where(odd[:, :, None] > 0, np.array(first, np.float32), np.array(second, np.float32))
    return np.where(joint[:, :, None], base * 0.86, base).astype(np.float32)


def planks(setting: Setting, base: Colour, metres: float, along_depth: bool = False) -> Plane:
    """Wooden boards."""
    across, depth, _ = setting.camera.plane()
    first, second = (across, depth) if along_depth else (depth, across)
    board = np.floor(first / metres)
    tone = np.sin(board * 12.9898) * 0.5 + np.sin(np.floor(second / (metres * 7) + board * 0.37) * 4.1) * 0.35
    tile = texture.noise_tile(setting.random, 60)
    streak = texture.sample(tile, first, second * 0.12, metres * 4)
    seam = np.abs(first / metres - np.round(first / metres)) < 0.03
    result = texture.tinted(base, tone * 0.5 + streak * 0.35, 0.16)
    return np.where(seam[:, :, None], result * 0.72, result).astype(np.float32)


def grain_of(setting: Setting) -> Plane:
    """Fine noise for surfaces."""
    return texture.noise_tile(setting.random, 110)


def stand(
    picture: Image.Image, setting: Setting, pen: Pen, x: float, z: float, haze: float = 0.0, glow: bool = False
) -> None:
    """Paints a background thing at a spot on the ground."""
    across, down, scale = setting.camera.place(x, z)
    placed = Placed(across, down, scale, shadow=False, haze=haze, glow=glow)
    paint(picture, pen.shapes, placed, setting.light, grain_of(setting))


def span(setting: Setting, z: float) -> float:
    """Half the picture's width in metres at a depth."""
    camera = setting.camera
    return camera.size * 0.5 / (camera.scale * camera.near(z)) + abs(camera.centre - camera.size / 2) / (
        camera.scale * camera.near(z)
    )
