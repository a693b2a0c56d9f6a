"""The model card: what a model is, what it was trained on and how well it does, for people."""

import json
from collections.abc import Iterator
from typing import Any

from spidercap import __version__
from spidercap.model.captioner import Captioner


def model_card(captioner: Captioner) -> str:
    """Markdown: the sizes of the model, then one table for each group of facts."""
    parameters = sum(parameter.numel() for parameter in captioner.parameters())
    sizes, facts = vars(captioner.sizes) | {"parameters": f"{parameters:,}"}, captioner.facts
    plain = {key: value for key, value in facts.items() if not isinstance(value, dict)}
    groups = {key: value for key, value in facts.items() if isinstance(value, dict)}
    lines = [
        "# Image captioner",
        "",
        f"{captioner.title}, written by spidercap {__version__}; `spidercap caption --model FOLDER` uses it.",
        *_table("model", sizes),
        *(_table("training", plain) if plain else ()),
    ]
    for title, group in groups.items():
        lines.extend(_table(title, group))
    return "\n".join(lines) + "\n"


def _table(title: str, rows: dict[str, Any]) -> Iterator[str]:
    yield from ("", f"## {title}", "", "| what | value |", "| --- | --- |")
    yield from (f"| {_cell(key)} | {_cell(value)} |" for key, value in rows.items())


def _cell(value: Any) -> str:
    """A value on one line; nested ones as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(text.split()).replace("|", "\\|")
