"""The store of a run, opened when the first text needs it and not before.

Most runs meet no `state_` text: they must not pay for a store or make a file in a user's home. Asking a
store that was never made for a text finds nothing; only keeping a text makes the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from forsyth.cli.output import Failure
from forsyth.store import Entry, Page, Saved, Store, StoreError, ToSave, default_where, is_url, open_store

T = TypeVar("T")


class LazyStore:
    """A store at the path or URL asked for, or at the user's own, that opens itself."""

    def __init__(self, where: str | None = None) -> None:
        self._chosen = where is not None
        self._where = default_where() if where is None else where
        self._opened: Store | None = None

    def put(self, text: str, game: str | None = None) -> str:
        """Keep a canonical text and return its identifier; makes the file when there is none."""
        return self._ask(lambda store: store.put(text, game))

    def put_many(self, texts: Iterable[tuple[str, str | None]]) -> int:
        """Keep canonical texts, each with its game or None; makes the file when there is none."""
        return self._ask(lambda store: store.put_many(texts))

    def entries(self) -> Iterator[Entry]:
        """All texts that are kept, fetched in batches."""
        return self._each(lambda store: store.entries())

    def get(self, id: str) -> str | None:
        """The text of an identifier, or None."""
        entry = self.entry(id)
        return None if entry is None else entry.text

    def entry(self, id: str) -> Entry | None:
        """The text of an identifier with what is known about it, or None."""
        return self._ask(lambda store: store.entry(id)) if self._exists() else None

    def initial(self, game: str) -> str | None:
        """The text that the name ``initial`` means in a game, or None while none was set."""
        return self._ask(lambda store: store.initial(game)) if self._exists() else None

    def set_initial(self, game: str, text: str) -> str:
        """Make a canonical text the position ``initial``; makes the file when there is none."""
        return self._ask(lambda store: store.set_initial(game, text))

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Keep a canonical text and save it in the library; makes the file when there is none."""
        return self._ask(lambda store: store.save(text, game, name, tags, note))

    def save_many(self, positions: Iterable[ToSave]) -> int:
        """Keep and save positions; makes the file when there is none."""
        return self._ask(lambda store: store.save_many(positions))

    def all_saved(
        self, game: str | None = None, tag: str | None = None, query: str | None = None
    ) -> Iterator[Saved]:
        """The saved positions that `search` finds, newest first, fetched in batches."""
        return self._each(lambda store: store.all_saved(game, tag, query))

    def saved(self, id: str) -> Saved | None:
        """A saved position, or None."""
        return self._ask(lambda store: store.saved(id)) if self._exists() else None

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Change a saved position, where None changes nothing; returns it, or None if there is no such."""
        if not self._exists():
            return None
        return self._ask(lambda store: store.change(id, name=name, tags=tags, note=note))

    def forget(self, id: str) -> bool:
        """Take a saved position out of the library, and say whether it was there. Its text is kept."""
        return self._ask(lambda store: store.forget(id)) if self._exists() else False

    def search(
        self,
        game: str | None = None,
        tag: str | None = None,
        query: str | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Page:
        """The saved positions of a game, with a tag, that hold a query: newest first, from a cursor on."""
        if not self._exists():
            return Page((), None, 0)
        return self._ask(lambda store: store.search(game, tag, query, limit, after))

    def __len__(self) -> int:
        return self._ask(len) if self._exists() else 0

    def __iter__(self) -> Iterator[str]:
        return self._ask(iter) if self._exists() else iter(())

    def close(self) -> None:
        """Close the file, if it was opened."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

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
        if self._opened is not None or is_url(str(self._where)) or Path(self._where).exists():
            return True
        if self._chosen:
            raise Failure(
                f"--store: there is no store at {self._where}; check the path, "
                f"or make it by keeping a text: forsyth convert --to state --store {self._where} TEXT"
            )
        return False

    def _each(self, question: Callable[[Store], Iterator[T]]) -> Iterator[T]:
        """What a question gives, one by one; a store fails while it is gone through."""
        if not self._exists():
            return
        found = self._ask(question)
        while True:
            try:
                yield self._ask(lambda _: next(found))
            except StopIteration:
                return

    def _ask(self, question: Callable[[Store], T]) -> T:
        try:
            if self._opened is None:
                self._opened = open_store(self._where)
            return question(self._opened)
        except StoreError as error:
            raise Failure(f"--store: {error}; name another store with --store") from error
