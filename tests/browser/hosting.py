"""Files of a folder, served to a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any


class Quiet(SimpleHTTPRequestHandler):
    """Files of a folder, without a word about each."""

    def log_message(self, format: str, *values: Any) -> None:
        """Say nothing."""


@contextmanager
def hosting(folder: Path) -> Iterator[str]:
    """The address under which the files of a folder are served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
