"""Content-addressed positions: a canonical text in, its `state_…` identifier out, and back.

A store is small (`Store`): `put`, `get`, `entry`, length, iteration over identifiers in no promised order,
`close`, and use as a context manager. Beside them it has a library of positions that somebody saved, with
names and tags: `save`, `saved`, `change`, `forget`, `search`. `put_many`, `save_many`, `entries` and
`all_saved` take and give any number of them in batches. `MemoryStore` lasts as long as the process,
`SqliteStore` is one file, and `forsyth.store.postgres` has the one that many machines share.

What a store cannot do is a `StoreError`; a text that no store takes is a `ValueError`; an identifier that it
does not know is None.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Final

from forsyth.arguments import quoted, type_of
from forsyth.forms import Entry, Store
from forsyth.store.errors import StoreError
from forsyth.store.library import Page, Saved, ToSave
from forsyth.store.memory import MemoryStore
from forsyth.store.sqlite import SqliteStore

__all__ = [
    "Entry",
    "MemoryStore",
    "Page",
    "Saved",
    "SqliteStore",
    "Store",
    "StoreError",
    "ToSave",
    "default_path",
    "default_where",
    "is_url",
    "open_store",
]

_SCHEMES: Final = ("postgresql://", "postgres://")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def open_store(where: str | Path | None = None) -> Store:
    """The store at a path or a ``postgresql://`` URL, made if it is not there, in a folder that is.

    In memory for None and ``:memory:``. The folder of the user's own store is made as well. A file that
    cannot be written is opened all the same, and can be read.
    """
    if where is None or str(where) == ":memory:":
        return MemoryStore()
    if not isinstance(where, str | Path):
        raise TypeError(f"the place of a store is of type {type_of(where)}, expected a path or a URL")
    if isinstance(where, str) and is_url(where):
        return _open_postgres(where)
    if not str(where) or _SCHEME.match(str(where)):
        raise StoreError(
            f"{quoted(str(where))} is not the place of a store, expected a path or postgresql://…"
        )
    path = Path(where)
    if path == _own_path():
        _make_own_folder(path.parent)
    return SqliteStore(path)


def is_url(where: str) -> bool:
    """Whether a store is on a PostgreSQL server, and not in a file."""
    return where.startswith(_SCHEMES)


def _open_postgres(url: str) -> Store:
    # Only here: psycopg takes a tenth of a second to import, and most do not have it.
    try:
        from forsyth.store.postgres import PostgresStore
    except ImportError as error:
        raise StoreError(
            f"a PostgreSQL store needs psycopg, which cannot be imported ({error}); "
            "install it with: pip install 'forsyth[postgres]'"
        ) from error
    return PostgresStore(url)


def default_where() -> str | Path:
    """The store of this user: the path or URL in ``FORSYTH_STORE``, or else a file of their own."""
    chosen = os.environ.get("FORSYTH_STORE", "")
    return chosen if is_url(chosen) else default_path()


def default_path() -> Path:
    """Where the file of this user is: ``FORSYTH_STORE``, or in the folder for a user's data.

    A URL in ``FORSYTH_STORE`` names no file, and may hold a password: it is `default_where` that gives it.
    """
    chosen = os.environ.get("FORSYTH_STORE", "")
    if chosen and not is_url(chosen):
        return Path(chosen)
    return _own_path()


def _own_path() -> Path:
    return _data_home() / "forsyth" / "positions.sqlite"


def _make_own_folder(folder: Path) -> None:
    """Make the folder of the user's own store, for this user alone."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise StoreError(f"the folder {folder} cannot be made: {error.strerror}") from error


def _data_home() -> Path:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    # The XDG base directory specification has a relative path ignored.
    shared = Path(os.environ.get("XDG_DATA_HOME", ""))
    return shared if shared.is_absolute() else Path.home() / ".local" / "share"
