"""Stores on SQLite files across a fork of the process.

SQLite keeps its locks per process and in memory that a fork copies: a child with the copy believes to hold
locks that it does not, and may damage the file even by closing it. So the connections of all stores are
closed before a fork, and opened again on both sides when they are next used.
"""

from __future__ import annotations

import os
import sys
import threading
import weakref
from typing import Final, Protocol


class Forkable(Protocol):
    """A store with a connection that does not survive a fork."""

    def pause(self) -> None:
        """Wait until nobody uses the connection, close it, and let nobody use it."""

    def resume(self) -> None:
        """Let everybody use it again."""


class _ForkGuard:
    """Closes the connections of all stores before a fork."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stores: weakref.WeakSet[Forkable] = weakref.WeakSet()
        self._held: list[Forkable] = []

    def add(self, store: Forkable) -> None:
        with self._lock:
            self._stores.add(store)

    def before(self) -> None:
        self._lock.acquire()
        self._held = list(self._stores)
        for store in self._held:
            store.pause()

    def after(self) -> None:
        for store in self._held:
            store.resume()
        self._held = []
        self._lock.release()


_FORK: Final = _ForkGuard()
if sys.platform != "win32":
    os.register_at_fork(before=_FORK.before, after_in_parent=_FORK.after, after_in_child=_FORK.after)

guard = _FORK.add
"""Close the connection of a store before every fork from now on."""
