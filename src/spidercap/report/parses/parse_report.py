"""What `spidercap parse` reads, prints and draws."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from spidercap.data.results import read_references
from spidercap.errors import DataError, UsageError
from spidercap.files import check_new_file, decode_text, lines_of, new_file, read_lines
from spidercap.metrics.spice.caption_parse import CaptionParse, compare_caption, parse_caption
from spidercap.metrics.spice.spice_digest import SpiceDetails
from spidercap.report.parses.graph_drawing import graph_svg
from spidercap.report.parses.graph_page import ComparedCaption, graph_page
from spidercap.report.parses.parse_text import print_parse
from spidercap.terminal import console, say_json


@dataclass(frozen=True)
class ParseRequest:
    """Which captions are parsed, what they are compared with, and what is made of them."""

    captions: Sequence[str] = ()
    file: Path | None = None
    references: Sequence[str] = ()
    reference_files: Sequence[Path] = ()
    image: str | None = None
    as_json: bool = False
    svg: Path | None = None
    html: Path | None = None

    def __post_init__(self) -> None:
        if self.captions and self.file:
            raise UsageError("give captions or `file`, not both")
        if self.references and self.reference_files:
            raise UsageError("give `references` or `reference_files`, not both")
        if bool(self.reference_files) != (self.image is not None):
            raise UsageError(
                "`reference_files` and `image` go together: the file of references and the image to take them of"
            )
        for text in (*self.captions, *self.references):
            if not _is_unicode(text):
                raise UsageError(f"{text!r} is not UTF-8; write it in UTF-8, or put it into a `file`")


def _is_unicode(text: str) -> bool:
    """Whether the text has no half of a surrogate pair, which stands for a byte that is not UTF-8."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def report_parses(request: ParseRequest) -> None:
    """Parse, print, and draw what is asked for."""
    for path, setting in ((request.svg, "svg"), (request.html, "html")):
        if path is not None:
            check_new_file(path, setting)
    captions = list(_captions(request))
    references = _references(request)
    if request.svg is not None and len(captions) != 1:
        raise UsageError(f"`svg` draws one caption, got {len(captions):,}; use `html` for several")
    found = [(parse_caption(caption), compare_caption(caption, references)) for caption in captions]
    _draw(request, found, references)
    if request.as_json:
        _print_json(found, references)
    else:
        _print_text(found, references)


def _captions(request: ParseRequest) -> Iterator[str]:
    if request.captions:
        yield from request.captions
    elif request.file is not None:
        yield from _not_none(read_lines(request.file), str(request.file))
    elif sys.stdin.isatty():
        raise UsageError("there is nothing to parse; give captions, a `file`, or lines on standard input")
    else:
        yield from _not_none(lines_of(decode_text(sys.stdin.buffer.read(), "standard input")), "standard input")


def _not_none(lines: Sequence[str], where: str) -> Sequence[str]:
    if not lines:
        raise DataError(f"{where}: no caption was found; expected one a line")
    return lines


def _references(request: ParseRequest) -> Sequence[str]:
    if not request.reference_files:
        return request.references
    truths = read_references(request.reference_files).captions
    if request.image not in truths:
        raise DataError(
            f"{request.reference_files[0]}: no image has the id {request.image!r}; "
            f"give one that it has, such as {next(iter(truths))!r}"
        )
    return truths[request.image]


def _draw(request: ParseRequest, found: Sequence[tuple[CaptionParse, SpiceDetails]], references: Sequence[str]) -> None:
    if request.svg is not None:
        ((parse, details),) = found
        with new_file(request.svg) as file:
            file.write(graph_svg(parse.caption, details, len(references)))
    if request.html is not None:
        with new_file(request.html) as file:
            file.write(graph_page([ComparedCaption(parse.caption, references, details) for parse, details in found]))


def _print_json(found: Sequence[tuple[CaptionParse, SpiceDetails]], references: Sequence[str]) -> None:
    for parse, details in found:
        record = parse.as_json()
        if references:
            record |= {"references": references, "spice": details.as_json()}
        say_json(record, indent=None)


def _print_text(found: Sequence[tuple[CaptionParse, SpiceDetails]], references: Sequence[str]) -> None:
    terminal = console()
    for parse, details in found:
        print_parse(terminal, parse, details if references else None)
