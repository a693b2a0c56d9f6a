"""The command `spidercap`, one file a verb.

A verb's file imports only what its signature needs and does its work's imports when called: `--help` stays quick.
"""

import re
import sys
from collections.abc import Sequence
from errno import ENOMEM
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

from cyclopts import App, CycloptsError, Parameter

from spidercap import __version__
from spidercap.errors import SpidercapError
from spidercap.terminal import tell

VERBS = (
    *("prepare", "features", "train", "explain", "report", "caption", "score", "parse", "df", "browse"),
    *("study", "demo", "doctor"),
)

app = App(
    name="spidercap",
    version=__version__,
    help="Train image captioners on the metric you care about, and score captions fast, without Java.",
    help_flags=["--help", "-h"],
    # A name that starts with a bracket is a file's, not JSON.
    default_parameter=Parameter(negative=(), json_list=False, json_dict=False),
)
for verb in VERBS:
    app.command(getattr(import_module(f"spidercap.cli.{verb}"), verb), name=verb)

COMMANDS = tuple(
    command
    for verb in VERBS
    for command in ([(verb,)] if app[verb].default_command else [(verb, name) for name in app[verb] if name[0] != "-"])
)
"""What can be run, word by word: verbs, and the commands of verbs that are groups."""


OUT_OF_MEMORY = "the memory does not suffice; give fewer or smaller inputs at once, or close other programs"
_WORDS_OF_NO_MEMORY = ("not enough memory", "out of memory", "cannot allocate memory", "failed to map segment")


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run one verb; exit 0, 1 (data) or 2 (usage), with one line of error, or one for each faulty entry."""
    _accept_any_letter()
    try:
        app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        _fail([" ".join(str(error).split())], 2)
    except SpidercapError as error:
        _fail(_with_flags(error.lines, arguments), error.exit_code)
    except KeyboardInterrupt:
        _fail(["interrupted; finished work is kept, run the same command again to go on"], 130)
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough; nothing is left to say, not even at interpreter exit.
        sys.stderr.close()
        sys.exit(0)
    except (MemoryError, RuntimeError, ImportError, OSError) as error:
        if not _lacks_memory(error):
            raise
        _fail([OUT_OF_MEMORY], 1)
    sys.exit(0)


def _with_flags(lines: list[str], arguments: Sequence[str] | None) -> list[str]:
    """The lines with the option of the verb in the place of each argument that the library marks: `images`."""
    *_, verb = app.parse_commands(arguments)[1]
    flags = {argument.field_info.name: argument.names[0] for argument in verb.assemble_argument_collection()}
    return [re.sub(r"`(\w+)`", lambda found: flags.get(found[1], found[0]), line) for line in lines]


def _accept_any_letter() -> None:
    """Letters that the terminal's encoding lacks are escaped, not an error half-way through a table."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _lacks_memory(error: Exception) -> bool:
    """Whether memory ran out; torch and the loader of libraries say so in words only."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == ENOMEM:
        return True
    return any(words in str(error).lower() for words in _WORDS_OF_NO_MEMORY)


def _fail(lines: list[str], code: int) -> NoReturn:
    for number, line in enumerate(lines):
        tell(line if number else f"spidercap: {line}")
    sys.exit(code)
