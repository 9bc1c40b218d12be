"""Positions kept in a PostgreSQL database, for many machines.

Accepted: a ``postgresql://`` URL as libpq reads it, of a database with the encoding UTF8. The tables are made
when they are not there, in the first schema of the search path; ``?options=-csearch_path%3Dmine`` names
another. Texts as in `forsyth.store.memory`, saved positions as in `forsyth.store.library`.

Written: the tables `forsyth_position`, `forsyth_initial` and `forsyth_saved` with the columns of the SQLite
file, and `forsyth_layout` with the number of their layout. A position is never dropped; the text of an
identifier is checked against it on every read, so that a damaged row is a `StoreError` and never another
position.

Durability: when `put` returns, its row is committed and flushed by the server; a server that is set to
acknowledge before is told not to, for these connections.

Concurrency: any number of threads may share a store, and any number of processes and machines the database. A
process may fork with a store open. See `forsyth.store.connections` for how many connections there are.

Restart: what meets a broken connection is tried once more on a new one. Every statement may be done twice:
the identifier of a saved position is chosen before it is sent. Only `forget` may then say that there was
nothing to forget, when the server stopped between doing and answering.

Errors: a `StoreError` with the server's words and a remedy, and never with the password.

Stability: a version of Forsyth reads the layouts of all versions before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Final, Self, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from forsyth.forms import Entry
from forsyth.identity import state_id
from forsyth.store.connections import Connection, Connections
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

LAYOUT: Final = 1
"""The number of the table layout, kept in `forsyth_layout`."""

CONNECT_SECONDS: Final = 10
"""How long to wait for a server that does not answer, unless the URL says otherwise."""

PAGE: Final = 1000
"""Identifiers fetched at a time in an iteration, so that none keeps a connection while its caller works."""

_MAKING: Final = 0x46535954
"""The advisory lock under which tables are made: the letters FSYT."""

_STEPS: Final = (
    (
        "CREATE TABLE forsyth_layout (layout integer NOT NULL)",
        "INSERT INTO forsyth_layout (layout) VALUES (0)",
        # The order of "C" is that of the bytes: it never changes with the server's operating system.
        'CREATE TABLE forsyth_position (id text COLLATE "C" PRIMARY KEY, text text COLLATE "C" NOT NULL, '
        'game text COLLATE "C")',
        'CREATE TABLE forsyth_initial (game text COLLATE "C" PRIMARY KEY, id text COLLATE "C" NOT NULL)',
        "CREATE TABLE forsyth_saved (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
        'id text COLLATE "C" NOT NULL UNIQUE, state_id text COLLATE "C" NOT NULL, '
        'game text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, tags text COLLATE "C" NOT NULL, '
        "note text NOT NULL, created text NOT NULL, updated text NOT NULL, "
        'searchable text COLLATE "C" NOT NULL)',
    ),
)
"""What makes each layout out of the one before it."""

_TABLES: Final = (
    "SELECT relname FROM pg_class JOIN pg_namespace AS schema ON schema.oid = relnamespace "
    "WHERE nspname = ANY (current_schemas(false)) AND relname IN ('forsyth_layout', 'forsyth_position')"
)
"""Not by `to_regclass`: what that remembers from before the lock hides the tables that another has made."""

_LAYOUT: Final = "SELECT layout FROM forsyth_layout"
_SET_LAYOUT: Final = "UPDATE forsyth_layout SET layout = %s"
_LOCK: Final = "SELECT pg_advisory_xact_lock(%s)"
_FLUSHED: Final = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)

_INITIAL: Final = "SELECT id FROM forsyth_initial WHERE game = %s"
_SET_INITIAL: Final = (
    "INSERT INTO forsyth_initial (game, id) VALUES (%s, %s) ON CONFLICT (game) DO UPDATE SET id = excluded.id"
)
_KNOWN: Final = "SELECT game FROM forsyth_position WHERE id = %s AND text = %s"
_FIND: Final = "SELECT text, game FROM forsyth_position WHERE id = %s"
_NEXT: Final = "SELECT id FROM forsyth_position WHERE id > %s ORDER BY id LIMIT %s"
_PUT: Final = (
    "INSERT INTO forsyth_position AS known (id, text, game) VALUES (%s, %s, %s) "
    "ON CONFLICT (id) DO UPDATE SET text = excluded.text, game = coalesce(known.game, excluded.game) "
    "WHERE known.text <> excluded.text OR known.game IS NULL"
)
"""One statement is one transaction. On conflict the text is the same, unless the row was damaged."""

_SAVE: Final = (
    f"WITH position AS ({_PUT}) "
    f"INSERT INTO forsyth_saved ({COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) "
    "ON CONFLICT (id) DO NOTHING"
)
_CHANGE: Final = f"UPDATE forsyth_saved SET ({COLUMNS}) = (%s, %s, %s, %s, %s, %s, %s, %s, %s) WHERE id = %s"
_FORGET: Final = "DELETE FROM forsyth_saved WHERE id = %s"
_COLUMNS_READ: Final = (
    "SELECT number, saved.id, state_id, saved.game, text, name, tags, note, created, updated FROM"
)
_TEXTS: Final = "AS saved LEFT JOIN forsyth_position AS known ON known.id = state_id"
_SAVED: Final = f"{_COLUMNS_READ} forsyth_saved {_TEXTS} WHERE saved.id = %s"
_SAVED_TO_CHANGE: Final = f"{_SAVED} FOR UPDATE OF saved"
_WANTED: Final = (
    "FROM forsyth_saved WHERE (%(game)s::text IS NULL OR game = %(game)s) "
    "AND (%(tag)s::text IS NULL OR strpos(tags, %(tag)s) > 0) "
    "AND (%(query)s::text IS NULL OR strpos(searchable, %(query)s) > 0)"
)
_FOUND: Final = f"SELECT * {_WANTED} AND number < %(before)s ORDER BY number DESC LIMIT %(most)s"
_SEARCH: Final = f"{_COLUMNS_READ} ({_FOUND}) {_TEXTS} ORDER BY number DESC"
"""The page first, then its texts: the planner would rather join all of them."""

_COUNT: Final = f"SELECT count(*) {_WANTED}"

T = TypeVar("T")


class PostgresStore:
    """Positions in a PostgreSQL database; safe to share between threads and across forks."""

    def __init__(self, url: str) -> None:
        self._settings = _settings_of(url)
        self._where = _without_password(self._settings)
        self._connections = Connections(lambda: _connect(self._settings), self._where)
        try:
            self._run(lambda connection: _prepare(connection, self._where))
        except BaseException:
            self.close()
            raise

    @property
    def where(self) -> str:
        """The server and the database, without the password."""
        return self._where

    def put(self, text: str, game: str | None = None) -> str:
        """Keep a canonical text and return its identifier; only a game not known before is added later."""
        id = address(text)
        game = None if game is None else game_name(game)
        self._run(lambda connection: _put(connection, Entry(id, text, game)))
        return id

    def get(self, id: str) -> str | None:
        """The text of an identifier, or None; raises `StoreError` when the row is damaged."""
        entry = self.entry(id)
        return None if entry is None else entry.text

    def entry(self, id: str) -> Entry | None:
        """The text of an identifier with its game, or None; raises `StoreError` when the row is damaged."""
        if not can_be_stored(id):
            return None
        row = self._run(lambda connection: connection.execute(_FIND, (id,)).fetchone())
        if row is None:
            return None
        text, game = row
        if state_id(text) != id:
            raise StoreError(f"{self._where} is damaged: the text of {id} is not the one it was stored with")
        return Entry(id, text, game)

    def initial(self, game: str) -> str | None:
        """The text that the name ``initial`` stands for in a game, or None while none was set."""
        if not can_be_stored(game):
            return None
        row = self._run(lambda connection: connection.execute(_INITIAL, (game,)).fetchone())
        if row is None:
            return None
        text = self.get(row[0])
        if text is None:
            raise StoreError(f"{self._where} is damaged: the initial position of {game} is not in it")
        return text

    def set_initial(self, game: str, text: str) -> str:
        """Let ``initial`` stand for a canonical text from now on; returns its identifier."""
        id = self.put(text, game)
        self._run(lambda connection: connection.execute(_SET_INITIAL, (game, id)))
        return id

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Keep a canonical text and save it in the library, under an identifier of its own."""
        saved = new_saved(text, game, name, tags, note)
        values = (saved.state_id, text, game, *write_row(saved))
        self._run(lambda connection: connection.execute(_SAVE, values))
        return saved

    def saved(self, id: str) -> Saved | None:
        """A saved position, or None; raises `StoreError` when its text is damaged."""
        if not can_be_stored(id):
            return None
        return self._run(lambda connection: self._saved(connection, _SAVED, id))

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Give a saved position other values, None leaving one as it is; returns it, or None for no such."""
        change = change_to(name, tags, note)
        if not can_be_stored(id):
            return None

        def work(connection: Connection) -> Saved | None:
            with connection.transaction():
                known = self._saved(connection, _SAVED_TO_CHANGE, id)
                if known is None:
                    return None
                saved = change.of(known)
                connection.execute(_CHANGE, (*write_row(saved), id))
            return saved

        return self._run(work)

    def forget(self, id: str) -> bool:
        """Take a saved position out of the library, and say whether it was there. Its text is kept."""
        if not can_be_stored(id):
            return False
        return self._run(lambda connection: connection.execute(_FORGET, (id,)).rowcount > 0)

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

        def work(connection: Connection) -> Page:
            found = connection.execute(_SEARCH, values).fetchall()
            total = _number(connection, _COUNT, values)
            return search.page([read_row(row, self._where) for row in found], total)

        return self._run(work)

    def _saved(self, connection: Connection, statement: str, id: str) -> Saved | None:
        row = connection.execute(statement, (id,)).fetchone()
        return None if row is None else read_row(row, self._where)[1]

    def __len__(self) -> int:
        return self._run(lambda connection: _number(connection, "SELECT count(*) FROM forsyth_position"))

    def __iter__(self) -> Iterator[str]:
        last = ""
        while True:
            ids = self._ids_after(last)
            yield from ids
            if len(ids) < PAGE:
                return
            last = ids[-1]

    def _ids_after(self, last: str) -> list[str]:
        return self._run(lambda connection: [id for (id,) in connection.execute(_NEXT, (last, PAGE))])

    def close(self) -> None:
        """Close the connections; the store cannot be used after."""
        self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _run(self, work: Callable[[Connection], T]) -> T:
        """What the work gives; the server's errors as `StoreError`."""
        try:
            return self._connections.run(work)
        except psycopg.Error as error:
            said = error.diag.message_primary or " ".join(str(error).split())
            for secret in _secrets_of(self._settings):
                said = said.replace(secret, "***")
            # Without the cause: its words are the server's, and nobody has looked through them.
            raise StoreError(f"{self._where} cannot be used as a store: {said}; {_remedy(error)}") from None


def _put(connection: Connection, entry: Entry) -> None:
    # Most texts put into a busy store are there already, and reading locks nothing.
    known = connection.execute(_KNOWN, (entry.id, entry.text)).fetchone()
    if known is None or (known[0] is None and entry.game is not None):
        connection.execute(_PUT, (entry.id, entry.text, entry.game))


def _number(
    connection: Connection, statement: str, values: Mapping[str, str | int | None] | None = None
) -> int:
    row = connection.execute(statement, values).fetchone()
    return int(row[0]) if row is not None else 0


# --- settings and errors ------------------------------------------------------------------------------

_SECRETS: Final = ("password", "sslpassword")


def _settings_of(url: str) -> dict[str, str]:
    try:
        found = conninfo_to_dict(url)
    except psycopg.Error:
        # libpq quotes the part that it cannot read, and that may be the password.
        raise StoreError(
            "the URL of the store cannot be read, expected postgresql://user:password@host:port/database "
            "with special characters percent-encoded"
        ) from None
    return {name: str(value) for name, value in found.items() if value is not None}


def _secrets_of(settings: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(settings[name] for name in _SECRETS if settings.get(name))


def _without_password(settings: Mapping[str, str]) -> str:
    user = f"{settings['user']}@" if "user" in settings else ""
    port = f":{settings['port']}" if "port" in settings else ""
    return f"postgresql://{user}{settings.get('host', '')}{port}/{settings.get('dbname', '')}"


_REMEDIES: Final[Mapping[str, str]] = {
    "25": "name a server that can be written to",
    "42501": "let the user make and use tables: GRANT USAGE, CREATE ON SCHEMA … TO …",
    "53": "the server is out of connections, memory or disk: give it more, or run fewer processes",
    "57P": "the server was stopped: start it and try again",
}
"""By how the SQLSTATE of an error begins."""


def _remedy(error: psycopg.Error) -> str:
    if error.sqlstate is None:
        return "check that the server runs, and the host, port, user, password and database of the URL"
    found = (remedy for state, remedy in _REMEDIES.items() if error.sqlstate.startswith(state))
    return next(found, "the server's log says more")


# --- connections and tables ---------------------------------------------------------------------------


def _connect(settings: Mapping[str, str]) -> Connection:
    usual = {"connect_timeout": str(CONNECT_SECONDS), "application_name": "forsyth"}
    # The encoding of the environment must not decide what a text is.
    given = {**usual, **settings, "client_encoding": "UTF8"}
    connection = psycopg.connect(make_conninfo("", **given), autocommit=True)
    try:
        connection.execute(_FLUSHED)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: Connection, where: str) -> None:
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(f"{where} has the encoding {encoding}, expected UTF8: make it with ENCODING 'UTF8'")
    if _layout_of(connection, where) == LAYOUT:
        return
    with connection.transaction():
        connection.execute(_LOCK, (_MAKING,))
        # Another process may have made the tables while this one waited.
        for step in _STEPS[_layout_of(connection, where) :]:
            for statement in step:
                connection.execute(statement)
        connection.execute(_SET_LAYOUT, (LAYOUT,))


def _layout_of(connection: Connection, where: str) -> int:
    """The layout of the tables, 0 if there are none; raises `StoreError` when they are of something else."""
    tables = {name for (name,) in connection.execute(_TABLES)}
    if not tables:
        return 0
    if "forsyth_layout" not in tables:
        raise StoreError(f"{where} has a table forsyth_position of another program; name another database")
    layout = _number(connection, _LAYOUT)
    if 1 <= layout <= LAYOUT:
        return layout
    raise StoreError(f"{where} has layout {layout}, expected {LAYOUT}: a newer Forsyth wrote it")
