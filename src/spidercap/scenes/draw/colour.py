"""Colours: what the colour words of captions look like, and shades of them."""

from spidercap.scenes.dice import Dice

Colour = tuple[int, int, int]

WORDS: dict[str, Colour] = {
    "red": (206, 46, 44),
    "blue": (48, 98, 190),
    "green": (62, 140, 72),
    "yellow": (242, 200, 52),
    "orange": (236, 130, 42),
    "pink": (240, 142, 172),
    "purple": (126, 76, 168),
    "white": (240, 238, 232),
    "black": (46, 44, 48),
    "gray": (138, 140, 146),
    "brown": (130, 84, 50),
    "tan": (206, 166, 116),
}
COATS: dict[str, Colour] = {
    "orange": (218, 140, 72),
    "brown": (128, 84, 52),
    "gray": (136, 134, 136),
    "white": (238, 234, 226),
    "black": (58, 54, 56),
}
"""Colour words of animals, whose fur is duller than paint."""
SKIN: tuple[Colour, ...] = ((246, 208, 178), (228, 180, 142), (196, 142, 100), (148, 98, 66), (104, 68, 48))
HAIR: tuple[Colour, ...] = ((52, 38, 30), (96, 62, 38), (30, 26, 26), (204, 162, 84), (150, 76, 38), (180, 178, 176))
METAL: Colour = (150, 154, 160)
DARK: Colour = (44, 44, 50)
WOOD: Colour = (156, 108, 66)


def shade(colour: Colour, amount: float) -> Colour:
    """The colour made darker (amount below 1) or lighter (above 1, 2 is white)."""
    if amount <= 1:
        return _whole(tuple(part * amount for part in colour))
    return _whole(tuple(part + (255 - part) * (amount - 1) for part in colour))


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """The first colour with a share of the second."""
    return _whole(tuple(a + (b - a) * share for a, b in zip(first, second, strict=True)))


def jitter(colour: Colour, dice: Dice, amount: float = 14) -> Colour:
    """A near shade of the colour."""
    light = dice.between(-amount, amount)
    return _whole(tuple(min(255, max(0, part + light + dice.between(-amount, amount) * 0.4)) for part in colour))


def _whole(parts: tuple[float, ...]) -> Colour:
    red, green, blue = (int(min(255, max(0, part)) + 0.5) for part in parts)
    return red, green, blue
