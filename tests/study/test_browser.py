"""Real people's hands on the real pages: Chromium, keyboard, touch, two windows."""

import re
import subprocess
import sys

import pytest

from spidercap.study.store import Store
from spidercap.web.keys import new_key

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright (a development tool)")

expect = sync_api.expect
expect.set_options(timeout=60_000)
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
READY = ".choice[aria-disabled=false]"
# Timed by the page's own clock: on a busy machine the two halves of a click from outside may come seconds apart.
DOUBLE_CLICK = """selector => {
  const button = document.querySelector(selector);
  button.click();
  setTimeout(() => button.click(), 80);
}"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class Site:
    """A served study with keys for everybody who comes."""

    def __init__(self, folder, address):
        self.store, self.address = Store(folder), address

    def rater_link(self, name):
        key = new_key()
        self.store.invite(name, key.hash)
        return f"{self.address}/rate?token={key.text}"

    def owner_link(self):
        key = new_key()
        self.store.new_owner_key(key.hash)
        return f"{self.address}/owner?token={key.text}"

    def answers(self, name):
        return [answer for answer in self.store.answers() if answer.rater == name]

    def choices(self, name):
        return [answer.choice for answer in self.answers(name)]

    def events(self, name):
        return [row["what"] for row in self.store.log() if row["rater"] == name]


@pytest.fixture(scope="module")
def site(tmp_path_factory, new_material):
    """24 items for up to ten raters; one caption is nasty and long."""
    material = new_material(tmp_path_factory.mktemp("browser"), 12)
    plain = material.systems["plain"]
    plain.write_text(plain.read_text().replace("a wall p000", "<b>bold</b> &amp; " + "very " * 400))
    folder = material.study(raters=10)
    command = [sys.executable, "-m", "spidercap", "study", "serve", str(folder), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    made = Site(folder, re.search(r"http://[\d.:]+", process.stdout.readline())[0])
    yield made
    process.terminate()
    process.wait()
    process.stdout.close()
    made.store.close()


@pytest.fixture
def visit(browser):
    """Opens a page in a browser of its own; whatever the page complains about is an error."""
    contexts, complaints = [], []

    def open_page(link, **options):
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text) if is_complaint(message) else None)
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(link)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def is_complaint(message):
    """Errors of the page; refused requests (423), lost answers (502) and missing pictures (503) are tested for."""
    return message.type == "error" and not re.search(r"status of (423|502|503)", message.text)


def ready(page, rated):
    """Wait until the page has an item to answer after so many answers."""
    expect(page.locator("#count")).to_have_text(re.compile(rf"^{rated} rated"))
    page.wait_for_selector(f"{READY}, #end:not([hidden])")


def start(page):
    page.wait_for_selector("#definitions[open]")
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)


def test_a_rater_rates_20_items_by_keyboard_undoes_closes_and_comes_back(site, visit):
    link = site.rater_link("anna")
    page = visit(link, **DESKTOP)
    assert "token" not in page.url
    start(page)
    places = page.evaluate("[...document.querySelectorAll('.choice')].map(b => b.getBoundingClientRect().top)")
    for number in range(12):
        page.keyboard.press("1234"[number % 4])
        ready(page, number + 1)
    assert site.choices("anna") == ["excellent", "good", "okay", "bad"] * 3
    now = page.evaluate("[...document.querySelectorAll('.choice')].map(b => b.getBoundingClientRect().top)")
    assert now == places, "the buttons moved"
    caption = page.inner_text(".caption")
    page.keyboard.press("u")
    ready(page, 11)
    assert page.get_attribute(".choice[aria-pressed=true]", "data-choice") == "bad"
    page.keyboard.press("2")
    ready(page, 12)
    assert page.inner_text(".caption") == caption
    page.keyboard.press("?")
    assert "hallucinated" in page.inner_text("#definitions[open]")
    page.keyboard.press("1")  # Not an answer while the definitions are open.
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    assert "saved" in page.inner_text("#paused[open]")
    page.keyboard.press("Enter")
    assert site.choices("anna")[-1] == "good"
    page.context.close()
    again = visit(link, **DESKTOP)
    start(again)
    ready(again, 12)
    assert again.inner_text(".caption") == caption
    for number in range(12, 20):
        again.keyboard.press("1")
        ready(again, number + 1)
    assert len(site.choices("anna")) == 20
    assert len({answer.item for answer in site.answers("anna")}) == 20
    assert (site.events("anna").count("rated"), site.events("anna").count("undone")) == (21, 1)


def test_a_rater_rates_20_items_by_touch_on_a_phone_to_the_end(site, visit):
    page = visit(site.rater_link("ben"), **PHONE)
    page.wait_for_selector("#definitions[open]")
    page.tap("#definitions .close")
    page.wait_for_selector(READY)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    sizes = page.evaluate("[...document.querySelectorAll('.choice, .tools button')].map(b => b.offsetHeight)")
    assert min(sizes) >= 40
    names = ("excellent", "good", "okay", "bad")
    for number in range(20):
        page.tap(f"[data-choice={names[number % 4]}]")
        ready(page, number + 1)
        assert page.evaluate("document.documentElement.scrollHeight") <= 844
    page.tap("#undo")
    ready(page, 19)
    for number in range(19, 24):
        page.tap("[data-choice=good]")
        ready(page, number + 1)
    page.wait_for_selector("#end:not([hidden])")
    assert "Thank you" in page.inner_text("#end")
    page.tap("#undo")
    page.wait_for_selector(READY)
    page.tap("[data-choice=bad]")
    page.wait_for_selector("#end:not([hidden])")
    assert len(site.choices("ben")) == 24
    assert site.choices("ben")[-1] == "bad"


@pytest.mark.parametrize(("width", "height"), [(844, 390), (667, 375), (844, 320)])
def test_a_phone_on_its_side_shows_all_answers_without_scrolling(site, visit, width, height):
    page = visit(site.rater_link(f"side {width} {height}"), viewport={"width": width, "height": height}, has_touch=True)
    start(page)
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    places = page.evaluate("[...document.querySelectorAll('.choice')].map(b => b.getBoundingClientRect().toJSON())")
    assert len(places) == 4
    assert all(place["top"] > 0 and place["bottom"] <= height and place["height"] >= 40 for place in places)
    for part in ("#captions", "#picture", "#undo"):
        place = page.locator(part).bounding_box()
        assert place["height"] >= 38
        assert place["y"] + place["height"] <= height


def test_double_clicks_two_tabs_and_a_lost_connection_yield_one_answer(site, visit):
    link = site.rater_link("carl")
    first = visit(link, **DESKTOP)
    start(first)
    second = first.context.new_page()
    second.goto(f"{site.address}/rate")
    second.wait_for_selector(READY)
    first.evaluate(DOUBLE_CLICK, "[data-choice=good]")
    ready(first, 1)
    second.keyboard.press("4")  # The same item, shown in the other tab.
    ready(second, 1)
    assert site.choices("carl") == ["good"]
    # The answer arrives, but its acknowledgement is lost: the page sends it again.
    lost = []

    def lose(route):
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch())
            route.fulfill(status=502, body="{}")

    # Set before the page loads: on a busy machine a page that is there already may send past a route for a moment.
    first.context.route("**/rate/answer", lose)
    first.reload()
    first.wait_for_selector(READY)
    first.keyboard.press("1")
    ready(first, 2)
    assert len(lost) == 1
    assert site.choices("carl") == ["good", "excellent"]


def test_captions_are_text_and_long_ones_do_not_break_the_page(site, visit):
    page = visit(site.rater_link("dora"), **PHONE)
    start(page)
    for number in range(24):
        if "bold" in page.inner_text(".caption"):
            break
        page.keyboard.press("1")
        ready(page, number + 1)
    assert page.inner_text(".caption").startswith("<b>bold</b> &amp; very very")
    assert page.query_selector(".caption b") is None
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.is_visible("[data-choice=bad]")


def test_pictures_are_there_before_they_are_needed(site, visit):
    page = visit(site.rater_link("emil"), **DESKTOP)
    start(page)
    page.wait_for_function(
        "performance.getEntriesByType('resource').filter(e => e.name.includes('/picture/')).length >= 3"
    )
    sources = page.evaluate("[...preloaded.keys()]")
    page.keyboard.press("1")
    ready(page, 1)
    assert page.get_attribute("#picture", "src") in sources


def test_an_item_whose_picture_does_not_load_comes_later(site, visit):
    page = visit(site.rater_link("hal"), **DESKTOP)
    start(page)
    caption, picture = page.inner_text(".caption"), page.get_attribute("#picture", "src")
    page.context.route(f"**/{picture}", lambda route: route.fulfill(status=503, body="{}"))
    page.reload()
    page.wait_for_selector(READY)
    expect(page.locator("#status")).to_have_text("A picture did not load; its item comes again later.")
    for number in range(3):
        assert page.get_attribute("#picture", "src") != picture
        page.keyboard.press("1")
        ready(page, number + 1)
    page.context.unroute(f"**/{picture}")
    captions = []
    for number in range(3, 24):
        captions.append(page.inner_text(".caption"))
        page.keyboard.press("1")
        ready(page, number + 1)
    page.wait_for_selector("#end:not([hidden])")
    assert caption in captions
    assert len({answer.item for answer in site.answers("hal")}) == 24


def test_names_and_roles_for_screen_readers(site, visit):
    page = visit(site.rater_link("fay"), **DESKTOP)
    start(page)
    group = page.get_by_role("group", name="How well does the caption describe the picture?")
    assert group.get_by_role("button").count() == 4
    assert page.get_by_role("button", name="Excellent").get_attribute("aria-keyshortcuts") == "1"
    assert page.get_by_role("img", name="The picture to judge").is_visible()
    assert page.get_by_role("progressbar").count() == 1
    assert page.get_by_role("status").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.focus("[data-choice=good]")
    page.keyboard.press("Enter")
    ready(page, 1)
    assert page.evaluate("document.activeElement.dataset.choice") == "good", "the next answer is as near as the last"


def test_the_owner_watches_invites_and_pauses(site, visit):
    owner = visit(site.owner_link(), **DESKTOP)
    owner.fill("#name", "gus <i>")
    owner.click("#invite button")
    owner.wait_for_selector("#link:not([hidden])")
    rater = visit(owner.input_value("#address"), **PHONE)
    start(rater)
    rater.keyboard.press("2")
    ready(rater, 1)
    line = owner.locator("#raters tbody tr", has_text="gus <i>")
    expect(line.locator("td").nth(1)).to_have_text("1")
    expect(owner.locator("#answers")).to_have_text(f"{len(site.store.answers())} of 240")
    line.locator("button").click()
    expect(line.locator("td").first).to_have_text("gus <i> (paused)")
    with rater.expect_response("**/rate/answer") as refused:
        rater.keyboard.press("1")
    assert refused.value.status == 423
    rater.wait_for_selector("#end:not([hidden])")
    assert "paused your link" in rater.inner_text("#end")
    owner.click("text=Report as it stands")
    expect(owner.locator("h2", has_text="Sign tests")).to_be_visible()


@pytest.mark.parametrize("width", [360, 390, 844])
def test_the_owner_sees_all_columns_on_a_phone(site, visit, width):
    site.rater_link("Benjamin Featherstonehaugh-Longname the third")
    page = visit(site.owner_link(), viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True)
    page.wait_for_selector("#raters tbody tr")
    wide = page.evaluate("[...document.querySelectorAll('.scroll')].map(e => e.scrollWidth - e.clientWidth)")
    assert wide == [0, 0]
    row = page.locator("#raters tbody tr", has_text="Featherstonehaugh")
    for cell in row.locator("td").all():
        place = cell.bounding_box()
        assert place["width"] > 0
        assert place["x"] + place["width"] <= width
    if width <= 600:
        headings = row.locator("td").evaluate_all("cells => cells.map(c => getComputedStyle(c, '::before').content)")
        assert headings[1:-1] == [f'"{name}"' for name in ("counted", "late", "in hand", "undone", "last seen")]


def test_a_thief_without_a_token_gets_nothing(site, browser):
    context = browser.new_context(**DESKTOP)
    page = context.new_page()
    for path in ("/rate", "/owner", "/owner/report", "/rate?token=guess", "/picture/x", "/owner/export/ratings.csv"):
        response = page.goto(site.address + path)
        assert response.status == 403
        assert "link" in page.inner_text("main")
        assert "wall" not in page.content()
    assert page.goto(site.address).status == 200
    assert "wall" not in page.content()
    context.close()
