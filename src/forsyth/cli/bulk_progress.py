"""The progress bar of a job over files: how much is read, rows and bytes a second, time left.

A job that counts afterwards has a second bar for that: parts and positions a second.

Shown on standard error, when a person looks at it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Protocol

from forsyth.cli.output import on_terminal

if TYPE_CHECKING:
    from rich.progress import Progress

Step = Callable[[int, int], None]


class Begin(Protocol):
    """What a job calls when it begins, with the bytes it has to read; it is then told of each step."""

    def __call__(self, total: int | None) -> Step:
        """Rows and bytes of each step."""

    def counting(self, total: int | None) -> Step:
        """Positions and parts of each step, of so many parts."""


@contextmanager
def progress_bar(what: str, quiet: bool, unit: str = "rows") -> Iterator[Begin | None]:
    """What a job calls when it begins, with the bytes it has to read, and then for each step."""
    if quiet or not on_terminal(err=True):
        yield None
        return
    # Imported late: it takes longer to load than a small file takes to read.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    # Standard output carries the answers: rich must not take it over.
    with Progress(
        "{task.description}",
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
    ) as bar:
        yield _Bars(bar, what, unit)


class _Bars:
    """The bars of one job, each begun when its step is."""

    def __init__(self, shown: Progress, what: str, unit: str) -> None:
        self._shown = shown
        self._what = what
        self._unit = unit

    def __call__(self, total: int | None) -> Step:
        return self._begin(self._what, total, partial(_rate, self._unit))

    def counting(self, total: int | None) -> Step:
        return self._begin(f"{self._what}, counting", total, _counting_rate)

    def _begin(self, what: str, total: int | None, rate: Callable[[int, int, float], str]) -> Step:
        task = self._shown.add_task(what, total=total, rate="")
        started = time.monotonic()
        total_rows = total_size = 0

        def step(rows: int, size: int) -> None:
            nonlocal total_rows, total_size
            total_rows += rows
            total_size += size
            seconds = max(time.monotonic() - started, 0.001)
            self._shown.update(task, advance=size, rate=rate(total_rows, total_size, seconds))

        return step


def _counting_rate(positions: int, parts: int, seconds: float) -> str:
    return f"{positions:,} positions  {positions / seconds:,.0f} positions/s  {parts:,} parts"


def _rate(unit: str, rows: int, size: int, seconds: float) -> str:
    return f"{rows:,} {unit}  {rows / seconds:,.0f} {unit}/s  {size / seconds / 1e6:,.1f} MB/s"
