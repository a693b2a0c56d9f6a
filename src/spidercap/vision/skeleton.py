"""Networks without values: their shapes are known at once, and weights from a file take their places."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode


class _Unfilled(TorchFunctionMode):
    """Leaves out the filling with random numbers, for which torch would load its compiler: seconds, for nothing."""

    def __torch_function__(
        self, function: Callable[..., Any], types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if getattr(function, "__module__", None) == "torch.nn.init":
            return (kwargs or {}).get("tensor", args[0] if args else None)
        return function(*args, **(kwargs or {}))


@contextmanager
def skeleton() -> Iterator[None]:
    """Modules made in this block have names and shapes, but neither memory nor values."""
    with torch.device("meta"), _Unfilled():
        yield
