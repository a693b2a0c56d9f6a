"""The study on disk: all SQL but that of making it; a change is one transaction, and on the disk when acknowledged.

Time never orders anything: events are ordered by their sequence number, and how long an item has been out is measured
with the steady clock of the serving process. The time of day is only noted.
"""

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from spidercap.errors import DataError, UsageError
from spidercap.study.assign import QUEUE, choose, chunks, order_of
from spidercap.study.database import DATABASE, USABLE, VERSION, connect, snapshot, transaction
from spidercap.study.plan import Credit
from spidercap.study.stored import Answer, Desk, GivenItem, ItemRecord, PausedError, Rater, RaterProgress
from spidercap.study.study_settings import StudySettings

CHUNK = 100
"""Items of a rater's order that are looked at together."""


def _time_of_day() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Store:
    """One study's database; safe to use from several threads, and from several processes at once.

    `read_only` takes what is there now and needs no right to write.
    """

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], str] = _time_of_day,
        read_only: bool = False,
    ) -> None:
        self.path = folder / DATABASE
        self._clock, self._wall = clock, wall
        self._lock = threading.Lock()
        if not self.path.is_file():
            raise DataError(f"{folder} is not a study (no {DATABASE}); make one with spidercap study new")
        self._connection = snapshot(self.path) if read_only else connect(self.path)
        self.settings = self._read_settings(folder)
        self.items = int(self._rows("SELECT count(*) FROM items")[0][0])

    def _read_settings(self, folder: Path) -> StudySettings:
        try:
            facts = dict(self._connection.execute("SELECT name, value FROM facts").fetchall())
            version, settings = int(facts["version"]), str(facts["settings"])
        except (sqlite3.DatabaseError, KeyError, ValueError, TypeError):
            raise self._damaged() from None
        if version != VERSION:
            raise DataError(f"{folder} was made by another version (form {version}, expected {VERSION}); use that one")
        try:
            return StudySettings.from_json(settings)
        except (ValueError, TypeError, LookupError, AttributeError):
            raise self._damaged() from None

    def _damaged(self) -> DataError:
        return DataError(f"{self.path} is damaged or not a study; restore it from a copy")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """One change, alone: others wait, and it is on the disk when the block ends."""
        with self._lock, self._errors_named(), transaction(self._connection):
            yield self._connection

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        """What is wrong with the file, in one sentence."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise DataError(f"{self.path} cannot be changed: {error}; {USABLE}") from None
        except sqlite3.DatabaseError as error:
            # A constraint that does not hold is our fault, unless the file is damaged; then SQLite says so.
            if isinstance(error, sqlite3.IntegrityError):
                raise
            raise self._damaged() from None

    def _rows(self, query: str, *parameters: object) -> list[sqlite3.Row]:
        """What a query finds."""
        with self._lock, self._errors_named():
            return self._connection.execute(query, parameters).fetchall()

    # Access

    def owner_has(self, key_hash: str) -> bool:
        """Whether this is the hash of an owner's key."""
        return bool(self._rows("SELECT 1 FROM keys WHERE hash = ? AND rater IS NULL", key_hash))

    def rater_of(self, key_hash: str) -> Rater | None:
        """The rater whose key has this hash."""
        found = self._rows("SELECT r.* FROM keys k JOIN raters r ON r.number = k.rater WHERE k.hash = ?", key_hash)
        return _rater(found[0]) if found else None

    def new_owner_key(self, key_hash: str) -> None:
        """Make this the one owner's key; earlier ones lose their power."""
        with self._change() as change:
            change.execute("DELETE FROM keys WHERE rater IS NULL")
            change.execute("INSERT INTO keys VALUES (?, NULL)", (key_hash,))

    def invite(self, name: str, key_hash: str) -> Rater:
        """A rater with this key: a new one, or the one of that name, whose earlier key loses its power."""
        if not name.strip() or not name.isprintable() or len(name) > 80:
            raise UsageError(f"a rater's name must have 1 to 80 printable characters, got {name[:90]!r}")
        with self._change() as change:
            change.execute("INSERT INTO raters (name) VALUES (?) ON CONFLICT DO NOTHING", (name.strip(),))
            row = change.execute("SELECT * FROM raters WHERE name = ?", (name.strip(),)).fetchone()
            change.execute("DELETE FROM keys WHERE rater = ?", (row["number"],))
            change.execute("INSERT INTO keys VALUES (?, ?)", (key_hash, row["number"]))
        return _rater(row)

    def set_paused(self, rater: int, paused: bool) -> bool:
        """Pause a rater, whose items then go to others, or let them go on; False if there is no such rater."""
        with self._change() as change:
            found = change.execute("UPDATE raters SET paused = ? WHERE number = ?", (paused, rater)).rowcount
            if paused:
                self._give_back(change, "rater = ?", rater)
        return found > 0

    # Rating

    def begin_serving(self) -> None:
        """Count the time of items that are out from now: the steady clock starts anew with each process."""
        with self._change() as change:
            change.execute("UPDATE assignments SET renewed = ? WHERE state = 'open'", (self._clock(),))

    def desk(self, rater: Rater) -> Desk:
        """What lies before a rater, filled up with items that have a place left."""
        with self._change() as change:
            return self._desk(change, rater)

    def answer(self, rater: Rater, code: str, turn: int, choice: str, milliseconds: int) -> Desk | None:
        """Record an answer, once, and hand out the next item; None if the item is not this rater's.

        The same answer again, or one from another tab, changes nothing. An answer to an item that went back to
        others meanwhile is kept, and counted if a place is left. A turn that was taken back since is ignored.
        """
        with self._change() as change:
            _check_not_paused(change, rater)
            row = self._assignment(change, rater, code)
            if row is None:
                return None
            if row["turn"] == turn and row["state"] in ("open", "returned"):
                state = "counted" if row["state"] == "open" or row["held"] < row["needed"] else "late"
                # What the page tells of the time is not more than what has passed since the last answer.
                taken = max(0, min(milliseconds, round(1000 * (self._clock() - row["renewed"]))))
                sequence = self._event(change, rater.number, row["item"], "rated", turn, choice, taken)
                change.execute(
                    "UPDATE assignments SET state = ?, choice = ?, milliseconds = ?, answered = ? "
                    "WHERE item = ? AND rater = ?",
                    (state, choice, taken, sequence, row["item"], rater.number),
                )
            return self._desk(change, rater)

    def undo(self, rater: Rater, code: str, turn: int) -> Desk:
        """Take the last answer back if it is this one: the item is in hand again, and the log keeps the answer."""
        with self._change() as change:
            last = self._last(change, rater)
            if last is None or (last["code"], last["turn"]) != (code, turn):
                return self._desk(change, rater)
            self._event(change, rater.number, last["item"], "undone", turn, last["choice"], None)
            # A late answer had no place of its own, so there is none to hold for its second try.
            state = "open" if last["state"] == "counted" else "returned"
            change.execute(
                "UPDATE assignments SET state = ?, turn = turn + 1, renewed = ? WHERE item = ? AND rater = ?",
                (state, self._clock(), last["item"], rater.number),
            )
            desk = self._desk(change, rater)
            again = self._given(change, rater, "a.item = ?", last["item"])
            return replace(desk, queue=(*again, *(item for item in desk.queue if item != again[0])))

    def _desk(self, change: sqlite3.Connection, rater: Rater) -> Desk:
        queue = self._fill(change, rater)
        rated, held = change.execute(
            "SELECT count(*) FILTER (WHERE a.state IN ('counted', 'late')), count(*) FILTER (WHERE i.held < i.needed) "
            "FROM assignments a JOIN items i ON i.number = a.item WHERE a.rater = ? AND a.state <> 'returned'",
            (rater.number,),
        ).fetchone()
        free = change.execute("SELECT count(*) FROM items WHERE held < needed").fetchone()[0] - held
        last = self._last(change, rater)
        return Desk(tuple(queue), rated, len(queue) + free, (last["code"], last["turn"]) if last else None)

    def _last(self, change: sqlite3.Connection, rater: Rater) -> sqlite3.Row | None:
        """The answer that a rater gave last: by the log, whatever the clock said."""
        found: sqlite3.Row | None = change.execute(
            "SELECT a.*, i.code FROM assignments a JOIN items i ON i.number = a.item "
            "WHERE a.rater = ? AND a.state IN ('counted', 'late') ORDER BY a.answered DESC LIMIT 1",
            (rater.number,),
        ).fetchone()
        return found

    def _fill(self, change: sqlite3.Connection, rater: Rater) -> list[GivenItem]:
        _check_not_paused(change, rater)
        now = self._clock()
        change.execute("UPDATE assignments SET renewed = ? WHERE rater = ? AND state = 'open'", (now, rater.number))
        self._give_back(change, "renewed < ?", now - self.settings.patience)
        held = change.execute(
            "SELECT count(*) FROM assignments WHERE rater = ? AND state = 'open'", (rater.number,)
        ).fetchone()[0]
        if held < QUEUE:
            self._assign(change, rater, QUEUE - held, now)
        return self._given(change, rater, "a.state = 'open'")

    def _assign(self, change: sqlite3.Connection, rater: Rater, wanted: int, now: float) -> None:
        recent = change.execute(
            "SELECT i.picture FROM assignments a JOIN items i ON i.number = a.item WHERE a.rater = ? "
            "ORDER BY a.given DESC LIMIT 1",
            (rater.number,),
        ).fetchone()
        for item in choose(self._free(change, rater), recent and recent[0], wanted):
            sequence = self._event(change, rater.number, item, "given", 0, None, None)
            change.execute(
                "INSERT INTO assignments (item, rater, state, given, renewed) VALUES (?, ?, 'open', ?, ?) "
                "ON CONFLICT (item, rater) "
                "DO UPDATE SET state = 'open', given = excluded.given, renewed = excluded.renewed",
                (item, rater.number, sequence, now),
            )

    def _free(self, change: sqlite3.Connection, rater: Rater) -> Iterator[tuple[int, int]]:
        """Items (and their pictures) with a place for a rater, in the rater's order, read as far as they are needed."""
        query = (
            "SELECT i.number, i.picture FROM items i WHERE i.number IN (SELECT value FROM json_each(?)) "
            "AND i.held < i.needed AND NOT EXISTS "
            "(SELECT 1 FROM assignments a WHERE a.item = i.number AND a.rater = ? AND a.state <> 'returned')"
        )
        for chunk in chunks(order_of(self.settings.seed, rater.number, self.items), CHUNK):
            found = dict(change.execute(query, (json.dumps(chunk), rater.number)).fetchall())
            yield from ((item, found[item]) for item in chunk if item in found)

    def _give_back(self, change: sqlite3.Connection, condition: str, value: float) -> None:
        """Return items that are out to everyone."""
        out = f"FROM assignments WHERE state = 'open' AND {condition}"
        for row in change.execute(f"SELECT rater, item, turn {out}", (value,)).fetchall():
            self._event(change, row["rater"], row["item"], "returned", row["turn"], None, None)
        change.execute(f"UPDATE assignments SET state = 'returned' WHERE state = 'open' AND {condition}", (value,))

    def _assignment(self, change: sqlite3.Connection, rater: Rater, code: str) -> sqlite3.Row | None:
        found: sqlite3.Row | None = change.execute(
            "SELECT a.*, i.held, i.needed FROM assignments a JOIN items i ON i.number = a.item "
            "WHERE i.code = ? AND a.rater = ?",
            (code, rater.number),
        ).fetchone()
        return found

    def _given(self, change: sqlite3.Connection, rater: Rater, condition: str, *values: object) -> list[GivenItem]:
        rows = change.execute(
            "SELECT i.number, i.code, p.code AS picture, i.caption, i.other, a.turn, a.choice FROM assignments a "
            "JOIN items i ON i.number = a.item JOIN pictures p ON p.number = i.picture "
            f"WHERE a.rater = ? AND {condition} ORDER BY a.given",
            (rater.number, *values),
        )
        return [GivenItem(**dict(row)) for row in rows]

    def _event(
        self,
        change: sqlite3.Connection,
        rater: int,
        item: int,
        what: str,
        turn: int,
        choice: str | None,
        milliseconds: int | None,
    ) -> int:
        values = (self._wall(), rater, item, what, turn, choice, milliseconds)
        cursor = change.execute(
            "INSERT INTO events (at, rater, item, what, turn, choice, milliseconds) VALUES (?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        return int(cursor.lastrowid or 0)

    # Reading

    def may_see(self, rater: Rater, picture: str) -> bool:
        """Whether a picture belongs to an item that this rater has or had."""
        query = (
            "SELECT 1 FROM assignments a JOIN items i ON i.number = a.item JOIN pictures p ON p.number = i.picture "
            "WHERE a.rater = ? AND p.code = ? LIMIT 1"
        )
        return bool(self._rows(query, rater.number, picture))

    def rater_progress(self) -> list[RaterProgress]:
        """How far each rater is, in the order of their invitations."""
        rows = self._rows(
            "SELECT r.number, r.name, r.paused, "
            "coalesce(sum(a.state = 'counted'), 0) AS counted, coalesce(sum(a.state = 'late'), 0) AS late, "
            "coalesce(sum(a.state = 'open'), 0) AS open, "
            "(SELECT count(*) FROM events e WHERE e.rater = r.number AND e.what = 'undone') AS undone, "
            "(SELECT e.at FROM events e WHERE e.rater = r.number ORDER BY e.sequence DESC LIMIT 1) AS seen "
            "FROM raters r LEFT JOIN assignments a ON a.rater = r.number GROUP BY r.number ORDER BY r.number"
        )
        return [RaterProgress(**{**dict(row), "paused": bool(row["paused"])}) for row in rows]

    def item_records(self) -> list[ItemRecord]:
        """Every item with its picture's image id and those who are credited for it."""
        credited: dict[int, list[Credit]] = {}
        for row in self._rows("SELECT item, system, against FROM credits ORDER BY rowid"):
            credited.setdefault(row["item"], []).append(Credit(row["system"], row["against"]))
        rows = self._rows(
            "SELECT i.number, i.code, p.image, p.code AS picture, i.caption, i.other, i.needed FROM items i "
            "JOIN pictures p ON p.number = i.picture ORDER BY i.number"
        )
        return [ItemRecord(**dict(row), credits=tuple(credited[row["number"]])) for row in rows]

    def answers(self) -> list[Answer]:
        """The answers that stand, in the order in which they came."""
        rows = self._rows(
            "SELECT a.item, r.name AS rater, a.choice, a.milliseconds, a.state = 'counted' AS counted, e.at, "
            "a.answered AS sequence FROM assignments a JOIN raters r ON r.number = a.rater "
            "JOIN events e ON e.sequence = a.answered WHERE a.state IN ('counted', 'late') ORDER BY a.answered"
        )
        return [Answer(**{**dict(row), "counted": bool(row["counted"])}) for row in rows]

    def log(self) -> list[sqlite3.Row]:
        """All that happened: items given, rated, undone, returned."""
        return self._rows(
            "SELECT e.sequence, e.at, r.name AS rater, i.code AS item, e.what, e.turn, e.choice, e.milliseconds "
            "FROM events e JOIN raters r ON r.number = e.rater JOIN items i ON i.number = e.item ORDER BY e.sequence"
        )

    def captions(self) -> dict[str, dict[str, str]]:
        """Each system's captions of the studied images."""
        found: dict[str, dict[str, str]] = {name: {} for name in self.settings.systems}
        for row in self._rows("SELECT system, image, caption FROM captions ORDER BY rowid"):
            found[row["system"]][row["image"]] = row["caption"]
        return found

    def references(self) -> dict[str, list[str]]:
        """The references of each image that has any."""
        found: dict[str, list[str]] = {}
        for row in self._rows("SELECT image, caption FROM truths ORDER BY rowid"):
            found.setdefault(row["image"], []).append(row["caption"])
        return found


def _rater(row: sqlite3.Row) -> Rater:
    return Rater(row["number"], row["name"], bool(row["paused"]))


def _check_not_paused(change: sqlite3.Connection, rater: Rater) -> None:
    if change.execute("SELECT paused FROM raters WHERE number = ?", (rater.number,)).fetchone()[0]:
        raise PausedError
