"""A whole picture: stage, camera, backdrop, actors from far to near, weather."""

import hashlib
from dataclasses import replace

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from spidercap.scenes.compose import Scene
from spidercap.scenes.dice import Dice
from spidercap.scenes.draw import texture
from spidercap.scenes.draw.acting import ACTING
from spidercap.scenes.draw.backdrop import Setting
from spidercap.scenes.draw.camera import Camera, Plane
from spidercap.scenes.draw.clutter import CLUTTER, FLAT, LOW
from spidercap.scenes.draw.light import light_of
from spidercap.scenes.draw.pen import Pen, bounds
from spidercap.scenes.draw.places import BACKDROPS
from spidercap.scenes.draw.rooms import table_top, wall_depth
from spidercap.scenes.draw.showing import SHOWING
from spidercap.scenes.draw.sprite import Placed, paint
from spidercap.scenes.draw.stage import Actor, Stage
from spidercap.scenes.draw.things import draw_thing
from spidercap.scenes.kinds import PLACES

STAGINGS = ACTING | SHOWING
Box = tuple[float, float, float, float]
"""Left, bottom, right, top in metres."""
LETTERED = ("stop sign", "clock", "television")


def draw_picture(scene: Scene, size: int) -> Image.Image:
    """The picture of a scene, square."""
    dice = Dice("picture", scene.seed, scene.index)
    stage = Stage(scene, dice)
    STAGINGS[scene.action](stage)
    light = light_of(scene.time, scene.weather, PLACES[scene.place].indoors, dice)
    box = _main_box(stage)
    companion = Pen()
    if scene.companion:
        draw_thing(companion, scene.companion, dice, scene.place)
    camera = _camera(stage, box, companion, size)
    if stage.view == "sky":
        _raise(stage, camera, box)
    setting = Setting(camera, light, dice, _noise_source(scene), stage.view)
    if companion.shapes:
        _add_companion(stage, camera, box, companion)
    _add_clutter(stage, setting, box)
    picture = (table_top if stage.view == "table" else BACKDROPS[scene.place])(setting)
    grain = texture.noise_tile(setting.random, 100)
    mirror = dice.chance(0.5)
    for actor in sorted(stage.actors, key=lambda actor: -actor.z):
        _paint_actor(picture, actor, setting, mirror, grain)
    return _finish(picture, scene, setting, mirror)


def _noise_source(scene: Scene) -> np.random.RandomState:
    digest = hashlib.sha256(f"noise:{scene.seed}:{scene.index}".encode()).digest()
    return np.random.RandomState(int.from_bytes(digest[:4], "little"))


def _box(actor: Actor) -> Box:
    left, bottom, right, top = bounds(actor.shapes)
    if actor.mirrored:
        left, right = -right, -left
    return left + actor.x, bottom + actor.lift, right + actor.x, top + actor.lift


def _main_box(stage: Stage) -> Box:
    boxes = [_box(actor) for actor in stage.actors if actor.main]
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _camera(stage: Stage, box: Box, companion: Pen, size: int) -> Camera:
    """Far enough for the main actors to fit, at a height that puts them on the ground."""
    dice, scene = stage.dice, stage.scene
    wide, high = stage.fit or (box[2] - box[0], box[3] - max(0.0, min(box[1], 0.0)))
    share = dice.between(0.78, 0.9) if scene.close else dice.between(0.52, 0.76)
    share *= {"small": 0.8, "large": 1.15}.get(scene.subject.size, 1.0)
    if scene.action == "swim" and scene.subject.count == 1:
        wide /= 0.6
    if stage.view == "sky":
        share = dice.between(0.34, 0.55)
        high = box[3] - box[1]
    extra = 0.0
    if companion.shapes and scene.beside:
        left, _, right, _ = bounds(companion.shapes)
        extra = min(right - left, wide * 0.55)
        wide += extra
    broad = share * 1.3 if stage.view == "sky" else min(0.92, max(0.84, share * 1.15))
    scale = size * min(broad / wide, min(0.88, share) / high)
    foot = size * (dice.between(0.86, 0.93) if stage.view != "table" else dice.between(0.72, 0.8))
    horizon = size * dice.between(0.4, 0.52)
    if stage.view == "table":
        horizon = size * dice.between(0.1, 0.2)
    if stage.view == "sky":
        horizon, foot = size * dice.between(0.68, 0.8), size * 0.97
    room = max(0.0, 0.9 - wide * scale / size) / 2
    centre = size * (0.5 + dice.between(-room, room) * 0.7)
    centre += dice.pick((-1, 1)) * extra * scale / 2
    if stage.fit is None:
        centre -= (box[0] + box[2]) / 2 * scale
    return Camera(size, horizon, foot, scale, centre, size / scale * 1.1)


def _raise(stage: Stage, camera: Camera, box: Box) -> None:
    """Lifts what flies to the upper part of the picture."""
    middle = camera.size * stage.dice.between(0.3, 0.42)
    lift = (camera.foot - middle) / camera.scale - (box[1] + box[3]) / 2
    stage.actors[:] = [replace(actor, z=0.0, lift=actor.lift + lift) for actor in stage.actors]


def _add_companion(stage: Stage, camera: Camera, box: Box, pen: Pen) -> None:
    scene = stage.scene
    left, _, right, top = bounds(pen.shapes)
    kind = scene.companion.kind if scene.companion else ""
    if kind == "clock":
        lift = 1.7 if PLACES[scene.place].indoors else 2.4
        if not PLACES[scene.place].indoors:
            pole = Pen()
            pole.line([(0, -2.4), (0, -0.2)], 0.09, (60, 64, 68))
            pen.shapes[:0] = pole.shapes
        stage.add(
            pen,
            _free_side(stage, camera, box, right - left, 0.3),
            0.3,
            lift=min(lift, 0.8 * camera.ground(0.3) / (camera.scale * camera.near(0.3))),
            main=False,
            shadow=False,
            fixed=True,
        )
        return
    z = _companion_depth(stage, camera, right - left, top)
    x = (
        _free_side(stage, camera, box, right - left, z)
        if scene.beside
        else _behind(stage, box, camera, right - left, z)
    )
    water = stage.view == "water"
    stage.add(pen, x, z, main=False, fixed=kind in LETTERED, glow=kind == "campfire", reflect=water, shadow=not water)


def _companion_depth(stage: Stage, camera: Camera, wide: float, high: float) -> float:
    """Behind the main thing, as far as it takes for most of the companion to be seen."""
    share = 0.42 if stage.scene.beside else 0.75
    needed = max(min(wide, 5.5) * camera.scale / (share * camera.size), high * camera.scale / (0.85 * camera.size))
    z = max(0.12 if stage.scene.beside else 0.35, needed - 1) * camera.distance
    if PLACES[stage.scene.place].indoors and stage.view != "table":
        z = min(z, max(0.9, 0.3 * camera.distance) * 0.8)
    if stage.view == "table":
        z = 0.05 * camera.distance
    if stage.scene.place == "street":
        z = _street_depth(stage, z)
    return z


def _street_depth(stage: Stage, z: float) -> float:
    """Vehicles stand on the road, all else on a pavement."""
    vehicle = stage.scene.companion is not None and stage.scene.companion.kind in ("car", "bus", "truck")
    if stage.view == "road":
        return 3.6 if vehicle else max(5.4, min(z, 7.4))
    if vehicle:
        return max(2.6, min(z, 5.2))
    return z if z < 0.9 else max(7.4, min(z, 9.4))


def _free_side(stage: Stage, camera: Camera, box: Box, wide: float, z: float) -> float:
    """The side of the main actors with more room."""
    near = camera.near(z)
    left = (camera.centre + box[0] * camera.scale) / camera.size
    right = 1 - (camera.centre + box[2] * camera.scale) / camera.size
    half = min(wide, 6.0) / 2
    gap = stage.dice.between(0.02, 0.12) * camera.size / camera.scale
    if right >= left:
        at = (box[2] + gap) / near + half
        limit = (camera.size * 0.97 - camera.centre) / (camera.scale * near) - half * 0.5
        return min(at, limit)
    at = (box[0] - gap) / near - half
    limit = (camera.size * 0.03 - camera.centre) / (camera.scale * near) + half * 0.5
    return max(at, limit)


def _behind(stage: Stage, box: Box, camera: Camera, wide: float, z: float) -> float:
    """Behind the main actors, to one side so that it is seen."""
    near = camera.near(z)
    middle = (box[0] + box[2]) / 2
    reach = camera.size * 0.4 / (camera.scale * near)
    aside = (box[2] - box[0]) / 2 / near * 0.5 + min(wide, 6) * 0.3
    return middle / near + stage.dice.pick((-1, 1)) * min(aside, reach)


def _add_clutter(stage: Stage, setting: Setting, box: Box) -> None:
    camera, dice = setting.camera, stage.dice
    if stage.view == "table":
        return
    for name in stage.scene.clutter:
        pen = Pen()
        CLUTTER[name](pen, dice)
        deep = _clutter_depth(name, stage, setting)
        half = camera.size * 0.5 / (camera.scale * camera.near(deep))
        x = dice.between(-1, 1) * half + (camera.size / 2 - camera.centre) / (camera.scale * camera.near(deep))
        if deep < 0 and box[0] - 0.1 < x < box[2] + 0.1:
            continue
        stage.add(pen, x, deep, main=False, shadow=name not in FLAT and stage.view != "water")


def _clutter_depth(name: str, stage: Stage, setting: Setting) -> float:
    distance = setting.camera.distance
    if name in ("distant sail", "buoy") or stage.view == "sky":
        return distance * stage.dice.between(2.5, 6.0)
    if PLACES[stage.scene.place].indoors:
        return wall_depth(setting) * stage.dice.between(0.1, 0.85)
    if stage.scene.place in ("beach", "lake"):
        return distance * stage.dice.between(-0.1, 0.28)
    if name in FLAT or name in LOW:
        return distance * stage.dice.between(-0.12, 0.8)
    return max(actor.z for actor in stage.actors if actor.main) + distance * stage.dice.between(0.06, 0.8)


def _paint_actor(picture: Image.Image, actor: Actor, setting: Setting, mirror: bool, grain: Plane) -> None:
    camera = setting.camera
    x, y, scale = camera.place(actor.x, actor.z, actor.lift)
    flip = actor.mirrored
    if mirror and actor.fixed:
        flip = not flip
    haze = min(0.8, max(0.0, actor.z) / (max(0.0, actor.z) + 4 * camera.distance))
    placed = Placed(x, y, scale, flip, actor.shadow, actor.reflect, haze, glow=actor.glow)
    paint(picture, actor.shapes, placed, setting.light, grain)


def _finish(picture: Image.Image, scene: Scene, setting: Setting, mirror: bool) -> Image.Image:
    """Mirror, weather in front of everything, darker corners and a little film grain."""
    if mirror:
        picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if scene.weather in ("rain", "snow") and not PLACES[scene.place].indoors:
        _falling(picture, scene.weather, setting)
    size = setting.camera.size
    values = np.asarray(picture, np.float32)
    rows, columns = np.mgrid[0:size, 0:size].astype(np.float32) / size - 0.5
    corner = 1.03 - 0.3 * (rows**2 + columns**2)
    grain = setting.random.random_sample((size, size)).astype(np.float32) * 6 - 3
    return texture.to_picture(values * corner[:, :, None] + grain[:, :, None])


def _falling(picture: Image.Image, weather: str, setting: Setting) -> None:
    size, dice = setting.camera.size, setting.dice
    layer = Image.new("L", (size * 2, size * 2), 0)
    draw = ImageDraw.Draw(layer)
    slant = dice.between(-6, 6)
    for _ in range(150 if weather == "rain" else 190):
        x, y = dice.between(0, size * 2), dice.between(0, size * 2)
        if weather == "rain":
            long = dice.between(14, 30) * size / 299
            draw.line((x, y, x + slant * long / 20, y + long), fill=130, width=1)
        else:
            radius = dice.between(1.0, 3.6) * size / 299
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=235)
    picture.paste((232, 238, 246), (0, 0), layer.reduce(2).filter(ImageFilter.GaussianBlur(0.4)))
