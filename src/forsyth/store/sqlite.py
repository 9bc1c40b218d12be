"""Positions kept in one SQLite file: `forsyth.store.sql` in SQLite's dialect.

Accepted: a path in a folder that is there; `forsyth.store.sqlite_file` makes and opens the file.

Written: the tables `position`, `initial`, `saved` and `saved_tag`. A store that cannot be written is read all
the same; what would write to it is a `StoreError`.

Durability: the journal is write-ahead with `synchronous = NORMAL`. When `put` returns, its row has been
handed to the operating system, which keeps it though the process be killed the next moment. Only a loss of
power can take back the last rows, and even that does not damage the file; FULL would close that gap at the
price of a disk flush for every `put`. Where the file system has no write-ahead journal, FULL is used.

Concurrency: any number of threads may share a store, and any number of processes may open the same file. A
process may fork with a store open (`forsyth.store.forks`). The file must be on a local disk.

Stability: `PRAGMA application_id` names the file as Forsyth's, `user_version` numbers the layout. A version
of Forsyth reads the layouts of all versions before it.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from forsyth.store.errors import StoreError
from forsyth.store.forks import guard
from forsyth.store.library import Rows
from forsyth.store.sql import Connection, SqlStore
from forsyth.store.sqlite_file import explained, open_file
from forsyth.store.statements import Dialect, statements

DIALECT: Final = Dialect(
    prefix="",
    parameter=":name",
    as_text="",
    find="instr",
    for_change="",
    rows=lambda columns: f"VALUES ({', '.join('?' * len(columns))})",
)
"""A transaction that writes has the whole file: nothing is to be locked beside it."""

_STATEMENTS: Final = statements(DIALECT)

T = TypeVar("T")


class SqliteStore(SqlStore):
    """Positions in an SQLite file; safe to share between threads and across forks."""

    _sql = _STATEMENTS

    def __init__(self, path: str | Path) -> None:
        # Absolute, because the file is opened again after a fork and the process may have moved by then.
        self._path = Path(path).absolute()
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._closed = False
        self._writable = True
        # Before the first connection: a fork in another thread must not find one that it cannot close.
        guard(self)
        with self._using():
            pass

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._path

    @property
    def where(self) -> str:
        """Where the file is, as messages name it."""
        return str(self._path)

    @property
    def writable(self) -> bool:
        """Whether the file could be written when it was last opened; if not it can be read."""
        return self._writable

    def close(self) -> None:
        """Close the file; the store cannot be used after."""
        with self._lock:
            self._closed = True
            self._disconnect()

    def _run(self, work: Callable[[Connection], T]) -> T:
        with self._using() as connection:
            return work(connection)

    def _run_whole(self, work: Callable[[Connection], T]) -> T:
        with self._using() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                done = work(connection)
            except BaseException:
                connection.rollback()
                raise
            connection.commit()
        return done

    def _insert(self, connection: Connection, statement: str, rows: Rows) -> None:
        assert isinstance(connection, sqlite3.Connection)
        connection.executemany(self._sql[statement], rows)

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time; SQLite's errors as `StoreError`."""
        with self._lock:
            if self._closed:
                raise StoreError(f"the store {self._path} is closed")
            lasting = True
            try:
                if self._connection is None:
                    self._connection, lasting = open_file(self._path)
                    self._writable = lasting
                yield self._connection
            except sqlite3.Error as error:
                raise explained(self._path, error) from error
            except UnicodeDecodeError as error:
                raise StoreError(f"{self._path} is damaged: it holds bytes that are not text") from error
            finally:
                if not lasting:
                    self._disconnect()

    def pause(self) -> None:
        """Wait until nobody uses the connection, close it, and let nobody use it: a fork is near."""
        self._lock.acquire()
        self._disconnect()

    def resume(self) -> None:
        """Let everybody use it again."""
        self._lock.release()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
