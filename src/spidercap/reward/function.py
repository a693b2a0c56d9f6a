"""Rewards that people write: `module:function`, called with keyword arguments in the style of trl."""

import importlib
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spidercap.errors import DataError, UsageError

_NAME = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")
_KEYWORDS = ("ids", "completions", "references", "finished")


def is_function_name(name: str) -> bool:
    """Whether a reward is named as `module:function` rather than by an expression of metrics."""
    return ":" in name


class RewardFunction:
    """A function of the keyword arguments ids, completions, references and finished, each a list."""

    def __init__(self, name: str, references: Mapping[str, Sequence[str]]) -> None:
        self.name = name
        self.function = _load(name)
        self.references = references

    def __call__(self, ids: Sequence[str], captions: Sequence[str], finished: Sequence[bool]) -> NDArray[np.float64]:
        try:
            references = [list(self.references[image]) for image in ids]
        except KeyError as error:
            raise DataError(f"the reward {self.name} has no references of the image {error.args[0]!r}") from None
        values = self._call(ids=list(ids), completions=list(captions), references=references, finished=list(finished))
        try:
            return np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError, RuntimeError):
            raise DataError(f"the reward {self.name} must return a list of numbers, got {values!r:.80}") from None

    def _call(self, **keywords: list[Any]) -> Any:
        try:
            return self.function(**keywords)
        except (Exception, SystemExit) as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            raise DataError(
                f"the reward {self.name} failed: {_reason(error)} ({place.filename}, line {place.lineno}); mend it"
            ) from error


def _load(name: str) -> Callable[..., Any]:
    if not _NAME.fullmatch(name):
        raise UsageError(f"reward {name!r}: write module:function, for example my_rewards:short_captions")
    module_name, _, function_name = name.partition(":")
    with _current_folder_importable():
        try:
            found: Any = importlib.import_module(module_name)
        except (Exception, SystemExit) as error:
            raise UsageError(f"reward {name}: cannot import the module {module_name} ({_reason(error)})") from error
    for part in function_name.split("."):
        if not hasattr(found, part):
            raise UsageError(f"reward {name}: the module {module_name} has no {function_name}")
        found = getattr(found, part)
    return _checked(name, found)


def _checked(name: str, function: Any) -> Callable[..., Any]:
    """The function, if it can be called with our keywords."""
    if not callable(function):
        raise UsageError(f"reward {name} is a {type(function).__name__}; expected a function")
    try:
        inspect.signature(function).bind(**dict.fromkeys(_KEYWORDS))
    except (TypeError, ValueError) as error:
        raise UsageError(
            f"reward {name} cannot be called with the keywords {', '.join(_KEYWORDS)} ({error}); "
            "add **kwargs to its arguments"
        ) from None
    made: Callable[..., Any] = function
    return made


def _reason(error: BaseException) -> str:
    """An error of someone else's code on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


@contextmanager
def _current_folder_importable() -> Iterator[None]:
    """People keep their reward beside their recipe, which the installed command would not look at."""
    folder = str(Path.cwd())
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
