"""Content-addressed positions: a canonical text in, its `state_…` identifier out, and back.

A store is small (`Store`): `put`, `get`, `entry`, length, iteration over identifiers in no promised order,
`close`, and use as a context manager. `MemoryStore` lasts as long as the process, `SqliteStore` is one file.

What a store cannot do is a `StoreError`; a text that no store takes is a `ValueError`; an identifier that it
does not know is None.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from forsyth.forms import Entry, Store
from forsyth.store.memory import MemoryStore, StoreError
from forsyth.store.sqlite import SqliteStore

__all__ = ["Entry", "MemoryStore", "SqliteStore", "Store", "StoreError", "default_path", "open_store"]


def open_store(where: str | Path | None = None) -> Store:
    """The store at a path, made if it is not there; in memory for None and ``:memory:``."""
    if where is None or str(where) == ":memory:":
        return MemoryStore()
    return SqliteStore(where)


def default_path() -> Path:
    """Where the store of this user is: ``FORSYTH_STORE``, or a file in the folder for a user's data."""
    chosen = os.environ.get("FORSYTH_STORE")
    return Path(chosen) if chosen else _data_home() / "forsyth" / "positions.sqlite"


def _data_home() -> Path:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    # The XDG base directory specification has a relative path ignored.
    shared = Path(os.environ.get("XDG_DATA_HOME", ""))
    return shared if shared.is_absolute() else Path.home() / ".local" / "share"
