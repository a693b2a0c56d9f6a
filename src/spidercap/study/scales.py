"""What raters may answer: the paper's four classes, or which of two captions is better."""

from dataclasses import dataclass

GROUND_TRUTH = "ground truth"
"""The hidden system of quality control: people's own captions."""
MISPLACED = "ground truth of another picture"
"""What ground truth is shown against where raters compare two captions."""


@dataclass(frozen=True)
class Choice:
    """One answer: how it is stored, what raters read, its definition, and its value for correlations."""

    name: str
    label: str
    definition: str
    value: int


@dataclass(frozen=True)
class RatingScale:
    """The question that raters are asked, and its answers in the order of the keys 1, 2, 3 …"""

    name: str
    question: str
    choices: tuple[Choice, ...]

    @property
    def values(self) -> dict[str, int]:
        """The value of each answer; the better, the higher."""
        return {choice.name: choice.value for choice in self.choices}


FOUR_POINT = RatingScale(
    "four-point",
    "How well does the caption describe the picture?",
    (
        Choice(
            "excellent",
            "Excellent",
            "The caption correctly, specifically and completely describes the foreground/main objects/events/theme "
            "of the image.",
            3,
        ),
        Choice(
            "good",
            "Good",
            "The caption correctly and specifically describes most of the foreground/main objects/events/theme of the "
            "image, but has minor mistakes in some minor aspects.",
            2,
        ),
        Choice(
            "okay",
            "Okay",
            "The caption correctly describes some of the foreground/main objects/events/theme of the image, but is not "
            "specific to the image and has minor mistakes in some minor aspects.",
            1,
        ),
        Choice(
            "bad",
            "Bad",
            "The caption misses the foreground/main objects/events/theme of the image or the caption contains "
            "obviously hallucinated objects/activities/relationships.",
            0,
        ),
    ),
)

PAIRWISE = RatingScale(
    "pairwise",
    "Which caption describes the picture better?",
    (
        Choice("first", "First", "The first caption describes the picture better than the second.", 1),
        Choice("same", "No difference", "Both captions describe the picture equally well, or equally badly.", 0),
        Choice("second", "Second", "The second caption describes the picture better than the first.", -1),
    ),
)

SCALES = {scale.name: scale for scale in (FOUR_POINT, PAIRWISE)}

_OTHER_WAY_ROUND = {"first": "second", "second": "first"}


def turned(choice: str, swapped: bool) -> str:
    """An answer to two captions in the order shown, in the order stored (or back)."""
    return _OTHER_WAY_ROUND.get(choice, choice) if swapped else choice
