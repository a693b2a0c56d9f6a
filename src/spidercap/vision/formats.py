"""Which kinds of pictures can be read here, and what to say of the others."""

from functools import cache
from importlib.util import find_spec

from spidercap.extras import PARTS

SUFFIXES = {
    "JPEG": (".jpg", ".jpeg", ".jpe"),
    "PNG": (".png",),
    "WEBP": (".webp",),
    "GIF": (".gif",),
    "BMP": (".bmp",),
    "TIFF": (".tif", ".tiff"),
    "AVIF": (".avif",),
    "HEIF": (".heic", ".heif", ".hif"),
}
"""The endings of each format's files; a file's content, not its ending, decides how it is read."""
_OTHERS = (
    *(".jxl", ".jp2", ".j2k", ".svg", ".psd", ".tga", ".ico", ".ppm", ".pgm", ".pnm", ".exr", ".hdr"),
    *(".dng", ".cr2", ".cr3", ".nef", ".arw", ".orf", ".raf", ".rw2"),
)
_BRANDS = {b"avif": "AVIF", b"avis": "AVIF"} | dict.fromkeys(
    (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"), "HEIF"
)


@cache
def readable_formats() -> tuple[str, ...]:
    """The formats that the installed libraries read; HEIF needs pillow-heif, AVIF a Pillow built with it."""
    from PIL import features

    missing = set()
    if "avif" not in features.get_supported():
        missing.add("AVIF")
    if find_spec("pillow_heif") is None:
        missing.add("HEIF")
    else:
        from pillow_heif import register_heif_opener

        register_heif_opener()
    return tuple(name for name in SUFFIXES if name not in missing)


def readable_suffixes() -> frozenset[str]:
    """The endings of files that can be read."""
    return frozenset(suffix for name in readable_formats() for suffix in SUFFIXES[name])


def picture_suffixes() -> frozenset[str]:
    """The endings of all files that are pictures, read or not."""
    return frozenset([*_OTHERS, *(suffix for endings in SUFFIXES.values() for suffix in endings)])


def remedy_of(suffix: str) -> str:
    """What to do about files with an ending that is not read."""
    return remedy(next((name for name, endings in SUFFIXES.items() if suffix in endings), ""))


def remedy(name: str) -> str:
    """What to do about pictures of a format that is not read."""
    if name == "HEIF":
        return f"HEIC needs an optional part; run: {PARTS['heic'].command}"
    if name == "AVIF":
        return "this Pillow reads no AVIF; run: pip install --upgrade pillow"
    return f"expected {', '.join(readable_formats())}; convert them"


def unread_format(head: bytes) -> str:
    """AVIF or HEIF if the first bytes of a file say so and it cannot be read here; "" otherwise."""
    name = _BRANDS.get(head[8:12], "") if head[4:8] == b"ftyp" else ""
    return "" if name in readable_formats() else name
