"""The caches of mypy that tests keep from run to run."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]


@contextmanager
def mypy_cache(name: str) -> Iterator[str]:
    """Yield the folder of a cache, and keep every other process out of it until the block ends.

    The compiled and the pure build are tested at the same time in one checkout, each by several processes.
    """
    folder = ROOT / ".mypy_cache" / name
    folder.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield str(folder)
