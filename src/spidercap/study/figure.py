"""The figures of a report as SVG: the paper's (share above the baseline, with intervals) and the distribution."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from spidercap.metrics.resampling import Interval
from spidercap.text.amounts import decimal

# Narrow, so that the text can be read on a phone, where the whole figure shrinks.
WIDTH = 400
LABEL = 112
VALUE = 54
ROW = 30
BAR = 23
TOP = 30
COLOURS = {4: (0, 1, 2, 3), 3: (0, 2, 3)}
"""By the number of answers: which of the four colours from best to worst each gets."""
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)


@dataclass(frozen=True)
class Difference:
    """One row of the figure."""

    label: str
    value: float
    interval: Interval | None


def difference_figure(points: Sequence[Difference], baseline: str) -> str:
    """Differences to the baseline in percentage points, with their intervals."""
    values = [
        0.0,
        *(p.value for p in points),
        *(v for p in points if p.interval for v in (p.interval.low, p.interval.high)),
    ]
    low, high = min(values), max(values)
    step = next((step for step in STEPS if (high - low) / step <= 6), STEPS[-1])
    first, last = int(low // step), int(-(-high // step)) or 1
    height = ROW * len(points) + 30

    def x(value: float) -> float:
        return LABEL + (WIDTH - LABEL - VALUE) * (value / step - first) / (last - first)

    parts = list(
        _grid(
            [(x(n * step), decimal(100 * n * step, 0, "+") if n else "0", n == 0) for n in range(first, last + 1)],
            height,
        )
    )
    for row, point in enumerate(points):
        parts += _point(point, x, ROW * row + ROW / 2 + 2)
    return _svg(parts, height, f"Difference to {baseline} in percentage points")


def _grid(lines: Sequence[tuple[float, str, bool]], height: int) -> Iterator[str]:
    for at, label, zero in lines:
        yield f'<line class="{"zero" if zero else "grid"}" x1="{at:.1f}" x2="{at:.1f}" y1="2" y2="{height - 24}"/>'
        yield f'<text class="tick" x="{at:.1f}" y="{height - 8}" text-anchor="middle">{label}</text>'


def _point(point: Difference, x: Callable[[float], float], y: float) -> Iterator[str]:
    yield f'<text class="name" x="{LABEL - 12}" y="{y + 5:.1f}" text-anchor="end">{escape(_short(point.label))}</text>'
    if point.interval:
        low, high = x(point.interval.low), x(point.interval.high)
        yield f'<line class="bar" x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        for end in (low, high):
            yield f'<line class="bar" x1="{end:.1f}" x2="{end:.1f}" y1="{y - 6:.1f}" y2="{y + 6:.1f}"/>'
    yield f'<circle class="dot" cx="{x(point.value):.1f}" cy="{y:.1f}" r="6"/>'
    value = decimal(100 * point.value, 1, "+")
    yield f'<text class="value" x="{WIDTH - 4}" y="{y + 5:.1f}" text-anchor="end">{value}</text>'


def distribution_figure(rows: Sequence[tuple[str, dict[str, int]]]) -> str:
    """A bar a system, divided by the answers of the majority."""
    names = list(rows[0][1])
    height = TOP + ROW * len(rows) + 6
    parts = list(_legend(names))
    for number, (label, counts) in enumerate(rows):
        y = TOP + ROW * number + 6
        parts.append(
            f'<text class="name" x="{LABEL - 12}" y="{y + 16}" text-anchor="end">{escape(_short(label))}</text>'
        )
        parts += _segments(counts, y)
    return _svg(parts, height, "Share of each answer of the majority")


def _legend(names: Sequence[str]) -> Iterator[str]:
    for number, (name, colour) in enumerate(zip(names, COLOURS[len(names)], strict=True)):
        at = WIDTH * number / len(names)
        yield f'<rect class="part{colour}" x="{at:.1f}" y="6" width="14" height="14" rx="3"/>'
        yield f'<text class="tick" x="{at + 19:.1f}" y="18">{escape(name)}</text>'


def _segments(counts: dict[str, int], y: float) -> Iterator[str]:
    total, at = sum(counts.values()), float(LABEL)
    for colour, count in zip(COLOURS[len(counts)], counts.values(), strict=True):
        width = (WIDTH - LABEL) * count / total if total else 0.0
        size = f'width="{max(0.0, width - 1):.1f}" height="{BAR}"'
        yield f'<rect class="part{colour}" x="{at:.1f}" y="{y}" {size} rx="2"/>'
        if width > 36:
            middle = at + width / 2
            place = f'x="{middle:.1f}" y="{y + 16}" text-anchor="middle"'
            yield f'<text class="on{colour}" {place}>{count / total:.0%}</text>'
        at += width


def _short(label: str) -> str:
    return label if len(label) <= 15 else label[:14] + "…"


def _svg(parts: Sequence[str], height: int, title: str) -> str:
    name = escape(title)
    start = f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{name}"><title>{name}</title>'
    return "\n".join((start, *parts, "</svg>"))
