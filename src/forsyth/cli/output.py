"""What the command line writes: JSON lines for programs, words for people, progress for the patient.

Writes: with ``--json`` one ASCII-only JSON object per input, so that lone surrogates and control characters
survive; without it, text in which the stream's encoding can hold every character. Every answer is flushed
at once. Colour is used on a terminal only, and never when NO_COLOR is set.
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
    """Input or output went wrong: one sentence that names the place and the remedy, exit status 2."""

    exit_code = 2


@dataclass(slots=True)
class Tally:
    """How many texts were answered, and how many of them were not ok."""

    seen: int = 0
    bad: int = 0

    def add(self, ok: bool) -> None:
        """Count one answer."""
        self.seen += 1
        self.bad += not ok

    @property
    def status(self) -> int:
        """The exit status: 0 when every text was ok, 1 when some was not."""
        return 1 if self.bad else 0

    def report(self) -> None:
        """One line on standard error, when there was more than one text."""
        if self.seen > 1:
            echo(f"{self.seen} texts: {self.seen - self.bad} ok, {self.bad} not ok", err=True)


def echo(text: str = "", *, err: bool = False, end: str = "\n") -> None:
    """Write a line at once, with an escape for each character the stream cannot hold."""
    stream = _stream(err)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    held = text.encode(encoding, "backslashreplace").decode(encoding)
    click.echo(held + end, nl=False, err=err, color=colourful(err=err))


def write_json(answer: Mapping[str, Any], *, err: bool = False) -> None:
    """One answer as one line of ASCII JSON."""
    click.echo(json.dumps(answer), err=err)


def mute(*streams: Any) -> None:
    """Point output at nowhere, so that the interpreter's last flush cannot fail a second time."""
    for stream in streams or (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def mute_if_full() -> None:
    """Point standard output at nowhere if it takes no more."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        mute(sys.stdout)


def _stream(err: bool) -> TextIO | None:
    return sys.stderr if err else sys.stdout


def on_terminal(*, err: bool = False) -> bool:
    """Whether a person is looking at the stream."""
    stream = _stream(err)
    return stream is not None and stream.isatty()


def colourful(*, err: bool = False) -> bool:
    """Whether the stream wants colour."""
    return on_terminal(err=err) and not os.environ.get("NO_COLOR")


def unicode_fits() -> bool:
    """Whether standard output can hold the figures of a board."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "").startswith("utf")


def findings(reading: Reading[Any], *, err: bool = False) -> str:
    """Every finding of a reading as a person reads it, or the empty text."""
    from forsyth.diagnostics import render

    return render(reading.text, reading.diagnostics, colour=colourful(err=err))


def explain(reading: Reading[Any], label: str = "") -> None:
    """The findings of a reading on standard error, when there are any."""
    if reading.diagnostics:
        echo(label + findings(reading, err=True), err=True)


def board(game: Game, position: Any, marked: Mapping[str, Mark] | None = None, *, flip: bool = False) -> str:
    """The position as standard output can show it."""
    from forsyth import draw

    scene = game.scene(position, marks=marked, flip=flip)
    return draw.text(scene, colour=colourful(), unicode=unicode_fits())


def columns(words: Iterable[str]) -> str:
    """Words in columns of equal width, row by row, as wide as the terminal."""
    cells = list(words)
    width = max(map(len, cells), default=0) + 2
    per_row = max(1, get_terminal_size().columns // width)
    rows = (cells[at : at + per_row] for at in range(0, len(cells), per_row))
    return "\n".join("".join(cell.ljust(width) for cell in row).rstrip() for row in rows)


Advance = Callable[[int], None]


@contextmanager
def progress(what: str, total: int | None, *, unit: str = "bytes") -> Iterator[Advance]:
    """A progress bar on standard error, when the total is known and a person looks at it."""
    if total is None or not on_terminal(err=True):
        yield lambda _: None
        return
    # Imported late: it takes longer to load than most answers take to give.
    from rich import progress as rich_progress
    from rich.console import Console

    # Standard output carries the answers: rich must not take it over.
    with rich_progress.Progress(
        "{task.description}",
        rich_progress.BarColumn(),
        rich_progress.DownloadColumn() if unit == "bytes" else rich_progress.MofNCompleteColumn(),
        rich_progress.TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda step: bar.advance(task, step)
