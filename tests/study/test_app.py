"""The pages over HTTP: who gets what, and what is refused."""

import asyncio
import json
import re
from collections import Counter

import httpx
import pytest

from spidercap.study.app import make_app
from spidercap.study.simulate import SimulatedRater, answer_next
from spidercap.study.store import Store
from spidercap.web.headers import HEADERS
from spidercap.web.keys import new_key
from spidercap.web.requests import BODY_LIMIT


class Visitor:
    """A browser, or something that pretends to be one."""

    def __init__(self, app, address="127.0.0.1"):
        transport = httpx.ASGITransport(app=app, client=(address, 1))
        self.client = httpx.AsyncClient(
            transport=transport, base_url="http://study.test", follow_redirects=True, trust_env=False, verify=False
        )

    def get(self, path, **options):
        return asyncio.run(self.client.get(path, **options))

    def post(self, path, body=None, **options):
        return asyncio.run(self.client.post(path, **({"json": body or {}} | options)))


@pytest.fixture
def served(material, clock):
    folder = material.study(control=0.5)
    store = Store(folder, clock)
    yield store, make_app(store, folder)
    store.close()


@pytest.fixture
def app(served):
    return served[1]


def enter(served, name="anna"):
    store, app = served
    key = new_key()
    store.invite(name, key.hash)
    visitor = Visitor(app)
    assert visitor.get(f"/rate?token={key.text}").status_code == 200
    return visitor


def enter_owner(served):
    store, app = served
    key = new_key()
    store.new_owner_key(key.hash)
    visitor = Visitor(app)
    assert visitor.get(f"/owner?token={key.text}").status_code == 200
    return visitor


def test_a_link_becomes_a_cookie_that_scripts_cannot_read_and_leaves_the_address(served):
    store, app = served
    key = new_key()
    store.invite("anna", key.hash)
    visitor = Visitor(app)
    reply = visitor.get(f"/rate?token={key.text}", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "rate")
    cookie = reply.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "secure" not in cookie
    secure = Visitor(app).get(f"https://study.test/rate?token={key.text}", follow_redirects=False)
    assert "secure" in secure.headers["set-cookie"].lower()


def test_a_rater_rates(served):
    visitor = enter(served)
    desk = visitor.post("/rate/desk").json()
    first = desk["queue"][0]
    assert set(first) == {"item", "turn", "picture", "captions", "choice"}
    picture = visitor.get(f"/picture/{first['picture']}")
    assert picture.headers["content-type"] == "image/jpeg"
    assert picture.content[:2] == b"\xff\xd8"
    body = {"item": first["item"], "turn": 0, "choice": "good", "milliseconds": 900}
    after = visitor.post("/rate/answer", body).json()
    assert (after["rated"], after["last"]) == (1, {"item": first["item"], "turn": 0})
    assert visitor.post("/rate/answer", body).json() == after
    undone = visitor.post("/rate/undo", after["last"]).json()
    assert (undone["rated"], undone["queue"][0]["item"], undone["queue"][0]["choice"]) == (0, first["item"], "good")


def test_nothing_in_pages_or_requests_reveals_the_system(served):
    store, _ = served
    visitor = enter(served)
    told = visitor.get("/rate").text + visitor.post("/rate/desk").text + str(visitor.get("/rate").headers)
    for secret in ("plain.json", "fancy.json", "ground truth", "quality", *(f"p{number:03}." for number in range(6))):
        assert secret not in told
    names = {item["item"] for item in visitor.post("/rate/desk").json()["queue"]}
    assert names <= {item.code for item in store.item_records()}
    # An item tells nothing but its caption: those of quality control have the same form as all others.
    lengths = {len(item.code) for item in store.item_records()}
    assert len(lengths) == 1


@pytest.mark.parametrize("path", ["/rate", "/owner", "/owner/state", "/owner/report", "/owner/export/ratings.csv"])
def test_a_thief_without_a_token_gets_nothing(app, path):
    for address in (path, f"{path}?token=guess"):
        reply = Visitor(app).get(address, headers={"accept": "text/html"})
        assert reply.status_code == 403
        assert "link" in reply.text
        assert "wall" not in reply.text


@pytest.mark.parametrize("path", ["/rate/desk", "/rate/answer", "/rate/undo", "/owner/invite", "/owner/pause"])
def test_a_thief_cannot_act(app, path):
    assert Visitor(app).post(path, {"name": "x", "rater": 1, "paused": True}).status_code == 403


def test_a_rater_is_no_owner_and_an_owner_no_rater(served):
    rater, owner = enter(served), enter_owner(served)
    assert rater.get("/owner").status_code == 403
    assert rater.get("/owner/state").status_code == 403
    assert owner.get("/rate").status_code == 403
    assert owner.post("/rate/desk").status_code == 403


def test_pictures_only_from_the_study_and_only_one_s_own(served):
    store, _ = served
    visitor, owner = enter(served), enter_owner(served)
    mine = {item["picture"] for item in visitor.post("/rate/desk").json()["queue"]}
    everything = {item.picture for item in store.item_records()}
    for code in everything:
        assert visitor.get(f"/picture/{code}").status_code == (200 if code in mine else 404)
        assert owner.get(f"/picture/{code}").status_code == 403
    for trick in ("../study.sqlite", "..%2fstudy.sqlite", "%2e%2e/study.sqlite", "x/../../study.sqlite", "a%00b"):
        assert visitor.get(f"/picture/{trick}").status_code == 404
    assert Visitor(served[1]).get(f"/picture/{next(iter(mine))}").status_code == 403
    assert visitor.get("/static/../app.py").status_code == 404
    assert visitor.get("/static/%2e%2e/store.py").status_code == 404


def test_a_picture_that_is_missing_is_told_to_the_terminal(served, capsys):
    store, _ = served
    visitor = enter(served)
    code = visitor.post("/rate/desk").json()["queue"][0]["picture"]
    (store.path.parent / "pictures" / f"{code}.jpg").unlink()
    assert visitor.get(f"/picture/{code}").status_code == 503
    assert f"{code}.jpg is missing; restore it from a copy of the study" in capsys.readouterr().err


def test_an_empty_token_is_no_way_in_and_changes_no_cookie(served):
    visitor = enter(served)
    reply = visitor.get("/rate?token=", follow_redirects=False)
    assert reply.status_code == 403
    assert "set-cookie" not in reply.headers


@pytest.mark.parametrize("path", ["/", "/rate", "/static/rate.js", "/nothing", "/owner/export/x"])
def test_every_response_has_the_security_headers(served, path):
    reply = enter(served).get(path)
    for name, value in HEADERS.items():
        assert reply.headers[name] == value
    assert "server" not in reply.headers


def test_pages_need_nothing_from_elsewhere_and_no_inline_script(served):
    for page in (enter(served).get("/rate").text, enter_owner(served).get("/owner").text):
        assert "http" not in page.replace("http-equiv", "")
        assert "<script>" not in page
        assert not re.search(r'(?:href|src)="/', page), "below a proxy's path only relative addresses work"
        assert "style=" not in page
        assert not re.search(r"\son\w+=", page)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"origin": "http://evil.test"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://study.test"}, 200),
        ({"sec-fetch-site": "same-origin", "origin": "https://public.test"}, 200),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_requests_of_other_sites_change_nothing(served, headers, status):
    visitor = enter(served)
    reply = visitor.post("/rate/desk", content=b"{}", json=None, headers={"content-type": "application/json"} | headers)
    assert reply.status_code == status


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"{" + b" " * BODY_LIMIT + b"}", 413),
        (b"[]", 400),
        (b"{", 400),
        (b"\xff", 400),
        (b"[" * 3000, 400),
        (b'{"item": 3, "turn": 0, "choice": "good", "milliseconds": 1}', 400),
        (b'{"item": "x", "turn": true, "choice": "good", "milliseconds": 1}', 400),
        (b'{"item": "x", "turn": 0, "choice": "superb", "milliseconds": 1}', 400),
        (b'{"item": "x", "turn": 0, "choice": "good", "milliseconds": 1}', 404),
        (b'{"item": "x", "turn": 99999999999999999999, "choice": "good", "milliseconds": 1}', 400),
    ],
)
def test_odd_requests_get_a_sentence(served, content, status):
    headers = {"content-type": "application/json"}
    reply = enter(served).post("/rate/answer", content=content, json=None, headers=headers)
    assert reply.status_code == status
    assert reply.json()["error"]


def test_guessing_and_hammering_are_limited(served):
    stranger = Visitor(served[1], "10.0.0.9")
    assert {stranger.get(f"/rate?token={n}").status_code for n in range(25)} == {403, 429}
    # The address has used up its guesses; a rater behind the same address goes on.
    assert enter(served).post("/rate/desk").status_code == 200
    busy = enter(served, "ben")

    async def hammer():
        return await asyncio.gather(*(busy.client.post("/rate/desk", json={}) for _ in range(120)))

    assert {reply.status_code for reply in asyncio.run(hammer())} == {200, 429}


def test_captions_with_html_and_long_captions_arrive_as_text(material, clock):
    nasty = dict.fromkeys(material.ids, "<img src=x onerror=alert(1)> & <script>") | {"p003": "x" * 10_000}
    folder = material.study(systems={"s": material.write("nasty", nasty)})
    store = Store(folder, clock)
    visitor = enter((store, make_app(store, folder)))
    reply = visitor.post("/rate/desk")
    assert reply.headers["content-type"] == "application/json"
    seen = []
    while queue := reply.json()["queue"]:
        seen.append(queue[0]["captions"][0])
        body = {"item": queue[0]["item"], "turn": 0, "choice": "bad", "milliseconds": 5}
        reply = visitor.post("/rate/answer", body)
    assert Counter(map(len, seen)) == {39: 5, 10_000: 1}
    assert reply.json() == {"queue": [], "rated": 6, "left": 0, "last": reply.json()["last"]}


def test_the_owner_invites_watches_pauses_and_exports(served):
    owner = enter_owner(served)
    made = owner.post("/owner/invite", {"name": "carla"}).json()
    carla = Visitor(served[1])
    assert carla.get("/" + made["link"]).status_code == 200
    item = carla.post("/rate/desk").json()["queue"][0]
    carla.post("/rate/answer", {"item": item["item"], "turn": 0, "choice": "okay", "milliseconds": 5})
    state = owner.get("/owner/state").json()
    assert (state["answers"], state["wanted"], state["items"]) == (1, 36 + 9 - 3 * shared(served), 15 - shared(served))
    assert [(r["name"], r["counted"], r["open"]) for r in state["raters"]] == [("carla", 1, 3)]
    assert {s["name"] for s in state["systems"]} == {"plain", "fancy", "ground truth"}
    paused = owner.post("/owner/pause", {"rater": 1, "paused": True}).json()
    assert paused["raters"][0]["paused"]
    refused = carla.post("/rate/desk")
    assert (refused.status_code, "paused" in refused.json()["error"]) == (423, True)
    owner.post("/owner/pause", {"rater": 1, "paused": False})
    assert carla.post("/rate/desk").status_code == 200
    assert owner.post("/owner/pause", {"rater": 7, "paused": True}).status_code == 404
    assert owner.post("/owner/invite", {"name": " "}).status_code == 400
    rows = owner.get("/owner/export/ratings.csv").text.splitlines()
    assert rows[0].startswith("sequence,at,rater,item,image,system")
    assert ",carla," in rows[1]
    assert owner.get("/owner/export/../../study.sqlite").status_code == 404
    report = owner.get("/owner/report")
    assert "style-src 'sha256-" in report.headers["content-security-policy"]
    assert "Sign tests" in report.text


def shared(served):
    """How many controls repeat a system's caption, and so are no items of their own."""
    return sum(len(item.credits) > 1 for item in served[0].item_records())


@pytest.mark.parametrize(("raters", "told"), [(1, "1 rater an item"), (3, "3 raters an item")])
def test_the_owner_s_page_counts_raters_in_english(material, clock, raters, told):
    folder = material.study(raters=raters)
    store = Store(folder, clock)
    assert told in enter_owner((store, make_app(store, folder))).get("/owner").text


def orders_shown(visitor):
    """Whether the fancy caption, which this rater always prefers, was shown first, for each pair."""
    reply = visitor.post("/rate/desk")
    while queue := reply.json()["queue"]:
        fancy_first = queue[0]["captions"][0].startswith("one fancy")
        yield fancy_first
        body = {"item": queue[0]["item"], "turn": 0, "choice": "first" if fancy_first else "second", "milliseconds": 5}
        reply = visitor.post("/rate/answer", body)


def test_two_captions_are_shown_in_either_order_and_stored_in_one(new_material, tmp_path, clock):
    # The order is drawn at random: with 40 pairs it is the same for all of them once in 10¹¹ runs.
    folder = new_material(tmp_path, 40).study(scale="pairwise", raters=1)
    store = Store(folder, clock)
    assert set(orders_shown(enter((store, make_app(store, folder))))) == {True, False}
    assert {answer.choice for answer in store.answers()} == {"second"}  # fancy is the second system, always preferred


def test_200_raters_at_once_over_http(material, clock):
    folder = material.study(raters=3, control=1.0)
    store = Store(folder, clock)
    app = make_app(store, folder)
    keys = [new_key() for _ in range(200)]
    for number, key in enumerate(keys):
        store.invite(f"rater {number}", key.hash)

    async def rate(number, key):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://study.test", trust_env=False, verify=False
        ) as client:
            await client.get(f"/rate?token={key.text}")
            desk = (await client.post("/rate/desk", json={})).json()
            while desk["queue"]:
                reply = await answer_next(client, SimulatedRater(str(number)), store.settings.scale, desk, times=2)
                assert reply.status_code == 200, reply.text
                desk = reply.json()

    async def everybody():
        await asyncio.gather(*(rate(number, key) for number, key in enumerate(keys)))

    asyncio.run(everybody())
    counts = Counter(answer.item for answer in store.answers())
    assert counts == {item.number: 3 for item in store.item_records()}
    assert all(answer.counted for answer in store.answers())


def test_the_owner_is_told_of_a_changed_results_file(material, clock):
    folder = material.study()
    store = Store(folder, clock)
    material.write("plain", {"p000": "something else"})
    page = enter_owner((store, make_app(store, folder))).get("/owner").text
    assert "plain.json</b> has changed since this study was made" in page


def test_json_bodies_are_small_enough_for_any_answer():
    assert len(json.dumps({"item": "f" * 16, "turn": 99, "choice": "excellent", "milliseconds": 10**9})) < BODY_LIMIT


def test_a_study_that_cannot_be_changed_makes_pages_try_again_and_tells_the_terminal(served, capsys):
    store, _ = served
    visitor = enter(served)
    body = visitor.post("/rate/desk").json()["queue"][0] | {"choice": "good", "milliseconds": 900}
    store._connection.execute("PRAGMA query_only = ON")
    reply = visitor.post("/rate/answer", body)
    assert (reply.status_code, reply.json()["error"]) == (
        503, "The study has a problem at the moment; please tell its owner.",
    )  # fmt: skip
    assert "study.sqlite cannot be changed: attempt to write a readonly database" in capsys.readouterr().err
    store._connection.execute("PRAGMA query_only = OFF")
    assert visitor.post("/rate/answer", body).json()["rated"] == 1
