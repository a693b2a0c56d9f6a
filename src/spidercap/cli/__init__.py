"""The command `spidercap`, one file a verb.

A verb's file imports only what its signature needs and does its work's imports when called: `--help` stays quick.
"""

import sys
from importlib import import_module
from typing import NoReturn

from cyclopts import App, CycloptsError, Parameter

from spidercap import __version__
from spidercap.errors import SpidercapError

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


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run one verb; exit 0, 1 (data) or 2 (usage) with at most one line of error."""
    try:
        app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        _fail(" ".join(str(error).split()), 2)
    except SpidercapError as error:
        _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        _fail("interrupted; finished work is kept, run the same command again to go on", 130)
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough; nothing is left to say, not even at interpreter exit.
        sys.stderr.close()
        sys.exit(0)
    sys.exit(0)


def _fail(message: str, code: int) -> NoReturn:
    print(f"spidercap: {message}", file=sys.stderr)
    sys.exit(code)
