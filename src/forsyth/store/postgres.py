"""Positions kept in a PostgreSQL database, for many machines: `forsyth.store.sql` in PostgreSQL's dialect.

Accepted: a ``postgresql://`` URL as libpq reads it, of a database with the encoding UTF8. The tables are made
when they are not there, in the first schema of the search path; ``?options=-csearch_path%3Dmine`` names
another.

Written: the tables `forsyth_position`, `forsyth_initial`, `forsyth_saved` and `forsyth_saved_tag`, and
`forsyth_layout` with the number of their layout.

Durability: when `put` returns, its row is committed and flushed by the server; a server that is set to
acknowledge before is told not to, for these connections.

Concurrency: any number of threads may share a store, and any number of processes and machines the database. A
process may fork with a store open. See `forsyth.store.connections` for how many connections there are.

Restart: what meets a broken connection is tried once more on a new one. Only `forget` may then say that there
was nothing to forget, when the server stopped between doing and answering.

Errors: a `StoreError` with the server's words and a remedy, and never with the password.

Stability: a version of Forsyth reads the layouts of all versions before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from forsyth.store.connections import Connection, Connections
from forsyth.store.errors import StoreError
from forsyth.store.library import Rows
from forsyth.store.sql import Connection as SqlConnection
from forsyth.store.sql import SqlStore
from forsyth.store.statements import GIVEN, Dialect, statements

LAYOUT: Final = 2
"""The number of the table layout, kept in `forsyth_layout`. Layout 1 had no table `forsyth_saved_tag`."""

CONNECT_SECONDS: Final = 10
"""How long to wait for a server that does not answer, unless the URL says otherwise."""

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
    (
        'CREATE TABLE forsyth_saved_tag (tag text COLLATE "C" NOT NULL, number bigint NOT NULL, '
        "PRIMARY KEY (tag, number))",
        "CREATE INDEX forsyth_saved_by_game ON forsyth_saved (game, number)",
        # The tags of a row have a line end around each.
        "INSERT INTO forsyth_saved_tag (tag, number) SELECT DISTINCT one, number "
        "FROM forsyth_saved, unnest(string_to_array(trim(both chr(10) from tags), chr(10))) AS one "
        "WHERE tags <> ''",
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


def _given_rows(columns: Sequence[str]) -> str:
    # Binary: lists as text are put together in Python, value by value, at five times the cost.
    lists = ", ".join(f"%({column})b::text[]" for column in columns)
    return f"SELECT * FROM unnest({lists}) AS given ({', '.join(columns)})"


DIALECT: Final = Dialect(
    prefix="forsyth_",
    parameter="%(name)s",
    as_text="::text",
    find="strpos",
    for_change=" FOR UPDATE OF saved",
    rows=_given_rows,
)
_STATEMENTS: Final = statements(DIALECT)

T = TypeVar("T")


class PostgresStore(SqlStore):
    """Positions in a PostgreSQL database; safe to share between threads and across forks."""

    _sql = _STATEMENTS

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

    def close(self) -> None:
        """Close the connections; the store cannot be used after."""
        self._connections.close()

    def _run(self, work: Callable[[Connection], T]) -> T:
        try:
            return self._connections.run(work)
        except psycopg.Error as error:
            said = error.diag.message_primary or " ".join(str(error).split())
            for secret in _secrets_of(self._settings):
                said = said.replace(secret, "***")
            # Without the cause: its words are the server's, and nobody has looked through them.
            raise StoreError(f"{self._where} cannot be used as a store: {said}; {_remedy(error)}") from None

    def _run_whole(self, work: Callable[[Connection], T]) -> T:
        def whole(connection: Connection) -> T:
            with connection.transaction():
                return work(connection)

        return self._run(whole)

    def _insert(self, connection: SqlConnection, statement: str, rows: Rows) -> None:
        # A list for each column: one statement, whatever the number of rows.
        columns = zip(GIVEN[statement], zip(*rows, strict=True), strict=True)
        connection.execute(self._sql[statement], {name: list(values) for name, values in columns})


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
    layout: int = (connection.execute(_LAYOUT).fetchone() or (0,))[0]
    if 1 <= layout <= LAYOUT:
        return layout
    raise StoreError(f"{where} has layout {layout}, expected {LAYOUT}: a newer Forsyth wrote it")
