"""Positions kept in an SQL database: every step once, for all dialects; `statements` has the SQL.

A dialect (`forsyth.store.sqlite`, `forsyth.store.postgres`) brings the connection, transactions, the making
of tables and the errors of its database; `Dialect` says how its SQL is spelled.

Accepted: texts as in `forsyth.store.memory`, saved positions as in `forsyth.store.library`.

Written: a table of positions (id, text, game), one of what each game's name ``initial`` stands for (game,
id), one of the library (`COLUMNS` and a number in the order of saving), and one of its tags (tag, number), so
that those of a tag are found without looking at the others. A position is never dropped; the
text of an identifier is checked against it on every read, so that a damaged row is a `StoreError` and never
another position. Every piece of work may be done twice: the identifier of a saved position is chosen before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from forsyth.arguments import quoted
from forsyth.forms import Entry
from forsyth.identity import state_id
from forsyth.store.errors import StoreError
from forsyth.store.library import (
    BATCH,
    COLUMNS,
    DEFAULT_PAGE,
    Page,
    Rows,
    Saved,
    ToSave,
    address,
    can_be_stored,
    change_to,
    game_name,
    in_batches,
    new_entries,
    new_rows,
    new_saved,
    read_row,
    search_for,
    split_tags,
    write_row,
)

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
    def _insert(self, connection: Connection, statement: str, rows: Rows) -> None:
        """Run one of the statements of `GIVEN` for many rows at once."""

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

    def put_many(self, texts: Iterable[tuple[str, str | None]]) -> int:
        """Keep canonical texts, each with its game or None, in batches that are whole or absent; how many."""
        count = 0
        for batch in in_batches(texts):
            self._put_all([(one.id, one.text, one.game) for one in new_entries(batch)])
            count += len(batch)
        return count

    def _put_all(self, texts: Rows, saved: Rows = (), tags: Rows = ()) -> None:
        """Keep texts and save positions, all or none. Each text is there once: no row is changed twice."""

        def work(connection: Connection) -> None:
            self._insert(connection, "put_many", texts)
            if saved:
                self._insert(connection, "save_many", saved)
            if tags:
                self._insert(connection, "tag_many", tags)

        self._run_whole(work)

    def get(self, id: str) -> str | None:
        """The text of an identifier, or None; raises `StoreError` when the row is damaged."""
        entry = self.entry(id)
        return None if entry is None else entry.text

    def entry(self, id: str) -> Entry | None:
        """The text of an identifier with its game, or None; raises `StoreError` when the row is damaged."""
        if not can_be_stored(id):
            return None
        row = self._row("find", {"id": id})
        return None if row is None else self._entry(id, *row)

    def entries(self) -> Iterator[Entry]:
        """All texts that are kept, fetched in batches; raises `StoreError` when a row is damaged."""
        return (self._entry(*row) for row in self._rows("entries"))

    def _entry(self, id: str, text: object, game: object) -> Entry:
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
            connection.execute(self._sql["save"], _named(saved))
            self._tag(connection, saved.id, saved.tags)

        self._run_whole(work)
        return saved

    def save_many(self, positions: Iterable[ToSave]) -> int:
        """Keep and save positions in batches that are whole or absent; how many they are."""
        count = 0
        for batch in in_batches(positions):
            self._put_all(*new_rows(batch))
            count += len(batch)
        return count

    def _tag(self, connection: Connection, id: str, tags: Iterable[str], statement: str = "tag") -> None:
        for tag in tags:
            connection.execute(self._sql[statement], {"id": id, "tag": tag})

    def all_saved(
        self, game: str | None = None, tag: str | None = None, query: str | None = None
    ) -> Iterator[Saved]:
        """The saved positions that `search` finds, newest first, fetched in batches."""
        search = search_for(game, tag, query, 1, None)
        while True:
            rows = self._page({**search.values(), "most": BATCH})
            found = [read_row(row, self.where) for row in rows]
            yield from (saved for _, saved in found)
            if len(rows) < BATCH:
                return
            search = replace(search, before=found[-1][0])

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
            before = read_row(row, self.where)[1]
            saved = change.of(before)
            connection.execute(self._sql["change"], _named(saved))
            self._tag(connection, id, set(before.tags) - set(saved.tags), "untag")
            self._tag(connection, id, saved.tags)
            return saved

        return self._run_whole(work)

    def forget(self, id: str) -> bool:
        """Take a saved position out of the library, and say whether it was there. Its text is kept."""
        if not can_be_stored(id):
            return False

        def work(connection: Connection) -> bool:
            row = connection.execute(self._sql["tags"], {"id": id}).fetchone()
            if row is None:
                return False
            self._tag(connection, id, split_tags(row[0]), "untag")
            return connection.execute(self._sql["forget"], {"id": id}).rowcount > 0

        return self._run_whole(work)

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
        found = self._page(values)
        total = search.total
        if total is None:
            total = int(self._row("count" if tag is None else "count_tag", values)[0])
        return search.page([read_row(row, self.where) for row in found], total)

    def _page(self, values: Values) -> list[Any]:
        statement = self._sql["search" if values["tag"] is None else "search_tag"]
        return self._run(lambda connection: connection.execute(statement, values).fetchall())

    def __len__(self) -> int:
        count: int = self._row("size", {})[0]
        return count

    def __iter__(self) -> Iterator[str]:
        return (id for (id,) in self._rows("next"))

    def _rows(self, statement: str) -> Iterator[Any]:
        """The rows of a table in the order of their identifiers, some at a time.

        So no iteration keeps a connection while its caller works.
        """
        last = ""
        while True:
            rows = self._all(statement, {"last": last, "most": BATCH})
            for row in rows:
                if not isinstance(row[0], str):
                    raise self._damaged(f"{quoted(row[0])} is not an identifier")
                yield row
            if len(rows) < BATCH:
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

    def _all(self, statement: str, values: Values) -> list[Any]:
        return self._run(lambda connection: connection.execute(self._sql[statement], values).fetchall())

    def _row(self, statement: str, values: Values) -> Any:
        return self._run(lambda connection: connection.execute(self._sql[statement], values).fetchone())

    def _damaged(self, how: str) -> StoreError:
        return StoreError(f"{self.where} is damaged: {how}")


def _named(saved: Saved) -> Values:
    """The values of `COLUMNS` by their names."""
    return dict(zip(COLUMNS, write_row(saved), strict=True))
