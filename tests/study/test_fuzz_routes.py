"""Every route with anything in it: no answer is an error of ours, and every answer has the headers."""

import asyncio
import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spidercap.study.app import StudyApp, make_app
from spidercap.study.store import Store
from spidercap.web.headers import HEADERS
from spidercap.web.keys import new_key
from spidercap.web.limits import RateLimiter

WORDS = st.text(max_size=30) | st.sampled_from(["\ud800", "\udfff" * 3, "\0", "../study.sqlite", "anna", "good"])
"""Lone surrogates included: JSON can hold them."""
NUMBERS = st.integers() | st.sampled_from([2**31, 2**63, -(2**63) - 1, 10**30, 10**400]) | st.floats()
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(WORDS, inside, max_size=4),
    max_leaves=12,
)
FIELDS = ("item", "turn", "choice", "milliseconds", "name", "rater", "paused")
FITTING = {
    "item": WORDS,
    "turn": NUMBERS,
    "choice": st.sampled_from(["good", "bad", "okay", "excellent"]) | WORDS,
    "milliseconds": NUMBERS,
    "name": WORDS,
    "rater": NUMBERS | st.just(1),
    "paused": st.booleans(),
}
BODIES = (
    st.fixed_dictionaries({name: FITTING[name] for name in FIELDS}).map(json.dumps).map(str.encode)
    | st.dictionaries(st.sampled_from(FIELDS) | WORDS, VALUES, max_size=6).map(json.dumps).map(str.encode)
    | VALUES.map(json.dumps).map(str.encode)
    | st.sampled_from([b"[" * 3000, b'{"a":' * 800, b"", b"9" * 4000, b"{" + b" " * 5000, b"\xef\xbb\xbf{}"])
    | st.binary(max_size=200)
)
POSTS = ["/rate/desk", "/rate/answer", "/rate/undo", "/owner/invite", "/owner/pause"]
# A path has no lone surrogates: a server decodes it from UTF-8.
NAMES = st.text(st.characters(codec="utf-8"), max_size=300) | st.sampled_from(["\0", "a" * 5000, "..", "%2e%2e", "/"])
PATHS = st.sampled_from(["/", "/rate", "/owner", "/owner/state", *POSTS]) | st.builds(
    str.__add__, st.sampled_from(["/picture/", "/owner/export/", "/static/", "/"]), NAMES
)
# Anything else in an address is no HTTP, and is refused before a page sees it.
QUERIES = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=60).map(str.encode)
SETTINGS = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def ask(app, method, path, body=b"", query=b"", headers=()):
    """The status, headers and body of an answer, asked for as a server would."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query,
        "headers": [(b"host", b"study.test"), (b"content-type", b"application/json"), *headers],
        "client": ("127.0.0.1", 1),
        "server": ("study.test", 80),
        "extensions": {},
    }
    told = []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        told.append(message)

    # The server gets the error too, after the answer, and writes it to the terminal.
    with suppress(ZeroDivisionError):
        asyncio.run(app(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in told[0]["headers"]}
    return told[0]["status"], found, b"".join(message.get("body", b"") for message in told[1:])


@pytest.fixture
def fuzzed(material, clock, monkeypatch):
    """A study, and the cookies of somebody who is a rater and its owner."""
    monkeypatch.setattr(RateLimiter, "allows", lambda *_: True)
    folder = material.study()
    store = Store(folder, clock)
    rater, owner = new_key(), new_key()
    store.invite("anna", rater.hash)
    store.new_owner_key(owner.hash)
    code = store.settings.code
    cookie = f"spidercap_rate_{code}={rater.text}; spidercap_owner_{code}={owner.text}".encode()
    return store, make_app(store, folder), (b"cookie", cookie)


def check(status, headers):
    assert status < 500
    assert headers.items() >= {name.lower(): value for name, value in HEADERS.items()}.items()


def test_every_route_is_fuzzed(fuzzed):
    store, _, _ = fuzzed
    listed = {
        route.path for route in StudyApp(store, store.path.parent).routes() if "POST" in getattr(route, "methods", [])
    }
    assert listed == set(POSTS)


@pytest.mark.parametrize("path", POSTS)
def test_any_json_to_any_route(fuzzed, path):
    _, app, cookie = fuzzed

    @SETTINGS
    @given(BODIES)
    def fuzz(body):
        status, headers, content = ask(app, "POST", path, body, headers=[cookie])
        check(status, headers)
        # Names that a study can have are taken; so are pauses of the one rater that there is.
        assert json.loads(content)

    fuzz()


def test_any_path_any_method_any_query_any_cookie(fuzzed):
    _, app, cookie = fuzzed

    @SETTINGS
    @given(
        st.sampled_from(["GET", "HEAD", "POST", "PUT", "OPTIONS", "X"]),
        PATHS,
        QUERIES | QUERIES.map(b"token=".__add__),
        st.sampled_from([cookie]) | st.binary(max_size=60).map(lambda text: (b"cookie", text)),
        st.sampled_from([b"text/html", b"*/*", b"\xff"]),
    )
    def fuzz(method, path, query, cookie, accepted):
        status, headers, _ = ask(app, method, path, b"{}", query, [cookie, (b"accept", accepted)])
        check(status, headers)

    fuzz()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/rate/answer", {"item": "\ud800", "turn": 0, "choice": "good", "milliseconds": 1}),
        ("/rate/answer", {"item": "x", "turn": 10**30, "choice": "good", "milliseconds": 1}),
        ("/rate/answer", {"item": "x" * 500, "turn": 0, "choice": "good", "milliseconds": 1}),
        ("/rate/answer", {"item": "x", "turn": 0, "choice": "good", "milliseconds": -(10**30)}),
        ("/rate/undo", {"item": "\ud800", "turn": 0}),
        ("/owner/pause", {"rater": 10**30, "paused": True}),
        ("/owner/pause", {"rater": -1, "paused": True}),
        ("/owner/invite", {"name": "\ud800"}),
    ],
)
def test_a_field_out_of_range_is_refused_by_its_name(fuzzed, path, body):
    _, app, cookie = fuzzed
    status, headers, content = ask(app, "POST", path, json.dumps(body).encode(), headers=[cookie])
    check(status, headers)
    assert (status, json.loads(content)["error"].startswith(("The field ", "a rater's name"))) == (400, True)


def test_an_error_of_ours_is_a_sentence_with_the_headers(fuzzed, monkeypatch):
    _, app, cookie = fuzzed
    monkeypatch.setattr(Store, "desk", lambda *_: 1 / 0)
    status, headers, content = ask(app, "POST", "/rate/desk", b"{}", headers=[cookie])
    check(status - 100, headers)
    assert (status, content) == (
        500,
        b'{"error":"Something went wrong on our side; please tell the owner of this page."}',
    )
