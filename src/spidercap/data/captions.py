"""The common form of a captioned dataset, in memory and on disk."""

from dataclasses import dataclass

SPLITS = ("train", "val", "test", "none")


@dataclass(frozen=True, slots=True)
class CaptionedImage:
    """One image: its id (text), its file name ("" where the source names none), its split and its captions."""

    id: str
    file: str
    split: str
    captions: tuple[str, ...]
