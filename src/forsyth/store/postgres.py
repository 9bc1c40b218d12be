"""A store in a PostgreSQL database, which many machines share: `forsyth.store.sql` in PostgreSQL's dialect.

Location: a ``postgresql://`` URL as libpq reads it, of a database with the encoding UTF8. Missing tables are
created in the first schema of the search path; ``?options=-csearch_path%3Dmine`` selects another schema.

Tables: `forsyth_position`, `forsyth_initial`, `forsyth_saved` and `forsyth_saved_tag`, and `forsyth_layout`,
which contains the version of their layout.

Durability: when `put` returns, its row is committed and flushed to disk by the server. If the server is
configured to acknowledge earlier, these connections switch that off.

Concurrency: any number of threads may share a store, and any number of processes and machines the database. A
process may fork with a store open. See `forsyth.store.connections` for the number of connections.

Restart: an operation on a broken connection is repeated once on a new connection. As a consequence, `forget`
may return False for a position that it removed, if the server stopped between removing and answering.

Errors: `StoreError` with the message of the server and a remedy, and never with the password.

Stability: a version of Forsyth reads the layouts of all earlier versions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from forsyth.store.connections import Connection, ConnectionPool
from forsyth.store.errors import StoreError
from forsyth.store.library import Rows
from forsyth.store.sql import Connection as SqlConnection
from forsyth.store.sql import SqlStore
from forsyth.store.statements import BATCH_COLUMNS, Dialect, render_statements

LAYOUT_VERSION: Final = 2
"""Version of the table layout, stored in `forsyth_layout`. Version 1 had no table `forsyth_saved_tag`."""

CONNECT_SECONDS: Final = 10
"""Time to wait for a server that does not answer, unless the URL sets `connect_timeout`."""

_MIGRATION_LOCK_KEY: Final = 0x46535954
"""Key of the advisory lock under which tables are created: the letters FSYT."""

_MIGRATIONS: Final = (
    (
        "CREATE TABLE forsyth_layout (layout integer NOT NULL)",
        "INSERT INTO forsyth_layout (layout) VALUES (0)",
        # The collation "C" sorts by bytes, which is the same on every operating system.
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
        # Each tag of a row is between two line ends.
        "INSERT INTO forsyth_saved_tag (tag, number) SELECT DISTINCT one, number "
        "FROM forsyth_saved, unnest(string_to_array(trim(both chr(10) from tags), chr(10))) AS one "
        "WHERE tags <> ''",
    ),
)
"""Statements that turn each layout into the next, from no tables to the current version."""

_SELECT_TABLES: Final = (
    "SELECT relname FROM pg_class JOIN pg_namespace AS schema ON schema.oid = relnamespace "
    "WHERE nspname = ANY (current_schemas(false)) AND relname IN ('forsyth_layout', 'forsyth_position')"
)
"""`to_regclass` would use a cache from before the lock, and miss tables that another process has created."""

_SELECT_LAYOUT: Final = "SELECT layout FROM forsyth_layout"
_UPDATE_LAYOUT: Final = "UPDATE forsyth_layout SET layout = %s"
_ACQUIRE_LOCK: Final = "SELECT pg_advisory_xact_lock(%s)"
_REQUIRE_FLUSH: Final = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)


def _make_rows_source(columns: Sequence[str]) -> str:
    """Return the SQL that builds rows from parameters, which are one list of texts for each column.

    For the column ``id``, the SQL is ``SELECT * FROM unnest(%(id)b::text[]) AS given (id)``.
    """
    # %b: lists are sent in binary. Lists as text are five times slower, because Python formats each value.
    list_parameters = ", ".join(f"%({column})b::text[]" for column in columns)
    column_list = ", ".join(columns)
    return f"SELECT * FROM unnest({list_parameters}) AS given ({column_list})"


DIALECT: Final = Dialect(
    table_prefix="forsyth_",
    parameter="%(name)s",
    text_cast="::text",
    find_function="strpos",
    row_lock=" FOR UPDATE OF saved",
    make_rows_source=_make_rows_source,
)
_STATEMENTS: Final = render_statements(DIALECT)

T = TypeVar("T")


class PostgresStore(SqlStore):
    """A store in a PostgreSQL database; safe to share between threads and across forks."""

    _sql = _STATEMENTS

    def __init__(self, url: str) -> None:
        self._settings = _parse_url(url)
        self._location = _format_location(self._settings)
        self._pool = ConnectionPool(lambda: _open_connection(self._settings), self._location)
        try:
            self._run_operation(lambda connection: _prepare_tables(connection, self._location))
        except BaseException:
            self.close()
            raise

    @property
    def location(self) -> str:
        """The URL of the server and the database, without the password."""
        return self._location

    def close(self) -> None:
        """Close the connections. The store cannot be used afterwards."""
        self._pool.close()

    def _run_operation(self, operation: Callable[[Connection], T]) -> T:
        """Call `operation` with a connection of the pool, and return its result.

        Raise `StoreError` if the database reports an error.
        """
        try:
            return self._pool.run_operation(operation)
        except psycopg.Error as error:
            # `from None`, because the original message of the server may contain a password.
            raise self._make_store_error(error) from None

    def _make_store_error(self, error: psycopg.Error) -> StoreError:
        """Return the `StoreError` for an error of PostgreSQL, with advice what to do.

        Passwords in the message of the server are replaced by ``***``.
        """
        one_line_message = " ".join(str(error).split())
        message = error.diag.message_primary or one_line_message
        for secret in _list_secrets(self._settings):
            message = message.replace(secret, "***")
        return StoreError(f"{self._location} cannot be used as a store: {message}; {_find_remedy(error)}")

    def _run_in_transaction(self, operation: Callable[[Connection], T]) -> T:
        """Call `operation` with a connection in a transaction, and return its result.

        The transaction is rolled back if `operation` raises. Raise `StoreError` if the database reports an
        error.
        """

        def run_transaction(connection: Connection) -> T:
            with connection.transaction():
                return operation(connection)

        return self._run_operation(run_transaction)

    def _insert_rows(self, connection: SqlConnection, statement_name: str, rows: Rows) -> None:
        """Insert many rows with the statement ``put_many`` (texts), ``save_many`` or ``tag_many``.

        The statement runs once, with one list of values for each column.
        """
        column_names = BATCH_COLUMNS[statement_name]
        value_lists = [list(column) for column in zip(*rows, strict=True)]
        parameters = dict(zip(column_names, value_lists, strict=True))
        connection.execute(self._sql[statement_name], parameters)


# --- settings and errors ------------------------------------------------------------------------------

_SECRET_SETTINGS: Final = ("password", "sslpassword")


def _parse_url(url: str) -> dict[str, str]:
    """Return the connection settings in a ``postgresql://`` URL, such as ``{"host": "db"}``.

    Their names are those of libpq, the client library of PostgreSQL. Raise `StoreError` if libpq cannot parse
    the URL.
    """
    try:
        settings = conninfo_to_dict(url)
    except psycopg.Error:
        # libpq's message quotes the part that it cannot parse, which may be the password.
        raise StoreError(
            "the URL of the store cannot be read, expected postgresql://user:password@host:port/database "
            "with special characters percent-encoded"
        ) from None
    return {name: str(value) for name, value in settings.items() if value is not None}


def _list_secrets(settings: Mapping[str, str]) -> tuple[str, ...]:
    """Return the passwords among the connection settings, which no message may contain."""
    return tuple(settings[name] for name in _SECRET_SETTINGS if settings.get(name))


def _format_location(settings: Mapping[str, str]) -> str:
    """Return the URL of a store without its password, such as ``postgresql://me@host/db``."""
    user = f"{settings['user']}@" if "user" in settings else ""
    port = f":{settings['port']}" if "port" in settings else ""
    return f"postgresql://{user}{settings.get('host', '')}{port}/{settings.get('dbname', '')}"


_REMEDIES: Final[Mapping[str, str]] = {
    "25": "use a server that can be written to",
    "42501": "allow the user to create and use tables: GRANT USAGE, CREATE ON SCHEMA … TO …",
    "53": "the server has no connections, memory or disk space left: give it more, or run fewer processes",
    "57P": "the server was stopped: start it and try again",
}
"""What the user can do about an error, by the beginning of its SQLSTATE."""


def _find_remedy(error: psycopg.Error) -> str:
    """Return advice about an error of PostgreSQL: ``use a server that can be written to``.

    The advice depends on the error code of PostgreSQL, the SQLSTATE.
    """
    if error.sqlstate is None:
        # The server cannot be reached.
        return "check that the server is running, and the host, port, user, password and database of the URL"
    for prefix, remedy in _REMEDIES.items():
        if error.sqlstate.startswith(prefix):
            return remedy
    return "see the log of the server for details"


# --- connections and tables ---------------------------------------------------------------------------


def _open_connection(settings: Mapping[str, str]) -> Connection:
    """Open a connection to the server in `settings`, such as ``{"host": "db"}``, and return it.

    The connection uses UTF-8 and commits each statement at once. A commit returns when the server has flushed
    it to disk. The names of the settings are those of libpq, the client library of PostgreSQL.
    """
    defaults = {"connect_timeout": str(CONNECT_SECONDS), "application_name": "forsyth"}
    # Overrides the encoding of the environment, in which some texts could not be encoded.
    connection_settings = {**defaults, **settings, "client_encoding": "UTF8"}
    connection = psycopg.connect(make_conninfo("", **connection_settings), autocommit=True)
    try:
        connection.execute(_REQUIRE_FLUSH)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare_tables(connection: Connection, location: str) -> None:
    """Create the tables of a store, or upgrade those of an earlier version of Forsyth.

    `location` is the database as messages name it. Raise `StoreError` if the encoding of the database is not
    UTF8, or if its tables belong to another program or to a newer Forsyth.
    """
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(
            f"{location} has the encoding {encoding}, expected UTF8: create it with ENCODING 'UTF8'"
        )
    if _read_layout(connection, location) == LAYOUT_VERSION:
        return

    with connection.transaction():
        connection.execute(_ACQUIRE_LOCK, (_MIGRATION_LOCK_KEY,))
        # Read again: another process may have created the tables while this one waited for the lock.
        layout = _read_layout(connection, location)
        for migration in _MIGRATIONS[layout:]:
            for statement in migration:
                connection.execute(statement)
        connection.execute(_UPDATE_LAYOUT, (LAYOUT_VERSION,))


def _read_layout(connection: Connection, location: str) -> int:
    """Return the version number of the table layout in a database, or 0 if there are no tables.

    `location` is the database as messages name it. Raise `StoreError` if the tables belong to another program
    or to a newer Forsyth.
    """
    tables = {name for (name,) in connection.execute(_SELECT_TABLES)}
    if not tables:
        return 0
    if "forsyth_layout" not in tables:
        raise StoreError(
            f"{location} has a table forsyth_position of another program; choose another database"
        )
    row = connection.execute(_SELECT_LAYOUT).fetchone()
    layout = 0
    if row is not None:
        (layout,) = row
    if 1 <= layout <= LAYOUT_VERSION:
        return layout
    raise StoreError(
        f"{location} has layout {layout}, expected at most {LAYOUT_VERSION}: a newer Forsyth wrote it; "
        "upgrade Forsyth"
    )
