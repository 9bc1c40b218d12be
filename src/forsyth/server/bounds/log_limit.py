"""Limit the number of log lines that each client address can cause.

Invalid requests and failures are logged, so a client could fill the disk by repeating them. At most
`LINES_PER_MINUTE` records per minute are logged for one client. The next record that is logged contains the
number of records that were left out. Records that no client has caused are not limited.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from contextvars import ContextVar
from typing import Any, Final

from forsyth.server.bounds.rates import MAX_CLIENTS, TokenBucket

LINES_PER_MINUTE: Final = 10
"""Maximum number of records per minute that are logged for one client address."""

LOGGERS: Final = ("forsyth.server", "uvicorn.error", "asyncio")
"""Names of the loggers whose records clients can cause."""

NO_CLIENT: Final = ""

client_address: Final[ContextVar[str]] = ContextVar("forsyth.client_address", default=NO_CLIENT)
"""Address of the client whose data or request is processed now. `NO_CLIENT` if there is none."""


class _ClientRecords:
    """Token bucket for the records of one client, and the number of records that were left out."""

    __slots__ = ("bucket", "omitted_count")

    def __init__(self) -> None:
        self.bucket = TokenBucket(LINES_PER_MINUTE)
        self.omitted_count = 0


class LogLimit(logging.Filter):
    """Filter of a logger that leaves out records if their client has caused too many."""

    def __init__(self) -> None:
        super().__init__()
        self._clients: OrderedDict[str, _ClientRecords] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged. Add the number of omitted records to its message."""
        address = client_address.get()
        if address == NO_CLIENT:
            return True
        client = self._find_client(address)
        if client.bucket.compute_wait_seconds(1) > 0:
            client.omitted_count += 1
            return False
        client.bucket.take_tokens(1)
        if client.omitted_count:
            omitted = f"{client.omitted_count} records about {address} were left out"
            record.msg = f"{record.getMessage()} ({omitted})"
            record.args = None
            client.omitted_count = 0
        return True

    def _find_client(self, address: str) -> _ClientRecords:
        """Return the records of a client address. Forget the least recently used one of too many."""
        client = self._clients.pop(address, None) or _ClientRecords()
        self._clients[address] = client
        if len(self._clients) > MAX_CLIENTS:
            self._clients.popitem(last=False)
        return client


def read_client_address(client: Any) -> str:
    """Return the address of a client, which is given as a pair of address and port, or None."""
    return str(client[0]) if client else NO_CLIENT


_LOG_LIMIT: Final = LogLimit()


def limit_logs() -> None:
    """Limit the records in `LOGGERS`. Further calls change nothing."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(_LOG_LIMIT)
