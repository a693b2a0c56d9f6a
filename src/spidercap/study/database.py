"""The file of a study: how it is made, opened and changed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.resources import files
from pathlib import Path

from spidercap.errors import DataError
from spidercap.study.plan import Plan
from spidercap.study.study_settings import StudySettings

DATABASE = "study.sqlite"
BUSY_SECONDS = 20.0
VERSION = 1
USABLE = "it needs a local disk with space, write permission, and no other program that holds it"


def create(folder: Path, settings: StudySettings, plan: Plan, codes: Iterator[str]) -> dict[str, str]:
    """Write a new study into a folder; `codes` are unguessable. Returns the code of each picture by image id."""
    connection = connect(folder / DATABASE)
    pictures = {image: (number, next(codes)) for number, image in enumerate(plan.images, 1)}
    with transaction(connection):
        for statement in _statements(files("spidercap.study").joinpath("schema.sql").read_text()):
            connection.execute(statement)
        _insert_facts(connection, settings, plan)
        connection.executemany(
            "INSERT INTO pictures VALUES (?, ?, ?)", [(number, code, i) for i, (number, code) in pictures.items()]
        )
        for number, item in enumerate(plan.items, 1):
            connection.execute(
                "INSERT INTO items (number, code, picture, caption, other, needed) VALUES (?, ?, ?, ?, ?, ?)",
                (number, next(codes), pictures[item.image][0], item.caption, item.other, settings.raters),
            )
            connection.executemany(
                "INSERT INTO credits VALUES (?, ?, ?)", [(number, c.system, c.against) for c in item.credits]
            )
    connection.close()
    return {image: code for image, (_, code) in pictures.items()}


def _insert_facts(connection: sqlite3.Connection, settings: StudySettings, plan: Plan) -> None:
    facts = [("version", str(VERSION)), ("settings", settings.to_json())]
    connection.executemany("INSERT INTO facts VALUES (?, ?)", facts)
    truths = [(image, text) for image, texts in plan.references.items() for text in texts]
    connection.executemany("INSERT INTO truths VALUES (?, ?)", truths)
    captions = [(system, image, text) for system, texts in plan.captions.items() for image, text in texts.items()]
    connection.executemany("INSERT INTO captions VALUES (?, ?, ?)", captions)


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        connection.close()
        raise DataError(f"{path} cannot be opened: {error}; {USABLE}") from None
    except sqlite3.DatabaseError:
        connection.close()
        raise DataError(f"{path} is damaged or not a study; restore it from a copy") from None
    # Power may fail at any moment: a commit returns when the log is on the disk, not when it is on its way.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def snapshot(path: Path) -> sqlite3.Connection:
    """The study as it is now, in memory: nothing is written, beside it neither, and whoever serves it goes on."""
    log = path.with_name(f"{path.name}-wal")
    # Without a log nobody has the file open, and SQLite can leave its locks, which are files, alone.
    alone = not log.exists() or log.stat().st_size == 0
    try:
        source = sqlite3.connect(f"{path.absolute().as_uri()}?{'immutable=1' if alone else 'mode=ro'}", uri=True)
        memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        with closing(source):
            source.backup(memory)
    except sqlite3.OperationalError as error:
        remedy = "it needs read permission; a study whose server was killed must be copied to a folder of one's own"
        raise DataError(f"{path} cannot be read: {error}; {remedy}") from None
    except sqlite3.DatabaseError:
        raise DataError(f"{path} is damaged or not a study; restore it from a copy") from None
    memory.row_factory = sqlite3.Row
    memory.execute("PRAGMA query_only = ON")
    return memory


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    # Immediate: two processes never both read a place as free.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        # A full disk makes SQLite roll back by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _statements(script: str) -> Iterator[str]:
    """The statements of a script; a trigger holds semicolons, so lines decide."""
    lines: list[str] = []
    for line in script.splitlines():
        lines.append(line)
        if sqlite3.complete_statement("\n".join(lines)):
            yield "\n".join(lines)
            lines = []
