"""How often somebody may do something."""

from spidercap.web.limits import RateLimiter


def test_the_limiter_refills_and_forgets():
    now = [0.0]
    limiter = RateLimiter(rate=1, burst=2, callers=2, clock=lambda: now[0])
    assert [limiter.allows("a") for _ in range(3)] == [True, True, False]
    now[0] = 1.0
    assert [limiter.allows("a"), limiter.allows("a")] == [True, False]
    assert limiter.allows("b")
    assert limiter.allows("c")
    assert len(limiter._buckets) == 2
