"""Recipes: defaults < TOML file < settings by key, such as `train.batch`; each key is checked."""

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, get_type_hints

from spidercap.config import SECTIONS, Config
from spidercap.errors import UsageError
from spidercap.files import read_text
from spidercap.learn.algorithm import AlgorithmSettings
from spidercap.learn.algorithms import ALGORITHMS
from spidercap.options import check

Tables = dict[str, dict[str, Any]]
LEARN, ALGORITHM, DEFAULT_ALGORITHM = "learn", "algorithm", "mle"
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True)
class SettingKey:
    """A setting: the type of its value, its default, its meaning, and the algorithms it belongs to, if not to all."""

    type: object
    default: object
    text: str
    algorithms: tuple[str, ...] = ()


def load_recipe(path: Path | None, settings: Mapping[str, object] | None = None) -> Config:
    """The configuration of a TOML file and of settings such as `{"train.batch": 32}`, whose values may be text.

    A file may hold settings of several algorithms, of which the chosen one takes its own; `settings` must belong to it.
    """
    tables: Tables = {}
    if path is not None:
        _merge(tables, _read(path), str(path))
    for key, value in (settings or {}).items():
        section, name = split_key(key)
        known = _key(section, name, "")
        given = _from_text(key, known, value) if isinstance(value, str) else _typed(key, known, value)
        tables.setdefault(section, {})[name] = given
    config = from_tables(tables)
    for key in settings or {}:
        _check_part(config.learn.algorithm, *split_key(key))
    return config


def split_key(key: str) -> tuple[str, str]:
    """The section and the name of a setting, if there is one with this key."""
    section, _, name = key.partition(".")
    _known(section, SECTIONS, f"{key}: unknown section {section!r}")
    _key(section, name, "")
    return section, name


def from_tables(tables: Mapping[str, Mapping[str, Any]]) -> Config:
    """A configuration from values by section and key; what is missing has its default."""
    sections = {name: SECTIONS[name](**values) for name, values in tables.items() if name != LEARN}
    return Config(**sections, learn=_learn(tables.get(LEARN, {})))


def _learn(values: Mapping[str, Any]) -> AlgorithmSettings:
    """The settings of the algorithm that is named; those of others are passed over."""
    name = values.get(ALGORITHM, DEFAULT_ALGORITHM)
    check(f"{LEARN}.{ALGORITHM}", name in ALGORITHMS, f"one of {', '.join(ALGORITHMS)}", name)
    kind = ALGORITHMS[name]
    own = {part.name for part in fields(kind)}
    return kind(**{key: value for key, value in values.items() if key in own})


def _check_part(algorithm: str, section: str, name: str) -> None:
    """Raise if a setting has no part in the algorithm."""
    belongs = _keys(section)[name].algorithms
    if belongs and algorithm not in belongs:
        raise UsageError(
            f"{section}.{name} has no part in {algorithm}, only in {', '.join(belongs)}; "
            f"leave it out, or choose another {LEARN}.{ALGORITHM}"
        )


def as_tables(config: Config) -> Tables:
    """The resolved values by section and key, as JSON can hold them."""
    tables: Tables = {
        section: {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
        for section, values in asdict(config).items()
    }
    return tables | {LEARN: {ALGORITHM: config.learn.algorithm, **tables[LEARN]}}


def load_tables(tables: object, where: str) -> Config:
    """A configuration from what `as_tables` gave, read from a file that `where` names."""
    merged: Tables = {}
    _merge(merged, tables, where)
    try:
        return from_tables(merged)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def describe_keys() -> Iterator[tuple[str, str, str]]:
    """Each key with its default and its explanation, after the algorithms that it is for."""
    for section in SECTIONS:
        for name, key in _keys(section).items():
            whose = f"{', '.join(key.algorithms)}: " if key.algorithms else ""
            yield f"{section}.{name}", _shown(key.default), whose + key.text


def first_difference(left: Config, right: Config) -> str | None:
    """The first key whose values differ, with both values."""
    a, b = as_tables(left), as_tables(right)
    for section, values in a.items():
        for key, value in values.items():
            other = b[section].get(key)
            if value != other:
                return f"{section}.{key} is {_shown(value)} there and {_shown(other)} here"
    return None


def _keys(section: str) -> dict[str, SettingKey]:
    """The keys of a section; those of `learn` are the keys of all algorithms together."""
    if section != LEARN:
        return _own_keys(SECTIONS[section])
    keys = {ALGORITHM: SettingKey(str, DEFAULT_ALGORITHM, f"one of {', '.join(ALGORITHMS)}")}
    for algorithm, kind in ALGORITHMS.items():
        for name, key in _own_keys(kind).items():
            others = keys[name].algorithms if name in keys else ()
            keys[name] = replace(key, algorithms=(*others, algorithm))
    return keys


def _own_keys(kind: type) -> dict[str, SettingKey]:
    types = get_type_hints(kind)
    return {part.name: SettingKey(types[part.name], part.default, part.metadata["help"]) for part in fields(kind)}


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
            key = _key(section, name, f"{where}: ")
            tables.setdefault(section, {})[name] = _typed(f"{where}: {section}.{name}", key, value)


def _known(name: str, known: Mapping[str, object] | Sequence[str], message: str) -> None:
    if name not in known:
        near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(known)}"
        raise UsageError(f"{message}; {hint}")


def _key(section: str, name: str, where: str) -> SettingKey:
    keys = _keys(section)
    _known(name, list(keys), f"{where}unknown key {section}.{name}")
    return keys[name]


def _typed(name: str, key: SettingKey, value: object) -> object:
    """The value if it has the key's type; whole numbers pass for fractional ones, lists for tuples."""
    if key.type is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if key.type == tuple[str, ...] and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    if type(value) is key.type:
        return value
    raise UsageError(f"{name} must be {_kind(key.type)}, got {value!r}")


def _from_text(name: str, key: SettingKey, text: str) -> object:
    try:
        if key.type is bool:
            return _TRUTHS[text.lower()]
        if key.type == tuple[str, ...]:
            return tuple(each.strip() for each in text.split(",") if each.strip())
        return key.type(text)  # type: ignore[operator]
    except (ValueError, KeyError):
        raise UsageError(f"{name} must be {_kind(key.type)}, got {text!r}") from None


def _kind(expected: object) -> str:
    kinds: dict[object, str] = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
    return kinds.get(expected, "a list of names")
