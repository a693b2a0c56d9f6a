"""The figures are well-formed, and everything in them lies inside."""

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from spidercap.metrics.resampling import Interval
from spidercap.study.figure import BAR, LABEL, WIDTH, Difference, difference_figure, distribution_figure

values = st.floats(-1, 1)


def difference(value, low, high):
    return Difference("<a & b>", value, Interval(min(low, value), max(high, value)))


@given(st.lists(st.builds(difference, values, values, values), min_size=1, max_size=6))
def test_differences_lie_between_labels_and_numbers(points):
    root = ElementTree.fromstring(difference_figure(points, "x"))
    places = [float(shape.get(name)) for shape in root for name in ("x1", "x2", "cx") if shape.get(name)]
    assert min(places) >= LABEL - 0.1
    assert max(places) <= WIDTH
    assert [text.text for text in root.iter("text")].count("0") == 1


def test_the_zero_line_and_the_points_are_where_they_belong():
    points = [Difference("better", 0.1, Interval(0.05, 0.15)), Difference("worse", -0.1, None)]
    svg = difference_figure(points, "base")
    zero = float(re.search(r'class="zero" x1="([\d.]+)"', svg)[1])
    better, worse = (float(place) for place in re.findall(r'cx="([\d.]+)"', svg))
    assert worse < zero < better
    assert abs((better - zero) - (zero - worse)) < 0.2
    assert "+10.0" in svg
    assert "−10.0" in svg


@given(st.lists(st.integers(0, 500), min_size=4, max_size=4).filter(any))
def test_bars_fill_the_width_in_proportion(counts):
    root = ElementTree.fromstring(distribution_figure([("s", dict(zip("abcd", counts, strict=True)))]))
    bars = [shape for shape in root if shape.tag == "rect" and shape.get("height") == str(BAR)]
    widths = [float(bar.get("width")) for bar in bars]
    for width, count in zip(widths, counts, strict=True):
        assert abs(width - max(0, (WIDTH - LABEL) * count / sum(counts) - 1)) < 0.1
