"""Open the store of a service: writable if possible, otherwise read-only, otherwise closed.

A full disk, or a file that is damaged, locked or owned by another user, does not prevent reading texts. Only
the requests that need the store are refused, with `STORE_UNAVAILABLE`.
"""

from __future__ import annotations

import logging
from typing import Final, NamedTuple

from forsyth.identity import state_id
from forsyth.store import MemoryStore, SqliteStore, Store, StoreError, open_store

_LOG: Final = logging.getLogger("forsyth.server")


class OpenedStore(NamedTuple):
    """Store of positions, with the reason if it cannot be written."""

    store: Store
    problem: str | None
    """Reason why the store cannot be written, or None if it can."""


def open_service_store(location: str) -> OpenedStore:
    """Open the store of positions at a path or URL, and find out whether it can be written.

    No error is raised, so that the service can start in any case. If the store cannot be opened, the result
    has a closed store in its place, and each use of that raises `StoreError`.

    Args:
        location: Path, ``:memory:`` or ``postgresql://`` URL of the store.

    Returns:
        The store, with the reason if it cannot be opened or written.
    """
    try:
        store = open_store(location)
    except StoreError as error:
        # A closed store raises `StoreError` for every operation, and the service answers that with a 503.
        closed_store = MemoryStore()
        closed_store.close()
        return OpenedStore(closed_store, f"the store cannot be opened: {error}")
    if isinstance(store, SqliteStore) and not store.writable:
        remedy = "free space on its disk or change its permissions"
        return OpenedStore(store, f"the store {location} is read-only; {remedy}")
    return OpenedStore(store, None)


def store_if_possible(text: str, game_name: str, saving_store: Store | None) -> str:
    """Store a text beside the answer to a request, and return its identifier (``state_...``).

    If `saving_store` is None or cannot be written now, the identifier is only computed. The error of the
    store is logged.
    """
    if saving_store is not None:
        try:
            return saving_store.put(text, game_name)
        except StoreError as error:
            _LOG.error("%s", error)
    return state_id(text)
