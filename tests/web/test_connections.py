"""Connections over real sockets: half-open ones, silent ones, slow ones, too many of them."""

import resource
import socket
import time
from contextlib import ExitStack, closing

import pytest

from spidercap.web.connections import ConnectionLimits, connections_that_fit
from spidercap.web.headers import HEADERS

HALF = b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: "
GET = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
END = b"\r\n0\r\n\r\n"
QUICK = "ConnectionLimits(asking=1, idle=1, served=1)"


def connected(port, sent=b"", address="127.0.0.1"):
    client = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(address, 0))
    client.sendall(sent)
    return client


def answer(client, request=b"/"):
    client.sendall(GET % request)
    return client.recv(65536)


def read_until(client, end, times=1):
    """What a server sends up to the end of an answer, or of several."""
    found = b""
    while found.count(end) < times:
        more = client.recv(65536)
        assert more, found
        found += more
    return found


def is_closed(client, within=60.0):
    """Whether the server has closed a connection, or does so in time."""
    client.settimeout(within)
    try:
        while client.recv(1 << 20):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


@pytest.fixture
def many_files():
    """Room for the attacker's connections in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= hard < 2000:
        pytest.skip("this process may not open 2,000 files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2000), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_files")
def test_the_page_answers_throughout_1300_half_open_connections(serve_page):
    with serve_page("ConnectionLimits(asking=3)") as (port, told), ExitStack() as stack:
        attack = []
        for number in range(1300):
            attack.append(stack.enter_context(closing(connected(port, HALF))))
            if number % 100 == 99:
                with connected(port) as visitor:
                    assert answer(visitor).startswith(b"HTTP/1.1 200")
        assert all(is_closed(client) for client in attack)
    assert told[0] == ""


@pytest.mark.parametrize(
    "sent",
    [b"", HALF, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf", GET % b"/", GET % b"/" + HALF],
    ids=["silent", "half a head", "half a body", "idle", "idle with half a head"],
)
def test_who_asks_for_nothing_is_closed_in_time(serve_page, sent):
    with serve_page(QUICK) as (port, _), connected(port, sent) as client:
        begin = time.monotonic()
        assert is_closed(client)
        assert time.monotonic() - begin > 0.7


def test_who_sends_a_byte_now_and_then_is_closed_in_time(serve_page):
    def drip(client):
        for _ in range(600):
            client.sendall(b"x")
            time.sleep(0.1)

    with serve_page(QUICK) as (port, _), connected(port, HALF) as client, pytest.raises(ConnectionError):
        drip(client)


def test_who_does_not_read_the_answer_is_closed_in_time(serve_page):
    with serve_page(QUICK) as (port, _), connected(port, GET % b"/large") as client:
        time.sleep(2)
        assert is_closed(client)


def test_the_longest_waiting_connection_of_a_client_makes_room_and_others_keep_theirs(serve_page):
    with serve_page("ConnectionLimits(overall=6, share=0.5)") as (port, _), ExitStack() as stack:
        other = stack.enter_context(connected(port, address="127.0.0.2"))
        waiting = [stack.enter_context(connected(port, HALF)) for _ in range(3)]
        newcomer = stack.enter_context(connected(port))
        assert answer(newcomer).startswith(b"HTTP/1.1 200")
        assert is_closed(waiting[0])
        assert not any(is_closed(client, 0.2) for client in (*waiting[1:], other))
        assert answer(other).startswith(b"HTTP/1.1 200")


def test_connections_that_are_served_keep_their_place(serve_page):
    with serve_page("ConnectionLimits(overall=6, share=0.5)") as (port, _), ExitStack() as stack:
        served = [stack.enter_context(connected(port, GET % b"/slow")) for _ in range(3)]
        assert all(b"begun" in read_until(client, b"begun") for client in served)
        assert is_closed(stack.enter_context(connected(port)))
        assert all(read_until(client, END).endswith(END) for client in served)


def test_several_requests_on_one_connection_one_after_another_and_at_once(serve_page):
    with serve_page("ConnectionLimits(asking=2)") as (port, told), connected(port) as client:
        for _ in range(4):
            client.sendall(GET % b"/")
            assert read_until(client, END).startswith(b"HTTP/1.1 200")
            time.sleep(0.7)
        client.sendall(GET % b"/" * 3)
        assert read_until(client, END, times=3).count(b"HTTP/1.1 200") == 3
    assert told[0] == ""


def test_what_is_not_http_gets_the_headers_too_and_is_logged_once_a_minute(serve_page):
    with serve_page() as (port, told):
        for _ in range(5):
            with connected(port, b"\x16\x03\x01 hello\r\n\r\n") as client:
                reply = client.recv(65536).decode()
                assert is_closed(client)
            assert reply.startswith("HTTP/1.1 400 Bad Request\r\n")
            assert all(f"\r\n{name}: {value}\r\n" in reply for name, value in HEADERS.items())
            assert reply.endswith("\r\n\r\nThis is not an HTTP request.")
    assert told[0].count("Invalid HTTP request") == 1


@pytest.mark.parametrize(("files", "expected"), [(1024, 824), (100, 16), (10**6, 2000), (-1, 2000)])
def test_connections_leave_room_for_files(monkeypatch, files, expected):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert connections_that_fit() == ConnectionLimits().overall == expected
