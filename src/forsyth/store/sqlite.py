"""A store in one SQLite file: `forsyth.store.sql` in SQLite's dialect.

Location: a path in an existing folder; `forsyth.store.sqlite_file` creates and opens the file.

Tables: `position`, `initial`, `saved` and `saved_tag`. A store that cannot be written can still be read;
writing to it raises `StoreError`.

Durability: the journal mode is WAL (write-ahead log) with `synchronous = NORMAL`. When `put` returns, its
row has been handed to the operating system, which keeps it even if the process is killed the next moment.
Only a power failure can lose the last rows, and it does not damage the file. `synchronous = FULL` would
close that gap, but every `put` would flush the disk. FULL is used if the file system does not support WAL.

A file that is deleted, moved or replaced while it is open is noticed: every later use raises `StoreError`,
because rows in the old file would be lost.

Concurrency: any number of threads may share a store, and any number of processes may open the same file. A
process may fork with a store open (`forsyth.store.forks`). The file must be on a local disk.

Stability: `PRAGMA application_id` marks the file as a store of Forsyth, and `user_version` is the version of
its layout. A version of Forsyth reads the layouts of all earlier versions.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from forsyth.store.errors import StoreError
from forsyth.store.forks import close_before_forks
from forsyth.store.library import Rows
from forsyth.store.sql import Connection, Parameters, SqlStore
from forsyth.store.sqlite_file import (
    FileIdentity,
    explain_error,
    identify_file,
    open_file,
    require_same_file,
)
from forsyth.store.statements import Dialect, render_statements


def _make_rows_source(columns: Sequence[str]) -> str:
    """Return the SQL of one row with a parameter for each column: ``VALUES (?, ?)`` for two columns."""
    return f"VALUES ({', '.join('?' * len(columns))})"


DIALECT: Final = Dialect(
    table_prefix="",
    parameter=":name",
    text_cast="",
    find_function="instr",
    # A transaction that writes locks the whole file, so that no row has to be locked.
    row_lock="",
    make_rows_source=_make_rows_source,
)

_STATEMENTS: Final = render_statements(DIALECT)

_UNDECODABLE: Final = "Could not decode to UTF-8"
"""The beginning of the message of Python's SQLite module for a text that is not UTF-8."""

T = TypeVar("T")


def _decode_if_utf8(value: bytes) -> str | bytes:
    """Return the text that bytes encode, or the bytes unchanged if they are not UTF-8."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _is_decoding_error(error: Exception) -> bool:
    """Return True if SQLite or Python reports a text in the file that is not UTF-8."""
    return isinstance(error, UnicodeDecodeError) or _UNDECODABLE in str(error)


class SqliteStore(SqlStore):
    """A store in an SQLite file; safe to share between threads and across forks."""

    _sql = _STATEMENTS

    def __init__(self, path: str | Path) -> None:
        # Absolute, because the file is reopened after a fork, and the working directory may differ by then.
        self._path = Path(path).absolute()
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._identity: FileIdentity | None = None
        self._closed = False
        self._writable = True
        # Registered before the first connection opens, so that a fork in another thread can close it.
        close_before_forks(self)
        self._run_operation(lambda connection: None)

    @property
    def path(self) -> Path:
        """The absolute path of the file."""
        return self._path

    @property
    def location(self) -> str:
        """The path of the file as error messages name it."""
        return str(self._path)

    @property
    def writable(self) -> bool:
        """Whether the file could be written when it was last opened; otherwise it can only be read."""
        return self._writable

    def close(self) -> None:
        """Close the file. The store cannot be used afterwards."""
        with self._lock:
            self._closed = True
            self._close_connection()

    def _run_operation(self, operation: Callable[[Connection], T]) -> T:
        """Call `operation` with the connection, and return its result.

        Raise `StoreError` if SQLite reports an error.
        """
        with self._use_connection() as connection:
            return operation(connection)

    def _run_in_transaction(self, operation: Callable[[Connection], T]) -> T:
        """Call `operation` with the connection in a transaction, and return its result.

        The transaction is rolled back if `operation` raises. Raise `StoreError` if SQLite reports an error.
        """
        with self._use_connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                result = operation(connection)
            except BaseException:
                connection.rollback()
                raise
            connection.commit()
        return result

    def _insert_rows(self, connection: Connection, statement_name: str, rows: Rows) -> None:
        """Insert many rows with the statement ``put_many`` (texts), ``save_many`` or ``tag_many``.

        The statement runs once for each row. The values of a row are in the order of its parameters.
        """
        assert isinstance(connection, sqlite3.Connection)
        connection.executemany(self._sql[statement_name], rows)

    @contextmanager
    def _use_connection(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection, and keep other threads from using it until the block ends.

        The connection is opened if necessary. If the file can only be read, the connection is closed after
        use, so that the next use tries to write again. Raise `StoreError` if the store is closed or cannot be
        opened, if its file was deleted or replaced, or if SQLite reports an error.
        """
        with self._lock:
            if self._closed:
                raise StoreError(f"the store {self._path} is closed; open it again")
            is_reusable = True
            self._require_unreplaced_file()
            try:
                if self._connection is None:
                    self._connection, is_reusable = open_file(self._path)
                    # Only a connection that cannot write must not be used again.
                    self._writable = is_reusable
                    self._identity = self._identity or identify_file(self._path)
                yield self._connection
                # Checked again, because a write to a file that is gone must not be acknowledged.
                self._require_unreplaced_file()
            except sqlite3.Error as error:
                raise explain_error(self._path, error) from error
            except UnicodeDecodeError as error:
                raise StoreError(
                    f"{self._path} is damaged: it contains bytes that are not UTF-8 text; "
                    "restore the store from a backup"
                ) from error
            finally:
                if not is_reusable:
                    self._close_connection()

    def _require_unreplaced_file(self) -> None:
        """Raise `StoreError` if the file was deleted or replaced after the store opened it."""
        if self._identity is not None:
            require_same_file(self._path, self._identity)

    def _fetch_all(self, statement_name: str, parameters: Parameters) -> list[Any]:
        """Run the SQL statement with the name `statement_name`, and return all rows of its result.

        A value that is not UTF-8 is returned as bytes, so that the rows without such values can be used.
        """
        statement = self._sql[statement_name]
        with self._use_connection() as connection:
            try:
                return connection.execute(statement, parameters).fetchall()
            except (sqlite3.OperationalError, UnicodeDecodeError) as error:
                if not _is_decoding_error(error):
                    raise
            # Run again, because the error has ended the statement. Keep undecodable values as bytes now.
            connection.text_factory = _decode_if_utf8
            try:
                return connection.execute(statement, parameters).fetchall()
            finally:
                connection.text_factory = str

    def pause(self) -> None:
        """Wait until no thread uses the connection, close it, and block new uses until `resume`."""
        self._lock.acquire()
        self._close_connection()

    def resume(self) -> None:
        """Let threads use the store again. The next use opens a new connection."""
        self._lock.release()

    def _close_connection(self) -> None:
        """Close the connection, if there is one. The caller must hold the lock."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
