"""All that is printed goes through here: what other people wrote can neither steer a terminal nor break a line.

A file name, an id or a caption from elsewhere may hold escape sequences, tabs and line breaks. They are printed as
`\\x1b`, `\\t`, `\\n`; letters, blanks and emoji stay as they are.
"""

import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

# Control characters, line separators, what turns the direction of text around, and bytes that are not UTF-8.
_UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def shown(text: object) -> str:
    """The text on one line that any terminal can show: what would do something else is written as an escape."""
    return _UNPRINTABLE.sub(_escape, str(text))


def _escape(found: re.Match[str]) -> str:
    sign = ord(found[0])
    if 0xDC80 <= sign <= 0xDCFF:
        # A byte of a file name that is not UTF-8, as Python carries it.
        sign -= 0xDC00
    return _SHORT.get(found[0]) or (f"\\x{sign:02x}" if sign < 0x100 else f"\\u{sign:04x}")


def say(*fields: object) -> None:
    """Print a line; several fields are parted by tabs."""
    print(*map(shown, fields), sep="\t", flush=True)


def tell(text: object) -> None:
    """Print a line that is not the result: to standard error."""
    print(shown(text), file=sys.stderr, flush=True)


def say_json(value: Any, indent: int | None = 2) -> None:
    """Print a JSON value: letters as they are, all else that `shown` escapes in JSON's own escapes."""
    from json import dumps

    text = dumps(value, indent=indent, ensure_ascii=False)
    # JSON has escaped the line breaks inside of texts already; those that are left are its own.
    print("\n".join(_UNPRINTABLE.sub(_json_escape, line) for line in text.split("\n")), flush=True)


def _json_escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def console(stderr: bool = False) -> "Console":
    """Where tables and coloured text are printed; names are neither markup nor emoji there."""
    from rich.console import Console

    class Escaping(Console):
        """Escapes plain text before it is laid out, and styled text as it is printed."""

        def render_str(self, text: str, **options: Any) -> Any:
            """Text of a string, as `shown` has it."""
            return super().render_str(shown(text), **options)

        def render(self, *arguments: Any, **options: Any) -> Any:
            """The pieces that are printed; a line break between them is the layout's."""
            for segment in super().render(*arguments, **options):
                yield segment if segment.control or segment.text == "\n" else segment._replace(text=_flat(segment.text))

    return Escaping(stderr=stderr, highlight=False, markup=False, emoji=False)


def _flat(text: str) -> str:
    """`shown`, but for a line break at the end."""
    return shown(text.removesuffix("\n")) + text[len(text.removesuffix("\n")) :]
