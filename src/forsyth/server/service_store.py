"""The store of a service: one that can be written where possible, else one to read, else one that says no.

A disk that is full, a file that is damaged, locked or not ours does not prevent reading a text: only what
needs the store is refused, with `STORE_UNAVAILABLE`.
"""

from __future__ import annotations

from typing import NamedTuple

from forsyth.store import MemoryStore, SqliteStore, Store, StoreError, open_store


class Keeping(NamedTuple):
    """A store, and what is wrong with it; None where it can be written."""

    store: Store
    problem: str | None


def open_keeping(where: str) -> Keeping:
    """The store at a path or address, as far as it can be used.

    Raises `ValueError` and `ImportError` for a place that no store can have.
    """
    try:
        store = open_store(where)
    except StoreError as error:
        # A closed store refuses everything in the right way.
        closed = MemoryStore()
        closed.close()
        return Keeping(closed, f"there is no store: {error}")
    if isinstance(store, SqliteStore) and not store.writable:
        remedy = "free space on its disk or change its permissions"
        return Keeping(store, f"the store {where} can only be read; {remedy}")
    return Keeping(store, None)
