"""Figures of what runs logged, as SVG that takes its colours and letters from the page around it."""

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import fill
from typing import Any

from spidercap.learn.policy import RewardSettings
from spidercap.metrics.names import title
from spidercap.report.training.runs import Run
from spidercap.report.training.strokes import Stroke, strokes
from spidercap.train.run_folder import Numbers

VALIDATED = ("Bleu_4", "ROUGE_L", "CIDEr", "METEOR")
DIAGNOSTICS = {
    "reward": "reward of sampled captions",
    "entropy": "entropy of a word (nats)",
    "kl": "KL to the start (nats a word)",
    "length": "symbols of a caption",
    "repeated_bigram_rate": "captions that repeat a pair of words",
    "bad_ending_rate": "captions that end in “with a” and the like",
    "cut_rate": "captions cut at the limit",
    "explained_variance": "variance that the baseline explains",
    "advantage_variance": "variance of the advantage",
    "loss": "loss of maximum likelihood",
    "gradient": "length of the gradient",
}
OF_THE_REWARD = ("reward", "advantage_variance", "gradient")
"""Numbers whose scale is the reward's: those of different rewards are not drawn on one axis."""
# Replaced by the colour of the page's text.
INK = "#010203"
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlesize": 9.5,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": INK,
    "grid.alpha": 0.12,
}
WIDTH, HEIGHT = 3.7, 2.5
HEADING_LETTERS = 46
"""Letters of a heading that fit into a line above a panel."""
PANEL = (400, 270, 20)
"""Width and height of a panel, and height of a line of the legend, in a picture of several panels."""


@dataclass(frozen=True)
class Line:
    """The points of one run."""

    stroke: Stroke
    x: Sequence[float]
    y: Sequence[float]


@dataclass(frozen=True)
class Figure:
    """Small pictures of one kind, with what is along their x axis."""

    caption: str
    panels: Sequence[str]


def validation_figures(runs: Sequence[Run]) -> list[Figure]:
    """The four curves of the paper against gradient steps, and against the time of training.

    Where some runs go on from maximum likelihood, only these are drawn, with its score as a level line: it takes many
    times their steps, and would squeeze them into a corner. Its own curve follows.
    """
    first = [run for run in runs if run.is_mle]
    later = [run for run in runs if not run.is_mle]
    drawn = later or first
    unit, divisor = time_unit(max(run.seconds for run in drawn))
    since = " after maximum likelihood" if later and first else ""
    axes: dict[str, Callable[[Numbers], float]] = {
        f"gradient steps{since}": lambda line: line["step"],
        f"{unit} of training{since}": lambda line: line["seconds"] / divisor,
    }
    stroke = strokes(runs)
    titles = {metric: title(metric) for metric in VALIDATED}
    figures = [
        Figure(label, list(_panels(drawn, titles, label, x, "validation", stroke, first if later else ())))
        for label, x in axes.items()
    ]
    if later and first:
        label = "gradient steps of maximum likelihood"
        figures.append(
            Figure(label, list(_panels(first, titles, label, lambda line: line["step"], "validation", stroke)))
        )
    return figures


def curves_picture(runs: Sequence[Run]) -> str:
    """The four curves against gradient steps as an SVG file of its own, with a legend."""
    width, height, line = PANEL
    panels = [
        part.replace(
            "<svg ", f'<svg x="{number % 2 * width}" y="{number // 2 * height}" width="{width}" height="{height}" ', 1
        )
        for number, part in enumerate(validation_figures(runs)[0].panels)
    ]
    top = (len(panels) + 1) // 2 * height
    names = [
        f'<g transform="translate({10 + number % 3 * 2 * width / 3:.0f} {top + line * (number // 3 + 1)})">'
        f'<path d="M0 -4h30" {stroke.attributes(2.5)}/><text x="36">{escape(name)}</text></g>'
        for number, (name, stroke) in enumerate(strokes(runs).items())
    ]
    bottom = top + line * ((len(names) + 2) // 3 + 1)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * width} {bottom}" width="{2 * width}" '
            f'font-family="sans-serif" font-size="13" color="#222" fill="#222" role="img">',
            "<title>Scores on the validation images against gradient steps</title>",
            '<rect width="100%" height="100%" fill="#fff"/>',
            *panels,
            *names,
            "</svg>\n",
        ]
    )


def diagnostic_figure(runs: Sequence[Run]) -> Figure:
    """What training logged of itself; a loss that is no likelihood says nothing and is left out."""
    label = "gradient steps"
    stroke = strokes(runs)
    panels = [
        panel
        for name in DIAGNOSTICS
        for heading, drawn in _drawn_together(runs, name).items()
        for panel in _panels(drawn, {name: heading}, label, lambda line: line["step"], "training", stroke)
    ]
    return Figure(label, panels)


def _drawn_together(runs: Sequence[Run], name: str) -> dict[str, list[Run]]:
    """The runs on each panel of a number, by the panel's heading."""
    heading = DIAGNOSTICS[name]
    first = [run for run in runs if run.is_mle]
    if name == "loss":
        return {heading: first}
    later = [run for run in runs if not run.is_mle] or first
    rewards = list(dict.fromkeys(_reward(run) for run in later))
    if name not in OF_THE_REWARD or len(rewards) == 1:
        return {heading: later}
    return {f"{heading}: {reward}": [run for run in later if _reward(run) == reward] for reward in rewards}


def _reward(run: Run) -> str:
    return title(run.config.learn.reward) if isinstance(run.config.learn, RewardSettings) else ""


def time_unit(seconds: float) -> tuple[str, float]:
    """The unit in which a time is easily read, and its seconds."""
    return ("hours", 3600) if seconds > 2 * 3600 else ("minutes", 60) if seconds > 300 else ("seconds", 1)


def _panels(
    runs: Sequence[Run],
    titles: dict[str, str],
    x_label: str,
    x: Callable[[Numbers], float],
    kind: str,
    stroke: Mapping[str, Stroke],
    levels: Sequence[Run] = (),
) -> Iterator[str]:
    """One panel for each number that some run logged; of `levels` only the score of the best captioner is drawn."""
    for name, heading in titles.items():
        lines = []
        for run in runs:
            points = [line for line in getattr(run, kind) if name in line]
            if points:
                xs, ys = [x(line) for line in points], [line[name] for line in points]
                lines.append(Line(stroke[run.name], xs, ys))
        width = max((point for line in lines for point in line.x), default=0.0)
        for run in levels if lines else ():
            best = [line[name] for line in run.validation if line["step"] == run.facts["steps"] and name in line]
            lines += [Line(stroke[run.name], [0.0, width], [value, value]) for value in best]
        if lines:
            yield panel(heading, x_label, lines)


def panel(heading: str, x_label: str, lines: Sequence[Line]) -> str:
    """One small figure as an `svg` element."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Drawing

    with rc_context({**STYLE, "svg.hashsalt": heading + x_label}):
        drawing = Drawing(figsize=(WIDTH, HEIGHT), layout="constrained")
        axes = drawing.add_subplot()
        for line in lines:
            marker = "o" if len(line.x) == 1 else None
            style = (0, line.stroke.dashes or None)
            axes.plot(line.x, line.y, color=line.stroke.colour, linewidth=1.5, linestyle=style, marker=marker)
        axes.set_title(fill(heading, HEADING_LETTERS), loc="left")
        axes.set_xlabel(x_label)
        axes.grid(visible=True)
        return _inline(drawing, f"{heading} against {x_label}")


def _inline(drawing: Any, label: str) -> str:
    buffer = io.StringIO()
    drawing.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    name = escape(label)
    root = rf'<svg viewBox="\1" role="img" aria-label="{name}"><title>{name}</title>'
    text = re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', root, text, count=1)
    return text.replace("xlink:href", "href")
