"""Pictures as files: how they are to look, how something becomes bytes, and where they are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from forsyth.atomic_write import atomic_write
from forsyth.cli.inputs import STANDARD_INPUT
from forsyth.cli.output import Failure
from forsyth.draw.svg import LARGEST, SIZE, SMALLEST, THEMES

_OPTIONS = (
    click.option(
        "--size",
        type=click.IntRange(SMALLEST, LARGEST),
        default=SIZE,
        show_default=True,
        help="Width of the picture in pixels.",
    ),
    click.option(
        "--theme",
        type=click.Choice(THEMES),
        default="auto",
        show_default=True,
        help="Colours around the board; auto follows the page (SVG) or is light (PNG).",
    ),
    click.option("--flip", is_flag=True, help="Show the board from the other side."),
    click.option(
        "--look", metavar="NAME", help="How men are drawn, such as letters, where a game has a choice."
    ),
    click.option(
        "--board", metavar="NAME", help="The colours of the board, such as green; in pictures alone."
    ),
)


def picture_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that draws: `size`, `theme`, `flip`, `look` and `board`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to write: where to, and how what is drawn becomes its bytes."""

    name: str
    paint: Callable[[Any], bytes]

    def write(self, what: Any) -> None:
        """Draw and write it, to a file that is whole or absent, or to standard output."""
        try:
            data = self.paint(what)
        except ImportError as error:
            raise Failure(str(error)) from error
        if self.name == STANDARD_INPUT:
            click.echo(data, nl=False)
            return
        with atomic_write(self.name) as file:
            file.write(data)
