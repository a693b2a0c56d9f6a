"""The server of a page: uvicorn, as our pages need it."""

import socket
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp

KEEP_ALIVE_SECONDS = 65


def run_server(app: "ASGIApp", listening: socket.socket) -> None:
    """Answer requests until interrupted."""
    import uvicorn

    # The access log would hold the keys of links.
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=3,
    )
    listening.listen(2048)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
