"""Output of the command line: JSON lines, texts, boards and progress bars.

With ``--json`` each answer is one line of ASCII JSON, so that lone surrogates and control characters survive.
Without it, characters that the encoding of the stream lacks are written as escapes. Every answer is flushed
at once. Colour is used on a terminal only, and never if the environment variable NO_COLOR is set.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from forsyth.diagnostics import Reading
    from forsyth.game import Game
    from forsyth.scene import Mark


class Failure(click.ClickException):
    """An error in the input or the output, with exit status 2.

    The message is one sentence that names the place and the remedy.
    """

    exit_code = 2


@dataclass(slots=True)
class Tally:
    """Counts of the texts of a run: all of them, and those that are not ok."""

    total: int = 0
    failed: int = 0

    def add(self, is_ok: bool) -> None:
        """Count one text; `is_ok` says whether it has no error."""
        self.total += 1
        self.failed += not is_ok

    @property
    def exit_status(self) -> int:
        """The exit status: 0 if every text is ok, else 1."""
        return 1 if self.failed else 0

    def print_summary(self) -> None:
        """Print the counts to standard error if there is more than one text."""
        if self.total > 1:
            echo(f"{self.total} texts: {self.total - self.failed} ok, {self.failed} not ok", err=True)


def echo(text: str = "", *, err: bool = False, end: str = "\n") -> None:
    """Write a text to standard output, or to standard error if `err` is true, and flush it.

    A character that the encoding of the stream lacks is written as an escape: a backslash and its number.
    `end` is written after the text.
    """
    stream = _get_stream(err)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    encodable_text = text.encode(encoding, "backslashreplace").decode(encoding)
    click.echo(encodable_text + end, nl=False, err=err, color=uses_colour(err=err))


def write_json(answer: Mapping[str, Any], *, err: bool = False) -> None:
    """Write JSON-ready data as one line of ASCII JSON, to standard error if `err` is true."""
    click.echo(json.dumps(answer), err=err)


def discard_output(*streams: Any) -> None:
    """Redirect broken output streams to the null device; by default standard output and standard error.

    Otherwise the flush at the end of the interpreter would fail again on a broken stream.
    """
    for stream in streams or (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            null_device = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null_device, stream.fileno())
            os.close(null_device)


def discard_broken_stdout() -> None:
    """Redirect standard output to the null device if it cannot be flushed, such as on a full disk."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        discard_output(sys.stdout)


def _get_stream(err: bool) -> TextIO | None:
    """Return standard error if `err` is true, else standard output; None if it is closed."""
    return sys.stderr if err else sys.stdout


def is_terminal(*, err: bool = False) -> bool:
    """Return whether standard output, or standard error if `err` is true, is a terminal."""
    stream = _get_stream(err)
    return stream is not None and stream.isatty()


def uses_colour(*, err: bool = False) -> bool:
    """Return whether to write colours: the stream is a terminal, and NO_COLOR is not set."""
    return is_terminal(err=err) and not os.environ.get("NO_COLOR")


def supports_unicode() -> bool:
    """Return whether standard output can encode Unicode characters, such as the symbols of pieces."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "").startswith("utf")


def format_findings(reading: Reading[Any], *, err: bool = False) -> str:
    """Return all errors and warnings of a reading as text, each with its place in the text.

    `err` says that the result is written to standard error. It is coloured if that stream shows colours.
    """
    from forsyth.diagnostics import render

    return render(reading.text, reading.diagnostics, colour=uses_colour(err=err))


def print_findings(reading: Reading[Any], label: str = "") -> None:
    """Print the errors and warnings of a reading to standard error, after `label`.

    Print nothing if there are none.
    """
    if reading.diagnostics:
        echo(label + format_findings(reading, err=True), err=True)


def render_board(
    game: Game, position: Any, marked: Mapping[str, Mark] | None = None, *, flip: bool = False
) -> str:
    """Return a position as a board of characters that standard output can show.

    Args:
        game: The game of the position.
        position: The position to draw.
        marked: The mark of each square that is highlighted, by the name of the square.
        flip: Whether to show the board from the other side.
    """
    from forsyth import draw

    scene = game.scene(position, marks=marked, flip=flip)
    return draw.text(scene, colour=uses_colour(), unicode=supports_unicode())


def format_columns(words: Iterable[str]) -> str:
    """Return words in columns of equal width, row by row, as wide as the terminal."""
    cells = list(words)
    width = max(map(len, cells), default=0) + 2
    cells_per_row = max(1, get_terminal_size().columns // width)
    rows = (cells[start : start + cells_per_row] for start in range(0, len(cells), cells_per_row))
    return "\n".join("".join(cell.ljust(width) for cell in row).rstrip() for row in rows)


Advance = Callable[[int], None]
"""Moves a progress bar on by a number of units."""


@contextmanager
def show_progress(label: str, total: int | None, *, unit: str = "bytes") -> Iterator[Advance]:
    """Show a progress bar on standard error, and yield the function that advances it.

    No bar is shown if `total` is None or standard error is not a terminal.

    Args:
        label: The text before the bar.
        total: The number of units of the whole work.
        unit: The name of the units; "bytes" are shown as file sizes, other units as numbers.
    """
    if total is None or not is_terminal(err=True):
        yield lambda _: None
        return
    # Imported here, because loading rich takes longer than most commands run.
    from rich import progress as rich_progress
    from rich.console import Console

    # Rich must not capture standard output, because the answers go there.
    with rich_progress.Progress(
        "{task.description}",
        rich_progress.BarColumn(),
        rich_progress.DownloadColumn() if unit == "bytes" else rich_progress.MofNCompleteColumn(),
        rich_progress.TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
    ) as bar:
        task = bar.add_task(label, total=total)
        yield lambda step: bar.advance(task, step)
