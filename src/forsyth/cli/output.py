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

from forsyth.arguments import escape_controls

if TYPE_CHECKING:
    from forsyth.cli.inputs import InputText
    from forsyth.diagnostics import Reading
    from forsyth.game import Game
    from forsyth.scene import Mark


_COLUMN_GAP = 2
"""Number of blanks between two columns of a table."""


class Failure(click.ClickException):
    """An error in the input or the output, with exit status 2.

    The message is one sentence that names the place and the remedy.
    """

    exit_code = 2


@dataclass(slots=True)
class Tally:
    """Counts of the texts of a run: all texts, and the texts with an error."""

    total: int = 0
    failed: int = 0

    def add(self, is_ok: bool) -> None:
        """Count one text. `is_ok` is True if the text has no error."""
        self.total += 1
        if not is_ok:
            self.failed += 1

    @property
    def exit_status(self) -> int:
        """The exit status: 0 if every text is ok, else 1."""
        return 1 if self.failed else 0

    def print_summary(self) -> None:
        """Print the counts to standard error if there is more than one text."""
        if self.total <= 1:
            return
        ok_count = self.total - self.failed
        echo(f"{self.total} texts: {ok_count} ok, {self.failed} not ok", err=True)


def format_path(name: str | os.PathLike[str]) -> str:
    """Format the name of a file for a message: control characters and undecodable bytes are escaped."""
    return escape_controls(click.format_filename(name))


def echo(text: str = "", *, err: bool = False, end: str = "\n", styled: bool = False) -> None:
    r"""Write a text to a standard stream and flush the stream.

    A character that the encoding of the stream cannot represent is written as an escape, such as ``\u265a``.
    On standard error, control characters are escaped too, except line ends and tabs.

    Args:
        text: The text.
        err: Whether to write to standard error, not to standard output.
        end: A text that is written after `text`.
        styled: Whether `text` contains colour codes. Its control characters are then written as they are, so
            the caller must have escaped all others.
    """
    if err and not styled:
        text = escape_controls(text, kept="\n\t")
    stream = _get_stream(err)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    encodable_text = text.encode(encoding, "backslashreplace").decode(encoding)
    click.echo(encodable_text + end, nl=False, err=err, color=uses_colour(err=err))


def write_json(answer: Mapping[str, Any], *, err: bool = False) -> None:
    """Write `answer` as one line of ASCII JSON to standard output, or to standard error if `err` is true."""
    click.echo(json.dumps(answer), err=err)


def make_text_fields(input_text: InputText, reading: Reading[Any]) -> dict[str, Any]:
    """Return the fields with which every JSON object about a text begins: line, text, game and variant.

    `reading` is the result of reading the text, with its game.
    """
    return {
        "line": input_text.line,
        "text": input_text.text,
        "game": reading.game,
        "variant": reading.variant,
    }


def discard_output(*streams: Any) -> None:
    """Redirect output streams to the null device, because writing to them has failed.

    Without this, Python would fail again when it flushes the streams at its end. If no `streams` are given,
    standard output and standard error are redirected.
    """
    for stream in streams or (sys.stdout, sys.stderr):
        # A stream may be None, closed, or without a file descriptor. Then nothing can be redirected.
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
    """Return standard error if `err` is true, else standard output. Return None if the stream is closed."""
    return sys.stderr if err else sys.stdout


def is_terminal(*, err: bool = False) -> bool:
    """Return True if standard output, or standard error if `err` is true, is a terminal."""
    stream = _get_stream(err)
    return stream is not None and stream.isatty()


def uses_colour(*, err: bool = False) -> bool:
    """Return True if colours are written: the stream is a terminal, and NO_COLOR is not set.

    The stream is standard error if `err` is true, else standard output.
    """
    return is_terminal(err=err) and not os.environ.get("NO_COLOR")


def supports_unicode() -> bool:
    """Return True if standard output can encode Unicode characters, such as the symbols of pieces."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "").startswith("utf")


def format_findings(reading: Reading[Any], *, err: bool = False) -> str:
    """Return the errors and warnings of a reading as lines that mark the place of each in the text.

    The lines have colours if the stream shows colours: standard error if `err` is true, else standard output.
    """
    from forsyth.diagnostics import render_findings

    return render_findings(reading.text, reading.diagnostics, colour=uses_colour(err=err))


def print_findings(reading: Reading[Any], label: str = "") -> None:
    """Print the errors and warnings of a reading to standard error, after the text `label`.

    If there are none, print nothing, not even the label.
    """
    if not reading.diagnostics:
        return
    escaped_label = escape_controls(label, kept="\n")
    echo(escaped_label + format_findings(reading, err=True), err=True, styled=True)


def render_board(
    game: Game, position: Any, marks: Mapping[str, Mark] | None = None, *, flip: bool = False
) -> str:
    """Draw a position as a board of text characters, for standard output.

    Unicode characters and colours are used only if standard output can show them.

    Args:
        game: The game of the position.
        position: The position to draw.
        marks: The squares to highlight, with the mark of each, such as ``{"e4": "last"}``. None marks none.
        flip: Whether to show the board from the other side.
    """
    from forsyth import draw

    scene = game.scene(position, marks=marks, flip=flip)
    return draw.text(scene, colour=uses_colour(), unicode=supports_unicode())


def format_columns(words: Iterable[str]) -> str:
    """Arrange words, such as moves, in a table with columns of equal width, row by row.

    The table is at most as wide as the terminal.
    """
    all_words = list(words)
    column_width = max(map(len, all_words), default=0) + _COLUMN_GAP
    words_per_row = max(1, get_terminal_size().columns // column_width)

    rows = []
    for start in range(0, len(all_words), words_per_row):
        row_words = all_words[start : start + words_per_row]
        rows.append("".join(word.ljust(column_width) for word in row_words).rstrip())
    return "\n".join(rows)


Advance = Callable[[int], None]
"""A function that moves a progress bar on by a number of units."""


@contextmanager
def show_progress(label: str, total: int | None, *, unit: str = "bytes") -> Iterator[Advance]:
    """Show a progress bar on standard error while the ``with`` block runs.

    Yield a function that moves the bar on by a number of units. It does nothing if no bar is shown, because
    `total` is None or standard error is not a terminal.

    Args:
        label: The text before the bar.
        total: The number of units at which the bar is full, or None if it is not known.
        unit: The plural name of the units. ``bytes`` are shown as file sizes, other units as numbers.
    """
    if total is None or not is_terminal(err=True):
        yield lambda step: None
        return

    # Imported here, because loading rich takes longer than most commands run.
    from rich import progress as rich_progress
    from rich.console import Console

    amount_column = rich_progress.DownloadColumn() if unit == "bytes" else rich_progress.MofNCompleteColumn()
    # Rich must not capture standard output, because the answers go there.
    with rich_progress.Progress(
        "{task.description}",
        rich_progress.BarColumn(),
        amount_column,
        rich_progress.TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
    ) as display:
        bar = display.add_task(label, total=total)
        yield lambda step: display.advance(bar, step)
