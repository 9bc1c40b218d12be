"""A few connections to a PostgreSQL server, shared by all threads of a process.

Not one for each thread: a web server has forty threads in each of its processes, PostgreSQL allows a hundred
connections in all, and each of our statements takes less than a millisecond. Not psycopg_pool: it is one more
package, and the threads that it runs in the background do not survive a fork.

Written: nothing. A connection that was used is kept for the next; the one used last is the first to be taken.

Fork: a connection cannot be shared with a child. The child leaves those of its parent alone, without closing
them, and opens its own.

Restart: work that finds its connection broken is done once more on a new one, so that it must be work that
may be done twice.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from typing import Any, Final, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from forsyth.store.errors import StoreError

SIZE: Final = 4
"""Most connections of one store in one process."""

WAIT_SECONDS: Final = 30.0
"""How long a thread waits for a connection before it says so; each is held for milliseconds."""

Connection = psycopg.Connection[tuple[Any, ...]]
T = TypeVar("T")


class Connections:
    """At most `SIZE` connections, opened as they are needed; safe between threads and across forks."""

    def __init__(self, connect: Callable[[], Connection], where: str) -> None:
        self._connect = connect
        self._where = where
        self._closed = False
        self._start()
        _ALL.add(self)

    def _start(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._free = threading.BoundedSemaphore(SIZE)

    def run(self, work: Callable[[Connection], T]) -> T:
        """What the work gives; it is done a second time when the connection broke, as after a restart."""
        # The free ones of this process: after a fork inside the work there would be others.
        free = self._free
        if not free.acquire(timeout=WAIT_SECONDS):
            raise StoreError(f"all {SIZE} connections to {self._where} are busy; try again")
        try:
            return self._attempt(work, again=True)
        finally:
            free.release()

    def _attempt(self, work: Callable[[Connection], T], again: bool) -> T:
        connection = self._take()
        try:
            return work(connection)
        except (psycopg.OperationalError, psycopg.InterfaceError):
            if not (again and connection.closed):
                raise
            # What broke one connection has broken all that were open at the time.
            self._drop_idle()
        finally:
            self._give_back(connection)
        return self._attempt(work, again=False)

    def _take(self) -> Connection:
        with self._lock:
            if self._closed:
                raise StoreError(f"the store {self._where} is closed")
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give_back(self, connection: Connection) -> None:
        # Work that was interrupted may have left a statement running.
        usable = connection.info.transaction_status == TransactionStatus.IDLE
        with self._lock:
            if usable and not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _drop_idle(self) -> None:
        with self._lock:
            dropped, self._idle = self._idle, []
        for connection in dropped:
            connection.close()

    def close(self) -> None:
        """Close those not in use now, and the others when their work is done."""
        self._closed = True
        self._drop_idle()

    def start_over_in_child(self) -> None:
        """Leave the connections of the parent alone: closing one here would end it for the parent as well."""
        _OF_PARENTS.append(self._idle)
        self._start()


_ALL: Final[weakref.WeakSet[Connections]] = weakref.WeakSet()
_OF_PARENTS: Final[list[list[Connection]]] = []
"""Kept so that they are not collected, which warns that they were never closed."""


def _start_over_in_child() -> None:
    for connections in list(_ALL):
        connections.start_over_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_over_in_child)
