"""Recipes: defaults < TOML file < `--section.key value` flags, each key checked."""

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, asdict, fields
from pathlib import Path
from typing import Any, get_type_hints

from spidercap.config import SECTIONS, Config
from spidercap.errors import UsageError
from spidercap.files import read_text

Tables = dict[str, dict[str, Any]]
# Short forms of flags that are typed often.
SHORT = {"reward": "learn.reward"}
# What `spidercap train` takes besides settings, for the hint at a typo.
OPTIONS = ("out", "init", "dry-run", *SHORT)
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def load_recipe(path: Path | None, flags: Sequence[str] = ()) -> Config:
    """The configuration of a TOML file and flags such as `--train.batch 32` or `--train.batch=32`."""
    tables: Tables = {}
    if path is not None:
        _merge(tables, _read(path), str(path))
    for section, name, value in _settings(flags):
        tables.setdefault(section, {})[name] = _from_text(section, name, value)
    return from_tables(tables)


def from_tables(tables: Mapping[str, Mapping[str, Any]]) -> Config:
    """A configuration from values by section and key; what is missing has its default."""
    return Config(**{section: SECTIONS[section](**values) for section, values in tables.items()})


def as_tables(config: Config) -> Tables:
    """The resolved values by section and key, as JSON can hold them."""
    return {
        section: {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
        for section, values in asdict(config).items()
    }


def load_tables(tables: object, where: str) -> Config:
    """A configuration from what `as_tables` gave, read from a file that `where` names."""
    merged: Tables = {}
    _merge(merged, tables, where)
    return from_tables(merged)


def describe_keys() -> Iterator[tuple[str, str, str]]:
    """Each key with its default and its explanation."""
    for section, kind in SECTIONS.items():
        for part in fields(kind):
            yield f"{section}.{part.name}", _shown(part.default), part.metadata["help"]


def first_difference(left: Config, right: Config) -> str | None:
    """The first key whose values differ, with both values."""
    a, b = as_tables(left), as_tables(right)
    for section, values in a.items():
        for key, value in values.items():
            if value != b[section][key]:
                return f"{section}.{key} is {_shown(value)} there and {_shown(b[section][key])} here"
    return None


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not TOML: {error}") from None


def _merge(tables: Tables, found: object, where: str) -> None:
    if not isinstance(found, dict):
        raise UsageError(f"{where}: expected sections such as [train], found {type(found).__name__}")
    for section, values in found.items():
        _known(section, SECTIONS, f"{where}: unknown section [{section}]")
        if not isinstance(values, dict):
            raise UsageError(f"{where}: [{section}] must be a section with keys, found {values!r}")
        for name, value in values.items():
            part = _field(section, name, f"{where}: ")
            tables.setdefault(section, {})[name] = _typed(section, part, value, f"{where}: ")


def _settings(flags: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Section, key and value of each flag; a typo is told before a missing value, which only settings need."""
    waiting = iter(flags)
    for flag in waiting:
        if not flag.startswith("--"):
            raise UsageError(f"{flag!r} is not a setting; write --section.key value, for example --train.batch 32")
        key, equals, value = flag[2:].partition("=")
        section, name = _split(SHORT.get(key, key))
        if not equals:
            value = next(waiting, "")
            if not value or (value.startswith("--") and not value[2:3].isdigit()):
                raise UsageError(f"--{key} needs a value; write --{key} VALUE")
        yield section, name, value


def _split(key: str) -> tuple[str, str]:
    section, dot, name = key.partition(".")
    if not dot:
        every = [*OPTIONS, *(key for key, _, _ in describe_keys())]
        near = difflib.get_close_matches(key, every, n=1, cutoff=0.3)
        hint = f"; did you mean --{near[0]}?" if near else ""
        raise UsageError(f"--{key} is no option; settings are written --section.key{hint}")
    _known(section, SECTIONS, f"--{key}: unknown section {section!r}")
    _field(section, name, "")
    return section, name


def _known(name: str, known: Mapping[str, object] | Sequence[str], message: str) -> None:
    if name not in known:
        near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(known)}"
        raise UsageError(f"{message}; {hint}")


def _field(section: str, name: str, where: str) -> "Field[Any]":
    parts = {part.name: part for part in fields(SECTIONS[section])}
    _known(name, list(parts), f"{where}unknown key {section}.{name}")
    return parts[name]


def _typed(section: str, part: "Field[Any]", value: object, where: str) -> object:
    """The value if it has the field's type; whole numbers pass for fractional ones, lists for tuples."""
    expected = get_type_hints(SECTIONS[section])[part.name]
    if expected is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if expected == tuple[str, ...] and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    if type(value) is expected:
        return value
    raise UsageError(f"{where}{section}.{part.name} must be {_kind(expected)}, got {value!r}")


def _from_text(section: str, name: str, text: str) -> object:
    part = _field(section, name, "")
    expected = get_type_hints(SECTIONS[section])[name]
    try:
        if expected is bool:
            return _TRUTHS[text.lower()]
        if expected == tuple[str, ...]:
            return tuple(each.strip() for each in text.split(",") if each.strip())
        return _typed(section, part, expected(text), "")
    except (ValueError, KeyError):
        raise UsageError(f"{section}.{name} must be {_kind(expected)}, got {text!r}") from None


def _kind(expected: object) -> str:
    kinds: dict[object, str] = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
    return kinds.get(expected, "a list of names")
