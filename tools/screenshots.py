"""Pictures of pages as people see them: phone, phone on its side, laptop and large screen, light and dark.

    python tools/screenshots.py report.html dataset.html --out shots

Each page becomes eight PNG files, NAME-WIDTHxHEIGHT-light.png and -dark.png, the page from top to bottom. A page that
is wider than its window is told: one would have to scroll sideways. Needs playwright and Debian's Chromium.
"""

import argparse
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

CHROMIUM = "/usr/bin/chromium"
WINDOWS = ((390, 844), (844, 390), (1280, 800), (1920, 1080))
SCHEMES = ("light", "dark")
ALL_PICTURES = """async () => {
  const pictures = [...document.images];
  pictures.forEach((picture) => { picture.loading = "eager"; });
  await Promise.allSettled(pictures.map((picture) => picture.decode()));
}"""
"""Pictures below the window too, which a browser would load when one comes near."""
TALLEST = 6000
"""Pixels of a page that are shown."""


def shoot(browser: Browser, page_file: Path, out: Path) -> list[str]:
    """Write the eight pictures of a page; what is wider than its window."""
    wide = []
    for width, height in WINDOWS:
        for scheme in SCHEMES:
            page = browser.new_page(
                viewport={"width": width, "height": height}, color_scheme="dark" if scheme == "dark" else "light"
            )
            page.goto(page_file.resolve().as_uri())
            page.evaluate(ALL_PICTURES)
            found = int(page.evaluate("document.documentElement.scrollWidth"))
            tall = int(page.evaluate("document.documentElement.scrollHeight"))
            name = f"{page_file.stem}-{width}x{height}-{scheme}.png"
            area = {"x": 0, "y": 0, "width": width, "height": min(tall, TALLEST)}
            page.screenshot(path=out / name, full_page=True, clip=area)  # type: ignore[arg-type]
            page.close()
            if found > width and scheme == SCHEMES[0]:
                wide.append(f"{page_file} is {found} pixels wide in a window of {width}")
    return wide


def main() -> None:
    """Shoot every page that is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("shots"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for page_file in options.pages:
            for line in shoot(browser, page_file, options.out):
                print(line)
        browser.close()


if __name__ == "__main__":
    main()
