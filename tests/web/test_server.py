"""What the server writes to the terminal."""

import logging

from spidercap.web.server import OnceAMinute


def test_the_same_message_is_told_once_a_minute_and_others_are_told():
    once = OnceAMinute()

    def told(message, error=None):
        information = (type(error), error, None) if error else None
        return once.filter(logging.LogRecord("x", logging.ERROR, "x", 1, message, (), information))

    assert [told("socket.accept() out of system resource", OSError(24, "x")) for _ in range(3)] == [True, False, False]
    assert told("Exception in ASGI application", ValueError("a"))
    assert told("Exception in ASGI application", ValueError("b"))
    assert not told("Exception in ASGI application", ValueError("a"))
