"""A small pool of connections to a PostgreSQL server, shared by all threads of a process.

Why not one connection per thread: a web server has forty threads in each of its processes, PostgreSQL allows
a hundred connections in all, and each of our statements takes less than a millisecond. Why not psycopg_pool:
it is another dependency, and its background threads do not survive a fork.

Reuse: a connection stays open after use. The connection that was used last is the first to be reused.

Fork: a child process cannot share connections with its parent. The child keeps the parent's connections open
but unused, and opens its own.

Restart: if a connection turns out to be broken, the operation is repeated once on a new connection. Therefore
every operation must be safe to run twice.
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

POOL_SIZE: Final = 4
"""Maximum number of connections of one store in one process."""

WAIT_SECONDS: Final = 30.0
"""Time that a thread waits for a free connection before it fails; each use takes milliseconds."""

Connection = psycopg.Connection[tuple[Any, ...]]
T = TypeVar("T")


class ConnectionPool:
    """At most `POOL_SIZE` connections, opened on demand; safe to use from threads and across forks."""

    def __init__(self, connect: Callable[[], Connection], location: str) -> None:
        """Create an empty pool.

        Args:
            connect: Opens a new connection.
            location: The server and database as error messages name them, without the password.
        """
        self._connect = connect
        self._location = location
        self._closed = False
        self._reset_connections()
        _POOLS.add(self)

    def _reset_connections(self) -> None:
        """Give the pool a new lock, no idle connections, and `POOL_SIZE` free slots.

        This is for a new pool, and for a forked child process, which must not use its parent's connections.
        """
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._slots = threading.BoundedSemaphore(POOL_SIZE)

    def run_operation(self, operation: Callable[[Connection], T]) -> T:
        """Call `operation` with a connection of the pool, and return its result.

        If the connection breaks, `operation` is called once more with a new connection, so it must be safe to
        run twice. Raise `StoreError` if all connections stay in use for `WAIT_SECONDS`.
        """
        # A local variable, because a fork inside `operation` replaces `self._slots`.
        slots = self._slots
        if not slots.acquire(timeout=WAIT_SECONDS):
            raise StoreError(f"all {POOL_SIZE} connections to {self._location} are busy; try again")
        try:
            return self._run_on_connection(operation, may_retry=True)
        finally:
            slots.release()

    def _run_on_connection(self, operation: Callable[[Connection], T], *, may_retry: bool) -> T:
        """Call `operation` with an idle or new connection, and return its result.

        If the connection breaks and `may_retry` is true, call `operation` once more with a new connection.
        """
        connection = self._take_connection()
        try:
            return operation(connection)
        except (psycopg.OperationalError, psycopg.InterfaceError):
            is_broken = connection.closed
            if not is_broken or not may_retry:
                raise
            # Whatever broke this connection has broken all connections that were open at the time.
            self._close_idle()
        finally:
            self._return_connection(connection)

        # The connection broke. There are no idle connections now, so that a new one is opened.
        return self._run_on_connection(operation, may_retry=False)

    def _take_connection(self) -> Connection:
        """Take an idle connection out of the pool, or open a new one, and return it.

        Raise `StoreError` if the store is closed.
        """
        with self._lock:
            if self._closed:
                raise StoreError(f"the store {self._location} is closed; open it again")
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _return_connection(self, connection: Connection) -> None:
        """Put a connection back into the pool after use, so that it can be used again.

        The connection is closed instead if a transaction is still open on it, or if the pool was closed in
        the meantime.
        """
        # Interrupted work may have left a transaction open.
        is_reusable = connection.info.transaction_status == TransactionStatus.IDLE
        with self._lock:
            if is_reusable and not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _close_idle(self) -> None:
        """Close all connections that are not in use."""
        with self._lock:
            idle_connections = self._idle
            self._idle = []
        for connection in idle_connections:
            connection.close()

    def close(self) -> None:
        """Close the idle connections now, and each other connection as soon as its use ends."""
        self._closed = True
        self._close_idle()

    def abandon_parent_connections(self) -> None:
        """Empty the pool in a forked child process, without closing any connection.

        Closing a connection in the child would also end it for the parent.
        """
        # A reference keeps the connections from being closed as garbage.
        _PARENT_CONNECTIONS.append(self._idle)
        self._reset_connections()


_POOLS: Final[weakref.WeakSet[ConnectionPool]] = weakref.WeakSet()
_PARENT_CONNECTIONS: Final[list[list[Connection]]] = []
"""References that keep the parent's connections from being collected, which would warn that they are open."""


def _abandon_all_parent_connections() -> None:
    """Empty every `ConnectionPool` of a forked child process.

    The connections stay open, because the parent process still uses them.
    """
    for pool in list(_POOLS):
        pool.abandon_parent_connections()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon_all_parent_connections)
