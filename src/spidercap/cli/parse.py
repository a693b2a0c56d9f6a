"""`spidercap parse`: what SPICE sees in captions, printed or drawn."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

Several = Parameter(consume_multiple=True)


def parse(
    *captions: Annotated[str, Parameter(name="CAPTION")],
    file: Path | None = None,
    references: Annotated[list[str] | None, Several] = None,
    reference_files: Annotated[list[Path] | None, Parameter(name="--refs", consume_multiple=True)] = None,
    image: Annotated[str | None, Parameter(name="--id")] = None,
    json: bool = False,
    svg: Path | None = None,
    html: Path | None = None,
) -> None:
    """Show what SPICE sees in captions: tokens, tags, tree, dependencies and tuples, and what references match.

    Captions come from the command, from --file, or from standard input, one a line.

    Example: spidercap parse "a man is riding a horse" --references "a person on a brown horse" --svg horse.svg

    Parameters
    ----------
    captions
        Captions, each in quotation marks.
    file
        A text file with one caption a line.
    references
        References to compare the captions with, each in quotation marks.
    reference_files
        A file of references as `spidercap score --refs` reads it; --id says of which image.
    image
        The image whose references are taken from --refs.
    json
        Print one JSON object a caption and line.
    svg
        Draw the scene graph of the one caption, beside its references, into this new file.
    html
        Draw the scene graphs of all captions into this new page.
    """
    from spidercap.report.parses.parse_report import ParseRequest, report_parses

    given, files = tuple(references or ()), tuple(reference_files or ())
    report_parses(ParseRequest(captions, file, given, files, image, json, svg, html))
