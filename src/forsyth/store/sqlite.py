"""Positions kept in one SQLite file.

Accepted: a path in a folder that is there; `forsyth.store.sqlite_file` makes and opens the file. Texts as in
`forsyth.store.memory`.

Written: a table `position(id, text, game)`, `initial(game, id)` for the position that each game's name
``initial`` stands for, and `saved` for the library. A position is never dropped; the text of an identifier is
checked against it on every read, so that a damaged row is a `StoreError` and never another position. A store
that cannot be written is read all the same; what would write to it is a `StoreError`.

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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from forsyth.arguments import quoted
from forsyth.forms import Entry
from forsyth.identity import state_id
from forsyth.store.errors import StoreError
from forsyth.store.forks import guard
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
from forsyth.store.sqlite_file import explained, open_file

PAGE: Final = 1000
"""Identifiers fetched at a time in an iteration, so that none keeps a read lock while its caller works."""

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
    def writable(self) -> bool:
        """Whether the file could be written when it was last opened; if not it can be read."""
        return self._writable

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
        if not can_be_stored(id):
            return None
        with self._using() as connection:
            row = connection.execute(_FIND, (id,)).fetchone()
        if row is None:
            return None
        text, game = row
        if not isinstance(text, str) or state_id(text) != id:
            raise StoreError(f"{self._path} is damaged: the text of {id} is not the one it was stored with")
        if not isinstance(game, str | None):
            raise StoreError(f"{self._path} is damaged: the game of {id} is not text")
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
                if not isinstance(id, str):
                    raise StoreError(f"{self._path} is damaged: {quoted(id)} is not an identifier")
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
