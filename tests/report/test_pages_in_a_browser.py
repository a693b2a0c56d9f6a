"""The pages as people see them: nothing is cut, what scrolls says so, and legends stay with what they explain."""

from pathlib import Path

import pytest

from spidercap.data.captions import Dataset
from spidercap.metrics.spice.caption_parse import compare_caption
from spidercap.report.dataset_page import dataset_page
from spidercap.report.parses.graph_page import ComparedCaption, graph_page
from spidercap.report.training.training_page import training_page
from spidercap.report.training.training_report import ReportRequest, make_report
from spidercap.text.vocabulary import Vocabulary
from spidercap.vision.feature_store import FeatureStore

WINDOWS = [(390, 844), (844, 390), (1280, 800), (1920, 1080)]
REFERENCES = [
    "a man in a red shirt is riding a brown horse on a sandy beach next to the sea",
    "a young man rides a horse along the beach in front of blue waves",
    "the rider on a horse holds the reins in his hand near the water",
    "a man sitting on a horse with a dog running behind the horse on the sand",
    "a dog follows a man on a horse past some people with umbrellas on a beach",
]
# What can be scrolled sideways without the shadow that says so.
SILENT = """() => [...document.querySelectorAll("body *")]
  .filter((e) => e.scrollWidth > e.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(e).overflowX))
  .filter((e) => !getComputedStyle(e).backgroundImage.includes("linear-gradient") && e.tagName !== "PRE")
  .map((e) => e.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module")
def pages(trained, tmp_path_factory):
    """The pages of a dataset, of training runs, and of a caption with five references."""
    folder = tmp_path_factory.mktemp("pages")
    dataset, vocabulary = Dataset.load(trained / "data"), Vocabulary.load(trained / "data" / "vocabulary.txt")
    features = FeatureStore.open(trained / "features")
    runs = [trained / name for name in ("mle", "pg", "mixer")]
    made = make_report(ReportRequest(runs, [Path("report.html")], published=True, examples=1))
    caption = "a man is riding a brown horse on the beach next to a dog"
    compared = ComparedCaption(caption, REFERENCES, compare_caption(caption, REFERENCES))
    texts = {
        "dataset": dataset_page(dataset, vocabulary, trained / "data" / "images", features),
        "training": training_page(made),
        "parse": graph_page([compared]),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text)
    return folder


@pytest.mark.parametrize(("width", "height"), WINDOWS)
@pytest.mark.parametrize("name", ["dataset", "training", "parse"])
def test_nothing_is_cut_and_what_scrolls_says_so(pages, browser, name, width, height):
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto((pages / f"{name}.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(SILENT) == []
    page.close()


@pytest.mark.parametrize(("width", "height"), WINDOWS[:2])
def test_the_legend_stays_with_its_drawings(pages, browser, width, height):
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto((pages / "training.html").as_uri())
    for number in range(2):
        legend = page.locator(".legend").nth(number)
        drawing = legend.locator("xpath=..").locator(".panels svg").last
        drawing.scroll_into_view_if_needed()
        place = legend.bounding_box()
        assert place["y"] >= 0
        assert place["y"] + place["height"] < height / 2
    page.close()


def test_the_header_row_stays_with_its_table(pages, browser):
    page = browser.new_page(viewport={"width": 390, "height": 200})
    page.goto((pages / "training.html").as_uri())
    area = page.locator(".scroll").first
    area.scroll_into_view_if_needed()
    assert area.evaluate("e => e.scrollHeight > e.clientHeight")
    area.evaluate("e => e.scrollTo(200, 1000)")
    method = area.locator("thead th").first.bounding_box()
    assert method["y"] == pytest.approx(area.bounding_box()["y"], abs=2)
    assert method["x"] == pytest.approx(area.bounding_box()["x"], abs=2)
    page.close()
