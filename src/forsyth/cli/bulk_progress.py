"""The progress bar of a job over files: how much is read, rows and bytes a second, time left.

Shown on standard error, when a person looks at it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from forsyth.cli.output import on_terminal

Step = Callable[[int, int], None]
Begin = Callable[[int | None], Step]


@contextmanager
def progress_bar(what: str, quiet: bool) -> Iterator[Begin | None]:
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

        def begin(total: int | None) -> Step:
            task = bar.add_task(what, total=total, rate="")
            started = time.monotonic()
            total_rows = total_size = 0

            def step(rows: int, size: int) -> None:
                nonlocal total_rows, total_size
                total_rows += rows
                total_size += size
                rate = _rate(total_rows, total_size, time.monotonic() - started)
                bar.update(task, advance=size, rate=rate)

            return step

        yield begin


def _rate(rows: int, size: int, seconds: float) -> str:
    seconds = max(seconds, 0.001)
    return f"{rows:,} rows  {rows / seconds:,.0f} rows/s  {size / seconds / 1e6:,.1f} MB/s"
