"""Captions for people and programs: lines of text, words with their probabilities, JSON, a COCO results file."""

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from spidercap.errors import UsageError
from spidercap.files import check_new_file, new_file
from spidercap.terminal import console, say, shown

if TYPE_CHECKING:
    from spidercap.decode.decoding import Caption

# How COCO names its pictures: by year of release with the part's name, or by the bare number.
_COCO_FILE = re.compile(r"(?:COCO_\w+_)?(\d{12})")
_WHOLE_NUMBER = re.compile(r"0|-?[1-9]\d{0,17}")
BAR = 20


@dataclass(frozen=True)
class Captioned:
    """An image and what was said of it."""

    id: str
    file: str
    captions: "Sequence[Caption]"


def print_lines(captioned: Iterable[Captioned]) -> None:
    """One line a caption: the file, a tab, the caption; where there are several, a tab and log π."""
    for image in captioned:
        several = len(image.captions) > 1
        for caption in image.captions:
            say(image.file, caption.text, *([f"{caption.log_probability:.3f}"] if several else []))


def print_explained(captioned: Iterable[Captioned]) -> None:
    """Each caption, and below it every word with its probability."""
    terminal = console()
    for image in captioned:
        for caption in image.captions:
            sure = f"  (log probability {caption.log_probability:.3f})"
            terminal.print(
                Text.assemble(f"{shown(image.file)}  ", (caption.text, "bold"), (sure, "dim")), soft_wrap=True
            )
            table = Table.grid(padding=(0, 2))
            symbols = (*caption.symbols[:-1], "(end)") if caption.finished else caption.symbols
            for symbol, logp in zip(symbols, caption.log_probabilities, strict=True):
                probability = math.exp(logp)
                bar = Text("█" * max(1, round(BAR * probability)), style=_colour(probability))
                table.add_row("", symbol, f"{probability:.3f}", bar)
            terminal.print(table, soft_wrap=True)


def _colour(probability: float) -> str:
    return "green" if probability >= 0.5 else "yellow" if probability >= 0.1 else "red"


def as_json(captioned: Iterable[Captioned], *, explain: bool) -> list[dict[str, Any]]:
    """One record an image."""
    return [
        {"id": image.id, "file": image.file, "captions": [_record(each, explain) for each in image.captions]}
        for image in captioned
    ]


def _record(caption: "Caption", explain: bool) -> dict[str, Any]:
    record: dict[str, Any] = {
        "caption": caption.text,
        "log_probability": caption.log_probability,
        "finished": caption.finished,
    }
    if explain:
        pairs = zip(caption.symbols, caption.log_probabilities, strict=True)
        record["words"] = [{"word": symbol, "probability": math.exp(logp)} for symbol, logp in pairs]
    return record


def check_results_path(path: Path) -> None:
    """Raise unless a COCO results file can be written there."""
    if path.suffix != ".json":
        raise UsageError(f"`out` must end in .json, got {path.name}; COCO's name is captions_val2014_NAME_results.json")
    check_new_file(path)


def write_results(captioned: Iterable[Captioned], path: Path, *, named: bool) -> None:
    """A COCO results file: `[{"image_id", "caption"}]`, the best caption of each image.

    `named` says that ids are names of picture files.
    """
    records = [{"image_id": image_id(each.id, named), "caption": each.captions[0].text} for each in captioned]
    with new_file(path) as file:
        json.dump(records, file, ensure_ascii=False)
        file.write("\n")


def image_id(identity: str, named: bool) -> int | str:
    """The id as COCO's server expects it: a number where it is one, or where it is the name of a picture of COCO.

    Names are looked into only where they are names: an id of a dataset is what its references go by.
    """
    if _WHOLE_NUMBER.fullmatch(identity):
        return int(identity)
    number = _COCO_FILE.fullmatch(identity) if named else None
    return int(number[1]) if number else identity
