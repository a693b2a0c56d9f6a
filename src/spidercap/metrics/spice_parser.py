"""The parser behind SPICE, with the grammar that the package ships (tools/parser makes it)."""

from functools import cache
from pathlib import Path

from spidercap._native import CaptionParser

MODEL = Path(__file__).parent / "data" / "spice_parser.bin"


@cache
def caption_parser() -> CaptionParser:
    """The parser, opened at first use (a few milliseconds) and shared from then on."""
    return CaptionParser(str(MODEL))
