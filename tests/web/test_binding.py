"""Addresses that can be had, and those that cannot."""

import socket

import pytest

from spidercap.errors import UsageError
from spidercap.web.binding import address_of, bind, is_loopback


def test_ports_and_hosts_that_cannot_be_had():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1, port {port}: Address already in use"):
            bind("127.0.0.1", port)
    assert (address_of("x.test", 80), address_of("::1", 80)) == ("http://x.test:80", "http://[::1]:80")
    with pytest.raises(UsageError, match="`port` must be between 0 and 65535, got 70000"):
        bind("127.0.0.1", 70000)
    with pytest.raises(UsageError, match="cannot listen on no.such.host.invalid"):
        bind("no.such.host.invalid", 0)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("192.168.1.2", False), ("x", False)],
)
def test_loopback(host, expected):
    assert is_loopback(host) is expected
