"""A store in memory, which lasts as long as the process.

Texts: any Unicode text of 1 to `MAX_PLAIN` characters without NUL, which PostgreSQL cannot store. A text that
is stored with the name of an installed game must be one that the game reads. The caller must pass canonical
texts, so that one position has one identifier. Saved positions follow `forsyth.store.library`.

Limits: nothing is ever dropped, so that memory grows with the number of different texts, by about half a
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
    DEFAULT_PAGE_SIZE,
    Page,
    Saved,
    Search,
    ToSave,
    make_change,
    make_checked_state_id,
    make_entries,
    make_saved,
    make_saved_batch,
    make_search,
    make_searchable_text,
    split_into_batches,
)


@dataclass(frozen=True, slots=True)
class _LibraryItem:
    """A saved position, its number in the order of saving, and the text that queries are compared with."""

    number: int
    saved: Saved
    searchable: str

    def matches(self, search: Search) -> bool:
        """Return True if a search finds the saved position by its game, tag and query.

        A filter of the search that is None matches every position.
        """
        has_game = search.game is None or search.game == self.saved.game
        has_tag = search.tag is None or search.tag in self.saved.tags
        contains_query = search.query is None or search.query in self.searchable
        return has_game and has_tag and contains_query


class MemoryStore:
    """A store in dictionaries of this process; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[str, Entry] | None = {}
        self._initial_texts: dict[str, str] = {}
        self._library: dict[str, _LibraryItem] = {}
        self._numbers = itertools.count(1)

    def put(self, text: str, game: str | None = None) -> str:
        """Store a canonical text and return its identifier, such as ``state_…``.

        `game` is the name of its game, or None if it is unknown. If the text is stored already, only the game
        is added, and only if none was known. Raise `ValueError` if an installed game cannot read the text.
        """
        id = make_checked_state_id(text, game)
        with self._lock:
            self._add_entry(Entry(id, text, game))
        return id

    def put_many(self, texts: Iterable[tuple[str, str | None]]) -> int:
        """Store canonical texts, and return their number.

        Each text is given as a pair with the name of its game, or None if the game is unknown. The texts are
        stored in batches, each of them completely or not at all.
        """
        text_count = 0
        for batch in split_into_batches(texts):
            entries = make_entries(batch)
            with self._lock:
                for entry in entries:
                    self._add_entry(entry)
            text_count += len(batch)
        return text_count

    def entries(self) -> Iterator[Entry]:
        """Return an iterator over all texts that are stored now, each with its identifier and game."""
        with self._lock:
            return iter(tuple(self._open_entries().values()))

    def _add_entry(self, entry: Entry) -> None:
        """Store a text with its identifier and game.

        If the text is stored already, only the game is added, and only if none was known. The caller must
        hold the lock. Raise `StoreError` if the store is closed.
        """
        entries = self._open_entries()
        stored_entry = entries.setdefault(entry.id, entry)
        if stored_entry.game is None and entry.game is not None:
            entries[entry.id] = entry

    def get(self, id: str) -> str | None:
        """Return the text with the identifier `id`, such as ``state_…``, or None if it is not stored."""
        entry = self.entry(id)
        return None if entry is None else entry.text

    def entry(self, id: str) -> Entry | None:
        """Return the text with the identifier `id` and its game, or None if it is not stored."""
        return self._open_entries().get(id)

    def initial(self, game: str) -> str | None:
        """Return the text that the name ``initial`` stands for in a game, or None if it was never set."""
        self._require_open()
        return self._initial_texts.get(game)

    def set_initial(self, game: str, text: str) -> str:
        """Make ``initial`` stand for a canonical text in a game, and return the text's identifier."""
        id = self.put(text, game)
        self._initial_texts[game] = text
        return id

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Store a canonical text and save it in the library, the list of positions that users named.

        Return the saved position with its new identifier. Raise `ValueError` if an argument is not valid.
        """
        saved = make_saved(text, game, name, tags, note)
        self._add_saved([saved])
        return saved

    def save_many(self, positions: Iterable[ToSave]) -> int:
        """Save any number of positions in the library, and return their number.

        The positions are saved in batches, each batch completely or not at all. Raise `ValueError` if a
        position is not valid. Batches before that position stay saved.
        """
        position_count = 0
        for batch in split_into_batches(positions):
            self._add_saved(make_saved_batch(batch))
            position_count += len(batch)
        return position_count

    def _add_saved(self, positions: list[Saved]) -> None:
        """Store the texts of saved positions, and add the positions to the library.

        Other threads see either all of the positions or none. Raise `StoreError` if the store is closed.
        """
        with self._lock:
            for saved in positions:
                self._add_entry(Entry(saved.state_id, saved.text, saved.game))
                number = next(self._numbers)
                self._library[saved.id] = _LibraryItem(number, saved, make_searchable_text(saved))

    def all_saved(
        self, game: str | None = None, tag: str | None = None, query: str | None = None
    ) -> Iterator[Saved]:
        """Return an iterator over the saved positions that pass the filters, newest first.

        None as `game`, `tag` or `query` matches every position, as in `search`.
        """
        # The limit is not used, because the result has no pages.
        search = make_search(game, tag, query, limit=1, after=None)
        return (item.saved for item in self._list_newest_first() if item.matches(search))

    def _list_newest_first(self) -> list[_LibraryItem]:
        """Return all saved positions as a list, newest first.

        Raise `StoreError` if the store is closed.
        """
        with self._lock:
            self._require_open()
            return list(reversed(self._library.values()))

    def saved(self, id: str) -> Saved | None:
        """Return the saved position with this identifier, or None if there is none."""
        self._require_open()
        item = self._library.get(id)
        return None if item is None else item.saved

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Replace the name, tags or note of a saved position, and return its new version.

        An argument that is None leaves the value unchanged. Return None if no saved position has this
        identifier.
        """
        new_values = make_change(name, tags, note)
        with self._lock:
            self._require_open()
            item = self._library.get(id)
            if item is None:
                return None
            changed = new_values.apply_to(item.saved)
            self._library[id] = _LibraryItem(item.number, changed, make_searchable_text(changed))
        return changed

    def forget(self, id: str) -> bool:
        """Remove a saved position from the library, and return True if it was there.

        Its text stays stored.
        """
        with self._lock:
            self._require_open()
            return self._library.pop(id, None) is not None

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
        """
        search = make_search(game, tag, query, limit, after)
        matching_items = [item for item in self._list_newest_first() if item.matches(search)]
        # The first page counts the matches, and its cursor passes the total on to the later pages.
        total = len(matching_items) if search.total is None else search.total
        remaining_rows = [(item.number, item.saved) for item in matching_items if item.number < search.before]
        # One row more than the page has shows that another page follows.
        return search.make_page(remaining_rows[: search.limit + 1], total)

    def __len__(self) -> int:
        return len(self._open_entries())

    def __iter__(self) -> Iterator[str]:
        with self._lock:
            return iter(tuple(self._open_entries()))

    def close(self) -> None:
        """Discard everything in the store. The store cannot be used afterwards."""
        with self._lock:
            self._entries = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _require_open(self) -> None:
        """Raise `StoreError` if the store is closed."""
        self._open_entries()

    def _open_entries(self) -> dict[str, Entry]:
        """Return the stored texts by their identifiers. Raise `StoreError` if the store is closed."""
        if self._entries is None:
            raise StoreError("the store is closed; open a new one")
        return self._entries
