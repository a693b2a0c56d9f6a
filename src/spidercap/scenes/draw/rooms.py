"""The places with walls: rooms, the kitchen and the table top."""

import numpy as np
from PIL import Image, ImageFilter

from spidercap.scenes.draw import backdrop, furniture, texture
from spidercap.scenes.draw.backdrop import Setting, grain_of, span, stand
from spidercap.scenes.draw.camera import Plane
from spidercap.scenes.draw.colour import Colour, jitter, mix, shade
from spidercap.scenes.draw.pen import Pen
from spidercap.scenes.draw.sprite import Placed, paint

WALLS: tuple[Colour, ...] = (
    (232, 222, 200),
    (198, 214, 216),
    (222, 200, 186),
    (204, 214, 190),
    (236, 232, 226),
    (180, 196, 214),
    (232, 206, 150),
)
FLOORS: tuple[Colour, ...] = ((176, 128, 84), (140, 98, 66), (204, 168, 122), (120, 92, 72))


def room(setting: Setting, kitchen: bool = False) -> Image.Image:
    """Wall and floor; a kitchen has tiles, cupboards and a counter."""
    camera, dice, light = setting.camera, setting.dice, setting.light
    wall = jitter(dice.pick(WALLS), dice, 10)
    picture = texture.to_picture(_wall(setting, wall) * np.array(light.tint, np.float32))
    _, depth, _ = camera.plane()
    back = wall_depth(setting)
    floor = jitter(dice.pick(FLOORS), dice)
    if kitchen:
        pale = dice.pick(((226, 222, 214), (214, 204, 190), (200, 208, 212)))
        ground = backdrop.tiles(
            setting, pale, shade(pale, dice.pick((0.55, 0.8, 0.9))), max(0.3, camera.distance * 0.14)
        )
    elif dice.chance(0.7):
        ground = backdrop.planks(setting, floor, max(0.12, camera.distance * 0.06))
    else:
        ground = backdrop.speckled(setting, dice.pick(((176, 160, 146), (150, 160, 168), (186, 150, 130))), 0.1)
    dim = 1 - 0.18 * np.clip(depth / back, 0, 1)[:, :, None]
    backdrop.lay(picture, setting, (ground * dim).astype(np.float32), (depth < back).astype(np.float32), haze=0)
    board = Pen()
    wide = span(setting, back) + 0.2
    board.box(-wide, 0, wide, 0.12, shade(wall, 1.3) if dice.chance(0.6) else (120, 90, 66))
    stand(picture, setting, board, 0, back)
    _decorate(picture, setting, back, 1.85 if kitchen else 1.6)
    if kitchen:
        stand(picture, setting, _cupboards(setting, wide), 0, back - 0.02)
    return picture


def _decorate(picture: Image.Image, setting: Setting, back: float, high: float) -> None:
    """Pictures and windows on the wall, side by side."""
    camera, dice = setting.camera, setting.dice
    half = span(setting, back)
    x = -half + dice.between(0, 0.8)
    while x < half:
        if dice.chance(0.55):
            pen = Pen()
            if dice.chance(0.4):
                furniture.window(pen, setting.light.zenith if setting.light.night else setting.light.horizon, dice)
            else:
                furniture.picture(pen.at(0, dice.between(-0.1, 0.25), dice.between(0.6, 1.1)), dice)
            across, down, scale = camera.place(x, back, high)
            paint(picture, pen.shapes, Placed(across, down, scale, shadow=False), setting.light, grain_of(setting))
        x += dice.between(1.6, 2.2)


def wall_depth(setting: Setting) -> float:
    """How far behind the main thing the wall is, in metres."""
    return max(0.9, 0.3 * setting.camera.distance)


def _wall(setting: Setting, wall: Colour) -> Plane:
    camera, dice = setting.camera, setting.dice
    base = texture.vertical(camera.size, [(0, shade(wall, 0.9)), (0.55, shade(wall, 1.12)), (1, shade(wall, 0.95))])
    rows, columns = np.mgrid[0 : camera.size, 0 : camera.size] / camera.size
    glow = 1 + 0.1 * np.exp(-(((columns - 0.5 - 0.35 * setting.light.side) ** 2) + (rows - 0.25) ** 2) * 5)
    style = dice.whole(4)
    if style == 0:
        base = base * (1 + 0.025 * np.sign(np.sin(columns * dice.between(60, 110))))[:, :, None]
    elif style == 1:
        base = base * (1 + 0.03 * (np.sin(columns * 90) * np.sin(rows * 90) > 0.55))[:, :, None]
    lit: Plane = (base * glow[:, :, None]).astype(np.float32)
    return lit


def _cupboards(setting: Setting, wide: float) -> Pen:
    dice, pen = setting.dice, Pen()
    tone = jitter(dice.pick(((236, 232, 222), (150, 176, 170), (170, 120, 80), (110, 130, 150), (206, 190, 150))), dice)
    top = jitter(dice.pick(((90, 84, 82), (206, 196, 180), (160, 116, 76))), dice)
    tile = dice.pick(((236, 238, 236), (196, 218, 214), (238, 226, 200)))
    pen.box(-wide, 0.9, wide, 1.5, tile)
    for step in range(int(wide * 2 / 0.2) + 1):
        pen.line([(-wide + step * 0.2, 0.9), (-wide + step * 0.2, 1.5)], 0.008, shade(tile, 0.86))
    for y in (1.1, 1.3):
        pen.line([(-wide, y), (wide, y)], 0.008, shade(tile, 0.86))
    hanging = dice.chance(0.5)
    for low, high in ((0.08, 0.86), (1.5, 2.15))[: 1 + hanging]:
        pen.box(-wide, low, wide, high, shade(tone, 0.9))
        for step in range(int(wide * 2 / 0.55) + 1):
            x = -wide + step * 0.55
            pen.box(x + 0.02, low + 0.03, x + 0.53, high - 0.03, tone)
            pen.line([(x + 0.45, (low + high) / 2 - 0.06), (x + 0.45, (low + high) / 2 + 0.06)], 0.025, (120, 120, 124))
    pen.box(-wide, 0.86, wide, 0.93, top)
    return pen


def kitchen(setting: Setting) -> Image.Image:
    """A kitchen."""
    return room(setting, kitchen=True)


def table_top(setting: Setting) -> Image.Image:
    """A table seen from close by, the room behind it out of focus."""
    camera, dice, light = setting.camera, setting.dice, setting.light
    wall = jitter(dice.pick(WALLS), dice, 10)
    picture = texture.to_picture(_wall(setting, shade(wall, 0.85)) * np.array(light.tint, np.float32))
    for draw, x in ((furniture.window, -0.7), (furniture.picture, 0.6)):
        if dice.chance(0.6):
            pen = Pen()
            if draw is furniture.window:
                furniture.window(pen, light.horizon, dice)
            else:
                furniture.picture(pen, dice)
            scale = camera.size * 0.38
            paint(
                picture,
                pen.shapes,
                Placed(camera.size * (0.5 + x * 0.45), camera.horizon * 0.45, scale, shadow=False),
                light,
                grain_of(setting),
            )
    picture = picture.filter(ImageFilter.GaussianBlur(camera.size * 0.012))
    _, depth, _ = camera.plane()
    base = jitter(dice.pick(((186, 134, 84), (150, 100, 62), (214, 178, 130), (112, 80, 60))), dice)
    top = backdrop.planks(setting, base, camera.distance * 0.13, along_depth=dice.chance(0.3))
    if dice.chance(0.3):
        cloth = dice.pick(((206, 70, 64), (90, 130, 180), (96, 150, 110)))
        top = backdrop.tiles(setting, cloth, mix(cloth, (255, 255, 255), 0.75), camera.distance * 0.08)
    edge = camera.distance * 0.75
    backdrop.lay(picture, setting, top, (depth < edge).astype(np.float32), haze=0)
    return picture
