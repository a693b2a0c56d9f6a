"""The errors that users see: one sentence each, with the thing, the rule, what was found and the fix."""


class SpidercapError(Exception):
    """What a user can mend; the command line prints it as one line and exits with `exit_code`."""

    exit_code = 1


class DataError(SpidercapError):
    """A file, a caption or a picture is not as it must be."""


class UsageError(SpidercapError):
    """The command itself, or its options, cannot be carried out."""

    exit_code = 2


class MissingExtraError(UsageError):
    """An optional part of spidercap is not installed; the message says how to install it."""
