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

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

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
    make_change,
    make_checked_state_id,
    make_entries,
    make_rows,
    make_saved,
    make_search,
    saved_from_row,
    saved_to_row,
    split_into_batches,
    split_tags,
)

_LOG: Final = logging.getLogger("forsyth.store")

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
    def _run_operation(self, operation: Callable[[Connection], T]) -> T:
        """Call `operation` with an open connection, and return its result.

        Raise `StoreError` if the database reports an error. `operation` may be called twice.
        """

    @abstractmethod
    def _run_in_transaction(self, operation: Callable[[Connection], T]) -> T:
        """Call `operation` with an open connection in a transaction, and return its result.

        The transaction is rolled back if `operation` raises. Raise `StoreError` if the database reports an
        error. `operation` may be called twice.
        """

    @abstractmethod
    def _insert_rows(self, connection: Connection, statement_name: str, rows: Rows) -> None:
        """Insert many rows with the statement ``put_many`` (texts), ``save_many`` or ``tag_many``.

        The values of each row are in the order of the columns that `BATCH_COLUMNS` lists for the statement.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the connections. The store cannot be used afterwards."""

    def put(self, text: str, game: str | None = None) -> str:
        """Store a canonical text and return its identifier, such as ``state_…``.

        `game` is the name of its game, or None if it is unknown. If the text is stored already, only the game
        is added, and only if none was known. Raise `ValueError` if an installed game cannot read the text.
        """
        id = make_checked_state_id(text, game)
        parameters = {"id": id, "text": text, "game": game}

        def insert_if_needed(connection: Connection) -> None:
            # Most texts are already stored in a busy store, and a SELECT takes no write lock.
            row = connection.execute(self._sql["get_game"], parameters).fetchone()
            if row is not None:
                (stored_game,) = row
                adds_game = stored_game is None and game is not None
                if not adds_game:
                    return
            connection.execute(self._sql["put"], parameters)

        self._run_operation(insert_if_needed)
        return id

    def put_many(self, texts: Iterable[tuple[str, str | None]]) -> int:
        """Store canonical texts, and return their number.

        Each text is given as a pair with the name of its game, or None if the game is unknown. The texts are
        stored in batches, each of them completely or not at all.
        """
        text_count = 0
        for batch in split_into_batches(texts):
            text_rows = [(entry.id, entry.text, entry.game) for entry in make_entries(batch)]
            self._insert_batch(text_rows)
            text_count += len(batch)
        return text_count

    def _insert_batch(self, text_rows: Rows, saved_rows: Rows = (), tag_rows: Rows = ()) -> None:
        """Insert rows of texts, saved positions and tags in one transaction.

        The values of a row are in the order of the columns in `BATCH_COLUMNS`, such as (id, text, game) for a
        text. Each text must occur only once.
        """

        def insert_all(connection: Connection) -> None:
            self._insert_rows(connection, "put_many", text_rows)
            if saved_rows:
                self._insert_rows(connection, "save_many", saved_rows)
            if tag_rows:
                self._insert_rows(connection, "tag_many", tag_rows)

        self._run_in_transaction(insert_all)

    def get(self, id: str) -> str | None:
        """Return the text with the identifier `id`, or None if it is not stored.

        Raise `StoreError` if the row is damaged: the text in it does not have this identifier.
        """
        entry = self.entry(id)
        return None if entry is None else entry.text

    def entry(self, id: str) -> Entry | None:
        """Return the text with the identifier `id` and its game, or None if it is not stored.

        Raise `StoreError` if the row is damaged: the text in it does not have this identifier.
        """
        if not can_be_stored(id):
            return None
        row = self._fetch_one("get_text", {"id": id})
        return None if row is None else self._make_entry(id, *row)

    def entries(self) -> Iterator[Entry]:
        """Yield all stored texts, each with its identifier and game, fetched in batches.

        Raise `StoreError` at the end, after all other entries, if a row is damaged.
        """
        first_damage: StoreError | None = None
        for row in self._iterate_table("next_entries"):
            try:
                entry = self._make_entry(*row)
            except StoreError as error:
                first_damage = first_damage or error
            else:
                yield entry
        if first_damage is not None:
            raise first_damage

    def _make_entry(self, id: str, text: object, game: object) -> Entry:
        """Return the entry with the values of one row of the table of texts.

        Raise `StoreError` if the row is damaged: if `text` does not have the identifier `id`, or `game` is
        neither text nor None.
        """
        if not isinstance(text, str) or state_id(text) != id:
            raise self._make_damage_error(f"the text of {id} is not the one it was stored with")
        if not isinstance(game, str | None):
            raise self._make_damage_error(f"the game of {id} is not text")
        return Entry(id, text, game)

    def initial(self, game: str) -> str | None:
        """Return the text that the name ``initial`` stands for in a game, or None if it was never set.

        Raise `StoreError` if the store has lost the text.
        """
        if not can_be_stored(game):
            return None
        row = self._fetch_one("get_initial", {"game": game})
        if row is None:
            return None
        (initial_id,) = row
        text = self.get(initial_id)
        if text is None:
            raise self._make_damage_error(f"the initial position of {game} is missing")
        return text

    def set_initial(self, game: str, text: str) -> str:
        """Make ``initial`` stand for a canonical text in a game, and return the text's identifier."""
        id = self.put(text, game)
        parameters = {"game": game, "id": id}
        self._run_operation(lambda connection: connection.execute(self._sql["set_initial"], parameters))
        return id

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Store a canonical text and save it in the library, the list of positions that users named.

        Return the saved position with its new identifier. Raise `ValueError` if an argument is not valid.
        """
        saved = make_saved(text, game, name, tags, note)

        def insert_saved(connection: Connection) -> None:
            connection.execute(self._sql["put"], {"id": saved.state_id, "text": text, "game": game})
            connection.execute(self._sql["save"], _make_column_parameters(saved))
            self._add_tags(connection, saved.id, saved.tags)

        self._run_in_transaction(insert_saved)
        return saved

    def save_many(self, positions: Iterable[ToSave]) -> int:
        """Save any number of positions in the library, and return their number.

        The positions are saved in batches, each batch completely or not at all. Raise `ValueError` if a
        position is not valid. Batches before that position stay saved.
        """
        position_count = 0
        for batch in split_into_batches(positions):
            rows = make_rows(batch)
            self._insert_batch(rows.texts, rows.saved, rows.tags)
            position_count += len(batch)
        return position_count

    def _add_tags(self, connection: Connection, id: str, tags: Iterable[str]) -> None:
        """Add rows to the table of tags for the saved position `id`. Rows that exist already stay."""
        for tag in tags:
            connection.execute(self._sql["tag"], {"id": id, "tag": tag})

    def _remove_tags(self, connection: Connection, id: str, tags: Iterable[str]) -> None:
        """Remove the rows with these tags of the saved position `id` from the table of tags."""
        for tag in tags:
            connection.execute(self._sql["untag"], {"id": id, "tag": tag})

    def all_saved(
        self, game: str | None = None, tag: str | None = None, query: str | None = None
    ) -> Iterator[Saved]:
        """Yield the saved positions that pass the filters, newest first, fetched in batches.

        None as `game`, `tag` or `query` matches every position, as in `search`. Raise `StoreError` at the
        end, after all other positions, if a row is damaged.
        """
        first_damage: StoreError | None = None
        # The limit is not used: `row_limit` replaces it.
        search = make_search(game, tag, query, limit=1, after=None)
        while True:
            rows = self._fetch_page({**search.make_sql_parameters(), "row_limit": BATCH_SIZE})
            for row in rows:
                try:
                    _, saved = saved_from_row(row, self.location)
                except StoreError as error:
                    first_damage = first_damage or error
                else:
                    yield saved
            is_last_batch = len(rows) < BATCH_SIZE
            if is_last_batch:
                break
            # The next batch has the rows before the last one.
            last_number, *_ = rows[-1]
            search = replace(search, before=last_number)
        if first_damage is not None:
            raise first_damage

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
        """Replace the name, tags or note of a saved position, and return its new version.

        An argument that is None leaves the value unchanged. Return None if no saved position has this
        identifier.
        """
        new_values = make_change(name, tags, note)
        if not can_be_stored(id):
            return None

        def update_saved(connection: Connection) -> Saved | None:
            row = connection.execute(self._sql["lock_saved"], {"id": id}).fetchone()
            if row is None:
                return None
            _, old = saved_from_row(row, self.location)
            new = new_values.apply_to(old)
            connection.execute(self._sql["change"], _make_column_parameters(new))
            self._remove_tags(connection, id, set(old.tags) - set(new.tags))
            self._add_tags(connection, id, new.tags)
            return new

        return self._run_in_transaction(update_saved)

    def forget(self, id: str) -> bool:
        """Remove a saved position from the library, and return True if it was there.

        Its text stays stored.
        """
        if not can_be_stored(id):
            return False

        def delete_saved(connection: Connection) -> bool:
            row = connection.execute(self._sql["get_tags"], {"id": id}).fetchone()
            if row is None:
                return False
            (joined_tags,) = row
            self._remove_tags(connection, id, split_tags(joined_tags))
            return connection.execute(self._sql["forget"], {"id": id}).rowcount > 0

        return self._run_in_transaction(delete_saved)

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
            game: Only positions of this game. None means every game.
            tag: Only positions with this tag. None means every position.
            query: Only positions whose name, tags, note or text contain this, ignoring case.
            limit: The maximum number of positions on the page.
            after: The cursor `next` of the previous page. None means the first page.

        Raises:
            ValueError: If an argument is not valid.
            StoreError: If the database cannot be read, or all rows of the page are damaged. A damaged row
                among others is logged and left out.
        """
        search = make_search(game, tag, query, limit, after)
        parameters = search.make_sql_parameters()
        numbered_positions = self._read_undamaged(self._fetch_page(parameters))
        # The first page counts the matches, and its cursor passes the total on to the later pages.
        total = self._count_matches(parameters) if search.total is None else search.total
        return search.make_page(numbered_positions, total)

    def _read_undamaged(self, rows: list[Any]) -> list[tuple[int, Saved | None]]:
        """Return the number and the saved position in each row of a page.

        The position is None if the row is damaged. Damaged rows are logged. Raise `StoreError` if all rows
        are damaged.
        """
        numbered_positions: list[tuple[int, Saved | None]] = []
        last_damage: StoreError | None = None
        for row in rows:
            try:
                numbered_positions.append(saved_from_row(row, self.location))
            except StoreError as error:
                _LOG.error("%s", error)
                last_damage = error
                number, *_ = row
                numbered_positions.append((number, None))
        all_are_damaged = all(saved is None for _, saved in numbered_positions)
        if last_damage is not None and all_are_damaged:
            raise last_damage
        return numbered_positions

    def _count_matches(self, parameters: Parameters) -> int:
        """Return the number of saved positions that a search finds, on all its pages.

        `parameters` are those of `Search.make_sql_parameters`.
        """
        statement_name = "count" if parameters["tag"] is None else "count_tag"
        (count,) = self._fetch_one(statement_name, parameters)
        return int(count)

    def _fetch_page(self, parameters: Parameters) -> list[Any]:
        """Return the rows of one page of saved positions, newest first.

        `parameters` are those of `Search.make_sql_parameters`. Each row has the values of `SavedRow`.
        """
        statement_name = "search" if parameters["tag"] is None else "search_tag"
        return self._fetch_all(statement_name, parameters)

    def __len__(self) -> int:
        (count,) = self._fetch_one("count_texts", {})
        return int(count)

    def __iter__(self) -> Iterator[str]:
        return (id for (id,) in self._iterate_table("next_ids"))

    def _iterate_table(self, statement_name: str) -> Iterator[Any]:
        """Yield all rows of the table of texts, in the order of their identifiers.

        The statement ``next_ids`` selects only the identifiers, ``next_entries`` also the texts and games.
        The rows are fetched in batches, so that no connection is in use between two rows. Raise `StoreError`
        at the end, after all other rows, if an identifier is damaged.
        """
        last_id = ""
        last_damage: StoreError | None = None
        while True:
            last_id_of_previous_batch = last_id
            rows = self._fetch_all(statement_name, {"last_id": last_id, "row_limit": BATCH_SIZE})
            for row in rows:
                id, *_ = row
                if not isinstance(id, str):
                    last_damage = self._make_damage_error(f"{quoted(id)} is not an identifier")
                    continue
                yield row
                last_id = id
            is_last_batch = len(rows) < BATCH_SIZE
            # A batch in which every identifier is damaged has no place where the next one could begin.
            is_all_damaged = last_id == last_id_of_previous_batch
            if is_last_batch or is_all_damaged:
                break
        if last_damage is not None:
            raise last_damage

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _fetch_all(self, statement_name: str, parameters: Parameters) -> list[Any]:
        """Run the SQL statement `statement_name`, such as ``search``, and return all rows."""
        statement = self._sql[statement_name]
        return self._run_operation(lambda connection: connection.execute(statement, parameters).fetchall())

    def _fetch_one(self, statement_name: str, parameters: Parameters) -> Any:
        """Run the SQL statement `statement_name`, such as ``get_text``, and return one row.

        It is the first row of the result. Return None if the result has no rows.
        """
        statement = self._sql[statement_name]
        return self._run_operation(lambda connection: connection.execute(statement, parameters).fetchone())

    def _make_damage_error(self, reason: str) -> StoreError:
        """Return the `StoreError` for a store whose content is damaged.

        `reason` describes the damage in one clause, such as ``5 is not an identifier``.
        """
        return StoreError(f"{self.location} is damaged: {reason}; restore the store from a backup")


def _make_column_parameters(saved: Saved) -> Parameters:
    """Return the values of a saved position by the names in `COLUMNS`, as SQL parameters."""
    return dict(zip(COLUMNS, saved_to_row(saved), strict=True))
