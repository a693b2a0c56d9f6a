"""`study serve`: one server a study, on loopback unless told otherwise."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from spidercap.errors import DataError
from spidercap.files import held_alone
from spidercap.study.store import Store
from spidercap.terminal import tell
from spidercap.web.binding import address_of, bind
from spidercap.web.server import run_server

LOCK = "server.lock"


def sole_server(folder: Path) -> AbstractContextManager[None]:
    """Hold the study for this process."""
    return held_alone(
        folder / LOCK, f"{folder} is in use by another server; stop that one first, or serve another study"
    )


def check_sources(store: Store, keep_captions: bool) -> None:
    """Refuse to go on as if nothing had happened when a file that the study was made from has changed."""
    for path in store.settings.changed_sources():
        if not keep_captions:
            raise DataError(
                f"{path} has changed since the study was made, and raters would see the captions of then; restore the "
                "file, make a new study, or go on with the captions of then by `keep_captions`"
            )
        tell(f"warning: {path} has changed; raters see the captions of when the study was made")


def serve(
    folder: Path, host: str, port: int, keep_captions: bool = False, announce: Callable[[str], None] = print
) -> None:
    """Serve a study until interrupted; `announce` is called with the address once requests are answered."""
    from spidercap.study.app import make_app

    store = Store(folder)
    check_sources(store, keep_captions)
    with sole_server(folder), bind(host, port) as listening:
        store.begin_serving()
        listening.listen()
        announce(address_of(host, listening.getsockname()[1]))
        run_server(make_app(store, folder), listening)
    store.close()
