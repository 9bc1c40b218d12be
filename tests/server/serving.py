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
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": package, "PYTHONUNBUFFERED": "1", **environment},
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", said)
        assert found is not None, said + process.stdout.read()
        yield Serving(int(found[1]), process)
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(20)
        assert process.stdout is not None
        process.stdout.close()
