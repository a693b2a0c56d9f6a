"""Counted things in a sentence, and numbers as people print them."""


def amount(count: int, noun: str) -> str:
    """A number with its noun: "1 run", "1,200 images"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def decimal(value: float, digits: int, sign: str = "") -> str:
    """A number for people, with a true minus sign, "−0.50"; `sign` "+" shows that of positive ones too."""
    return f"{value:{sign}.{digits}f}".replace("-", "−")
