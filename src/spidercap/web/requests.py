"""What a request must be before anything is done for it: from our own pages, small, and JSON."""

import json
from typing import TYPE_CHECKING, Any

from spidercap.errors import SpidercapError

if TYPE_CHECKING:
    from starlette.requests import Request

BODY_LIMIT = 4096


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
