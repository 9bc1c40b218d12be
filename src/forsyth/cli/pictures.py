"""Pictures as files: the options of all commands that draw, and writing the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from forsyth.atomic_write import atomic_write
from forsyth.cli.inputs import STANDARD_STREAM
from forsyth.cli.options import add_options
from forsyth.cli.output import Failure
from forsyth.draw.svg import DEFAULT_SIZE, MAX_SIZE, MIN_SIZE, THEMES

_PICTURE_OPTIONS = (
    click.option(
        "--size",
        type=click.IntRange(MIN_SIZE, MAX_SIZE),
        default=DEFAULT_SIZE,
        show_default=True,
        help="Width of the picture, in pixels.",
    ),
    click.option(
        "--theme",
        type=click.Choice(THEMES),
        default="auto",
        show_default=True,
        help="Colours around the board; auto: those of the web page (SVG) or light (PNG).",
    ),
    click.option("--flip", is_flag=True, help="Show the board from the other side."),
    click.option(
        "--look", metavar="NAME", help="Style of the pieces, such as letters, if the game has several."
    ),
    click.option("--board", metavar="NAME", help="Colours of the board, such as green (SVG and PNG only)."),
)


def picture_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `size`, `theme`, `flip`, `look` and `board` to a command that draws (a decorator)."""
    return add_options(command, _PICTURE_OPTIONS)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture file to write, and the function that renders it."""

    path: str
    """The path of the file; ``-`` is standard output."""
    render: Callable[[Any], bytes]
    """Takes a reading or a scene, and returns the bytes of its picture, such as an SVG document."""

    def write(self, subject: Any) -> None:
        """Draw `subject`, a reading or a scene, and write the picture to its file.

        The file is written completely or not at all. Raise `Failure` if a package that renders the picture is
        not installed.
        """
        try:
            image_bytes = self.render(subject)
        except ImportError as error:
            raise Failure(str(error)) from error
        if self.path == STANDARD_STREAM:
            click.echo(image_bytes, nl=False)
            return
        with atomic_write(self.path) as file:
            file.write(image_bytes)
