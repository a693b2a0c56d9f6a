"""A small page in a process of its own, with limits as a test wants them."""

import re
import resource
import subprocess
import sys
from contextlib import contextmanager

import pytest

from spidercap.extras import PARTS

if not PARTS["study"].installed:
    collect_ignore_glob = ["test_connections.py", "test_headers.py", "test_requests.py"]

PAGE = """
import asyncio, sys
from spidercap.web.binding import bind
from spidercap.web.connections import ConnectionLimits
from spidercap.web.headers import SecurityHeaders
from spidercap.web.server import run_server

async def page(scope, receive, send):
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/slow":
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        await asyncio.sleep(3)
    await send({"type": "http.response.body", "body": b"x" * (50_000_000 if scope["path"] == "/large" else 2)})

if __name__ == "__main__":
    with bind("127.0.0.1", 0) as listening:
        listening.listen()
        print(listening.getsockname()[1], flush=True)
        run_server(SecurityHeaders(page), listening, eval(sys.argv[1]))
"""


@contextmanager
def page_server(limits="ConnectionLimits()", files=1024):
    """The port of a page, and what its process has on standard error at the end (in a list)."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    process = subprocess.Popen(
        [sys.executable, "-c", PAGE, limits],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard)),
    )
    told: list[str] = []
    try:
        line = process.stdout.readline()
        assert re.fullmatch(r"\d+\n", line), process.stderr.read()
        yield int(line), told
    finally:
        process.terminate()
        told.append(process.communicate()[1])


@pytest.fixture
def serve_page():
    return page_server
