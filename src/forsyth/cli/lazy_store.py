"""The store of a run, opened when the first text needs it.

Most runs read no `state_` text. They should not spend time on a store or create a file in the user's home
folder. Therefore reading from a store that does not exist finds nothing, and only writing creates its file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from forsyth.cli.output import Failure
from forsyth.store import Entry, Page, Saved, Store, StoreError, ToSave, default_location, is_url, open_store

T = TypeVar("T")


class LazyStore:
    """A store that opens on first use.

    Methods that write create the store if it does not exist. Methods that read return an empty result then,
    but raise `Failure` if the location was named with ``--store``. All methods raise `Failure` if the store
    cannot be opened or used.
    """

    def __init__(self, location: str | None = None) -> None:
        """Remember the location without opening the store.

        Args:
            location: The path or the URL given to ``--store``. None is the default store of the user.
        """
        self._is_named = location is not None
        self._location = default_location() if location is None else location
        self._store: Store | None = None

    def put(self, text: str, game: str | None = None) -> str:
        """Store a canonical text and return its identifier, which begins with ``state_``.

        `game` is the name of its game, or None if it is not known.
        """
        return self._run(lambda store: store.put(text, game))

    def put_many(self, texts: Iterable[tuple[str, str | None]]) -> int:
        """Store canonical texts, each with the name of its game or None, and return how many there were."""
        return self._run(lambda store: store.put_many(texts))

    def entries(self) -> Iterator[Entry]:
        """Return an iterator over all stored texts, which are fetched in batches."""
        return self._iterate(lambda store: store.entries())

    def get(self, id: str) -> str | None:
        """Return the text with the identifier `id`, or None if it is not stored."""
        entry = self.entry(id)
        return None if entry is None else entry.text

    def entry(self, id: str) -> Entry | None:
        """Return the entry (text and game) with the identifier `id`, or None if it is not stored."""
        return self._run(lambda store: store.entry(id)) if self._exists() else None

    def initial(self, game: str) -> str | None:
        """Return the text that was set as the position ``initial`` of a game, or None if none was set."""
        return self._run(lambda store: store.initial(game)) if self._exists() else None

    def set_initial(self, game: str, text: str) -> str:
        """Store a canonical text as the position ``initial`` of a game and return its identifier."""
        return self._run(lambda store: store.set_initial(game, text))

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Store a canonical text, save it in the library under `name`, and return the saved position."""
        return self._run(lambda store: store.save(text, game, name, tags, note))

    def save_many(self, positions: Iterable[ToSave]) -> int:
        """Store positions, save them in the library and return how many there were."""
        return self._run(lambda store: store.save_many(positions))

    def all_saved(
        self, game: str | None = None, tag: str | None = None, query: str | None = None
    ) -> Iterator[Saved]:
        """Return an iterator over the saved positions that match all filters, newest first.

        Args:
            game: The name of the game. None is every game.
            tag: A tag that the positions have. None is any.
            query: A text that the name, note, a tag or the position contains. None is any.
        """
        return self._iterate(lambda store: store.all_saved(game, tag, query))

    def saved(self, id: str) -> Saved | None:
        """Return the saved position with the identifier `id`, or None if it is not saved."""
        return self._run(lambda store: store.saved(id)) if self._exists() else None

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Change a saved position and return it, or return None if it is not saved.

        A `name`, `tags` or `note` of None stays as it is.
        """
        if not self._exists():
            return None
        return self._run(lambda store: store.change(id, name=name, tags=tags, note=note))

    def forget(self, id: str) -> bool:
        """Remove a position from the library, but keep its text; return False if it was not saved."""
        return self._run(lambda store: store.forget(id)) if self._exists() else False

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
            game: The name of the game; None is every game.
            tag: A tag that the positions have; None is any.
            query: A text that the name, note, a tag or the position contains; None is any.
            limit: Maximum number of positions on the page.
            after: The cursor of the previous page; None is the first page.
        """
        if not self._exists():
            return Page((), None, 0)
        return self._run(lambda store: store.search(game, tag, query, limit, after))

    def __len__(self) -> int:
        """Return the number of stored texts."""
        return self._run(len) if self._exists() else 0

    def __iter__(self) -> Iterator[str]:
        """Iterate over the identifiers of the stored texts."""
        return self._run(iter) if self._exists() else iter(())

    def close(self) -> None:
        """Close the store if it was opened."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _exists(self) -> bool:
        """Return whether there is a store to read.

        Raise `Failure` if the user named a store with ``--store`` and it does not exist.
        """
        if self._store is not None or is_url(str(self._location)) or Path(self._location).exists():
            return True
        if self._is_named:
            raise Failure(
                f"--store: there is no store at {self._location}; check the path, or create the store "
                f"by storing a text: forsyth convert --to state --store {self._location} TEXT"
            )
        return False

    def _iterate(self, query: Callable[[Store], Iterator[T]]) -> Iterator[T]:
        """Yield the results of `query`, or nothing if there is no store.

        Raise `Failure` if the store cannot be opened, or the connection is lost while iterating.
        """
        if not self._exists():
            return
        results = self._run(query)
        while True:
            try:
                # Each step runs in `_run`, which turns errors of the store into `Failure`.
                yield self._run(lambda _: next(results))
            except StopIteration:
                return

    def _run(self, operation: Callable[[Store], T]) -> T:
        """Open the store if it is not open, and return the result of `operation`.

        Raise `Failure` if the store cannot be opened or the operation fails.
        """
        try:
            if self._store is None:
                self._store = open_store(self._location)
            return operation(self._store)
        except StoreError as error:
            raise Failure(f"--store: {error}; use another store with --store") from error
