"""The file of a SQLite store: made for its owner alone, brought to the layout of today, opened.

Accepted: a path in a folder that is there. A file that is not a store of Forsyth is refused before anything
in it is changed. A file of an earlier layout is brought to the present one.

Written: a file that only its owner can read and write (mode 600); SQLite gives its journals the same mode.
The mode of a file that is there already stays as it is.

Reading what cannot be written: where the file, its folder or the whole disk cannot be written or has no room,
the store opens all the same and can be read. Such a connection is kept for one use, so that the store can be
written again as soon as the disk can. A journal with rows in it that cannot be read is not passed over: then
the file does not open.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from forsyth.store.errors import StoreError

APPLICATION_ID: Final = 0x46535954
"""The letters FSYT: what `file` and SQLite itself tell this kind of file by."""

LAYOUT: Final = 4
"""The number of the table layout, kept in `user_version`. Layout 1 had no table `initial`, 2 no `saved`, 3 no
`saved_tag`."""

BUSY_SECONDS: Final = 30.0
"""How long to wait for other writers: each holds the file for well under a millisecond."""

_STRICT_SINCE: Final = (3, 37, 0)
_STRICT: Final = "STRICT, " if sqlite3.sqlite_version_info >= _STRICT_SINCE else ""

_STEPS: Final = (
    (
        "CREATE TABLE position (id TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL, game TEXT) "
        f"{_STRICT}WITHOUT ROWID",
        f"PRAGMA application_id = {APPLICATION_ID}",
    ),
    (f"CREATE TABLE initial (game TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL) {_STRICT}WITHOUT ROWID",),
    (
        # AUTOINCREMENT: the number of a row that was forgotten is not given away again, cursors hold it.
        "CREATE TABLE saved (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, "
        "state_id TEXT NOT NULL, game TEXT NOT NULL, name TEXT NOT NULL, tags TEXT NOT NULL, "
        "note TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL, searchable TEXT NOT NULL)"
        + (" STRICT" if _STRICT else ""),
    ),
    (
        "CREATE TABLE saved_tag (tag TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (tag, number)) "
        f"{_STRICT}WITHOUT ROWID",
        "CREATE INDEX saved_by_game ON saved (game, number)",
        # The tags of a row have a line end around each.
        "INSERT INTO saved_tag (tag, number) "
        "WITH RECURSIVE part (number, tag, rest) AS ("
        "SELECT number, '', substr(tags, 2) FROM saved WHERE tags <> '' UNION ALL "
        "SELECT number, substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + 1) "
        "FROM part WHERE rest <> '') SELECT DISTINCT tag, number FROM part WHERE tag <> ''",
    ),
)
"""What makes each layout out of the one before it."""

_UNWRITABLE: Final = frozenset(
    (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)
)
"""What SQLite says where there is no writing: it may still be possible to read."""

_TO_READ: Final = ("mode=ro", "mode=ro&immutable=1")
"""Ways to open without writing: with the journals that are there, and without any."""

_MAKING: Final = threading.Lock()


class Opened(NamedTuple):
    """A connection; `lasting` says whether it may be kept for the next use."""

    connection: sqlite3.Connection
    lasting: bool


def open_file(path: Path) -> Opened:
    """A connection to a store, for writing where that can be; raises `StoreError` and SQLite's errors."""
    try:
        _require_place(path)
        made = _make_private(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be made: {error.strerror}") from error
    try:
        return Opened(_connect(path), lasting=True)
    except sqlite3.Error as error:
        if made:
            # There was nothing to read, and an empty file would look like a store.
            path.unlink(missing_ok=True)
            raise
        if _primary_code(error) not in _UNWRITABLE:
            raise
        connection = _connect_to_read(path)
        if connection is None:
            raise
        return Opened(connection, lasting=False)


def _require_place(path: Path) -> None:
    if not path.parent.is_dir():
        raise StoreError(f"there is no folder {path.parent}; make it, or name another place for the store")
    if path.is_dir():
        raise StoreError(f"{path} is a folder, expected the file of a store")


def explained(path: Path, error: sqlite3.Error) -> StoreError:
    """An error of SQLite in words that say what to do."""
    if _primary_code(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL):
        return StoreError(
            f"{path} cannot be written ({error}); free space on its disk or change its permissions, "
            "what is in it can still be read"
        )
    return StoreError(f"{path} cannot be used as a store: {error}")


def _make_private(path: Path) -> bool:
    """Make the file where there is none, for its owner alone; SQLite would let everybody read it."""
    # One at a time: closing a file gives up all locks that this process has on it, those of SQLite too.
    with _MAKING:
        if path.exists():
            return False
        try:
            # A link may point to where nothing is yet.
            os.close(os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            return False
        return True


def _connect(path: Path) -> sqlite3.Connection:
    """An open connection to a store with its tables, waiting while others are making the same file."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        connection = _plain_connection(str(path))
        try:
            _prepare(connection, path)
        except BaseException as error:
            connection.close()
            if _primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            # Two that change the journal at once would wait for each other: SQLite refuses one at once.
            time.sleep(0.01)
        else:
            return connection


def _connect_to_read(path: Path) -> sqlite3.Connection | None:
    """A connection that writes nothing, or None where there is no way to read either."""
    for how in _TO_READ:
        if how != _TO_READ[0] and _has_journal(path):
            return None
        with suppress(sqlite3.Error):
            return _connection_to_read(f"{path.as_uri()}?{how}", path)
    return None


def _connection_to_read(name: str, path: Path) -> sqlite3.Connection:
    connection = _plain_connection(name)
    try:
        _require_present_layout(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _plain_connection(name: str) -> sqlite3.Connection:
    return sqlite3.connect(
        name,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=name.startswith("file:"),
    )


def _has_journal(path: Path) -> bool:
    journal = Path(f"{path}-wal")
    return journal.exists() and journal.stat().st_size > 0


def _require_present_layout(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    layout = _layout_of(connection, path)
    if not layout:
        raise StoreError(f"{path} is empty and cannot be written; free space on its disk, or name another")
    if layout != LAYOUT:
        raise StoreError(f"{path} has layout {layout}, expected {LAYOUT}, and cannot be written")


def _primary_code(error: BaseException) -> int:
    # Errors of the Python side carry no code; the low byte of SQLite's is the primary one.
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return code & 0xFF


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    # In a transaction: of another process that is making the file, all must be seen or nothing.
    connection.execute("BEGIN")
    layout = _layout_of(connection, path)
    connection.execute("COMMIT")
    journal = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if journal == 'wal' else 'FULL'}")
    if layout == LAYOUT:
        return
    connection.execute("BEGIN IMMEDIATE")
    for step in _STEPS[_layout_of(connection, path) :]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {LAYOUT}")
    connection.execute("COMMIT")


def _layout_of(connection: sqlite3.Connection, path: Path) -> int:
    """The layout of the file, 0 if it is empty; raises `StoreError` when it belongs to something else."""
    application = _pragma(connection, "application_id")
    layout = _pragma(connection, "user_version")
    if application == APPLICATION_ID:
        if layout <= LAYOUT:
            return layout
        raise StoreError(f"{path} has layout {layout}, expected {LAYOUT}: a newer Forsyth wrote it")
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application or layout or tables:
        raise StoreError(f"{path} is the database of another program, expected a store of Forsyth")
    return 0


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
