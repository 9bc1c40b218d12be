"""Opening the file of an SQLite store: private creation, upgrade of its layout, read-only fallback.

Location: a path in an existing folder. A file that is not a store of Forsyth is rejected before anything in
it is changed. A file of an earlier layout is upgraded to the current one.

Permissions: only the owner can read and write a new file (mode 600). SQLite gives its journals the same mode.
The mode of an existing file is not changed.

Read-only fallback: if the file, its folder or the disk cannot be written or is full, the store is opened for
reading. Such a connection is used once only, so that the store can be written again as soon as the disk can.
A journal that contains rows but cannot be read is not ignored: the file is not opened then.
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
"""The letters FSYT, by which `file` and SQLite recognise a store of Forsyth."""

LAYOUT_VERSION: Final = 4
"""Version of the table layout, stored in `user_version`. Version 1 had no table `initial`, 2 no `saved`, 3 no
`saved_tag`."""

BUSY_SECONDS: Final = 30.0
"""Time to wait for other writers, each of which locks the file for less than a millisecond."""

_STRICT_SINCE: Final = (3, 37, 0)
_STRICT: Final = "STRICT, " if sqlite3.sqlite_version_info >= _STRICT_SINCE else ""

_MIGRATIONS: Final = (
    (
        "CREATE TABLE position (id TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL, game TEXT) "
        f"{_STRICT}WITHOUT ROWID",
        f"PRAGMA application_id = {APPLICATION_ID}",
    ),
    (f"CREATE TABLE initial (game TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL) {_STRICT}WITHOUT ROWID",),
    (
        # AUTOINCREMENT, so that numbers of deleted rows are not reused: cursors contain them.
        "CREATE TABLE saved (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, "
        "state_id TEXT NOT NULL, game TEXT NOT NULL, name TEXT NOT NULL, tags TEXT NOT NULL, "
        "note TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL, searchable TEXT NOT NULL)"
        + (" STRICT" if _STRICT else ""),
    ),
    (
        "CREATE TABLE saved_tag (tag TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (tag, number)) "
        f"{_STRICT}WITHOUT ROWID",
        "CREATE INDEX saved_by_game ON saved (game, number)",
        # Each tag of a row is between two line ends.
        "INSERT INTO saved_tag (tag, number) "
        "WITH RECURSIVE part (number, tag, rest) AS ("
        "SELECT number, '', substr(tags, 2) FROM saved WHERE tags <> '' UNION ALL "
        "SELECT number, substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + 1) "
        "FROM part WHERE rest <> '') SELECT DISTINCT tag, number FROM part WHERE tag <> ''",
    ),
)
"""Statements that turn each layout into the next, from an empty file to the current version."""

_WRITE_ERRORS: Final = frozenset(
    (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)
)
"""Error codes of SQLite for a file that cannot be written, but perhaps read."""

_READ_ONLY_OPTIONS: Final = ("mode=ro", "mode=ro&immutable=1")
"""URI options to open a file for reading: first with its journals, then without any."""

_PRIMARY_CODE_MASK: Final = 0xFF
"""The low byte of an extended result code of SQLite is its primary result code."""

_CREATE_LOCK: Final = threading.Lock()


class OpenedFile(NamedTuple):
    """A connection to the file; it must be closed after one use unless it `is_reusable`."""

    connection: sqlite3.Connection
    is_reusable: bool


def open_file(path: Path) -> OpenedFile:
    """Open the SQLite file of a store, and create it if it does not exist.

    A file that cannot be written is opened for reading, and `is_reusable` of the result is False. Raise
    `StoreError` if the file cannot be created or belongs to another program, and `sqlite3.Error` if SQLite
    cannot open it.
    """
    try:
        _require_possible_path(path)
        is_new = _create_private_file(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be created: {error.strerror}") from error
    try:
        return OpenedFile(_connect(path), is_reusable=True)
    except sqlite3.Error as error:
        if is_new:
            # The empty file would look like a store.
            path.unlink(missing_ok=True)
            raise
        if _primary_code(error) not in _WRITE_ERRORS:
            raise
        connection = _connect_to_read(path)
        if connection is None:
            raise
        return OpenedFile(connection, is_reusable=False)


def _require_possible_path(path: Path) -> None:
    """Raise `StoreError` if the folder of `path` does not exist, or `path` is a folder itself."""
    if not path.parent.is_dir():
        raise StoreError(
            f"the folder {path.parent} does not exist; create it, or choose another location for the store"
        )
    if path.is_dir():
        raise StoreError(f"{path} is a folder, expected the file of a store")


def explain_error(path: Path, error: sqlite3.Error) -> StoreError:
    """Return the `StoreError` for an error of SQLite, with advice if the file cannot be written."""
    if _primary_code(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL):
        return StoreError(
            f"{path} cannot be written ({error}); free space on its disk or change its permissions; "
            "its content can still be read"
        )
    return StoreError(f"{path} cannot be used as a store: {error}")


def _create_private_file(path: Path) -> bool:
    """Create an empty file with mode 600 if none exists, and return whether it was created."""
    # One thread at a time: closing a file releases all locks of this process on it, also those of SQLite.
    with _CREATE_LOCK:
        if path.exists():
            return False
        try:
            # `path` may be a link to a file that does not exist yet.
            os.close(os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            return False
        return True


def _connect(path: Path) -> sqlite3.Connection:
    """Return a connection that can write to the file of a store, with all tables created or upgraded.

    While other connections prepare the same new file, try again for up to `BUSY_SECONDS`.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        connection = _open_connection(str(path))
        try:
            _prepare_tables(connection, path)
        except BaseException as error:
            connection.close()
            if _primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            # SQLite fails without waiting if two connections change the journal mode at the same time.
            time.sleep(0.01)
        else:
            return connection


def _connect_to_read(path: Path) -> sqlite3.Connection | None:
    """Return a connection that only reads a file, or None if SQLite cannot open it even for that.

    The result is also None if the rows in the write-ahead log of the file would be ignored.
    """
    for options in _READ_ONLY_OPTIONS:
        ignores_journal = "immutable=1" in options
        if ignores_journal and _has_journal(path):
            return None
        with suppress(sqlite3.Error):
            return _open_read_only(f"{path.as_uri()}?{options}", path)
    return None


def _open_read_only(uri: str, path: Path) -> sqlite3.Connection:
    """Return a connection that only reads the store at an SQLite URI, such as ``file:///a.sqlite?mode=ro``.

    `path` is for messages. Raise `StoreError` if the tables do not have the current layout, because they
    cannot be upgraded.
    """
    connection = _open_connection(uri)
    try:
        _require_current_layout(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _open_connection(path_or_uri: str) -> sqlite3.Connection:
    """Return a connection to a path or ``file:`` URI, in autocommit mode, usable from every thread."""
    return sqlite3.connect(
        path_or_uri,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=path_or_uri.startswith("file:"),
    )


def _has_journal(path: Path) -> bool:
    """Return whether the write-ahead log of an SQLite file, ``PATH-wal``, exists and is not empty."""
    journal = Path(f"{path}-wal")
    return journal.exists() and journal.stat().st_size > 0


def _require_current_layout(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `StoreError` if a store that cannot be written is empty, or its tables have another layout."""
    connection.execute("PRAGMA trusted_schema = OFF")
    layout = _read_layout(connection, path)
    if not layout:
        raise StoreError(
            f"{path} is empty and cannot be written; free space on its disk, or choose another location"
        )
    if layout != LAYOUT_VERSION:
        raise StoreError(
            f"{path} has layout {layout}, expected {LAYOUT_VERSION}, and cannot be written; "
            "make it writable, so that it can be upgraded"
        )


def _primary_code(error: BaseException) -> int:
    """Return the primary result code of an SQLite error, such as `SQLITE_BUSY`, without its extension.

    Errors that Python raises without a code get `SQLITE_OK`.
    """
    extended_code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return extended_code & _PRIMARY_CODE_MASK


def _prepare_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Select the journal mode of a file, and create its tables or upgrade them to the current layout.

    `path` is for messages. Raise `StoreError` if the file belongs to another program or to a newer Forsyth.
    """
    connection.execute("PRAGMA trusted_schema = OFF")
    # In a transaction, to see either all or nothing of what another process writes to a new file.
    connection.execute("BEGIN")
    layout = _read_layout(connection, path)
    connection.execute("COMMIT")
    journal = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if journal == 'wal' else 'FULL'}")
    if layout == LAYOUT_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    for migration in _MIGRATIONS[_read_layout(connection, path) :]:
        for statement in migration:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {LAYOUT_VERSION}")
    connection.execute("COMMIT")


def _read_layout(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version number of the tables in a file, or 0 if the file is empty.

    `path` is for messages. Raise `StoreError` if the file belongs to another program or to a newer Forsyth.
    """
    application_id = _read_pragma(connection, "application_id")
    layout = _read_pragma(connection, "user_version")
    if application_id == APPLICATION_ID:
        if layout <= LAYOUT_VERSION:
            return layout
        raise StoreError(
            f"{path} has layout {layout}, expected at most {LAYOUT_VERSION}: a newer Forsyth wrote it; "
            "upgrade Forsyth"
        )
    table_count = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application_id or layout or table_count:
        raise StoreError(f"{path} is the database of another program, expected a store of Forsyth")
    return 0


def _read_pragma(connection: sqlite3.Connection, name: str) -> int:
    """Return the value of a numeric setting of an SQLite file, such as ``user_version``."""
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
