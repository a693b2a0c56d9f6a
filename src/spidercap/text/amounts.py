"""Counted things in a sentence."""


def amount(count: int, noun: str) -> str:
    """A number with its noun: "1 run", "1,200 images"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
