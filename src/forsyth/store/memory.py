"""Positions kept in memory, for as long as the process lives.

Accepted: any Unicode text of 1 to `MAX_PLAIN` characters. The store does not read it: that it is a canonical
text is the caller's promise, and what makes one position have one identifier.

Written: nothing outside the process.

Limits: nothing is ever dropped, so that memory grows with the number of different texts, about half a
kilobyte for each.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from types import TracebackType
from typing import Self

from forsyth.forms import Entry
from forsyth.identity import state_id
from forsyth.limits import MAX_PLAIN


class StoreError(Exception):
    """A store that cannot be opened or used, or that does not hold what it should."""


def address(text: str) -> str:
    """The identifier a text is stored under; raises `ValueError` for one that no store takes."""
    if not text:
        raise ValueError("an empty text cannot be stored")
    if len(text) > MAX_PLAIN:
        raise ValueError(f"the text has {len(text)} characters, expected at most {MAX_PLAIN}")
    try:
        return state_id(text)
    except UnicodeEncodeError as error:
        raise ValueError(f"character {error.start} is a lone surrogate, expected Unicode text") from error


class MemoryStore:
    """Positions in a dictionary; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[str, Entry] | None = {}
        self._initial: dict[str, str] = {}

    def put(self, text: str, game: str | None = None) -> str:
        """Keep a canonical text and return its identifier; only a game not known before is added later."""
        id = address(text)
        with self._lock:
            entries = self._opened()
            known = entries.get(id)
            if known is None:
                entries[id] = Entry(id, text, game)
            elif known.game is None and game is not None:
                entries[id] = replace(known, game=game)
        return id

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
