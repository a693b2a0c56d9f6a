"""The errors that users see: one sentence each, with the thing, the rule, what was found and the fix.

They name arguments and settings as Python has them, between backticks: `images`. The command line prints its own
option in that place: --images.
"""

from collections.abc import Sequence

from spidercap.terminal import shown

FAULTS_SHOWN = 10


class SpidercapError(Exception):
    """What a user can mend; the command line prints it and exits with `exit_code`."""

    exit_code = 1

    def __str__(self) -> str:
        return shown(super().__str__())

    @property
    def lines(self) -> list[str]:
        """What the command line prints: one sentence, one line."""
        return [str(self)]


class DataError(SpidercapError):
    """A file, a caption or a picture is not as it must be."""


class SeveralFaultsError(DataError):
    """Several entries of a source are faulty: the first of them, and how many there are."""

    def __init__(self, faults: Sequence[str], count: int) -> None:
        super().__init__(f"{count:,} entries are faulty; the first: {faults[0]}")
        self.faults = tuple(faults[:FAULTS_SHOWN])
        self.count = count

    @property
    def lines(self) -> list[str]:
        """How many there are, and a line for each of the first ten."""
        more = "" if self.count == len(self.faults) else f", of which these are the first {len(self.faults)}"
        return [f"{self.count:,} entries are faulty{more}; mend them and run the command again", *self.faults]


class UsageError(SpidercapError):
    """The command itself, or its options, cannot be carried out."""

    exit_code = 2


class MissingExtraError(UsageError):
    """An optional part of spidercap is not installed; the message says how to install it."""
