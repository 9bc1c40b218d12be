"""Closing SQLite connections around a fork of the process.

SQLite keeps its locks per process, in memory that a fork copies. A child with such a copy seems to hold locks
that it does not hold, and may damage the file even by closing it. So the connections of all stores are closed
before a fork. Parent and child reopen them when they use them next.
"""

from __future__ import annotations

import os
import sys
import threading
import weakref
from typing import Final, Protocol


class Forkable(Protocol):
    """A store with a connection that a forked child process must not use."""

    def pause(self) -> None:
        """Wait until no thread uses the connection, close it, and block new uses until `resume`."""

    def resume(self) -> None:
        """Let threads use the store again. The next use opens a new connection."""


class _ForkGuard:
    """Closes the connections of all registered stores before a fork."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stores: weakref.WeakSet[Forkable] = weakref.WeakSet()
        self._paused: list[Forkable] = []

    def add_store(self, store: Forkable) -> None:
        """Register a store, so that its connection is closed before each fork from now on.

        The store is referenced weakly: Python can delete it when nothing else uses it.
        """
        with self._lock:
            self._stores.add(store)

    def pause_all(self) -> None:
        """Close the connections of all registered stores. Python calls this before a fork.

        From then on, threads that want to use a store wait for `resume_all`.
        """
        # Held until `resume_all`, so that no store is registered during the fork.
        self._lock.acquire()
        self._paused = list(self._stores)
        for store in self._paused:
            store.pause()

    def resume_all(self) -> None:
        """Let threads use the stores again that `pause_all` closed.

        Python calls this after a fork, in the parent process and in the child process.
        """
        for store in self._paused:
            store.resume()
        self._paused = []
        self._lock.release()


_GUARD: Final = _ForkGuard()
if sys.platform != "win32":
    os.register_at_fork(
        before=_GUARD.pause_all, after_in_parent=_GUARD.resume_all, after_in_child=_GUARD.resume_all
    )

close_before_forks = _GUARD.add_store
"""Register a store, so that its connection is closed before every fork from now on."""
