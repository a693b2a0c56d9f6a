"""Typed access to parsed JSON, with errors that name the place, the key and what was found."""

from typing import Any, TypeVar

from spidercap.errors import DataError

Value = TypeVar("Value")

_KIND_NAMES: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


def kind_name(value: object) -> str:
    """What a JSON value is, in words."""
    return _KIND_NAMES.get(type(value), type(value).__name__)


def field(record: object, key: str, kind: type[Value], where: str) -> Value:
    """`record[key]`, which must be there and be of the kind."""
    value = _member(record, key, where)
    if type(value) is not kind:
        raise DataError(f'{where}: "{key}" is {kind_name(value)}, expected {_KIND_NAMES[kind]}')
    return value


def identifier(record: object, key: str, where: str) -> str:
    """`record[key]`, a whole number or text, as text."""
    value = _member(record, key, where)
    if type(value) is not int and type(value) is not str:
        raise DataError(f'{where}: "{key}" is {kind_name(value)}, expected a whole number or text')
    return str(value)


def _member(record: object, key: str, where: str) -> Any:
    if not isinstance(record, dict):
        raise DataError(f'{where}: {kind_name(record)}, expected an object with the key "{key}"')
    if key not in record:
        found = ", ".join(list(record)[:8]) or "none"
        raise DataError(f'{where}: the key "{key}" is missing (keys found: {found}); check that this is the right file')
    return record[key]
