"""Drawing scenes: the same bytes every time, every action and clutter can be drawn, folders resume."""

import io
from dataclasses import replace

import numpy as np
import pytest

from spidercap.errors import DataError, UsageError
from spidercap.scenes import draw_scene, write_pictures
from spidercap.scenes.actions import ACTIONS
from spidercap.scenes.compose import Thing, compose
from spidercap.scenes.dice import Dice
from spidercap.scenes.draw.clutter import CLUTTER
from spidercap.scenes.draw.colour import WORDS
from spidercap.scenes.draw.pen import Pen, bounds, joint
from spidercap.scenes.draw.picture import STAGINGS, draw_picture
from spidercap.scenes.draw.places import BACKDROPS
from spidercap.scenes.draw.things import colour_of
from spidercap.scenes.kinds import KINDS, PLACES


def test_the_same_scene_gives_the_same_pixels():
    assert draw_scene(7, 1, 96).tobytes() == draw_scene(7, 1, 96).tobytes()


def test_scenes_differ():
    assert draw_scene(7, 1, 96).tobytes() != draw_scene(7, 2, 96).tobytes()


@pytest.mark.parametrize("size", [32, 97, 299, 420])
def test_any_size(size):
    picture = draw_scene(11, 1, size)
    assert picture.size == (size, size)
    assert picture.mode == "RGB"


def test_every_action_place_and_clutter_has_its_drawing():
    assert set(STAGINGS) == set(ACTIONS)
    assert set(BACKDROPS) == set(PLACES)
    assert set(CLUTTER) >= {item for place in PLACES.values() for item in place.clutter}


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_every_action_is_drawn_and_seen(name):
    scene = next(scene for index in range(6000) if (scene := compose(index, 1)).action == name)
    values = np.asarray(draw_picture(scene, 64), np.float32)
    assert values.std() > 5, "a blank picture"


@pytest.mark.parametrize("place", sorted(PLACES))
def test_every_place_looks_otherwise_at_night(place):
    scene = next(scene for index in range(3000) if (scene := compose(index, 1)).place == place and scene.time == "day")
    if "night" in PLACES[place].times:
        night = draw_picture(replace(scene, time="night"), 48)
        assert np.asarray(night).mean() < np.asarray(draw_picture(scene, 48)).mean() - 5


@pytest.mark.parametrize("name", sorted(CLUTTER))
def test_clutter_has_a_sensible_size(name):
    pen = Pen()
    CLUTTER[name](pen, Dice(name))
    left, bottom, right, top = bounds(pen.shapes)
    assert 0 < right - left < 3
    assert 0 < top - bottom < 3


@pytest.mark.parametrize("word", sorted(WORDS))
def test_colour_words_are_drawn_in_a_near_shade(word):
    kind = next((kind for kind in ("car", "balloon", "sofa", "umbrella", "dog") if word in KINDS[kind].colours), "dog")
    drawn = np.array([colour_of(Thing(kind, word), Dice(word, step)) for step in range(20)], np.float64)
    assert np.abs(drawn - np.array(WORDS[word])).max() <= 30


def test_a_joint_lies_at_both_bones_ends():
    knee = joint((0, 1), (0.2, 0.2), 0.5, 0.45, 1)
    assert np.hypot(knee[0], knee[1] - 1) == pytest.approx(0.5)
    assert np.hypot(knee[0] - 0.2, knee[1] - 0.2) == pytest.approx(0.45)


def test_pictures_on_disk_are_those_drawn_and_a_second_call_resumes(tmp_path):
    calls = []
    write_pictures(tmp_path / "a", 4, 9, size=64, progress=lambda done, count: calls.append((done, count)))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]
    first = {path.name: path.read_bytes() for path in (tmp_path / "a").glob("*.jpg")}
    assert sorted(first) == [f"scene-{index:06d}.jpg" for index in range(4)]
    (tmp_path / "a" / "scene-000002.jpg").unlink()
    kept = (tmp_path / "a" / "scene-000001.jpg").stat().st_mtime_ns
    write_pictures(tmp_path / "a", 5, 9, size=64)
    second = {path.name: path.read_bytes() for path in (tmp_path / "a").glob("*.jpg")}
    assert {name: second[name] for name in first} == first
    assert len(second) == 5
    assert (tmp_path / "a" / "scene-000001.jpg").stat().st_mtime_ns == kept


def test_two_processes_write_what_one_writes(tmp_path):
    write_pictures(tmp_path / "two", 9, 4, size=40)
    for index in (0, 8):
        expected = io.BytesIO()
        draw_scene(index, 4, 40).save(expected, "JPEG", quality=92)
        assert (tmp_path / "two" / f"scene-{index:06d}.jpg").read_bytes() == expected.getvalue()
    assert len(list((tmp_path / "two").iterdir())) == 10, "nine pictures and the mark, nothing left over"


def test_a_failing_picture_leaves_nothing_half_written(tmp_path, monkeypatch):
    from spidercap.scenes.draw import picture

    def fail(scene, size):
        raise OSError(28, "No space left on device")

    write_pictures(tmp_path, 2, 1, size=40)
    monkeypatch.setattr(picture, "draw_picture", fail)
    with pytest.raises(OSError, match="No space"):
        write_pictures(tmp_path, 4, 1, size=40)
    assert sorted(path.name for path in tmp_path.glob("*")) == [".scenes", "scene-000000.jpg", "scene-000001.jpg"]


def test_another_seed_is_not_mixed_in(tmp_path):
    write_pictures(tmp_path, 1, 1, size=40)
    with pytest.raises(DataError, match="holds scenes of seed 1, 40 pixels, drawing 1, not of seed 2"):
        write_pictures(tmp_path, 1, 2, size=40)


def test_a_file_in_the_way_is_named(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataError, match="file cannot be made"):
        write_pictures(tmp_path / "file", 1, 1)


@pytest.mark.parametrize(("count", "size"), [(0, 299), (5, 8)])
def test_senseless_numbers_are_refused(tmp_path, count, size):
    with pytest.raises(UsageError, match="at least 1 and a size of at least 32"):
        write_pictures(tmp_path / "none", count, 1, size=size)
    assert not (tmp_path / "none").exists()
