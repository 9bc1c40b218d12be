"""The store of a run, opened when the first text needs it.

Most runs read no `state_` text. They should not spend time on a store or create a file in the user's home
folder. Therefore reading from a store that does not exist finds nothing, and only writing creates its file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from forsyth.cli.output import Failure, echo
from forsyth.store import Entry, Page, Saved, Store, StoreError, ToSave, default_location, is_url, open_store

T = TypeVar("T")


class LazyStore:
    """A store of positions that is opened when it is first used.

    If the store does not exist, methods that write create it, and methods that read return an empty result.
    If the user named the store with ``--store``, methods that read raise `Failure` instead. All methods raise
    `Failure` if the store cannot be opened or used.
    """

    def __init__(self, location: str | None = None) -> None:
        """Keep the location of the store without opening it.

        Args:
            location: The path or the URL given to ``--store``. None means the default store of the user.
        """
        self._is_named = location is not None
        self._location = default_location() if location is None else location
        self._store: Store | None = None
        self._has_warned = False

    def put(self, text: str, game: str | None = None) -> str:
        """Store a canonical text and return its identifier, which begins with ``state_``.

        `game` is the name of its game, or None if it is not known.
        """
        return self._run_operation(lambda store: store.put(text, game))

    def put_if_possible(self, text: str, game: str | None = None) -> None:
        """Store a canonical text, or print one warning for all texts if the default store cannot be used.

        Raise `Failure` if the user named the store with ``--store``. `game` is the name of the game, or None
        if it is not known.
        """
        try:
            if not self._has_warned:
                self.put(text, game)
        except Failure as error:
            if self._is_named:
                raise
            self._has_warned = True
            echo(f"warning: identifiers cannot be read later, because nothing is stored: {error}", err=True)

    def put_many(self, texts: Iterable[tuple[str, str | None]]) -> int:
        """Store canonical texts, each paired with the name of its game or None. Return their number."""
        return self._run_operation(lambda store: store.put_many(texts))

    def entries(self) -> Iterator[Entry]:
        """Return an iterator over all stored texts with their games. They are fetched in batches."""
        return self._iterate_results(lambda store: store.entries())

    def get(self, id: str) -> str | None:
        """Return the text with the identifier `id`, or None if it is not stored."""
        entry = self.entry(id)
        return None if entry is None else entry.text

    def entry(self, id: str) -> Entry | None:
        """Return the entry (text and game) with the identifier `id`, or None if it is not stored."""
        return self._run_operation(lambda store: store.entry(id)) if self._has_store() else None

    def initial(self, game: str) -> str | None:
        """Return the text that was set as the position ``initial`` of a game, or None if none was set."""
        return self._run_operation(lambda store: store.initial(game)) if self._has_store() else None

    def set_initial(self, game: str, text: str) -> str:
        """Store a canonical text as the position ``initial`` of a game and return its identifier."""
        return self._run_operation(lambda store: store.set_initial(game, text))

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Store a canonical text, save it in the library under `name`, and return the saved position."""
        return self._run_operation(lambda store: store.save(text, game, name, tags, note))

    def save_many(self, positions: Iterable[ToSave]) -> int:
        """Store positions, save each in the library under its name, and return the number of positions."""
        return self._run_operation(lambda store: store.save_many(positions))

    def all_saved(
        self, game: str | None = None, tag: str | None = None, query: str | None = None
    ) -> Iterator[Saved]:
        """Return an iterator over the saved positions that match all filters, newest first.

        Args:
            game: The name of the game. None accepts every game.
            tag: A tag that the positions have. None accepts any tags.
            query: A text that the name, the note, a tag or the position contains. None accepts any text.
        """
        return self._iterate_results(lambda store: store.all_saved(game, tag, query))

    def saved(self, id: str) -> Saved | None:
        """Return the saved position with the identifier `id`, or None if it is not saved."""
        return self._run_operation(lambda store: store.saved(id)) if self._has_store() else None

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Change the name, tags or note of the saved position with the identifier `id`, and return it.

        A `name`, `tags` or `note` of None keeps the present value. Return None if the position is not saved.
        """
        if not self._has_store():
            return None
        return self._run_operation(lambda store: store.change(id, name=name, tags=tags, note=note))

    def forget(self, id: str) -> bool:
        """Remove the position `id` from the library, but keep its text. Return False if it was not saved."""
        return self._run_operation(lambda store: store.forget(id)) if self._has_store() else False

    def search(
        self,
        game: str | None = None,
        tag: str | None = None,
        query: str | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Page:
        """Return one page of the saved positions that match all filters, newest first.

        Args:
            game: The name of the game. None accepts every game.
            tag: A tag that the positions have. None accepts any tags.
            query: A text that the name, the note, a tag or the position contains. None accepts any text.
            limit: Maximum number of positions on the page.
            after: The cursor of the previous page. None returns the first page.
        """
        if not self._has_store():
            return Page((), None, 0)
        return self._run_operation(lambda store: store.search(game, tag, query, limit, after))

    def __len__(self) -> int:
        """Return the number of stored texts."""
        return self._run_operation(len) if self._has_store() else 0

    def __iter__(self) -> Iterator[str]:
        """Iterate over the identifiers of the stored texts."""
        return self._run_operation(iter) if self._has_store() else iter(())

    def close(self) -> None:
        """Close the store if it was opened."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def __enter__(self) -> Self:
        """Return this store, which is closed after the ``with`` block."""
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the store, whether or not the ``with`` block raised an error."""
        self.close()

    def _has_store(self) -> bool:
        """Return True if there is a store to read. A store at a URL is assumed to exist.

        Raise `Failure` if the user named a store with ``--store`` and it does not exist.
        """
        is_open = self._store is not None
        if is_open or is_url(str(self._location)) or Path(self._location).exists():
            return True
        if self._is_named:
            raise Failure(
                f"--store: there is no store at {self._location}; check the path, or create the store "
                f"by storing a text: forsyth convert --to state --store {self._location} TEXT"
            )
        return False

    def _iterate_results(self, query: Callable[[Store], Iterator[T]]) -> Iterator[T]:
        """Yield the results of `query`, which is called with the store, or nothing if there is no store.

        Raise `Failure` if the store cannot be opened, or the connection is lost while iterating.
        """
        if not self._has_store():
            return
        results = self._run_operation(query)
        while True:
            try:
                # Fetching a result can fail too. `_run_operation` turns errors of the store into `Failure`.
                yield self._run_operation(lambda _: next(results))
            except StopIteration:
                return

    def _run_operation(self, operation: Callable[[Store], T]) -> T:
        """Open the store if it is not open yet, call `operation` with it, and return the result.

        Raise `Failure` if the store cannot be opened or the operation fails.
        """
        try:
            if self._store is None:
                self._store = open_store(self._location)
            return operation(self._store)
        except StoreError as error:
            raise Failure(f"--store: {error}; use another store with --store") from error
