"""Positions kept in one SQLite file.

Accepted: a path; the file and its folders are made when they are not there. A file that is not a store of
Forsyth is refused before anything in it is changed. Texts as in `forsyth.store.memory`.

Written: a table `position(id, text, game)`, `initial(game, id)` for the position that each game's name
``initial`` stands for, and `saved` for the library. A position is never dropped; the text of an identifier is
checked against it on every read, so that a damaged row is a `StoreError` and never another position.

Durability: the journal is write-ahead with `synchronous = NORMAL`. When `put` returns, its row has been
handed to the operating system, which keeps it though the process be killed the next moment. Only a loss of
power can take back the last rows, and even that does not damage the file; FULL would close that gap at the
price of a disk flush for every `put`. Where the file system has no write-ahead journal, FULL is used.

Concurrency: any number of threads may share a store, and any number of processes may open the same file. A
process may fork with a store open: connections do not survive a fork, so they are closed before and opened
again on both sides. The file must be on a local disk.

Stability: `PRAGMA application_id` names the file as Forsyth's, `user_version` numbers the layout. A version
of Forsyth reads the layouts of all versions before it.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from forsyth.forms import Entry
from forsyth.identity import state_id
from forsyth.store.errors import StoreError
from forsyth.store.library import (
    COLUMNS,
    DEFAULT_PAGE,
    Page,
    Saved,
    address,
    can_be_stored,
    change_to,
    game_name,
    new_saved,
    read_row,
    search_for,
    write_row,
)

APPLICATION_ID: Final = 0x46535954
"""The letters FSYT: what `file` and SQLite itself tell this kind of file by."""

LAYOUT: Final = 3
"""The number of the table layout, kept in `user_version`. Layout 1 had no table `initial`, 2 no `saved`."""

BUSY_SECONDS: Final = 30.0
"""How long to wait for other writers: each holds the file for well under a millisecond."""

PAGE: Final = 1000
"""Identifiers fetched at a time in an iteration, so that none keeps a read lock while its caller works."""

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
)
"""What makes each layout out of the one before it."""

_INITIAL: Final = "SELECT id FROM initial WHERE game = ?"
_SET_INITIAL: Final = (
    "INSERT INTO initial (game, id) VALUES (?, ?) ON CONFLICT (game) DO UPDATE SET id = excluded.id"
)

_KNOWN: Final = "SELECT game FROM position WHERE id = ? AND text = ?"
_FIND: Final = "SELECT text, game FROM position WHERE id = ?"
_NEXT: Final = "SELECT id FROM position WHERE id > ? ORDER BY id LIMIT ?"
_PUT: Final = (
    "INSERT INTO position (id, text, game) VALUES (?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET text = excluded.text, game = coalesce(position.game, excluded.game)"
)
"""One statement is one transaction. On conflict the text is the same, unless the row was damaged."""

_SAVE: Final = f"INSERT INTO saved ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CHANGE: Final = f"UPDATE saved SET ({COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?"
_FORGET: Final = "DELETE FROM saved WHERE id = ?"
_ROWS: Final = (
    "SELECT number, saved.id, state_id, saved.game, text, name, tags, note, created, updated "
    "FROM saved LEFT JOIN position ON position.id = state_id "
)
_SAVED: Final = _ROWS + "WHERE saved.id = ?"
_WANTED: Final = (
    "WHERE (:game IS NULL OR saved.game = :game) AND (:tag IS NULL OR instr(tags, :tag) > 0) "
    "AND (:query IS NULL OR instr(searchable, :query) > 0) "
)
_SEARCH: Final = _ROWS + _WANTED + "AND number < :before ORDER BY number DESC LIMIT :most"
_COUNT: Final = "SELECT count(*) FROM saved " + _WANTED


class SqliteStore:
    """Positions in an SQLite file; safe to share between threads and across forks."""

    def __init__(self, path: str | Path) -> None:
        # Absolute, because the file is opened again after a fork and the process may have moved by then.
        self._path = Path(path).absolute()
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._closed = False
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{self._path.parent} cannot be made: {error.strerror}") from error
        # Before the first connection: a fork in another thread must not find one that it cannot close.
        _FORK.add(self)
        with self._using():
            pass

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._path

    def put(self, text: str, game: str | None = None) -> str:
        """Keep a canonical text and return its identifier; only a game not known before is added later."""
        id = address(text)
        game = None if game is None else game_name(game)
        with self._using() as connection:
            # Most texts put into a busy store are there already, and reading waits for no writer.
            known = connection.execute(_KNOWN, (id, text)).fetchone()
            if known is None or (known[0] is None and game is not None):
                connection.execute(_PUT, (id, text, game))
        return id

    def get(self, id: str) -> str | None:
        """The text of an identifier, or None; raises `StoreError` when the row is damaged."""
        entry = self.entry(id)
        return None if entry is None else entry.text

    def entry(self, id: str) -> Entry | None:
        """The text of an identifier with its game, or None; raises `StoreError` when the row is damaged."""
        if not id.isascii():
            return None
        with self._using() as connection:
            row = connection.execute(_FIND, (id,)).fetchone()
        if row is None:
            return None
        text, game = row
        if not isinstance(text, str) or state_id(text) != id:
            raise StoreError(f"{self._path} is damaged: the text of {id} is not the one it was stored with")
        return Entry(id, text, game)

    def initial(self, game: str) -> str | None:
        """The text that the name ``initial`` stands for in a game, or None while none was set."""
        if not can_be_stored(game):
            return None
        with self._using() as connection:
            row = connection.execute(_INITIAL, (game,)).fetchone()
        if row is None:
            return None
        text = self.get(row[0])
        if text is None:
            raise StoreError(f"{self._path} is damaged: the initial position of {game} is not in it")
        return text

    def set_initial(self, game: str, text: str) -> str:
        """Let ``initial`` stand for a canonical text from now on; returns its identifier."""
        id = self.put(text, game)
        with self._using() as connection:
            connection.execute(_SET_INITIAL, (game, id))
        return id

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Keep a canonical text and save it in the library, under an identifier of its own."""
        saved = new_saved(text, game, name, tags, note)
        with self._writing() as connection:
            connection.execute(_PUT, (saved.state_id, text, game))
            connection.execute(_SAVE, write_row(saved))
        return saved

    def saved(self, id: str) -> Saved | None:
        """A saved position, or None; raises `StoreError` when its text is damaged."""
        if not can_be_stored(id):
            return None
        with self._using() as connection:
            return self._saved(connection, id)

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Give a saved position other values, None leaving one as it is; returns it, or None for no such."""
        change = change_to(name, tags, note)
        if not can_be_stored(id):
            return None
        with self._writing() as connection:
            known = self._saved(connection, id)
            if known is None:
                return None
            saved = change.of(known)
            connection.execute(_CHANGE, (*write_row(saved), id))
        return saved

    def forget(self, id: str) -> bool:
        """Take a saved position out of the library, and say whether it was there. Its text is kept."""
        if not can_be_stored(id):
            return False
        with self._using() as connection:
            return connection.execute(_FORGET, (id,)).rowcount > 0

    def search(
        self,
        game: str | None = None,
        tag: str | None = None,
        query: str | None = None,
        limit: int = DEFAULT_PAGE,
        after: str | None = None,
    ) -> Page:
        """The saved positions of a game, with a tag, that hold a query: newest first, from a cursor on."""
        search = search_for(game, tag, query, limit, after)
        values = search.values()
        with self._using() as connection:
            found = connection.execute(_SEARCH, values).fetchall()
            total = connection.execute(_COUNT, values).fetchone()[0]
        return search.page([read_row(row, str(self._path)) for row in found], total)

    def _saved(self, connection: sqlite3.Connection, id: str) -> Saved | None:
        row = connection.execute(_SAVED, (id,)).fetchone()
        return None if row is None else read_row(row, str(self._path))[1]

    def __len__(self) -> int:
        with self._using() as connection:
            count: int = connection.execute("SELECT count(*) FROM position").fetchone()[0]
        return count

    def __iter__(self) -> Iterator[str]:
        last = ""
        while True:
            with self._using() as connection:
                rows = connection.execute(_NEXT, (last, PAGE)).fetchall()
            for (id,) in rows:
                yield id
            if len(rows) < PAGE:
                return
            last = rows[-1][0]

    def close(self) -> None:
        """Close the file; the store cannot be used after."""
        with self._lock:
            self._closed = True
            self._disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time; SQLite's errors as `StoreError`."""
        with self._lock:
            if self._closed:
                raise StoreError(f"the store {self._path} is closed")
            try:
                if self._connection is None:
                    self._connection = self._open()
                yield self._connection
            except sqlite3.Error as error:
                raise StoreError(f"{self._path} cannot be used as a store: {error}") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The connection inside a transaction that is all or nothing."""
        with self._using() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def _open(self) -> sqlite3.Connection:
        return _connect(self._path)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _connect(path: Path) -> sqlite3.Connection:
    """An open connection to a store with its table, waiting while others are making the same file."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        connection = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _prepare(connection, path)
        except BaseException as error:
            connection.close()
            if not _is_busy(error) or time.monotonic() > deadline:
                raise
            # Two that change the journal at once would wait for each other: SQLite refuses one at once.
            time.sleep(0.01)
        else:
            return connection


def _is_busy(error: BaseException) -> bool:
    # Errors of the Python side carry no code; the low byte of SQLite's is the primary one.
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return code & 0xFF == sqlite3.SQLITE_BUSY


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    # In a transaction: of another process that is making the file, all must be seen or nothing.
    connection.execute("BEGIN")
    layout = layout_of(connection, path)
    connection.execute("COMMIT")
    journal = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if journal == 'wal' else 'FULL'}")
    if layout == LAYOUT:
        return
    connection.execute("BEGIN IMMEDIATE")
    for step in _STEPS[layout_of(connection, path) :]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {LAYOUT}")
    connection.execute("COMMIT")


def layout_of(connection: sqlite3.Connection, path: Path) -> int:
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


class _ForkGuard:
    """Closes the connections of all stores before a fork.

    SQLite keeps its locks per process and in memory that a fork copies: a child with the copy believes to
    hold locks that it does not, and may damage the file even by closing it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stores: weakref.WeakSet[SqliteStore] = weakref.WeakSet()
        self._held: list[SqliteStore] = []

    def add(self, store: SqliteStore) -> None:
        with self._lock:
            self._stores.add(store)

    def before(self) -> None:
        self._lock.acquire()
        self._held = list(self._stores)
        for store in self._held:
            store._lock.acquire()
            store._disconnect()

    def after(self) -> None:
        for store in self._held:
            store._lock.release()
        self._held = []
        self._lock.release()


_FORK: Final = _ForkGuard()
if sys.platform != "win32":
    os.register_at_fork(before=_FORK.before, after_in_parent=_FORK.after, after_in_child=_FORK.after)
