"""The tables of a study as CSV: every answer, every item with its majority, and all that happened."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from spidercap.study.scales import RatingScale
from spidercap.study.store import Store
from spidercap.study.study_settings import StudySettings
from spidercap.study.verdicts import Ratings, by_system, collect


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    content = io.StringIO()
    writer = csv.writer(content, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return content.getvalue()


def _harmless_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table for spreadsheets: text that they would take for a formula gets an apostrophe in front."""
    return _csv(header, ([_harmless(cell) for cell in row] for row in rows))


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@")) else cell


def raw_ratings(ratings: Ratings) -> str:
    """One row an answer and credited system: who said what of whose caption."""
    items = {item.number: item for item in ratings.items}
    header = (
        "sequence", "at", "rater", "item", "image", "system", "against", "choice", "counted", "seconds",
        "caption", "other_caption",
    )  # fmt: skip
    rows = []
    for answer in ratings.answers:
        item = items[answer.item]
        for credit in item.credits:
            facts = (answer.sequence, answer.at, answer.rater, item.code, item.image, credit.system, credit.against)
            told = (answer.choice, int(answer.counted), answer.milliseconds / 1000, item.caption, item.other)
            rows.append((*facts, *told))
    return _harmless_csv(header, rows)


def aggregated(ratings: Ratings, scale: RatingScale) -> str:
    """One row an item and credited system: the votes and the majority."""
    names = [choice.name for choice in scale.choices]
    header = ("item", "image", "system", "against", *names, "majority", "state", "caption", "other_caption")
    rows = []
    for verdict in ratings.verdicts:
        item = verdict.item
        votes = [verdict.choices.count(name) for name in names]
        for credit in item.credits:
            who = (item.code, item.image, credit.system, credit.against)
            rows.append((*who, *votes, verdict.choice, verdict.state, item.caption, item.other))
    return _harmless_csv(header, rows)


def log(store: Store) -> str:
    """One row an event: items given, rated, undone, returned."""
    return _harmless_csv(
        ("sequence", "at", "rater", "item", "event", "turn", "choice", "milliseconds"),
        [tuple(row) for row in store.log()],
    )


def judgements(ratings: Ratings, settings: StudySettings) -> dict[str, str]:
    """For each system the table `id,rating` that `spidercap score --correlate` reads, one row a judgement."""
    values, graded = settings.scale.values, by_system(ratings.verdicts)
    return {
        system: _csv(
            ("id", "rating"),
            [
                (image, values[choice])
                for image, verdict in graded.get(system, {}).items()
                for choice in verdict.choices
            ],
        )
        for system in settings.systems
    }


@dataclass(frozen=True)
class Export:
    """A table to download: what it holds, in words, and how it is made."""

    holds: str
    make: Callable[[Store], str]


EXPORTS = {
    "ratings.csv": Export("every answer", lambda store: raw_ratings(collect(store))),
    "items.csv": Export(
        "the votes on every item and their majority", lambda store: aggregated(collect(store), store.settings.scale)
    ),
    "log.csv": Export("all that happened, answers taken back included", log),
}
