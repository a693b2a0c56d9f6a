"""Whether a file can be written is known before the work."""

import pytest

from spidercap.errors import DataError
from spidercap.report.destination import check_destination


def test_a_place_that_is_there_is_left_as_it_was(tmp_path):
    (tmp_path / "old.html").write_text("old")
    check_destination(tmp_path / "new.html")
    check_destination(tmp_path / "old.html")
    assert [path.name for path in tmp_path.iterdir()] == ["old.html"]


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match=r"page\.html cannot be written: No such file or directory; choose a place"):
        check_destination(tmp_path / "nowhere" / "page.html")
    with pytest.raises(DataError, match=r"page\.html cannot be written: Not a directory"):
        check_destination(tmp_path / "file" / "page.html")
    with pytest.raises(DataError, match="cannot be written: Is a directory"):
        check_destination(tmp_path)
