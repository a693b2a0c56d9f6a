"""The address that a page is served at."""

import ipaddress
import socket
from contextlib import suppress

from spidercap.errors import UsageError


def check_port(port: int, lowest: int = 0) -> None:
    """Raise if this is no port; 0, where it is allowed, stands for any that is free."""
    if not lowest <= port <= 65535:
        raise UsageError(f"`port` must be between {lowest} and 65535, got {port}")


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
        raise UsageError(f"cannot listen on {host}, port {port}: {reason}; choose another `host` or `port`") from None
    return listening


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
