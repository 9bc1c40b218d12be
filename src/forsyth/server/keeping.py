"""The store of a service: one that can be written where possible, else one to read, else one that says no.

A disk that is full, a file that is damaged, locked or not ours keeps nobody from reading a text: only what
needs the store is refused, with `STORE_UNAVAILABLE`.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from forsyth.store import MemoryStore, Store, StoreError, is_url, open_store
from forsyth.store.readonly import ReadOnlyStore


class Keeping(NamedTuple):
    """A store, and what is wrong with it; None where it can be written."""

    store: Store
    problem: str | None


def open_keeping(where: str) -> Keeping:
    """The store at a path or address, as far as it can be used.

    Raises `ValueError` and `ImportError` for a place that no store can have.
    """
    try:
        return Keeping(open_store(where), None)
    except StoreError as error:
        return _without_writing(where, str(error))


def _without_writing(where: str, problem: str) -> Keeping:
    if not is_url(where):
        try:
            return Keeping(ReadOnlyStore(Path(where)), f"the store can only be read: {problem}")
        except (StoreError, OSError):
            pass
    # A closed store refuses everything in the right way.
    closed = MemoryStore()
    closed.close()
    return Keeping(closed, f"there is no store: {problem}")
