"""Write native/text/unicode_tables.cpp: character classes of the PTB tokenizer and Unicode lower-casing.

Run with a Python whose unicodedata is Unicode 14 (Python 3.11):

    python tools/unicode/make_tables.py native/text/unicode_tables.cpp
"""

import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

UNICODE_VERSION = "14.0.0"

# Letters of Unicode 14 that the tokenizer's Unicode 6.2 does not know, and two that it counts as letters besides.
YOUNG_LETTERS = """
037F 0528-052F 0560 0588 05EF 0860-086A 0870-0887 0889-088E 08A1 08AD-08C9 0978 0980 09FC 0AF9 0C34 0C5A 0C5D 0C80
0CDD 0D04 0D54-0D56 0D5F 0E86 0E89 0E8C 0E8E-0E93 0E98 0EA0 0EA8-0EA9 0EAC 13F5 13F8-13FD 16F1-16F8 170D 171F 1878
191D-191E 19B0-19C0 19C8-19C9 1B4C 1C80-1C88 1C90-1CBA 1CBD-1CBF 1CF2-1CF3 1CFA 2C2F 2C5F 312E-312F 31BB-31BF
4DB6-4DBF 9FCD-9FFF A698-A69D A78F A794-A79F A7AB-A7CA A7D0-A7D1 A7D3 A7D5-A7D9 A7F2-A7F7 A8FD-A8FE A9E0-A9E4
A9E6-A9EF A9FA-A9FE AA7E-AA7F AB30-AB5A AB5C-AB69 AB70-ABBF
"""
OLD_LETTERS = "1885-1886"

MARKS = """
00AD 02C2-02C5 02D2-02DF 02E5-02EB 02ED 02EF-036F 0375 0378-0379 0384-0385 03F6 0483-0487 055A-055F 0591-05BD 05BF
05C1-05C2 05C4-05C5 05C7 0615-061A 064B-065E 0670 06D6-06E4 06E7-06ED 06FD-06FE 070F 0711 0730-074C 07A6-07B0
07EB-07F3 0900-0903 093C 093E-094E 0951-0955 0962-0963 0981-0983 09BC 09BE-09C4 09C7-09C8 09CB-09CD 09D7 09E2-09E3
0A01-0A03 0A3C 0A3E-0A4F 0A81-0A83 0ABC 0ABE-0ACF 0B82 0BBE-0BC2 0BC6-0BC8 0BCA-0BCD 0C01-0C03 0C3E-0C56 0D3E-0D44
0D46-0D48 0E31 0E34-0E3A 0E47-0E4E 0EB1 0EB4-0EBC 0EC8-0ECD
"""
DIGITS = """
0030-0039 0660-0669 06F0-06F9 07C0-07C9 0966-096F 09E6-09EF 0A66-0A6F 0AE6-0AEF 0B66-0B6F 0BE6-0BEF 0C66-0C6F
0CE6-0CEF 0D66-0D6F 0E50-0E59 0ED0-0ED9 0F20-0F29 1040-1049 1090-1099 17E0-17E9 1810-1819 1946-194F 19D0-19D9
1A80-1A89 1A90-1A99 1B50-1B59 1BB0-1BB9 1C40-1C49 1C50-1C59 A620-A629 A8D0-A8D9 A900-A909 A9D0-A9D9 AA50-AA59
ABF0-ABF9 FF10-FF19
"""
SYMBOLS = """
0025-0026 002B 005C 005E 007C 007E 00A6-00A9 00AC 00AE-00B4 00B6-00B9 00D7 00F7 0387 05BE 05C0 05C3 05C6 05F3-05F4
0600-0603 0606-060A 060C 0614 061B 061E 066A 066D 0703-070D 07F6-07F8 0964-0965 0E4F 1FBD 2016-2017 2020-2023
2030-2038 203B 203E-2042 2044 207A-207E 208A-208E 2100-214F 2190-2BFF 3012 30FB FF01-FF0F FF1A-FF20 FF3B-FF40
FF5B-FF65
"""
SENTENCE_MARKS = """
002E 00A1 00BF 037E 0589 061F 06D4 0700-0702 07FA 3002
"""

# Capitals added by Unicode 14: the reference lower-cases by Unicode 13.
YOUNG_CAPITALS = {0x2C2F, 0xA7C0, 0xA7D0, 0xA7D6, 0xA7D8, *range(0x10570, 0x10596)}

Range = tuple[int, int]


def parse_ranges(text: str) -> Iterator[Range]:
    """The inclusive ranges of a list such as `0041-005A 00AA`."""
    for item in text.split():
        first, _, last = item.partition("-")
        yield int(first, 16), int(last or first, 16)


def members(text: str) -> set[int]:
    """All code points of a list of ranges."""
    return {code for first, last in parse_ranges(text) for code in range(first, last + 1)}


def to_ranges(codes: Iterable[int]) -> list[Range]:
    """Sorted code points as inclusive ranges."""
    ranges: list[Range] = []
    for code in sorted(codes):
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    return ranges


def letters() -> set[int]:
    """The tokenizer's letters: category L of the basic plane as of Unicode 6.2."""
    today = {code for code in range(0x10000) if unicodedata.category(chr(code)).startswith("L")}
    return (today - members(YOUNG_LETTERS)) | members(OLD_LETTERS)


def code_points(condition: Callable[[str], bool]) -> set[int]:
    """Code points, surrogates left out, whose character meets the condition."""
    return {code for code in range(0x110000) if not 0xD800 <= code < 0xE000 and condition(chr(code))}


def is_cased(character: str) -> bool:
    """Whether the Unicode property Cased holds: a sigma at the end of a word turns final only behind such a letter."""
    return (character + "\u03a3").lower().endswith("\u03c2")


def is_case_ignorable(character: str) -> bool:
    """Whether Case_Ignorable holds and Cased does not: the character hides between a letter and its final sigma."""
    return ("a" + character + "\u03a3").lower().endswith("\u03c2") and not is_cased(character)


def lower_case_runs() -> list[tuple[int, int, int, int]]:
    """Runs (first, last, step, difference) of code points whose lower case is code point + difference."""
    runs: list[tuple[int, int, int, int]] = []
    for code in sorted(code_points(lambda c: c.lower() != c and len(c.lower()) == 1) - YOUNG_CAPITALS):
        difference = ord(chr(code).lower()) - code
        if runs and runs[-1][3] == difference and (step := code - runs[-1][1]) <= 2:
            first, last, known_step, _ = runs[-1]
            if first == last or step == known_step:
                runs[-1] = (first, code, step, difference)
                continue
        runs.append((code, code, 1, difference))
    return runs


def format_rows(rows: Iterable[tuple[int, ...]]) -> str:
    """Initialisers of an array of structures, several a line."""
    items = ["{" + ", ".join(hex(v) if v >= 0 else str(v) for v in row) + "}" for row in rows]
    return "\n".join("    " + ", ".join(items[i : i + 6]) + "," for i in range(0, len(items), 6))


def format_ranges(name: str, codes: Iterable[int]) -> str:
    """One array of code point ranges as C++."""
    return f"constexpr CodeRange {name}_ranges[] = {{\n{format_rows(to_ranges(codes))}\n}};\n"


def main(target: Path) -> None:
    """Write the source file."""
    if unicodedata.unidata_version != UNICODE_VERSION:
        sys.exit(f"make_tables: expected unicodedata {UNICODE_VERSION}, found {unicodedata.unidata_version}")
    tables = {
        "letter": letters(),
        "mark": members(MARKS),
        "digit": members(DIGITS),
        "symbol": members(SYMBOLS),
        "sentence_mark": members(SENTENCE_MARKS),
        "cased": code_points(is_cased),
        "case_ignorable": code_points(is_case_ignorable),
    }
    parts = [format_ranges(name, codes) for name, codes in tables.items()]
    runs = f"constexpr LowerRun lower_run_list[] = {{\n{format_rows(lower_case_runs())}\n}};\n"
    spans = "".join(f"std::span<const CodeRange> {name}s() {{ return {name}_ranges; }}\n" for name in tables)
    target.write_text(
        "// Written by tools/unicode/make_tables.py; do not edit.\n// clang-format off\n"
        '#include "text/unicode_tables.h"\n\nnamespace spidercap::unicode {\nnamespace {\n\n'
        + "\n".join([*parts, runs])
        + f"\n}}  // namespace\n\n{spans}"
        + "std::span<const LowerRun> lower_runs() { return lower_run_list; }\n\n}  // namespace spidercap::unicode\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
