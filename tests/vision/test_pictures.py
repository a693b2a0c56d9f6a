"""Every kind of picture file to pixels, and every kind of damage to one sentence."""

import io
import os
import struct
import zlib
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from spidercap.errors import DataError
from spidercap.vision.formats import readable_formats
from spidercap.vision.pictures import MAX_PIXELS, decode, open_picture, quiet_pillow


def mean_colour(path):
    return decode(path, 16).reshape(-1, 3).mean(axis=0).round().tolist()


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.gif", "a.bmp"])
def test_formats(tmp_path, photo, name):
    path = tmp_path / name
    photo().save(path)
    pixels = decode(path, 20)
    assert pixels.shape == (20, 20, 3)
    assert pixels.dtype == np.uint8
    expected = np.asarray(photo().resize((20, 20), Image.Resampling.BILINEAR)).astype(int)
    assert np.abs(pixels - expected).mean() < 8


def test_resize_is_pillows_bilinear_over_the_whole_picture(tmp_path, photo):
    path = tmp_path / "a.png"
    photo((50, 20)).save(path)
    expected = np.asarray(photo((50, 20)).resize((16, 16), Image.Resampling.BILINEAR))
    assert np.array_equal(decode(path, 16), expected)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_undone(tmp_path, photo, orientation):
    turn = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = photo() if orientation == 1 else photo().transpose(turn[orientation])
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / "turned.png", exif=exif)
    photo().save(tmp_path / "plain.png")
    assert np.array_equal(decode(tmp_path / "turned.png", 24), decode(tmp_path / "plain.png", 24))


def test_damaged_exif_is_ignored(tmp_path, photo):
    photo().save(tmp_path / "a.jpg", exif=b"Exif\0\0MM\0*\xff\xff\xff\xff\0\0")
    with quiet_pillow():
        assert decode(tmp_path / "a.jpg", 8).shape == (8, 8, 3)


@pytest.mark.parametrize(
    ("mode", "colour", "expected"),
    [
        ("L", 100, [100, 100, 100]),
        ("1", 1, [255, 255, 255]),
        ("RGB", (10, 20, 30), [10, 20, 30]),
        ("RGBA", (10, 20, 30, 0), [255, 255, 255]),
        ("RGBA", (0, 0, 0, 51), [204, 204, 204]),
        ("LA", (0, 0), [255, 255, 255]),
        ("I;16", 65535, [255, 255, 255]),
        ("I;16", 100 * 257, [100, 100, 100]),
    ],
)
def test_modes(tmp_path, mode, colour, expected):
    Image.new(mode, (9, 9), colour).save(tmp_path / "a.png")
    assert mean_colour(tmp_path / "a.png") == expected


def test_cmyk(tmp_path):
    Image.new("CMYK", (16, 16), (0, 255, 255, 0)).save(tmp_path / "a.jpg", quality=95)
    red, green, blue = mean_colour(tmp_path / "a.jpg")
    assert red > 240
    assert max(green, blue) < 15


def test_palette_with_and_without_a_transparent_colour(tmp_path):
    picture = Image.new("P", (9, 9), 1)
    picture.putpalette([0, 0, 0, 200, 100, 50])
    picture.save(tmp_path / "solid.png")
    picture.save(tmp_path / "clear.png", transparency=1)
    assert mean_colour(tmp_path / "solid.png") == [200, 100, 50]
    assert mean_colour(tmp_path / "clear.png") == [255, 255, 255]


@pytest.mark.parametrize("name", ["a.gif", "a.webp", "a.png"])
def test_of_an_animation_the_first_frame_counts(tmp_path, name):
    frames = [Image.new("RGB", (16, 16), colour) for colour in ("red", "blue")]
    options = {"lossless": True} if name == "a.webp" else {}
    frames[0].save(tmp_path / name, save_all=True, append_images=frames[1:], **options)
    assert mean_colour(tmp_path / name) == [255, 0, 0]


def test_one_pixel_wide_picture(tmp_path):
    Image.new("RGB", (1, 500), (1, 2, 3)).save(tmp_path / "a.png")
    assert mean_colour(tmp_path / "a.png") == [1, 2, 3]


def test_missing_file(tmp_path):
    with pytest.raises(DataError, match=r"gone\.jpg does not exist"):
        decode(tmp_path / "gone.jpg", 8)


def test_folder_in_place_of_a_file(tmp_path):
    with pytest.raises(DataError, match="cannot be decoded"):
        decode(tmp_path, 8)


def test_empty_file(tmp_path):
    (tmp_path / "a.jpg").touch()
    with pytest.raises(DataError, match=r"a\.jpg is empty \(0 bytes\)"):
        decode(tmp_path / "a.jpg", 8)


def test_text_named_as_a_picture(tmp_path):
    (tmp_path / "a.jpg").write_text("<html>404</html>", encoding="utf-8")
    with pytest.raises(DataError, match="is not a picture; expected JPEG, PNG"):
        decode(tmp_path / "a.jpg", 8)


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.gif", "a.bmp"])
def test_truncated_files(tmp_path, photo, name):
    path = tmp_path / name
    photo((200, 200)).save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    with pytest.raises(DataError, match=r"a\.\w+ cannot be decoded: .+"):
        decode(path, 8)


@pytest.mark.parametrize("side", [11_000, 60_000])
def test_decompression_bomb_is_refused_unread(tmp_path, side):
    """A header that claims billions of pixels, followed by nothing."""
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    chunk = b"IHDR" + head
    start = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", len(head)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    (tmp_path / "bomb.png").write_bytes(start + struct.pack(">I", 9) + b"IDAT" + b"\0" * 13)
    assert side * side > MAX_PIXELS
    with quiet_pillow(), pytest.raises(DataError, match=r"bomb\.png has more than 120 million pixels"):
        decode(tmp_path / "bomb.png", 8)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from(["JPEG", "PNG", "WEBP", "GIF", "BMP"]),
    flips=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=8),
)
def test_flipped_bytes_give_a_picture_or_a_data_error(tmp_path, photo, kind, flips):
    buffer = io.BytesIO()
    photo().save(buffer, kind)
    content = bytearray(buffer.getvalue())
    for place, value in flips:
        content[int(place * min(len(content), 400))] = value
    path = tmp_path / "flipped"
    path.write_bytes(content)
    with quiet_pillow(), suppress(DataError):
        assert decode(path, 8).shape == (8, 8, 3)


@pytest.mark.parametrize("kind", ["TIFF", "AVIF"])
def test_more_kinds_of_pictures(tmp_path, photo, kind):
    if kind not in readable_formats():
        pytest.skip(f"this Pillow reads no {kind}")
    path = tmp_path / "x.picture"
    photo().save(path, kind)
    assert np.abs(decode(path, 8).astype(int) - np.asarray(photo().resize((8, 8), Image.BILINEAR))).mean() < 4


def test_the_orientation_of_a_tiff_is_heeded_once(tmp_path, photo):
    path = tmp_path / "x.tiff"
    photo((40, 30)).save(path, tiffinfo={274: 6})
    assert open_picture(path).size == (30, 40)


def test_heic_with_the_optional_part(tmp_path, photo):
    heif = pytest.importorskip("pillow_heif")
    path = tmp_path / "x.heic"
    heif.from_pillow(photo((64, 48))).save(path, quality=95)
    assert open_picture(path).size == (64, 48)


def test_heic_without_the_optional_part_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setattr("spidercap.vision.formats.readable_formats", lambda: ("JPEG",))
    monkeypatch.setattr("spidercap.vision.pictures.readable_formats", lambda: ("JPEG",))
    path = tmp_path / "x.jpg"
    path.write_bytes(b"\0\0\0\x18ftypheic" + bytes(100))
    with pytest.raises(DataError, match=r"x\.jpg is not read: HEIC needs an optional part; run: pip"):
        decode(path, 8)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "x.jpg")
    with pytest.raises(DataError, match=r"x\.jpg is a pipe, expected a file"):
        decode(tmp_path / "x.jpg", 8)
