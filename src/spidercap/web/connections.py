"""Connections that ask for nothing are closed, and the longest waiting ones make room for newcomers.

A connection is *asking* until its request is here, *served* until the answer is sent, then *idle*. Whoever opens many
and asks for nothing only takes places from themselves: those that are served keep theirs.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Literal

from uvicorn.protocols.http.h11_impl import H11Protocol

from spidercap.web.headers import HEADERS

ConnectionState = Literal["asking", "served", "idle"]
SPARE_FILES = 200
"""Descriptors kept for the database, pictures, and connections that are taken together before any is turned away."""
MOST_CONNECTIONS = 2000
_NOT_HTTP = "\r\n".join(
    ["HTTP/1.1 400 Bad Request", "Content-Type: text/plain; charset=utf-8", "Content-Length: 28", "Connection: close"]
    + [f"{name}: {value}" for name, value in HEADERS.items()]
    + ["", "This is not an HTTP request."]
).encode()


def connections_that_fit() -> int:
    """How many connections the process may hold at once, by its limit on open files."""
    try:
        import resource
    except ImportError:
        return MOST_CONNECTIONS // 2
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_CONNECTIONS if files < 0 else max(16, min(MOST_CONNECTIONS, files - SPARE_FILES))


@dataclass(frozen=True)
class ConnectionLimits:
    """How many connections there may be at once, and for how many seconds one may be in a state."""

    overall: int = field(default_factory=connections_that_fit)
    share: float = 0.5
    """The part of them that one address may have."""
    asking: float = 15
    served: float = 300
    idle: float = 65


class _Crowd:
    """Connections that share a limit; those that are not served, in the order in which they began to wait."""

    def __init__(self, limit: int) -> None:
        self.limit, self.open = limit, 0
        self.waiting: dict[GuardedConnection, None] = {}


class Door:
    """Lets connections in, and closes one that waits where there are too many."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._all = _Crowd(limits.overall)
        self._of_client: dict[str, _Crowd] = {}

    def enter(self, connection: "GuardedConnection") -> None:
        """Take a connection in; over a limit, the one that has waited longest leaves, or, if none waits, this one."""
        share = max(1, round(self.limits.overall * self.limits.share))
        own = self._of_client.setdefault(connection.host, _Crowd(share))
        for crowd in (own, self._all):
            crowd.open += 1
        for crowd in (own, self._all):
            if crowd.open > crowd.limit:
                next(iter(crowd.waiting), connection).drop()

    def leave(self, connection: "GuardedConnection") -> None:
        """Forget a connection."""
        for crowd in (self._of_client[connection.host], self._all):
            crowd.open -= 1
            crowd.waiting.pop(connection, None)
        if not self._of_client[connection.host].open:
            del self._of_client[connection.host]

    def set_waiting(self, connection: "GuardedConnection", waiting: bool) -> None:
        """Note that a connection waits from now, or does not."""
        for crowd in (self._of_client[connection.host], self._all):
            crowd.waiting.pop(connection, None)
            if waiting:
                crowd.waiting[connection] = None


class GuardedConnection(H11Protocol):
    """uvicorn's connection with a time limit on every state and a place that it can lose."""

    def __init__(self, *given: Any, door: Door, **named: Any) -> None:
        super().__init__(*given, **named)
        self._door = door
        self._inside = False
        self._state: ConnectionState | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.host = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Ask for a place."""
        super().connection_made(transport)
        self.host, self._inside = self.client[0] if self.client else "", True
        self._door.enter(self)
        self._become("asking")

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A part of a request; the time for all of it runs from the first part."""
        if self._state == "idle":
            self._become("asking")
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """The answer is sent; the next request may be here already."""
        self._become("idle")
        super().on_response_complete()
        self._look()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, with the headers that all answers have."""
        if self._state != "served":
            self.transport.write(_NOT_HTTP)
        self.transport.close()

    def drop(self) -> None:
        """Close at once, and leave the place to somebody else."""
        self._leave()
        self.transport.abort()

    def _look(self) -> None:
        """Whether a whole request is here now."""
        if self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete:
            self._become("served")

    def _become(self, state: ConnectionState) -> None:
        if not self._inside or state == self._state:
            return
        self._state = state
        self._stop_timer()
        self._timer = self.loop.call_later(getattr(self._door.limits, state), self.drop)
        self._door.set_waiting(self, state != "served")

    def _leave(self) -> None:
        self._stop_timer()
        if self._inside:
            self._inside = False
            self._door.leave(self)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
