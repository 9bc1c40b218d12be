"""A store in an SQLite file of which nothing can be written: on a full disk, or a file of somebody else.

Accepted: a file that is a store of Forsyth, of this layout. Everything that would change it is a
`StoreError`.

Reading needs no journal of its own. Where not even the small file beside it can be made by which readers and
writers agree, the file is read as one that nobody changes; that is refused while rows wait in its journal,
which would not be seen.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from forsyth.store.errors import StoreError
from forsyth.store.sqlite import BUSY_SECONDS, LAYOUT, SqliteStore, layout_of

_SHARED: Final = "mode=ro"
_UNCHANGING: Final = "mode=ro&immutable=1"


class ReadOnlyStore(SqliteStore):
    """The positions of an SQLite file, to be read."""

    def __init__(self, path: str | Path) -> None:
        if not Path(path).is_file():
            raise StoreError(f"{path} is not there, expected a file that can be read")
        super().__init__(path)

    def _open(self) -> sqlite3.Connection:
        journal = Path(f"{self._path}-wal")
        waits = journal.exists() and journal.stat().st_size > 0
        try:
            return self._open_as(_SHARED)
        except sqlite3.Error:
            if waits:
                raise
            return self._open_as(_UNCHANGING)

    def _open_as(self, how: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self._path.as_uri()}?{how}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            layout = layout_of(connection, self._path)
            if layout != LAYOUT:
                raise StoreError(f"{self._path} has layout {layout}, expected {LAYOUT}; write to it once")
        except BaseException:
            connection.close()
            raise
        return connection
