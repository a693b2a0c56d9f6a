"""Printing: what others wrote cannot steer a terminal, break a line or a column."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from spidercap.errors import DataError
from spidercap.terminal import console, say, say_json, shown, tell

HOSTILE = "a\x1b[31m\x1b]0;title\x07\tb\nc\r\x9b2J\u202ed\udcff"
ESCAPED = r"a\x1b[31m\x1b]0;title\x07\tb\nc\r\x9b2J\u202ed\xff"


def test_what_a_terminal_would_act_upon_is_escaped():
    assert shown(HOSTILE) == ESCAPED
    assert shown("größe 你好 👩‍🚀 C:\\photos") == "größe 你好 👩‍🚀 C:\\photos"


@given(st.text())
def test_shown_text_is_one_line_and_stays_as_it_is(text):
    once = shown(text)
    assert shown(once) == once
    assert len(once.splitlines()) <= 1
    assert once.encode().decode() == once


def test_lines_have_as_many_columns_as_fields(capsys):
    say(HOSTILE, "a caption")
    tell(HOSTILE)
    printed = capsys.readouterr()
    assert printed.out == f"{ESCAPED}\ta caption\n"
    assert printed.err == f"{ESCAPED}\n"


@pytest.mark.parametrize("indent", [None, 2])
def test_json_says_the_same_in_escapes_of_its_own(capsys, indent):
    value = {HOSTILE: [HOSTILE, 1.5, None, "é"]}
    say_json(value, indent)
    printed = capsys.readouterr().out
    assert json.loads(printed) == value
    assert "é" in printed
    assert shown(printed.replace("\n", "")) == printed.replace("\n", "")


def test_tables_and_styled_text(capsys):
    table = Table("name [/b]", title="[bold]" + HOSTILE)
    table.add_row(HOSTILE + ":smile:", style="bold")
    table.add_row(Text(HOSTILE, style="red"))
    terminal = console()
    terminal.width = 200
    terminal.print(table)
    terminal.print(HOSTILE, Text(HOSTILE), soft_wrap=True)
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "\x9b" not in printed
    assert "\u202e" not in printed
    assert "[bold]" in printed
    assert "name [/b]" in printed
    assert f"{ESCAPED}:smile:" in printed


def test_an_error_is_one_line_whatever_it_tells_of():
    assert str(DataError(f"{HOSTILE} does not exist")) == f"{ESCAPED} does not exist"
