"""The places: each a backdrop built from sky, ground, walls and what stands far off."""

from collections.abc import Callable

import numpy as np
from PIL import Image

from spidercap.scenes.dice import Dice
from spidercap.scenes.draw import backdrop, outdoors, rooms, texture
from spidercap.scenes.draw.backdrop import GRASS, SAND, Setting, span, stand
from spidercap.scenes.draw.colour import Colour, jitter, shade
from spidercap.scenes.draw.pen import Pen

FACADES: tuple[Colour, ...] = (
    (186, 110, 88),
    (210, 186, 150),
    (150, 160, 172),
    (196, 150, 116),
    (226, 216, 196),
    (140, 120, 124),
)


def street(setting: Setting) -> Image.Image:
    """A road, a pavement and a row of houses."""
    picture, camera = backdrop.sky(setting), setting.camera
    across, depth, _ = camera.plane()
    near, far = (-3.0, 5.0) if setting.view == "road" else (1.1, 7.0)
    back = far + 3.0 + (2.2 * camera.distance if setting.view == "sky" else 0.0)
    asphalt = backdrop.speckled(setting, (104, 104, 108), 0.1)
    line = (np.abs(depth - (near + far) / 2) < 0.09) & (across % 2.4 < 1.4)
    asphalt = np.where(line[:, :, None], np.array((236, 228, 190), np.float32), asphalt)
    pavement = backdrop.tiles(setting, (178, 174, 168), (168, 164, 160), 0.7)
    edge = (np.abs(depth - far) < 0.12) | (np.abs(depth - near) < 0.12)
    ground = np.where(((depth > far) | (depth < near))[:, :, None], pavement, asphalt)
    ground = np.where(edge[:, :, None], np.array((206, 204, 198), np.float32), ground)
    backdrop.lay(picture, setting, ground.astype(np.float32), haze=0.4)
    x = -span(setting, back) - setting.dice.between(0, 6)
    while x < span(setting, back) + 2:
        wide = setting.dice.between(4.5, 8.5)
        house, lit = Pen(), Pen()
        _facade(house, lit, setting.dice, wide, setting.light.night)
        stand(picture, setting, house, x + wide / 2, back, 0.2)
        stand(picture, setting, lit, x + wide / 2, back, glow=True)
        x += wide
    return picture


def _facade(pen: Pen, lit: Pen, dice: Dice, wide: float, night: bool) -> None:
    """A town house with a shop and a door; at night some windows are lit."""
    wall = jitter(dice.pick(FACADES), dice, 16)
    floors = 2 + dice.whole(4)
    high = 3.4 + floors * 2.8
    pen.box(-wide / 2, 0, wide / 2, high, wall)
    pen.box(-wide / 2 - 0.12, high - 0.35, wide / 2 + 0.12, high, shade(wall, 0.75))
    windows = max(2, int(wide / 1.9))
    for floor in range(floors):
        for step in range(windows):
            x, y = -wide / 2 + (step + 0.5) * wide / windows, 3.9 + floor * 2.8
            glass = (60, 70, 96) if night else jitter((130, 164, 186), dice)
            pen.box(x - 0.52, y - 0.1, x + 0.52, y + 1.6, shade(wall, 1.35))
            pane = lit if night and dice.chance(0.45) else pen
            pane.box(x - 0.44, y, x + 0.44, y + 1.5, jitter((250, 214, 132), dice) if pane is lit else glass)
            pane.box(x - 0.03, y, x + 0.03, y + 1.5, shade(wall, 0.5) if pane is lit else shade(wall, 1.3))
    pen.box(-wide / 2, 0, wide / 2, 3.1, shade(wall, 0.82))
    shop = lit if night and dice.chance(0.6) else pen
    shop.box(
        -wide / 2 + 0.4, 0.6, wide / 2 - 1.5, 2.25, (250, 220, 146) if shop is lit else jitter((150, 180, 194), dice)
    )
    pen.box(wide / 2 - 1.3, 0, wide / 2 - 0.4, 2.3, jitter((104, 74, 60), dice))
    awning = jitter(dice.pick(((190, 70, 60), (70, 120, 100), (226, 180, 90), (80, 100, 150))), dice)
    stripes = max(4, int((wide - 1.6) / 0.5))
    for step in range(stripes):
        left = -wide / 2 + 0.3 + step * (wide - 1.7) / stripes
        pen.polygon([(left, 2.3), (left + (wide - 1.7) / stripes, 2.3), (left + (wide - 1.7) / stripes, 3.0),
                    (left, 3.0)],
                    awning if step % 2 else (242, 236, 222))  # fmt: skip


def park(setting: Setting) -> Image.Image:
    """Lawn, a path and trees far off."""
    picture, camera = backdrop.sky(setting), setting.camera
    backdrop.tree_line(picture, setting, (70, 116, 68), 0.09)
    ground = backdrop.speckled(setting, GRASS, 0.2)
    across, depth, _ = camera.plane()
    wave = np.sin(across / camera.distance * 1.3) * 0.12 * camera.distance
    path = texture.softened(
        (np.abs(depth - 0.75 * camera.distance - wave) < 0.22 * camera.distance).astype(np.float32), 1.2
    )[:, :, None]
    ground = ground * (1 - path) + backdrop.speckled(setting, (214, 194, 156), 0.1) * path
    backdrop.lay(picture, setting, ground, haze=0.5)
    _far_trees(picture, setting, 5, (84, 138, 72))
    return picture


def _far_trees(
    picture: Image.Image, setting: Setting, count: int, colour: Colour, pine: bool = False, snow: bool = False
) -> None:
    """Trees between the main thing and the horizon, the far ones first."""
    dice, camera = setting.dice, setting.camera
    depths = sorted((camera.distance * dice.between(1.6, 4) + 8 for _ in range(count)), reverse=True)
    for z in depths:
        pen = Pen()
        if pine:
            outdoors.pine_tree(pen, dice, snow)
        else:
            outdoors.tree(pen, jitter(colour, dice), dice)
        stand(picture, setting, pen, dice.between(-1, 1) * span(setting, z), z, min(0.9, z / (z + 40)))


def beach(setting: Setting) -> Image.Image:
    """Sand, surf and the sea."""
    picture, camera = backdrop.sky(setting), setting.camera
    across, depth, _ = camera.plane()
    backdrop.lay(picture, setting, backdrop.water(setting, (52, 142, 170)), haze=0.3)
    shore = (
        0.5 * camera.distance
        + np.sin(across / camera.distance * 1.7 + setting.dice.between(0, 6)) * 0.07 * camera.distance
    )
    sand = backdrop.speckled(setting, SAND, 0.09)
    wet = np.clip((depth - shore + 0.2 * camera.distance) / (0.2 * camera.distance), 0, 1)[:, :, None]
    dry = texture.softened((depth < shore).astype(np.float32), 0.8)
    backdrop.lay(picture, setting, sand * (1 - 0.25 * wet), dry, haze=0.1)
    foam = (np.abs(depth - shore - 0.04 * camera.distance) < 0.045 * camera.distance) | (
        np.abs(depth - shore * 1.7) < 0.035 * camera.distance
    )
    backdrop.lay(
        picture,
        setting,
        np.full((camera.size, camera.size, 3), 250, np.float32),
        texture.softened(foam.astype(np.float32), 0.9) * 0.85,
        haze=0,
    )
    return picture


def ocean(setting: Setting) -> Image.Image:
    """Open sea with waves."""
    picture, camera = backdrop.sky(setting), setting.camera
    if setting.dice.chance(0.4):
        backdrop.ridge(picture, setting, 0.06, (96, 120, 112), 0.6)
    backdrop.lay(picture, setting, backdrop.water(setting, jitter((34, 106, 146), setting.dice)), haze=0.3)
    across, depth, _ = camera.plane()
    swell = np.sin(depth / camera.distance * 9 + np.sin(across / camera.distance * 2.2) * 1.3)
    tile = texture.sample(texture.noise_tile(setting.random, 20), across, depth, camera.distance * 1.2)
    crest = texture.softened(((swell > 0.86) & (tile > 0.05)).astype(np.float32), 0.8)
    backdrop.lay(picture, setting, np.full((camera.size, camera.size, 3), 244, np.float32), crest * 0.6, haze=0.1)
    return picture


def lake(setting: Setting) -> Image.Image:
    """A lake before mountains; the near shore is in view unless the thing swims."""
    picture, camera = backdrop.sky(setting), setting.camera
    backdrop.ridge(
        picture, setting, setting.dice.between(0.16, 0.27), (108, 122, 142), 0.62, setting.dice.pick((0.0, 0.3, 0.4))
    )
    backdrop.tree_line(picture, setting, (58, 92, 76), 0.05)
    backdrop.lay(picture, setting, backdrop.water(setting, jitter((64, 124, 148), setting.dice)), haze=0.2)
    if setting.view == "water":
        return picture
    across, depth, _ = camera.plane()
    shore = (
        0.42 * camera.distance
        + np.sin(across / camera.distance * 2.1 + setting.dice.between(0, 6)) * 0.06 * camera.distance
    )
    bank = texture.softened((depth < shore).astype(np.float32), 0.8)
    rim = texture.softened((depth < shore + 0.05 * camera.distance).astype(np.float32), 0.8)
    backdrop.lay(picture, setting, backdrop.speckled(setting, (150, 134, 104), 0.2), rim, haze=0.1)
    backdrop.lay(picture, setting, backdrop.speckled(setting, (120, 150, 82), 0.2), bank, haze=0.1)
    return picture


def field(setting: Setting) -> Image.Image:
    """A meadow before green hills."""
    picture = backdrop.sky(setting)
    backdrop.ridge(picture, setting, setting.dice.between(0.08, 0.18), (110, 146, 96), 0.35)
    backdrop.ridge(picture, setting, 0.05, (96, 146, 78), 0.4)
    backdrop.lay(picture, setting, backdrop.speckled(setting, (126, 168, 76), 0.2), haze=0.6)
    _far_trees(picture, setting, setting.dice.whole(4), (84, 132, 66))
    return picture


def farm(setting: Setting) -> Image.Image:
    """Farm land: fields in strips and a silo far off."""
    picture, camera = backdrop.sky(setting), setting.camera
    backdrop.ridge(picture, setting, 0.07, (122, 150, 90), 0.35)
    across, depth, _ = camera.plane()
    ground = backdrop.speckled(setting, (134, 158, 80), 0.18)
    strip = (np.floor(across / (camera.distance * 0.12)) % 2 == 0) & (depth > camera.distance * 1.1)
    ground = np.where(strip[:, :, None], ground * np.array((1.12, 1.02, 0.8), np.float32), ground)
    backdrop.lay(picture, setting, ground, haze=0.6)
    z = camera.distance * 2.2 + 10
    silo = Pen()
    silo.box(-1.2, 0, 1.2, 6, (190, 192, 194))
    silo.ellipse(0, 6, 1.2, 0.9, (150, 60, 52))
    stand(picture, setting, silo, setting.dice.between(-0.8, 0.8) * span(setting, z), z, 0.5)
    return picture


def savanna(setting: Setting) -> Image.Image:
    """A dry plain with flat trees far off."""
    picture, camera = backdrop.sky(setting), setting.camera
    backdrop.ridge(picture, setting, 0.05, (150, 138, 118), 0.5)
    backdrop.lay(picture, setting, backdrop.speckled(setting, (206, 178, 104), 0.22), haze=0.7)
    for step in range(3):
        z = camera.distance * (4 - step) + 6
        pen = Pen()
        outdoors.tree(pen, (122, 136, 72), setting.dice, flat=True)
        stand(picture, setting, pen, setting.dice.between(-1, 1) * span(setting, z), z, 0.55)
    return picture


def forest(setting: Setting) -> Image.Image:
    """Trunks in rows, fading into green light."""
    picture, camera, dice = backdrop.sky(setting), setting.camera, setting.dice
    backdrop.tree_line(picture, setting, (74, 108, 70), 0.3)
    backdrop.lay(picture, setting, backdrop.speckled(setting, (112, 118, 66), 0.26), haze=0.4)
    for row in range(3):
        z = camera.distance * (1.9 - row * 0.55) + 3.5 - row
        for step in range(7):
            if dice.chance(0.75):
                x = (-1.1 + step * 0.37 + dice.between(-0.1, 0.1)) * span(setting, z)
                _trunk(picture, setting, x, z, 0.75 - row * 0.25)
    return picture


def _trunk(picture: Image.Image, setting: Setting, x: float, z: float, haze: float) -> None:
    dice, pen = setting.dice, Pen()
    if dice.chance(0.45):
        outdoors.pine_tree(pen, dice, False)
    else:
        tone = jitter((104, 84, 66), dice)
        pen.limb([(0, 0), (dice.between(-0.2, 0.2), 9)], [dice.between(0.4, 0.7), 0.3], tone)
        for step in range(26):
            tone = shade((84, 130, 66), 0.75 + 0.02 * step)
            pen.disc(dice.between(-2.2, 2.2), dice.between(4.4, 9), dice.between(0.4, 0.75), jitter(tone, dice, 10))
    stand(picture, setting, pen, x, z, haze)


def snow_slope(setting: Setting) -> Image.Image:
    """Snow before white mountains, with pines."""
    picture, camera = backdrop.sky(setting), setting.camera
    backdrop.ridge(picture, setting, setting.dice.between(0.2, 0.32), (112, 126, 152), 0.7, 0.55)
    backdrop.ridge(picture, setting, 0.09, (196, 210, 228), 0.5)
    ground = backdrop.speckled(setting, (232, 238, 248), 0.05)
    across, depth, _ = camera.plane()
    track = np.abs(np.sin(across / camera.distance * 5 + depth / camera.distance * 2)) < 0.025
    ground = np.where(track[:, :, None], ground * np.array((0.88, 0.91, 0.96), np.float32), ground)
    backdrop.lay(picture, setting, ground.astype(np.float32), haze=0.3)
    _far_trees(picture, setting, 2 + setting.dice.whole(6), (60, 96, 80), pine=True, snow=True)
    return picture


def desert(setting: Setting) -> Image.Image:
    """Dunes and red rocks."""
    picture, camera = backdrop.sky(setting), setting.camera
    backdrop.ridge(picture, setting, setting.dice.between(0.08, 0.16), (196, 124, 88), setting.dice.pick((0.3, 0.75)))
    across, depth, _ = camera.plane()
    ground = backdrop.speckled(setting, (230, 186, 122), 0.08)
    ripple = np.sin(depth / camera.distance * 26 + np.sin(across / camera.distance * 4) * 2) / (
        1 + np.maximum(depth, 0) / camera.distance
    )
    backdrop.lay(picture, setting, (ground * (1 + 0.045 * ripple)[:, :, None]).astype(np.float32), haze=0.4)
    return picture


def train_station(setting: Setting) -> Image.Image:
    """Platform, rails and a station building."""
    picture, camera, dice = backdrop.sky(setting), setting.camera, setting.dice
    across, depth, _ = camera.plane()
    tracks = setting.view == "road"
    edge = -1.6 if tracks else 1.5
    gravel = backdrop.speckled(setting, (138, 128, 120), 0.25)
    sleeper = (across % 0.9 < 0.3)[:, :, None]
    gravel = np.where(sleeper, gravel * 0.75, gravel)
    for rail in (-0.3, 0.9) if tracks else (2.6, 4.0):
        gravel = np.where((np.abs(depth - rail) < 0.1)[:, :, None], np.array((96, 92, 96), np.float32), gravel)
    platform = backdrop.tiles(setting, (182, 176, 168), (172, 166, 160), 0.8)
    strip = np.abs(depth - edge + 0.3) < 0.16
    platform = np.where(strip[:, :, None], np.array((236, 200, 80), np.float32), platform)
    backdrop.lay(picture, setting, np.where((depth < edge)[:, :, None], platform, gravel).astype(np.float32), haze=0.4)
    z = (2.6 if tracks else 6.0) + 0.25 * camera.distance
    stand(picture, setting, _station(dice, setting.light.night), dice.between(-0.2, 0.2) * span(setting, z), z, 0.25)
    return picture


def _station(dice: Dice, night: bool) -> Pen:
    """The hall across the tracks."""
    pen, wall = Pen(), jitter(dice.pick(((190, 120, 92), (214, 198, 168), (170, 160, 150))), dice)
    pen.box(-24, 0, 24, 0.9, (150, 146, 142))
    pen.box(-24, 0.9, 24, 5.4, wall)
    for step in range(16):
        x = -22.5 + step * 3
        pen.box(x - 0.75, 1.4, x + 0.75, 4.0, shade(wall, 1.4))
        pen.box(x - 0.62, 1.5, x + 0.62, 3.9, (255, 224, 150) if night else (134, 162, 178))
        pen.ellipse(x, 3.9, 0.62, 0.5, (255, 224, 150) if night else (134, 162, 178))
    pen.polygon([(-25, 5.2), (25, 5.2), (24, 7.0), (-24, 7.0)], shade(wall, 0.5))
    for step in range(9):
        pen.line([(-20 + step * 5, 0.9), (-20 + step * 5, 5.3)], 0.16, (70, 84, 84))
    return pen


def tennis_court(setting: Setting) -> Image.Image:
    """A court with lines, a net fence and trees."""
    picture, camera = backdrop.sky(setting), setting.camera
    backdrop.tree_line(picture, setting, (70, 112, 72), 0.1)
    across, depth, _ = camera.plane()
    court = jitter(setting.dice.pick(((70, 120, 168), (92, 148, 96), (190, 104, 72))), setting.dice)
    outer = setting.dice.pick(((92, 148, 96), (176, 110, 84), (70, 110, 90)))
    ground = np.where(
        (depth < 1.6)[:, :, None], backdrop.speckled(setting, court, 0.05), backdrop.speckled(setting, outer, 0.05)
    )
    lines = (
        (np.abs(depth - 1.5) < 0.07) | (np.abs(depth + 0.9) < 0.05) | ((np.abs(across + 1.9) < 0.05) & (depth < 1.5))
    )
    ground = np.where(lines[:, :, None], np.array((244, 244, 240), np.float32), ground)
    backdrop.lay(picture, setting, ground.astype(np.float32), haze=0.3)
    mesh = Pen()
    wide = span(setting, 4)
    for step in range(int(wide * 2 / 0.35) + 1):
        x = -wide + step * 0.35
        mesh.line([(x, 0), (x, 2.6)], 0.02, (60, 84, 74))
    for y in (0.4, 0.9, 1.4, 1.9, 2.55):
        mesh.line([(-wide, y), (wide, y)], 0.025, (60, 84, 74))
    stand(picture, setting, mesh, 0, 4, 0.2)
    return picture


BACKDROPS: dict[str, Callable[[Setting], Image.Image]] = {
    "street": street, "park": park, "beach": beach, "ocean": ocean, "lake": lake, "field": field, "farm": farm,
    "savanna": savanna, "forest": forest, "snow slope": snow_slope, "desert": desert, "train station": train_station,
    "tennis court": tennis_court, "living room": rooms.room, "bedroom": rooms.room, "kitchen": rooms.kitchen,
}  # fmt: skip
