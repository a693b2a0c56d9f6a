"""A contact sheet of built-in scenes with their captions: python tools/scenes_sheet.py sheet.png."""

import argparse
import textwrap
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from spidercap.data.scenes import draw_scene, scene_images

MARGIN = 6
LINE = 13


def contact_sheet(first: int, count: int, seed: int, columns: int, size: int, captions: int) -> Image.Image:
    """Scenes in rows, under each as many of its captions as asked for."""
    images = list(scene_images(first + count, seed))[first:]
    room = captions * LINE * 3
    rows = -(-count // columns)
    sheet = Image.new("RGB", (columns * (size + MARGIN) + MARGIN, rows * (size + room + MARGIN) + MARGIN), "white")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(11)
    for place, image in enumerate(images):
        x = MARGIN + place % columns * (size + MARGIN)
        y = MARGIN + place // columns * (size + room + MARGIN)
        sheet.paste(draw_scene(first + place, seed, size), (x, y))
        lines = [line for text in image.captions[:captions] for line in textwrap.wrap("- " + text, size // 6)]
        for step, line in enumerate(lines[: captions * 3]):
            draw.text((x, y + size + 2 + step * LINE), line, "black", font)
    return sheet


def main() -> None:
    """Reads the command line and writes the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    for name, value in (("first", 0), ("count", 24), ("seed", 1), ("columns", 6), ("size", 299), ("captions", 2)):
        parser.add_argument(f"--{name}", type=int, default=value)
    given = parser.parse_args()
    contact_sheet(given.first, given.count, given.seed, given.columns, given.size, given.captions).save(given.out)


if __name__ == "__main__":
    main()
