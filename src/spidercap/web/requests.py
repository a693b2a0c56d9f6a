"""What a request must be before anything is done for it: from our own pages, small, and right in every field."""

import json
from typing import TYPE_CHECKING, Any

from spidercap.errors import SpidercapError

if TYPE_CHECKING:
    from starlette.requests import Request

BODY_LIMIT = 4096
LONGEST_TEXT = 200
HIGHEST_NUMBER = 2**53 - 1
"""What a browser can count to."""


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


def text_field(body: dict[str, Any], name: str) -> str:
    """A text without halves of surrogate pairs, which JSON can hold and nothing can store."""
    value = body.get(name)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not _is_unicode(value):
        raise RefusedError(400, f"The field {name} must be a text of at most {LONGEST_TEXT} characters.")
    return value


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def number_field(body: dict[str, Any], name: str) -> int:
    """A whole number that is not negative and not huge."""
    value = body.get(name)
    if type(value) is not int or not 0 <= value <= HIGHEST_NUMBER:
        raise RefusedError(400, f"The field {name} must be a whole number between 0 and {HIGHEST_NUMBER:,}.")
    return value


def flag_field(body: dict[str, Any], name: str) -> bool:
    """True or false."""
    value = body.get(name)
    if not isinstance(value, bool):
        raise RefusedError(400, f"The field {name} must be true or false.")
    return value
