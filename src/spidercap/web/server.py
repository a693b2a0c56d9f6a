"""The server of a page: uvicorn with limits on connections, and a log that nobody can flood."""

import logging
import socket
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from spidercap.web.limits import RateLimiter

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from spidercap.web.connections import ConnectionLimits

TAKEN_TOGETHER = 100
"""Connections that are accepted in one go, before any of them can be turned away."""
QUEUE = 2048
"""Connections that wait in the system's queue."""


class OnceAMinute(logging.Filter):
    """Lets the same message through once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._limiter = RateLimiter(rate=1 / 60, burst=1, callers=1000)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this message was not told within the last minute."""
        error = record.exc_info[1] if record.exc_info else None
        return self._limiter.allows(f"{record.getMessage()} {error!r}")


def run_server(app: "ASGIApp", listening: socket.socket, limits: "ConnectionLimits | None" = None) -> None:
    """Answer requests until interrupted."""
    import uvicorn

    from spidercap.web.connections import ConnectionLimits, Door, GuardedConnection

    class Server(uvicorn.Server):
        """uvicorn's, with a long queue although few are accepted in one go."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            listening.listen(QUEUE)

    limits = limits or ConnectionLimits()
    protocol: Any = partial(GuardedConnection, door=Door(limits))
    # The access log would hold the keys of links.
    config = uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        loop="asyncio",
        backlog=TAKEN_TOGETHER,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=round(limits.idle),
        timeout_graceful_shutdown=3,
    )
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(OnceAMinute())
    with suppress(KeyboardInterrupt):
        Server(config).run(sockets=[listening])
