"""Who may do what: keys in links, requests from our own pages only, limits, and the headers that browsers obey."""

import hashlib
import json
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from spidercap.errors import SpidercapError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT = 4096
CONTENT_POLICY = (
    "default-src 'none'; img-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
}
_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


@dataclass(frozen=True)
class Key:
    """A secret for a link, and the hash that is stored of it."""

    text: str
    hash: str


def new_key() -> Key:
    """A secret of 256 bits."""
    text = secrets.token_urlsafe(32)
    return Key(text, hash_key(text))


def hash_key(text: str) -> str:
    """What is stored of a key; a plain hash will do, for nobody can try 2²⁵⁶ keys."""
    return hashlib.sha256(text.encode()).hexdigest()


class RefusedError(SpidercapError):
    """A request that gets an answer of one sentence and a status."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def check_same_site(request: "Request") -> None:
    """Only our own pages may change anything: browsers tell where a request comes from, and scripts cannot lie."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        own = site == "same-origin"
    else:
        own = origin is None or origin.partition("://")[2] == request.headers.get("host")
    if not own:
        raise RefusedError(403, "This request came from another site.")
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise RefusedError(415, "Expected JSON.")


async def read_body(request: "Request") -> dict[str, Any]:
    """The JSON object that a request holds; a large one is refused before it is read."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > BODY_LIMIT:
            raise RefusedError(413, f"A request may have at most {BODY_LIMIT:,} bytes.")
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise RefusedError(400, "The request is not JSON.") from None
    if not isinstance(value, dict):
        raise RefusedError(400, "Expected a JSON object.")
    return value


class RateLimiter:
    """A bucket of tokens for each caller: `burst` at once, `rate` a second in the long run."""

    def __init__(
        self, rate: float, burst: float, callers: int = 20_000, clock: Callable[[], float] = monotonic
    ) -> None:
        self._rate, self._burst, self._callers, self._clock = rate, burst, callers, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, caller: str) -> bool:
        """Take a token of the caller's; False if there is none."""
        now = self._clock()
        tokens, then = self._buckets.pop(caller, (self._burst, now))
        tokens = min(self._burst, tokens + (now - then) * self._rate)
        allowed = tokens >= 1
        self._buckets[caller] = (tokens - allowed, now)
        if len(self._buckets) > self._callers:
            self._buckets.popitem(last=False)
        return allowed


class SecurityHeaders:
    """Adds the headers to every response; a response's own value of one of them stays."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass the request on and dress the response."""

        async def dressed(message: "Message") -> None:
            if message["type"] == "http.response.start":
                present = dict(message["headers"])
                missing = [(name, value) for name, value in _RAW_HEADERS if name not in present]
                message = {**message, "headers": [*message["headers"], *missing]}
            await send(message)

        await self._app(scope, receive, dressed)
