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

from forsyth.arguments import quoted
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

_READ_ONLY: Final = "mode=ro"
_READ_ONLY_WITHOUT_JOURNAL: Final = "mode=ro&immutable=1"
"""URI options to open a file for reading, with its write-ahead log and without."""

_DISTRUST_SCHEMA: Final = "PRAGMA trusted_schema = OFF"
"""The schema of a file from elsewhere could otherwise call functions with side effects."""

_PRIMARY_CODE_MASK: Final = 0xFF
"""The low byte of an extended result code of SQLite is its primary result code."""

_OWNER_ONLY: Final = 0o600
"""Mode of a new file, which only its owner can read and write."""

_RETRY_SECONDS: Final = 0.01
"""Time to wait before a new file is prepared again, because another connection prepares it too."""

_CREATE_LOCK: Final = threading.Lock()


class OpenedFile(NamedTuple):
    """A connection to the file of a store."""

    connection: sqlite3.Connection
    is_reusable: bool
    """False for a connection that can only read, which must be closed after one use."""


def open_file(path: Path) -> OpenedFile:
    """Open the SQLite file of a store, and create it if it does not exist.

    A file that cannot be written is opened for reading, and `is_reusable` of the result is False. Raise
    `StoreError` if the file cannot be created or belongs to another program, and `sqlite3.Error` if SQLite
    cannot open it.
    """
    try:
        _require_usable_path(path)
        is_new = _create_private_file(path)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be created: {error.strerror}; choose another location for the store"
        ) from error

    try:
        return OpenedFile(_connect_to_write(path), is_reusable=True)
    except sqlite3.Error as error:
        if is_new:
            # The empty file would look like a store.
            path.unlink(missing_ok=True)
            raise
        may_be_readable = _read_primary_code(error) in _WRITE_ERRORS
        connection = _connect_to_read(path) if may_be_readable else None
        if connection is None:
            raise
        return OpenedFile(connection, is_reusable=False)


def _require_usable_path(path: Path) -> None:
    """Raise `StoreError` if no file can be created or opened at `path`.

    That is so if `path` contains characters that the system does not allow, if its folder does not exist, or
    if it is the path of a folder.
    """
    if not _is_encodable(path):
        raise StoreError(
            f"{quoted(str(path))} cannot be a path: it contains a character that paths cannot have; choose "
            "another location for the store"
        )
    if not path.parent.is_dir():
        raise StoreError(
            f"the folder {path.parent} does not exist; create it, or choose another location for the store"
        )
    if path.is_dir():
        raise StoreError(f"{path} is a folder, expected the file of a store; add a file name to the path")


def _is_encodable(path: Path) -> bool:
    """Return True if a path contains no NUL character and no lone surrogate.

    The system cannot have other paths.
    """
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


class FileIdentity(NamedTuple):
    """The numbers that identify a file. A file that replaces it at the same path has others."""

    device: int
    number: int


def identify_file(path: Path) -> FileIdentity | None:
    """Return the identity of the file at `path`, or None if there is no such file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return FileIdentity(status.st_dev, status.st_ino)


def require_same_file(path: Path, opened: FileIdentity) -> None:
    """Raise `StoreError` if the file at `path` was deleted or replaced since it was opened.

    `opened` is the identity of the file when it was opened. SQLite would go on writing to that file, and the
    rows would be lost.
    """
    present = identify_file(path)
    if present == opened:
        return
    change = "deleted or moved" if present is None else "replaced by another file"
    raise StoreError(
        f"{path} was {change} while the store was open, so nothing can be read or written; open the store "
        "again, or restart the service"
    )


def explain_error(path: Path, error: sqlite3.Error) -> StoreError:
    """Return the `StoreError` for an error of SQLite about the file at `path`, with advice."""
    is_write_error = _read_primary_code(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL)
    if is_write_error:
        return StoreError(
            f"{path} cannot be written ({error}); free space on its disk or change its permissions; "
            "its content can still be read"
        )
    return StoreError(
        f"{path} cannot be used as a store: {error}; check that it is a store of Forsyth and that no other "
        "program locks it"
    )


def _create_private_file(path: Path) -> bool:
    """Create an empty file that only its owner can read and write, and return True.

    Return False if the file exists already. It is then left unchanged.
    """
    # One thread at a time: closing a file releases all locks of this process on it, also those of SQLite.
    with _CREATE_LOCK:
        if path.exists():
            return False
        # `path` may be a link to a file that does not exist yet.
        real_path = os.path.realpath(path)
        try:
            file_descriptor = os.open(real_path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY)
        except FileExistsError:
            return False
        os.close(file_descriptor)
        return True


def _connect_to_write(path: Path) -> sqlite3.Connection:
    """Return a connection that can write to a store file. Create or upgrade its tables.

    While another connection prepares the same file, try again for up to `BUSY_SECONDS`.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        connection = _open_connection(str(path))
        try:
            _prepare_tables(connection, path)
        except BaseException as error:
            connection.close()
            is_busy = _read_primary_code(error) == sqlite3.SQLITE_BUSY
            is_too_late = time.monotonic() > deadline
            if not is_busy or is_too_late:
                raise
        else:
            return connection
        # SQLite fails without waiting if two connections change the journal mode at the same time.
        time.sleep(_RETRY_SECONDS)


def _connect_to_read(path: Path) -> sqlite3.Connection | None:
    """Return a connection that only reads the file of a store, or None if SQLite cannot read it.

    The result is also None if SQLite could only read the file without its write-ahead log, but this log
    contains rows.
    """
    with suppress(sqlite3.Error):
        return _open_read_only(f"{path.as_uri()}?{_READ_ONLY}", path)
    if _has_journal(path):
        return None
    with suppress(sqlite3.Error):
        return _open_read_only(f"{path.as_uri()}?{_READ_ONLY_WITHOUT_JOURNAL}", path)
    return None


def _open_read_only(uri: str, path: Path) -> sqlite3.Connection:
    """Return a connection that only reads the store at an SQLite URI: ``file:///a.sqlite?mode=ro``.

    `path` is the path of the store as messages name it. Raise `StoreError` if the tables have an earlier
    layout, because they cannot be upgraded.
    """
    connection = _open_connection(uri)
    try:
        _require_current_layout(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _open_connection(path_or_uri: str) -> sqlite3.Connection:
    """Return a new connection to the database at a path or ``file:`` URI.

    It commits each statement at once. Every thread may use it.
    """
    return sqlite3.connect(
        path_or_uri,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=path_or_uri.startswith("file:"),
    )


def _has_journal(path: Path) -> bool:
    """Return True if an SQLite file has a write-ahead log, ``PATH-wal``, that is not empty."""
    journal = Path(f"{path}-wal")
    return journal.exists() and journal.stat().st_size > 0


def _require_current_layout(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `StoreError` if the tables of a read-only store do not have the current layout.

    `path` is the path of the store as messages name it.
    """
    connection.execute(_DISTRUST_SCHEMA)
    layout = _read_layout(connection, path)
    is_empty = layout == 0
    if is_empty:
        raise StoreError(
            f"{path} is empty and cannot be written; free space on its disk, or choose another location"
        )
    if layout != LAYOUT_VERSION:
        raise StoreError(
            f"{path} has layout {layout}, expected {LAYOUT_VERSION}, and cannot be written; "
            "make it writable, so that it can be upgraded"
        )


def _read_primary_code(error: BaseException) -> int:
    """Return the primary result code of an SQLite error, such as `SQLITE_BUSY`.

    SQLite reports extended codes, whose low byte is the primary code. The result is `SQLITE_OK` for an error
    without a code, such as an error of Python.
    """
    extended_code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return extended_code & _PRIMARY_CODE_MASK


def _prepare_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Select the journal mode of a file, and create or upgrade its tables.

    `path` is the path of the file as messages name it. Raise `StoreError` if the file belongs to another
    program or to a newer Forsyth.
    """
    connection.execute(_DISTRUST_SCHEMA)
    # In a transaction, to see either all or nothing of what another process writes to a new file.
    connection.execute("BEGIN")
    layout = _read_layout(connection, path)
    connection.execute("COMMIT")
    _select_journal_mode(connection)
    if layout != LAYOUT_VERSION:
        _upgrade_tables(connection, path)


def _select_journal_mode(connection: sqlite3.Connection) -> None:
    """Use a write-ahead log if the file system supports it. Otherwise flush each commit to disk."""
    (journal_mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    synchronous = "NORMAL" if journal_mode == "wal" else "FULL"
    connection.execute(f"PRAGMA synchronous = {synchronous}")


def _upgrade_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Create the tables of a file, or upgrade them to the current layout, in one transaction.

    `path` is the path of the file as messages name it.
    """
    connection.execute("BEGIN IMMEDIATE")
    # Read under the write lock, because another process may have upgraded the file in the meantime.
    layout = _read_layout(connection, path)
    for migration in _MIGRATIONS[layout:]:
        for statement in migration:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {LAYOUT_VERSION}")
    connection.execute("COMMIT")


def _read_layout(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version number of the table layout in a file, or 0 if the file is empty.

    `path` is the path of the file as messages name it. Raise `StoreError` if the file belongs to another
    program or to a newer Forsyth.
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
    (table_count,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    is_empty = application_id == 0 and layout == 0 and table_count == 0
    if not is_empty:
        raise StoreError(
            f"{path} is the database of another program, expected a store of Forsyth; choose another path"
        )
    return 0


def _read_pragma(connection: sqlite3.Connection, name: str) -> int:
    """Return the value of a numeric setting of an SQLite file, such as ``user_version``."""
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return int(value)
