"""The progress bar of a job over files: the share that is read, rows and bytes per second, time left.

A job that also counts positions shows a second bar for that, with positions per second and parts.

The bars are shown on standard error, and only if it is a terminal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from forsyth.cli.output import is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress

MIN_SECONDS: Final = 0.001
"""Minimum duration to compute a rate from, so that a rate never divides by 0."""
_BYTES_PER_MEGABYTE: Final = 1_000_000

ProgressStep = Callable[[int, int], None]
"""Called after each step with the number of items that it processed and the progress that it made."""


class ProgressStarter(Protocol):
    """A function that a job over files calls at its beginning to start the progress bar."""

    def __call__(self, total: int | None) -> ProgressStep:
        """Start the bar for reading files, and return the function that advances it.

        `total` is the number of bytes to read, or None if it is not known. The returned function takes the
        numbers of rows and bytes that were read since its last call.
        """

    def start_counting(self, total: int | None) -> ProgressStep:
        """Start the bar for counting positions, and return the function that advances it.

        `total` is the number of parts to count, or None if it is not known. The returned function takes the
        numbers of positions and parts that were counted since its last call.
        """


@contextmanager
def progress_bar(label: str, quiet: bool, unit: str = "rows") -> Iterator[ProgressStarter | None]:
    """Yield a function that starts the progress bar of a job, and remove the bar after the ``with`` block.

    Yield None if no bar is to be shown, because `quiet` is true or standard error is not a terminal.

    Args:
        label: The text before the bar, such as ``scan``.
        quiet: Whether to show no bar.
        unit: The plural name of the items that are counted, such as rows or games.
    """
    if quiet or not is_terminal(err=True):
        yield None
        return

    # Imported here, because loading rich takes longer than reading a small file.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    # Rich must not capture standard output, because the answers go there.
    with Progress(
        "{task.description}",
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
    ) as display:
        yield _ProgressBars(display, label, unit)


class _ProgressBars:
    """The progress bars of one job. Implements `ProgressStarter`."""

    def __init__(self, display: Progress, label: str, unit: str) -> None:
        """Prepare the bars of a job without showing one.

        Args:
            display: The display of rich that shows the bars.
            label: The text before the bars.
            unit: The plural name of the items that are counted, such as rows.
        """
        self._display = display
        self._label = label
        self._unit = unit

    def __call__(self, total: int | None) -> ProgressStep:
        """Start the bar for reading files, and return the function that advances it by rows and bytes.

        `total` is the number of bytes to read, or None if it is not known.
        """
        format_rate = partial(_format_reading_rate, self._unit)
        return self._start_bar(self._label, total, format_rate)

    def start_counting(self, total: int | None) -> ProgressStep:
        """Start the bar for counting positions, and return the function that advances it.

        `total` is the number of parts to count, or None if it is not known. The returned function takes the
        numbers of positions and parts that were counted since its last call.
        """
        return self._start_bar(f"{self._label}, counting", total, _format_counting_rate)

    def _start_bar(
        self, label: str, total: int | None, format_rate: Callable[[int, int, float], str]
    ) -> ProgressStep:
        """Add a bar to the display and return the function that advances it.

        Args:
            label: The text before the bar.
            total: The progress at which the bar is full, or None if it is not known.
            format_rate: Returns the text behind the bar, such as ``500 rows  250 rows/s``. It is called with
                the number of items so far, the progress so far, and the seconds since the start.
        """
        task_id = self._display.add_task(label, total=total, rate="")
        start_time = time.monotonic()
        total_items = 0
        total_progress = 0

        def advance(items: int, progress: int) -> None:
            """Move the bar on by `progress`, and update the rate behind it.

            `items` is the number of things, such as rows, that were processed since the last call.
            """
            nonlocal total_items, total_progress
            total_items += items
            total_progress += progress
            elapsed_seconds = max(time.monotonic() - start_time, MIN_SECONDS)
            rate = format_rate(total_items, total_progress, elapsed_seconds)
            self._display.update(task_id, advance=progress, rate=rate)

        return advance


def _format_counting_rate(positions: int, parts: int, seconds: float) -> str:
    """Format the text behind the bar for counting: ``500 positions  250 positions/s  2 parts``.

    `positions` and `parts` are the numbers that were counted in `seconds`.
    """
    positions_per_second = positions / seconds
    return f"{positions:,} positions  {positions_per_second:,.0f} positions/s  {parts:,} parts"


def _format_reading_rate(unit: str, rows: int, byte_count: int, seconds: float) -> str:
    """Format the text behind the bar for reading: ``500 rows  250 rows/s  0.1 MB/s``.

    Args:
        unit: The plural name of the things that are read, such as ``rows`` or ``games``.
        rows: The number of these things that were read.
        byte_count: The number of bytes that were read.
        seconds: The time for reading.
    """
    rows_per_second = rows / seconds
    megabytes_per_second = byte_count / seconds / _BYTES_PER_MEGABYTE
    return f"{rows:,} {unit}  {rows_per_second:,.0f} {unit}/s  {megabytes_per_second:,.1f} MB/s"
