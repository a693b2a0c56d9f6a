"""The rating page and the owner's page: the list of routes, and what each does."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from spidercap.errors import DataError, SpidercapError
from spidercap.report.templates import render
from spidercap.study.assign import is_swapped
from spidercap.study.create import PICTURES
from spidercap.study.export import EXPORTS
from spidercap.study.owner_state import OwnerState, owner_state
from spidercap.study.scales import Choice, turned
from spidercap.study.store import Store
from spidercap.study.stored import Desk, GivenItem, PausedError, Rater
from spidercap.terminal import tell
from spidercap.web.headers import SecurityHeaders
from spidercap.web.keys import hash_key, new_key
from spidercap.web.limits import RateLimiter
from spidercap.web.requests import RefusedError, check_same_site, flag_field, number_field, read_body, text_field

COOKIE_SECONDS = 180 * 24 * 3600
LONGEST_LOOK = 24 * 3600 * 1000
OLD_LINK = "This link is incomplete, or a newer one has replaced it. Please ask whoever sent it for a new one."
TITLES = {403: "You need a link", 404: "Nothing here", 423: "Paused", 429: "One moment, please"}


@dataclass(frozen=True)
class RatePage:
    """The page of raters: nothing on it depends on who reads it."""

    question: str
    choices: tuple[Choice, ...]
    pairwise: bool


@dataclass(frozen=True)
class OwnerPage:
    """The page of the owner."""

    study: str
    scale: str
    raters: int
    exports: tuple[tuple[str, str], ...]
    changed: tuple[str, ...]


@dataclass(frozen=True)
class MessagePage:
    """A page that says one thing."""

    title: str
    text: str
    up: str = ""


class StudyApp:
    """The handlers of one study."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store, self.folder = store, folder
        self._known = RateLimiter(rate=15, burst=60)
        self._strangers = RateLimiter(rate=1, burst=20)

    def routes(self) -> list[Route | Mount]:
        """Everything that can be asked for."""
        return [
            Route("/", self.home),
            Route("/rate", self.rate),
            Route("/rate/desk", self.desk, methods=["POST"]),
            Route("/rate/answer", self.answer, methods=["POST"]),
            Route("/rate/undo", self.undo, methods=["POST"]),
            Route("/picture/{code}", self.picture),
            Route("/owner", self.owner),
            Route("/owner/state", self.owner_state),
            Route("/owner/invite", self.invite, methods=["POST"]),
            Route("/owner/pause", self.pause, methods=["POST"]),
            Route("/owner/report", self.report),
            Route("/owner/export/{name}", self.export),
            Mount("/static", StaticFiles(packages=[("spidercap.study", "static")])),
        ]

    async def home(self, request: Request) -> Response:
        """Strangers learn that there is something, and nothing else."""
        return _page("message.html", MessagePage("A rating study", "Please open the link that you were sent."))

    async def rate(self, request: Request) -> Response:
        """The page of a rater; the key in a link becomes a cookie, so that it leaves the address bar."""
        if "token" in request.query_params:
            return await self._enter(request, "rate", self._rater)
        await self._rater(request)
        settings = self.store.settings
        pairwise = settings.scale_name == "pairwise"
        return _page("rate.html", RatePage(settings.scale.question, settings.scale.choices, pairwise))

    async def desk(self, request: Request) -> Response:
        """What lies before the rater."""
        check_same_site(request)
        rater = await self._rater(request)
        return self._desk_json(rater, await run_in_threadpool(self.store.desk, rater))

    async def answer(self, request: Request) -> Response:
        """One answer; it is on the disk when this returns."""
        check_same_site(request)
        rater = await self._rater(request)
        body = await read_body(request)
        code, turn, choice = text_field(body, "item"), number_field(body, "turn"), text_field(body, "choice")
        if choice not in self.store.settings.scale.values:
            raise RefusedError(400, "There is no such answer.")
        looked = min(number_field(body, "milliseconds"), LONGEST_LOOK)
        stored = turned(choice, self._swapped(rater, code))
        desk = await run_in_threadpool(self.store.answer, rater, code, turn, stored, looked)
        if desk is None:
            raise RefusedError(404, "This item is not yours.")
        return self._desk_json(rater, desk)

    async def undo(self, request: Request) -> Response:
        """Take the last answer back."""
        check_same_site(request)
        rater = await self._rater(request)
        body = await read_body(request)
        code, turn = text_field(body, "item"), number_field(body, "turn")
        return self._desk_json(rater, await run_in_threadpool(self.store.undo, rater, code, turn))

    async def picture(self, request: Request) -> Response:
        """A picture of the study, to raters who have it."""
        rater, code = await self._rater(request), request.path_params["code"]
        if not await run_in_threadpool(self.store.may_see, rater, code):
            raise RefusedError(404, "There is no such picture.")
        path = self.folder / PICTURES / f"{code}.jpg"
        if not path.is_file():
            raise DataError(f"{path} is missing; restore it from a copy of the study")
        headers = {"Cache-Control": "private, max-age=86400, immutable"}
        return FileResponse(path, media_type="image/jpeg", headers=headers)

    async def owner(self, request: Request) -> Response:
        """The page of the owner."""
        if "token" in request.query_params:
            return await self._enter(request, "owner", self._owner)
        await self._owner(request)
        settings = self.store.settings
        changed = tuple(await run_in_threadpool(settings.changed_sources))
        exports = tuple((name, export.holds) for name, export in EXPORTS.items())
        return _page("owner.html", OwnerPage(settings.name, settings.scale_name, settings.raters, exports, changed))

    async def owner_state(self, request: Request) -> Response:
        """How far everybody is."""
        await self._owner(request)
        state: OwnerState = await run_in_threadpool(owner_state, self.store)
        return JSONResponse(asdict(state))

    async def invite(self, request: Request) -> Response:
        """A new link for a rater, told once."""
        check_same_site(request)
        await self._owner(request)
        key = new_key()
        name = text_field(await read_body(request), "name")
        rater = await run_in_threadpool(self.store.invite, name, key.hash)
        return JSONResponse({"name": rater.name, "link": f"rate?token={key.text}"})

    async def pause(self, request: Request) -> Response:
        """Pause a rater, or let them go on."""
        check_same_site(request)
        await self._owner(request)
        body = await read_body(request)
        number, paused = number_field(body, "rater"), flag_field(body, "paused")
        if not await run_in_threadpool(self.store.set_paused, number, paused):
            raise RefusedError(404, "There is no such rater.")
        return await self.owner_state(request)

    async def report(self, request: Request) -> Response:
        """The report of what is there now."""
        await self._owner(request)
        from spidercap.study.report import live_report

        page, policy = await run_in_threadpool(live_report, self.store, self.folder)
        return HTMLResponse(page, headers={"Content-Security-Policy": policy})

    async def export(self, request: Request) -> Response:
        """One of the tables, as CSV."""
        await self._owner(request)
        name = request.path_params["name"]
        if name not in EXPORTS:
            raise RefusedError(404, "There is no such table.")
        content = await run_in_threadpool(EXPORTS[name].make, self.store)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type="text/csv; charset=utf-8", headers=headers)

    async def _enter(self, request: Request, page: str, check: Callable[[Request, str], Awaitable[object]]) -> Response:
        token = request.query_params["token"]
        await check(request, token)
        response = RedirectResponse(page, status_code=303)
        secure = request.url.scheme == "https"
        name = self._cookie(page)
        response.set_cookie(name, token, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure)
        return response

    def _cookie(self, page: str) -> str:
        return f"spidercap_{page}_{self.store.settings.code}"

    async def _rater(self, request: Request, token: str | None = None) -> Rater:
        """The rater who asks; strangers are refused."""
        key = self._key(request, "rate", token)
        rater = await run_in_threadpool(self.store.rater_of, key)
        self._check_limits(request, key, known=rater is not None)
        if rater is None:
            raise RefusedError(403, OLD_LINK if token else "Please open the link that you were sent; it is your key.")
        return rater

    async def _owner(self, request: Request, token: str | None = None) -> None:
        key = self._key(request, "owner", token)
        known = await run_in_threadpool(self.store.owner_has, key)
        self._check_limits(request, key, known)
        if not known:
            raise RefusedError(403, OLD_LINK if token else "Please open the owner's link; it is the key to this page.")

    def _key(self, request: Request, page: str, token: str | None) -> str:
        return hash_key(request.cookies.get(self._cookie(page), "") if token is None else token)

    def _check_limits(self, request: Request, key: str, known: bool) -> None:
        """Each key has a budget of requests, and so has each address without one: guessing is slow for all."""
        address = request.client.host if request.client else ""
        if not (self._known.allows(key) if known else self._strangers.allows(address)):
            raise RefusedError(429, "Too many requests; wait a little and try again.")

    def _swapped(self, rater: Rater, item: str) -> bool:
        settings = self.store.settings
        return settings.scale_name == "pairwise" and is_swapped(settings.seed, rater.number, item)

    def _desk_json(self, rater: Rater, desk: Desk) -> JSONResponse:
        last = {"item": desk.last[0], "turn": desk.last[1]} if desk.last else None
        queue = [self._item_json(rater, item) for item in desk.queue]
        return JSONResponse({"queue": queue, "rated": desk.rated, "left": desk.left, "last": last})

    def _item_json(self, rater: Rater, item: GivenItem) -> dict[str, Any]:
        """What a rater may know of an item."""
        swapped = self._swapped(rater, item.code)
        captions = [item.caption] if item.other is None else [item.caption, item.other]
        return {
            "item": item.code,
            "turn": item.turn,
            "picture": item.picture,
            "captions": captions[::-1] if swapped else captions,
            "choice": turned(item.choice, swapped) if item.choice else None,
        }


def make_app(store: Store, folder: Path) -> ASGIApp:
    """The application that serves one study."""
    app = Starlette(
        routes=StudyApp(store, folder).routes(),
        exception_handlers={
            SpidercapError: _refuse,
            DataError: _unusable,
            PausedError: _paused,
            HTTPException: _http_error,
            Exception: _failed,
        },
    )
    # Around everything, for what Starlette answers after an error of ours passes no middleware inside.
    return SecurityHeaders(app)


def _page(template: str, page: object, status: int = 200) -> HTMLResponse:
    return HTMLResponse(render(template, page, "spidercap.study"), status)


def _problem(request: Request, status: int, sentence: str) -> Response:
    """A sentence: as a page for people, as JSON for our scripts."""
    if "text/html" in request.headers.get("accept", ""):
        # Relative, for a proxy may serve us below a path of its own.
        up = "../" * (request.url.path.count("/") - 1)
        return _page("message.html", MessagePage(TITLES.get(status, "Something went wrong"), sentence, up), status)
    return JSONResponse({"error": sentence}, status)


def _refuse(request: Request, error: Exception) -> Response:
    return _problem(request, error.status if isinstance(error, RefusedError) else 400, str(error))


def _unusable(request: Request, error: Exception) -> Response:
    """What is wrong with the disk is for the owner's terminal; pages try again."""
    tell(f"spidercap: {error}")
    return _problem(request, 503, "The study has a problem at the moment; please tell its owner.")


def _paused(request: Request, error: Exception) -> Response:
    return _problem(request, 423, "The owner of this study has paused your link. Your answers are kept.")


def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _problem(request, status, "There is nothing here.")


def _failed(request: Request, error: Exception) -> Response:
    """An error of ours: the server writes it to the owner's terminal."""
    return _problem(request, 500, "Something went wrong on our side; please tell the owner of this page.")
