"""Positions kept in memory, for as long as the process lives.

Accepted: any Unicode text of 1 to `MAX_PLAIN` characters without NUL, which PostgreSQL cannot hold. The store
does not read it: that it is a canonical text is the caller's promise, and what makes one position have one
identifier. Saved positions as in `forsyth.store.library`.

Written: nothing outside the process.

Limits: nothing is ever dropped, so that memory grows with the number of different texts, about half a
kilobyte for each.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from forsyth.forms import Entry
from forsyth.store.errors import StoreError
from forsyth.store.library import (
    DEFAULT_PAGE,
    Page,
    Saved,
    Search,
    ToSave,
    address,
    change_to,
    game_name,
    in_batches,
    new_entries,
    new_saved,
    new_saved_ones,
    search_for,
    searchable,
)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A saved position with its place in the order of saving and what a query looks in."""

    number: int
    saved: Saved
    searchable: str

    def answers(self, search: Search) -> bool:
        return (
            (search.game is None or search.game == self.saved.game)
            and (search.tag is None or search.tag in self.saved.tags)
            and (search.query is None or search.query in self.searchable)
        )


class MemoryStore:
    """Positions in a dictionary; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[str, Entry] | None = {}
        self._initial: dict[str, str] = {}
        self._saved: dict[str, _Kept] = {}
        self._numbers = itertools.count(1)

    def put(self, text: str, game: str | None = None) -> str:
        """Keep a canonical text and return its identifier; only a game not known before is added later."""
        id = address(text)
        game = None if game is None else game_name(game)
        with self._lock:
            self._put(Entry(id, text, game))
        return id

    def put_many(self, texts: Iterable[tuple[str, str | None]]) -> int:
        """Keep canonical texts, each with its game or None, in batches that are whole or absent; how many."""
        count = 0
        for batch in in_batches(texts):
            entries = new_entries(batch)
            with self._lock:
                for entry in entries:
                    self._put(entry)
            count += len(batch)
        return count

    def entries(self) -> Iterator[Entry]:
        """All texts that are kept, as they are now."""
        with self._lock:
            return iter(tuple(self._opened().values()))

    def _put(self, entry: Entry) -> None:
        known = self._opened().setdefault(entry.id, entry)
        if known.game is None and entry.game is not None:
            self._opened()[entry.id] = entry

    def get(self, id: str) -> str | None:
        """The text of an identifier, or None."""
        entry = self.entry(id)
        return None if entry is None else entry.text

    def entry(self, id: str) -> Entry | None:
        """The text of an identifier with its game, or None."""
        return self._opened().get(id)

    def initial(self, game: str) -> str | None:
        """The text that the name ``initial`` stands for in a game, or None while none was set."""
        self._opened()
        return self._initial.get(game)

    def set_initial(self, game: str, text: str) -> str:
        """Let ``initial`` stand for a canonical text from now on; returns its identifier."""
        id = self.put(text, game)
        self._initial[game] = text
        return id

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Keep a canonical text and save it in the library, under an identifier of its own."""
        saved = new_saved(text, game, name, tags, note)
        self._save([saved])
        return saved

    def save_many(self, positions: Iterable[ToSave]) -> int:
        """Keep and save positions in batches that are whole or absent; how many they are."""
        count = 0
        for batch in in_batches(positions):
            self._save(new_saved_ones(batch))
            count += len(batch)
        return count

    def _save(self, positions: list[Saved]) -> None:
        with self._lock:
            for saved in positions:
                self._put(Entry(saved.state_id, saved.text, saved.game))
                self._saved[saved.id] = _Kept(next(self._numbers), saved, searchable(saved))

    def all_saved(
        self, game: str | None = None, tag: str | None = None, query: str | None = None
    ) -> Iterator[Saved]:
        """The saved positions that `search` finds, newest first, as they are now."""
        search = search_for(game, tag, query, 1, None)
        return (kept.saved for kept in self._newest_first() if kept.answers(search))

    def _newest_first(self) -> list[_Kept]:
        with self._lock:
            self._opened()
            return list(reversed(self._saved.values()))

    def saved(self, id: str) -> Saved | None:
        """A saved position, or None."""
        self._opened()
        kept = self._saved.get(id)
        return None if kept is None else kept.saved

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Give a saved position other values, None leaving one as it is; returns it, or None for no such."""
        change = change_to(name, tags, note)
        with self._lock:
            self._opened()
            kept = self._saved.get(id)
            if kept is None:
                return None
            saved = change.of(kept.saved)
            self._saved[id] = _Kept(kept.number, saved, searchable(saved))
        return saved

    def forget(self, id: str) -> bool:
        """Take a saved position out of the library, and say whether it was there. Its text is kept."""
        with self._lock:
            self._opened()
            return self._saved.pop(id, None) is not None

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
        found = [kept for kept in self._newest_first() if kept.answers(search)]
        rows = [(kept.number, kept.saved) for kept in found if kept.number < search.before]
        total = len(found) if search.total is None else search.total
        return search.page(rows[: search.limit + 1], total)

    def __len__(self) -> int:
        return len(self._opened())

    def __iter__(self) -> Iterator[str]:
        with self._lock:
            return iter(tuple(self._opened()))

    def close(self) -> None:
        """Forget everything; the store cannot be used after."""
        with self._lock:
            self._entries = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _opened(self) -> dict[str, Entry]:
        if self._entries is None:
            raise StoreError("the store is closed")
        return self._entries
