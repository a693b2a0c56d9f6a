"""`study serve`: one server a study, on loopback unless told otherwise."""

import ipaddress
import socket
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from spidercap.errors import DataError, UsageError
from spidercap.files import held_alone
from spidercap.study.store import Store

LOCK = "server.lock"
KEEP_ALIVE_SECONDS = 65


def sole_server(folder: Path) -> AbstractContextManager[None]:
    """Hold the study for this process."""
    return held_alone(
        folder / LOCK, f"{folder} is in use by another server; stop that one first, or serve another study"
    )


def check_port(port: int, lowest: int = 0) -> None:
    """Raise if this is no port; 0, where it is allowed, stands for any that is free."""
    if not lowest <= port <= 65535:
        raise UsageError(f"--port must be between {lowest} and 65535, got {port}")


def address_of(host: str, port: int) -> str:
    """What links start with."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any that is free."""
    check_port(port)
    listening = None
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        if listening:
            listening.close()
        reason = error.strerror or error
        raise UsageError(f"cannot listen on {host}, port {port}: {reason}; choose another --host or --port") from None
    return listening


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def check_sources(store: Store, keep_captions: bool) -> None:
    """Refuse to go on as if nothing had happened when a file that the study was made from has changed."""
    for path in store.settings.changed_sources():
        if not keep_captions:
            raise DataError(
                f"{path} has changed since the study was made, and raters would see the captions of then; restore the "
                "file, make a new study, or go on with the captions of then by --keep-captions"
            )
        print(f"warning: {path} has changed; raters see the captions of when the study was made", file=sys.stderr)


def serve(
    folder: Path, host: str, port: int, keep_captions: bool = False, announce: Callable[[str], None] = print
) -> None:
    """Serve a study until interrupted; `announce` is called with the address once requests are answered."""
    import uvicorn

    from spidercap.study.app import make_app

    store = Store(folder)
    check_sources(store, keep_captions)
    with sole_server(folder), bind(host, port) as listening:
        store.begin_serving()
        address = address_of(host, listening.getsockname()[1])
        # The access log would hold the keys of links.
        config = uvicorn.Config(
            make_app(store, folder),
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=3,
        )
        listening.listen(2048)
        with suppress(KeyboardInterrupt):
            announce(address)
            uvicorn.Server(config).run(sockets=[listening])
    store.close()
