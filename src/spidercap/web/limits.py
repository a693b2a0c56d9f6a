"""How often somebody may do something."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic


class RateLimiter:
    """A bucket of tokens for each caller: `burst` at once, `rate` a second in the long run."""

    def __init__(
        self, rate: float, burst: float, callers: int = 20_000, clock: Callable[[], float] = monotonic
    ) -> None:
        self._rate, self._burst, self._callers, self._clock = rate, burst, callers, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, caller: str) -> bool:
        """Take a token of the caller's; False if there is none."""
        now = self._clock()
        tokens, then = self._buckets.pop(caller, (self._burst, now))
        tokens = min(self._burst, tokens + (now - then) * self._rate)
        allowed = tokens >= 1
        self._buckets[caller] = (tokens - allowed, now)
        if len(self._buckets) > self._callers:
            self._buckets.popitem(last=False)
        return allowed
