"""A service in another process, as people run it: for what only a real connection can show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.polling import TIMEOUT

import forsyth


@dataclass(frozen=True)
class Serving:
    """A running service: where it listens, and its process."""

    port: int
    process: subprocess.Popen[str]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def serving(*arguments: str, **environment: str) -> Iterator[Serving]:
    """`forsyth serve` on a free port, stopped when the block ends."""
    package = str(Path(forsyth.__file__).parents[1])
    command = [sys.executable, "-m", "forsyth", "serve", "--port", "0", "--store", ":memory:", *arguments]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": package, "PYTHONUNBUFFERED": "1", **environment},
    ) as process:
        try:
            yield Serving(_port_of(process), process)
        finally:
            process.terminate()
            try:
                # Longer than the service waits for requests in flight.
                process.wait(TIMEOUT)
            finally:
                process.kill()


def _port_of(process: subprocess.Popen[str]) -> int:
    """Return the port that a service prints. Raise AssertionError if it ends before it has printed one."""
    assert process.stdout is not None
    printed = ""
    while (found := re.search(r"http://127\.0\.0\.1:(\d+)", printed)) is None:
        line = process.stdout.readline()
        assert line, printed
        printed += line
    return int(found[1])
