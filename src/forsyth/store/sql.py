"""A store in an SQL database: the operations that all databases share; `statements` contains the SQL.

The modules of the databases (`forsyth.store.sqlite`, `forsyth.store.postgres`) provide connections,
transactions, the creation of tables, and the translation of errors. A `Dialect` contains the spelling of SQL.

Values: texts follow `forsyth.store.memory`, saved positions `forsyth.store.library`.

Tables: one of texts (id, text, game), one of the text that ``initial`` stands for in each game (game, id),
one of saved positions (`COLUMNS` and a number in the order of saving), and one of their tags (tag, number),
which is an index of saved positions by tag. A text is never dropped. Each read compares the text with its
identifier, so that a damaged row raises `StoreError` and never returns another position.

Repetition: every operation may run twice with the same result, because the identifier of a saved position is
chosen before the first attempt.
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
    BATCH_SIZE,
    COLUMNS,
    DEFAULT_PAGE_SIZE,
    Page,
    Rows,
    Saved,
    ToSave,
    can_be_stored,
    check_game_name,
    checked_state_id,
    in_batches,
    make_change,
    make_entries,
    make_rows,
    make_saved,
    make_search,
    saved_from_row,
    saved_to_row,
    split_tags,
)

T = TypeVar("T")
Parameters = Mapping[str, str | int | None]


class Cursor(Protocol):
    """The result of an SQL statement: rows to fetch, or the number of changed rows."""

    @property
    def rowcount(self) -> int:
        """The number of rows that the statement changed."""

    def fetchone(self) -> Any:
        """Return the next row, or None if there is none."""

    def fetchall(self) -> list[Any]:
        """Return the remaining rows."""


class Connection(Protocol):
    """An open connection to a database of either kind."""

    def execute(self, statement: str, parameters: Any = ..., /) -> Cursor:
        """Run one statement and return its result."""


# --- the store ----------------------------------------------------------------------------------------


class SqlStore(ABC):
    """A store in an SQL database. Subclasses provide connections and transactions."""

    _sql: Mapping[str, str]
    """The statements of `render_statements`, by name."""

    @property
    @abstractmethod
    def location(self) -> str:
        """The file or server as error messages name it."""

    @abstractmethod
    def _run(self, work: Callable[[Connection], T]) -> T:
        """Call `work` with an open connection and return its result.

        Raise `StoreError` if the database reports an error. `work` may be called twice.
        """

    @abstractmethod
    def _run_in_transaction(self, work: Callable[[Connection], T]) -> T:
        """Call `work` like `_run`, in a transaction that is rolled back if `work` raises."""

    @abstractmethod
    def _insert_rows(self, connection: Connection, statement: str, rows: Rows) -> None:
        """Insert many rows by one of the statements ``put_many``, ``save_many`` and ``tag_many``.

        The values of a row are in the order of the statement's columns in `BATCH_COLUMNS`.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the connections. The store cannot be used afterwards."""

    def put(self, text: str, game: str | None = None) -> str:
        """Store a canonical text and return its identifier, such as ``state_…``.

        `game` is the name of its game, or None if it is unknown. If the text is stored already, only the game
        is added, and only if none was known.
        """
        id = checked_state_id(text)
        game = None if game is None else check_game_name(game)
        parameters = {"id": id, "text": text, "game": game}

        def work(connection: Connection) -> None:
            # Most texts are already stored in a busy store, and a SELECT takes no write lock.
            row = connection.execute(self._sql["get_game"], parameters).fetchone()
            is_stored = row is not None
            lacks_game = is_stored and row[0] is None
            if not is_stored or (lacks_game and game is not None):
                connection.execute(self._sql["put"], parameters)

        self._run(work)
        return id

    def put_many(self, texts: Iterable[tuple[str, str | None]]) -> int:
        """Store canonical texts, each paired with its game or None, and return their number.

        The texts are stored in batches, each of them completely or not at all.
        """
        count = 0
        for batch in in_batches(texts):
            self._write_batch([(entry.id, entry.text, entry.game) for entry in make_entries(batch)])
            count += len(batch)
        return count

    def _write_batch(self, texts: Rows, saved: Rows = (), tags: Rows = ()) -> None:
        """Insert rows of texts, saved positions and tags in one transaction.

        The three are in the order of the columns in `BATCH_COLUMNS`. Each text must occur only once.
        """

        def work(connection: Connection) -> None:
            self._insert_rows(connection, "put_many", texts)
            if saved:
                self._insert_rows(connection, "save_many", saved)
            if tags:
                self._insert_rows(connection, "tag_many", tags)

        self._run_in_transaction(work)

    def get(self, id: str) -> str | None:
        """Return the text with the identifier `id`, or None if it is not stored.

        Raise `StoreError` if the row is damaged: the text in it does not have this identifier.
        """
        entry = self.entry(id)
        return None if entry is None else entry.text

    def entry(self, id: str) -> Entry | None:
        """Return the text with the identifier `id` and the name of its game, or None if it is not stored.

        Raise `StoreError` if the row is damaged: the text in it does not have this identifier.
        """
        if not can_be_stored(id):
            return None
        row = self._fetch_one("get_text", {"id": id})
        return None if row is None else self._make_entry(id, *row)

    def entries(self) -> Iterator[Entry]:
        """Return an iterator over all entries, which are fetched in batches.

        The iterator raises `StoreError` if a row is damaged.
        """
        return (self._make_entry(*row) for row in self._iterate_table("next_entries"))

    def _make_entry(self, id: str, text: object, game: object) -> Entry:
        """Return a row of the table of texts as an entry.

        Raise `StoreError` if `text` does not have the identifier `id`, or `game` is neither text nor None.
        """
        if not isinstance(text, str) or state_id(text) != id:
            raise self._damage_error(f"the text of {id} is not the one it was stored with")
        if not isinstance(game, str | None):
            raise self._damage_error(f"the game of {id} is not text")
        return Entry(id, text, game)

    def initial(self, game: str) -> str | None:
        """Return the text that the name ``initial`` stands for in a game, or None if it was never set."""
        if not can_be_stored(game):
            return None
        row = self._fetch_one("get_initial", {"game": game})
        if row is None:
            return None
        text = self.get(row[0])
        if text is None:
            raise self._damage_error(f"the initial position of {game} is missing")
        return text

    def set_initial(self, game: str, text: str) -> str:
        """Make ``initial`` stand for a canonical text in a game, and return the text's identifier."""
        id = self.put(text, game)
        self._run(lambda connection: connection.execute(self._sql["set_initial"], {"game": game, "id": id}))
        return id

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Store a canonical text and save it in the library, the list of positions that users named.

        Return the saved position with its new identifier. Raise `ValueError` if an argument is not valid.
        """
        saved = make_saved(text, game, name, tags, note)

        def work(connection: Connection) -> None:
            connection.execute(self._sql["put"], {"id": saved.state_id, "text": text, "game": game})
            connection.execute(self._sql["save"], _column_values(saved))
            self._change_tags(connection, "tag", saved.id, saved.tags)

        self._run_in_transaction(work)
        return saved

    def save_many(self, positions: Iterable[ToSave]) -> int:
        """Save any number of positions in the library and return their number.

        They are saved in batches, each completely or not at all. Raise `ValueError` if one is not valid;
        earlier batches stay saved.
        """
        count = 0
        for batch in in_batches(positions):
            self._write_batch(*make_rows(batch))
            count += len(batch)
        return count

    def _change_tags(self, connection: Connection, statement: str, id: str, tags: Iterable[str]) -> None:
        """Add or remove tags of the saved position `id` in the table of tags.

        `statement` is ``tag`` to add and ``untag`` to remove. Adding a tag twice has no effect.
        """
        for tag in tags:
            connection.execute(self._sql[statement], {"id": id, "tag": tag})

    def all_saved(
        self, game: str | None = None, tag: str | None = None, query: str | None = None
    ) -> Iterator[Saved]:
        """Yield the saved positions that pass the filters, newest first, fetched in batches.

        None as `game`, `tag` or `query` matches every position, as in `search`.
        """
        search = make_search(game, tag, query, 1, None)
        while True:
            rows = self._fetch_page({**search.sql_parameters(), "row_limit": BATCH_SIZE})
            batch = [saved_from_row(row, self.location) for row in rows]
            yield from (saved for _, saved in batch)
            if len(rows) < BATCH_SIZE:
                return
            last_number, _ = batch[-1]
            search = replace(search, before=last_number)

    def saved(self, id: str) -> Saved | None:
        """Return the saved position with this identifier, or None if there is none.

        Raise `StoreError` if its row is damaged.
        """
        if not can_be_stored(id):
            return None
        row = self._fetch_one("get_saved", {"id": id})
        if row is None:
            return None
        _, saved = saved_from_row(row, self.location)
        return saved

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Change the values of a saved position that are not None, and return the new version.

        Return None if no saved position has this identifier.
        """
        change = make_change(name, tags, note)
        if not can_be_stored(id):
            return None

        def work(connection: Connection) -> Saved | None:
            row = connection.execute(self._sql["lock_saved"], {"id": id}).fetchone()
            if row is None:
                return None
            _, old = saved_from_row(row, self.location)
            new = change.apply_to(old)
            connection.execute(self._sql["change"], _column_values(new))
            self._change_tags(connection, "untag", id, set(old.tags) - set(new.tags))
            self._change_tags(connection, "tag", id, new.tags)
            return new

        return self._run_in_transaction(work)

    def forget(self, id: str) -> bool:
        """Remove a saved position from the library and return whether it existed. Its text stays stored."""
        if not can_be_stored(id):
            return False

        def work(connection: Connection) -> bool:
            row = connection.execute(self._sql["get_tags"], {"id": id}).fetchone()
            if row is None:
                return False
            self._change_tags(connection, "untag", id, split_tags(row[0]))
            return connection.execute(self._sql["forget"], {"id": id}).rowcount > 0

        return self._run_in_transaction(work)

    def search(
        self,
        game: str | None = None,
        tag: str | None = None,
        query: str | None = None,
        limit: int = DEFAULT_PAGE_SIZE,
        after: str | None = None,
    ) -> Page:
        """Return a page of saved positions, newest first.

        Args:
            game: Only positions of this game.
            tag: Only positions with this tag.
            query: Only positions whose name, tags, note or text contain this, ignoring case.
            limit: Maximum number of positions on the page.
            after: The cursor `next` of the previous page; None for the first page.

        Raises:
            ValueError: If an argument is not valid.
            StoreError: If the database cannot be read or a row is damaged.
        """
        search = make_search(game, tag, query, limit, after)
        parameters = search.sql_parameters()
        rows = self._fetch_page(parameters)
        total = search.total
        if total is None:
            total = int(self._fetch_one("count" if tag is None else "count_tag", parameters)[0])
        return search.make_page([saved_from_row(row, self.location) for row in rows], total)

    def _fetch_page(self, parameters: Parameters) -> list[Any]:
        """Return the rows of one page of saved positions, newest first.

        `parameters` are those of `Search.sql_parameters`. Each row has the values of `SavedRow`.
        """
        return self._fetch_all("search" if parameters["tag"] is None else "search_tag", parameters)

    def __len__(self) -> int:
        count: int = self._fetch_one("count_texts", {})[0]
        return count

    def __iter__(self) -> Iterator[str]:
        return (id for (id,) in self._iterate_table("next_ids"))

    def _iterate_table(self, statement: str) -> Iterator[Any]:
        """Yield the rows that a statement returns, in the order of their identifiers.

        `statement` is ``next_ids`` or ``next_entries``; the first value of each row is the identifier. The
        rows are fetched in batches, so that no connection is in use between two rows.
        """
        last_id = ""
        while True:
            rows = self._fetch_all(statement, {"last_id": last_id, "row_limit": BATCH_SIZE})
            for row in rows:
                id = row[0]
                if not isinstance(id, str):
                    raise self._damage_error(f"{quoted(id)} is not an identifier")
                yield row
                last_id = id
            if len(rows) < BATCH_SIZE:
                return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _fetch_all(self, statement: str, parameters: Parameters) -> list[Any]:
        """Run the statement with this name and return all rows of its result."""
        return self._run(lambda connection: connection.execute(self._sql[statement], parameters).fetchall())

    def _fetch_one(self, statement: str, parameters: Parameters) -> Any:
        """Run the statement with this name and return the first row of its result, or None without rows."""
        return self._run(lambda connection: connection.execute(self._sql[statement], parameters).fetchone())

    def _damage_error(self, reason: str) -> StoreError:
        """Return the error for a store whose content is damaged.

        `reason` is one clause, such as ``5 is not an identifier``.
        """
        return StoreError(f"{self.location} is damaged: {reason}; restore the store from a backup")


def _column_values(saved: Saved) -> Parameters:
    """Return the values of a saved position by column name, as parameters of an SQL statement."""
    return dict(zip(COLUMNS, saved_to_row(saved), strict=True))
