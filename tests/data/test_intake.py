"""Bad captions and ids, whatever the source: each gets its sentence, and what is mended is counted."""

import pytest

from spidercap.data.captions import Note
from spidercap.errors import DataError

SEPARATORS = ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("separator", SEPARATORS)
def test_line_separators_become_one_blank_and_are_counted(read, separator):
    dataset = read("x.json", {"7": [f"a dog{separator}runs", "a cat"], "8": [f"{separator}two{separator}"]})
    assert [image.captions for image in dataset.images] == [("a dog runs", "a cat"), ("two",)]
    assert dataset.notes[0] == Note("captions with line separators, now blanks", 2, "x.json, image 7")


@pytest.mark.parametrize("separator", SEPARATORS)
def test_line_separators_are_errors_when_strict(read, separator):
    sentence = rf"x\.json, image 7: caption 2 holds the line separator U\+{ord(separator[0]):04X}; remove it, or leave"
    with pytest.raises(DataError, match=sentence):
        read("x.json", {"7": ["a cat", f"a dog{separator}runs"]}, strict=True)


def test_separators_are_all_that_python_splits_lines_at(read):
    text = "".join(chr(code) for code in range(0x3000) if code and len(f"a{chr(code)}b".splitlines()) > 1)
    assert read("x.json", {"7": [f"a{text}b"]}).images[0].captions == ("a b",)


def test_blanks_tabs_and_other_letters_stay(read):
    captions = ["Ein  Hund\tläuft.", "犬 \U0001f415", "zero\u200bwidth no\u00a0break"]
    dataset = read("train.json", {"7": [f"  {caption} " for caption in captions]}, strict=True)
    assert (dataset.images[0].captions, dataset.notes) == (tuple(captions), ())


@pytest.mark.parametrize(
    ("caption", "sentence"),
    [
        ("a \0 dog", r"x\.json, image 7: caption 2 holds a NUL character; expected text, remove it"),
        ("a \ud83d dog", r"x\.json, image 7: caption 2 holds half a surrogate pair \(U\+D83D\); expected text"),
        ("a \udc15 dog", r"x\.json, image 7: caption 2 holds half a surrogate pair \(U\+DC15\)"),
        ("", r"x\.json, image 7: caption 2 is empty; write one, or leave empty captions out with `drop_empty`"),
        (" \t\u3000", r"x\.json, image 7: caption 2 is empty"),
        ("\r\n", r"x\.json, image 7: caption 2 is empty"),
        (7, r"x\.json, image 7: caption 2 is a whole number, expected text"),
        (None, r"x\.json, image 7: caption 2 is null, expected text"),
        (["a dog"], r"x\.json, image 7: caption 2 is a list, expected text"),
    ],
)
def test_bad_captions(read, caption, sentence):
    with pytest.raises(DataError, match=sentence):
        read("x.json", {"7": ["a cat", caption]})


def test_images_without_captions(read):
    with pytest.raises(DataError, match=r"x\.json, image 8 has no captions; add one, or leave such images out with"):
        read("x.json", {"7": ["a cat"], "8": []})


def test_empty_captions_can_be_dropped(read):
    dataset = read("train.json", {"7": ["a cat", " "], "8": [""], "9": []}, drop_empty=True)
    assert [image.id for image in dataset.images] == ["7"]
    assert dataset.images[0].captions == ("a cat",)
    assert dataset.notes == (
        Note("empty captions left out", 2, "train.json, image 7"),
        Note("images without captions left out", 2, "train.json, image 8"),
    )


def test_nothing_left(read):
    with pytest.raises(DataError, match=r"x\.json: no captioned image was found; expected at least one"):
        read("x.json", {"7": [""]}, drop_empty=True)


@pytest.mark.parametrize("identity", ["", " ", "a\nb", "a\u2028b", "a\0b", "a\ud800"])
def test_ids_that_cannot_stand_on_a_line(read, identity):
    with pytest.raises(DataError, match=r"x\.json: the image id .* is blank or holds control characters; give it a"):
        read("x.json", {identity: ["a cat"]})


def test_file_names_that_cannot_stand_on_a_line(read):
    with pytest.raises(DataError, match=r"image 7: the file name 'a\\u2028b' holds control characters; rename it"):
        read("x.csv", "id,file,caption\n7,a\u2028b,a cat\n")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'{"7": ["a c', r"x\.json is cut short: Unterminated string"),
        (b'{"7": ["a cat"]', r"x\.json is cut short: Expecting ',' delimiter"),
        (b"", r"x\.json is cut short"),
        (b"a cat", r"x\.json is not JSON"),
        (b'{"7": ["a \xff"]}', r"x\.json, line 1: byte 0xff is not UTF-8"),
        (b'{"7": ["a \0"]}', r"x\.json, line 1: NUL character"),
        (b'{"7": ["a"], "7": ["b"]}', r'x\.json cannot be used: the key "7" occurs twice'),
    ],
)
def test_files_that_cannot_be_read(read, content, sentence):
    with pytest.raises(DataError, match=sentence):
        read("x.json", content)
