"""Content-addressed stores: canonical texts by their `state_…` identifiers, and a library of saved positions.

The interface (`Store`) is small: `put`, `get`, `entry`, length, iteration over identifiers in no guaranteed
order, `close`, and use as a context manager. Each store also has a library of positions that users saved
under a name, with tags: `save`, `saved`, `change`, `forget`, `search`. `put_many`, `save_many`, `entries`
and `all_saved` read and write any number of positions in batches. A `MemoryStore` lasts as long as the
process, a `SqliteStore` is one file, and `forsyth.store.postgres` has a store that many machines share.

Errors: a store raises `StoreError` if it cannot do an operation, and `ValueError` for a text that no store
accepts. It returns None for an unknown identifier.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Final

from forsyth.arguments import quoted, type_name
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
    "default_location",
    "default_path",
    "is_url",
    "open_store",
]

_LOCATION_VARIABLE: Final = "FORSYTH_STORE"
"""The environment variable with the path or URL of the user's store."""
_PRIVATE_FOLDER_MODE: Final = 0o700
"""Permissions of a folder that only its owner can read, write and enter."""
_POSTGRES_PREFIXES: Final = ("postgresql://", "postgres://")
_URL_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_UNENCODABLE_CHARACTER: Final = re.compile("[\0\ud800-\udfff]")
"""A NUL character or a lone surrogate (half of a character)."""


def open_store(location: str | Path | None = None) -> Store:
    """Open the store at a path or ``postgresql://`` URL, and create it if it does not exist.

    The folder of a file must exist, except that the folder of the user's default store is created too. A file
    that cannot be written is opened for reading.

    Args:
        location: A path or a URL. None and ``:memory:`` open a new store in memory.

    Raises:
        TypeError: If `location` is neither text nor a path.
        StoreError: If the location is not valid, or the store cannot be opened.
    """
    if location is None or str(location) == ":memory:":
        return MemoryStore()
    if not isinstance(location, str | Path):
        raise TypeError(f"the location of a store is of type {type_name(location)}, expected a path or a URL")
    if isinstance(location, str) and is_url(location):
        return _open_postgres(location)
    is_unknown_url = _URL_PREFIX.match(str(location)) is not None
    if not str(location) or is_unknown_url:
        raise StoreError(
            f"{quoted(str(location))} is not the location of a store, expected a path or postgresql://…"
        )

    path = Path(location)
    if path == _find_user_store_path():
        _create_private_folder(path.parent)
    return SqliteStore(path)


def is_url(location: str) -> bool:
    """Return True if a location is the URL of a PostgreSQL database, and False if it is a path.

    Such a URL begins with ``postgresql://`` or ``postgres://``.
    """
    return location.startswith(_POSTGRES_PREFIXES)


def _open_postgres(url: str) -> Store:
    """Open a PostgreSQL store.

    Raise `StoreError` if psycopg is not installed, the URL is not valid, or the store cannot be opened.
    """
    # libpq, the client library of PostgreSQL, would end the URL at a NUL character.
    if _UNENCODABLE_CHARACTER.search(url):
        raise StoreError(
            "the URL of the store contains a NUL character or a lone surrogate; "
            "percent-encode such characters"
        )
    # Imported here because psycopg takes a tenth of a second to import, and most users do not have it.
    try:
        from forsyth.store.postgres import PostgresStore
    except ImportError as error:
        raise StoreError(
            f"a PostgreSQL store needs psycopg, which cannot be imported ({error}); "
            "install it with: pip install 'forsyth[postgres]'"
        ) from error
    return PostgresStore(url)


def default_location() -> str | Path:
    """Return the path or URL of the store that is opened if the user names none.

    It is the value of the environment variable ``FORSYTH_STORE``. If the variable is not set, it is the path
    of the file ``forsyth/positions.sqlite`` in the user's data folder.
    """
    configured_location = os.environ.get(_LOCATION_VARIABLE, "")
    return configured_location if is_url(configured_location) else default_path()


def default_path() -> Path:
    """Return the path of the user's store file, even if the user's default store is a database.

    It is the path in the environment variable ``FORSYTH_STORE``, or else a file in the user's data folder. A
    URL in the variable is ignored: it is not a path, and it may contain a password.
    """
    configured_location = os.environ.get(_LOCATION_VARIABLE, "")
    if configured_location and not is_url(configured_location):
        return Path(configured_location)
    return _find_user_store_path()


def _find_user_store_path() -> Path:
    """Return the path of the store file in the user's data folder.

    On Linux it is ``~/.local/share/forsyth/positions.sqlite``.
    """
    return _find_user_data_folder() / "forsyth" / "positions.sqlite"


def _create_private_folder(folder: Path) -> None:
    """Create a folder that only this user can read, and its parent folders, unless they exist.

    Raise `StoreError` if a folder cannot be created.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=_PRIVATE_FOLDER_MODE, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the folder {folder} cannot be created: {error.strerror}; set FORSYTH_STORE to another path"
        ) from error


def _find_user_data_folder() -> Path:
    """Return the folder for data of this user: ``~/.local/share`` on Linux."""
    if sys.platform == "win32":
        local_app_data = os.environ.get("LOCALAPPDATA")
        return Path(local_app_data) if local_app_data else Path.home() / "AppData" / "Local"
    # The XDG base directory specification says that a relative path must be ignored.
    data_home = Path(os.environ.get("XDG_DATA_HOME", ""))
    return data_home if data_home.is_absolute() else Path.home() / ".local" / "share"
