"""Positions kept in an SQL database: every statement and every step once, for all dialects.

A dialect (`forsyth.store.sqlite`, `forsyth.store.postgres`) brings the connection, transactions, the making
of tables and the errors of its database; `Dialect` says how its SQL is spelled.

Accepted: texts as in `forsyth.store.memory`, saved positions as in `forsyth.store.library`.

Written: a table of positions (id, text, game), one of what each game's name ``initial`` stands for (game,
id), and one of the library (`COLUMNS` and a number in the order of saving). A position is never dropped; the
text of an identifier is checked against it on every read, so that a damaged row is a `StoreError` and never
another position. Every piece of work may be done twice: the identifier of a saved position is chosen before.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

from forsyth.arguments import quoted
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

PAGE: Final = 1000
"""Identifiers fetched at a time in an iteration, so that none keeps a connection while its caller works."""

T = TypeVar("T")
Values = Mapping[str, str | int | None]


class Cursor(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""

    def fetchone(self) -> Any:
        """The next row, or None."""

    def fetchall(self) -> list[Any]:
        """The rows that are left."""


class Connection(Protocol):
    """An open connection of either database."""

    def execute(self, statement: str, values: Any = ..., /) -> Cursor:
        """Run one statement."""


# --- statements ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one kind of database spells what they all can say."""

    prefix: str
    """What the names of the tables begin with."""
    parameter: str
    """How a parameter is written, with ``name`` for its name."""
    as_text: str
    """What follows a parameter of which nothing else says that it is text."""
    find: str
    """The function that gives the place of a text in another, 0 for none."""
    for_change: str
    """What follows a SELECT whose row is to be changed in the same transaction."""


_PARAMETER: Final = re.compile(r":(\w+)")
_SAVED_COLUMNS: Final = "number, saved.id, state_id, saved.game, text, name, tags, note, created, updated"
_TEXTS: Final = "AS saved LEFT JOIN {position} AS known ON known.id = state_id"
_ONE: Final = f"SELECT {_SAVED_COLUMNS} FROM {{saved}} {_TEXTS} WHERE saved.id = :id"
_SHOWN: Final = ", ".join(column for column in COLUMNS if column != "searchable")
_VALUES: Final = ", ".join(f":{column}" for column in COLUMNS)
_WANTED: Final = (
    "FROM {saved} WHERE (:game{as_text} IS NULL OR game = :game) "
    "AND (:tag{as_text} IS NULL OR {find}(tags, :tag) > 0) "
    "AND (:query{as_text} IS NULL OR {find}(searchable, :query) > 0)"
)
_FOUND: Final = f"SELECT number, {_SHOWN} {_WANTED} AND number < :before ORDER BY number DESC LIMIT :most"

_STATEMENTS: Final = {
    "size": "SELECT count(*) FROM {position}",
    "known": "SELECT game FROM {position} WHERE id = :id AND text = :text",
    "find": "SELECT text, game FROM {position} WHERE id = :id",
    "next": "SELECT id FROM {position} WHERE id > :last ORDER BY id LIMIT :most",
    # On conflict the text is the same, unless the row was damaged.
    "put": (
        "INSERT INTO {position} AS known (id, text, game) VALUES (:id, :text, :game) "
        "ON CONFLICT (id) DO UPDATE SET text = excluded.text, game = coalesce(known.game, excluded.game) "
        "WHERE known.text <> excluded.text OR known.game IS NULL"
    ),
    "initial": "SELECT id FROM {initial} WHERE game = :game",
    "set_initial": (
        "INSERT INTO {initial} (game, id) VALUES (:game, :id) "
        "ON CONFLICT (game) DO UPDATE SET id = excluded.id"
    ),
    "save": f"INSERT INTO {{saved}} ({', '.join(COLUMNS)}) VALUES ({_VALUES}) ON CONFLICT (id) DO NOTHING",
    "change": f"UPDATE {{saved}} SET ({', '.join(COLUMNS)}) = ({_VALUES}) WHERE id = :id",
    "forget": "DELETE FROM {saved} WHERE id = :id",
    "saved": _ONE,
    "saved_to_change": _ONE + "{for_change}",
    # The page first, then its texts: a planner would rather join all of them.
    "search": f"SELECT {_SAVED_COLUMNS} FROM ({_FOUND}) {_TEXTS} ORDER BY number DESC",
    "count": f"SELECT count(*) {_WANTED}",
}


def statements(dialect: Dialect) -> dict[str, str]:
    """Every statement in a dialect."""
    tables = {name: dialect.prefix + name for name in ("position", "initial", "saved")}
    words = {"as_text": dialect.as_text, "find": dialect.find, "for_change": dialect.for_change}
    parameter = dialect.parameter.replace("name", r"\1")
    return {
        name: _PARAMETER.sub(parameter, text).format(**tables, **words) for name, text in _STATEMENTS.items()
    }


# --- the store ----------------------------------------------------------------------------------------


class SqlStore(ABC):
    """A store in an SQL database; a dialect says how work reaches it."""

    _sql: Mapping[str, str]
    """The statements in the dialect."""

    @property
    @abstractmethod
    def where(self) -> str:
        """The file or the server, as messages name it."""

    @abstractmethod
    def _run(self, work: Callable[[Connection], T]) -> T:
        """What the work gives; the database's errors as `StoreError`."""

    @abstractmethod
    def _run_whole(self, work: Callable[[Connection], T]) -> T:
        """The same in a transaction that is all or nothing."""

    @abstractmethod
    def close(self) -> None:
        """Close the connections; the store cannot be used after."""

    def put(self, text: str, game: str | None = None) -> str:
        """Keep a canonical text and return its identifier; only a game not known before is added later."""
        id = address(text)
        game = None if game is None else game_name(game)
        values = {"id": id, "text": text, "game": game}

        def work(connection: Connection) -> None:
            # Most texts put into a busy store are there already, and reading locks nothing.
            known = connection.execute(self._sql["known"], values).fetchone()
            if known is None or (known[0] is None and game is not None):
                connection.execute(self._sql["put"], values)

        self._run(work)
        return id

    def get(self, id: str) -> str | None:
        """The text of an identifier, or None; raises `StoreError` when the row is damaged."""
        entry = self.entry(id)
        return None if entry is None else entry.text

    def entry(self, id: str) -> Entry | None:
        """The text of an identifier with its game, or None; raises `StoreError` when the row is damaged."""
        if not can_be_stored(id):
            return None
        row = self._row("find", {"id": id})
        if row is None:
            return None
        text, game = row
        if not isinstance(text, str) or state_id(text) != id:
            raise self._damaged(f"the text of {id} is not the one it was stored with")
        if not isinstance(game, str | None):
            raise self._damaged(f"the game of {id} is not text")
        return Entry(id, text, game)

    def initial(self, game: str) -> str | None:
        """The text that the name ``initial`` stands for in a game, or None while none was set."""
        if not can_be_stored(game):
            return None
        row = self._row("initial", {"game": game})
        if row is None:
            return None
        text = self.get(row[0])
        if text is None:
            raise self._damaged(f"the initial position of {game} is not in it")
        return text

    def set_initial(self, game: str, text: str) -> str:
        """Let ``initial`` stand for a canonical text from now on; returns its identifier."""
        id = self.put(text, game)
        self._run(lambda connection: connection.execute(self._sql["set_initial"], {"game": game, "id": id}))
        return id

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Keep a canonical text and save it in the library, under an identifier of its own."""
        saved = new_saved(text, game, name, tags, note)

        def work(connection: Connection) -> None:
            connection.execute(self._sql["put"], {"id": saved.state_id, "text": text, "game": game})
            connection.execute(self._sql["save"], write_row(saved))

        self._run_whole(work)
        return saved

    def saved(self, id: str) -> Saved | None:
        """A saved position, or None; raises `StoreError` when its text is damaged."""
        if not can_be_stored(id):
            return None
        row = self._row("saved", {"id": id})
        return None if row is None else read_row(row, self.where)[1]

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Give a saved position other values, None leaving one as it is; returns it, or None for no such."""
        change = change_to(name, tags, note)
        if not can_be_stored(id):
            return None

        def work(connection: Connection) -> Saved | None:
            row = connection.execute(self._sql["saved_to_change"], {"id": id}).fetchone()
            if row is None:
                return None
            saved = change.of(read_row(row, self.where)[1])
            connection.execute(self._sql["change"], write_row(saved))
            return saved

        return self._run_whole(work)

    def forget(self, id: str) -> bool:
        """Take a saved position out of the library, and say whether it was there. Its text is kept."""
        if not can_be_stored(id):
            return False
        return self._run(lambda connection: connection.execute(self._sql["forget"], {"id": id}).rowcount > 0)

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

        def work(connection: Connection) -> tuple[list[Any], int]:
            found = connection.execute(self._sql["search"], values).fetchall()
            return found, connection.execute(self._sql["count"], values).fetchone()[0]

        found, total = self._run(work)
        return search.page([read_row(row, self.where) for row in found], total)

    def __len__(self) -> int:
        count: int = self._row("size", {})[0]
        return count

    def __iter__(self) -> Iterator[str]:
        last = ""
        while True:
            rows = self._ids_after(last)
            for (id,) in rows:
                if not isinstance(id, str):
                    raise self._damaged(f"{quoted(id)} is not an identifier")
                yield id
            if len(rows) < PAGE:
                return
            last = rows[-1][0]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _ids_after(self, last: str) -> list[Any]:
        values = {"last": last, "most": PAGE}
        return self._run(lambda connection: connection.execute(self._sql["next"], values).fetchall())

    def _row(self, statement: str, values: Values) -> Any:
        return self._run(lambda connection: connection.execute(self._sql[statement], values).fetchone())

    def _damaged(self, how: str) -> StoreError:
        return StoreError(f"{self.where} is damaged: {how}")
