"""`forsyth draw`: a picture of a position with arrows, circles and highlights, or of a line of moves.

Writes one SVG or PNG to a file or to standard output, as the name of the file says. The findings of the text
are marked, and listed on standard error. With ``--animate`` the picture moves by itself.
"""

from __future__ import annotations

from itertools import islice
from pathlib import PurePath
from typing import Any

import click

from forsyth import draw as pictures
from forsyth.cli.arguments import example
from forsyth.cli.inputs import STANDARD_INPUT
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import Failure, explain
from forsyth.cli.pictures import Picture, picture_options
from forsyth.diagnostics import MoveError, Reading
from forsyth.draw.animation import LONGEST, SECONDS, SHORTEST
from forsyth.draw.png import ground_of
from forsyth.draw.pointers import COLOURS
from forsyth.draw.svg import Theme
from forsyth.scene import LABELS, Labels

_SUFFIXES = (".svg", ".png")
_COLOUR = f"COLOUR is {', '.join(COLOURS)} or #rrggbb."


@click.command(
    epilog=example(
        "forsyth draw --arrow f3e5:red --circle e5 -o knight.svg "
        "'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4'",
        "forsyth draw --game chess --animate 'e4 e5 Nf3 Nc6 Bb5' -o spanish.png start",
    )
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    default=STANDARD_INPUT,
    help="Write to FILE, which ends with .svg or .png (needs the extra png); standard output gets SVG.",
)
@click.option("--arrow", "arrows", multiple=True, metavar="FROMTO[:COLOUR]", help=f"Draw an arrow. {_COLOUR}")
@click.option("--circle", "circles", multiple=True, metavar="SQUARE[:COLOUR]", help="Draw a circle.")
@click.option("--highlight", "highlights", multiple=True, metavar="SQUARE[:COLOUR]", help="Tint a square.")
@click.option("--note", "notes", multiple=True, metavar="SQUARE=TEXT", help="Say something about a square.")
@click.option("--last", multiple=True, metavar="SQUARE", help="Mark a square of the last move.")
@click.option("--check", is_flag=True, help="Mark who is in check.")
@click.option(
    "--coordinates",
    type=click.Choice(LABELS),
    default="outside",
    show_default=True,
    help="Where the names of files and ranks stand.",
)
@click.option("--captions/--no-captions", default=True, help="Whether the lines below the board are drawn.")
@picture_options
@click.option(
    "--animate", metavar="MOVES", help="Play these moves one after the other; blanks are between them."
)
@click.option(
    "--seconds",
    type=click.FloatRange(SHORTEST, LONGEST),
    default=SECONDS,
    show_default=True,
    help="How long each position is shown with --animate.",
)
@text_command(plays=True, json=False)
def draw(
    job: Job,
    output: str,
    size: int,
    theme: Theme,
    animate: str | None,
    seconds: float,
    coordinates: Labels,
    notes: tuple[str, ...],
    **how: Any,
) -> int:
    """Draw a picture of a position, or of a line of moves."""
    items = list(islice(job.sources, 2))
    if len(items) != 1:
        raise click.UsageError("draw takes one text; run the command once for each")
    how |= {"coordinates": coordinates, "notes": _notes(notes)}
    picture = Picture(output, _painter(output, size, theme, animate, seconds, how))
    reading, _ = job.reader.check(items[0].text)
    explain(reading)
    if not reading.ok:
        job.suggest_file(items[0])
    if reading.position is None:
        return 1
    _write(picture, reading)
    return 0 if reading.ok else 1


def _painter(
    output: str, size: int, theme: Theme, animate: str | None, seconds: float, how: dict[str, Any]
) -> Any:
    suffix = ".svg" if output == STANDARD_INPUT else PurePath(output).suffix.lower()
    if suffix not in _SUFFIXES:
        raise click.BadParameter(f"{output} does not end with .svg or .png", param_hint="'--output'")
    if animate is not None:
        line = {**how, "moves": animate, "seconds": seconds, "size": size}
        del line["last"]
        if suffix == ".png":
            return lambda what: pictures.animation_png(what, theme=ground_of(theme), **line)
        return lambda what: pictures.animation(what, theme=theme, **line).encode()
    if suffix == ".png":
        return lambda what: pictures.png(what, size=size, theme=ground_of(theme), **how)
    return lambda what: pictures.svg(what, size=size, theme=theme, **how).encode()


def _notes(given: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for one in given:
        square, equals, words = one.partition("=")
        if not equals:
            raise click.BadParameter(f"{one!r} has no =, expected SQUARE=TEXT", param_hint="'--note'")
        found[square] = words
    return found


def _write(picture: Picture, reading: Reading[Any]) -> None:
    try:
        picture.write(reading)
    except MoveError as error:
        raise Failure(str(error)) from error
    except ValueError as error:
        raise click.UsageError(str(error)) from error
