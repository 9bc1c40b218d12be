"""`forsyth draw`: draw a position with arrows, circles and highlights, or an animation of moves.

Writes one SVG or PNG to a file or to standard output; the ending of the file name decides the format. The
findings of the text are marked in the picture and listed on standard error. ``--animate`` writes an
animation.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import click

from forsyth import draw as pictures
from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import STANDARD_STREAM
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import Failure, print_findings
from forsyth.cli.pictures import Picture, picture_options
from forsyth.diagnostics import MoveError, Reading
from forsyth.draw.animation import DEFAULT_SECONDS, MAX_SECONDS, MIN_SECONDS
from forsyth.draw.png import select_png_theme
from forsyth.draw.pointers import COLOURS
from forsyth.draw.svg import Theme
from forsyth.scene import LABELS, Labels

_SUFFIXES = (".svg", ".png")
_COLOUR = f"COLOUR is {', '.join(COLOURS)} or #rrggbb."


@click.command(
    epilog=format_examples(
        "forsyth draw --arrow f3e5:red --circle e5 -o knight.svg "
        "'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4'",
        "forsyth draw --game chess --animate 'e4 e5 Nf3 Nc6 Bb5' -o spanish.png start",
    )
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    default=STANDARD_STREAM,
    help="Write to FILE (.svg, or .png with the extra png).  [default: SVG to standard output]",
)
@click.option(
    "--arrow",
    "arrows",
    multiple=True,
    metavar="FROMTO[:COLOUR]",
    help=f"Draw an arrow, such as e2e4. {_COLOUR}",
)
@click.option("--circle", "circles", multiple=True, metavar="SQUARE[:COLOUR]", help="Circle a square.")
@click.option("--highlight", "highlights", multiple=True, metavar="SQUARE[:COLOUR]", help="Tint a square.")
@click.option("--note", "notes", multiple=True, metavar="SQUARE=TEXT", help="Attach a note to a square.")
@click.option("--last", multiple=True, metavar="SQUARE", help="Mark a square of the last move. Repeatable.")
@click.option("--check", is_flag=True, help="Mark the piece that is in check.")
@click.option(
    "--coordinates",
    type=click.Choice(LABELS),
    default="outside",
    show_default=True,
    help="Place of the file and rank names.",
)
@click.option(
    "--captions/--no-captions", default=True, help="Draw the lines below the board.  [default: --captions]"
)
@picture_options
@click.option("--animate", metavar="MOVES", help="Animate these moves, separated by blanks.")
@click.option(
    "--seconds",
    type=click.FloatRange(MIN_SECONDS, MAX_SECONDS),
    default=DEFAULT_SECONDS,
    show_default=True,
    help="Duration of each position with --animate.",
)
@text_command(writes_json=False)
def draw(
    job: TextJob,
    output: str,
    size: int,
    theme: Theme,
    animate: str | None,
    seconds: float,
    coordinates: Labels,
    notes: tuple[str, ...],
    **draw_options: Any,
) -> int:
    """Draw a picture of a position, or an animation of moves."""
    input_text = job.read_single_text("draw expects")
    draw_options |= {"size": size, "coordinates": coordinates, "notes": _parse_notes(notes)}
    is_png = _is_png_file(output)
    if animate is None:
        picture = Picture(output, _make_still_renderer(is_png, theme, draw_options))
    else:
        # An animation marks the last move of each position by itself.
        del draw_options["last"]
        draw_options |= {"moves": animate, "seconds": seconds}
        picture = Picture(output, _make_animation_renderer(is_png, theme, draw_options))
    reading, _ = job.reader.check(input_text.text)
    print_findings(reading)
    if not reading.ok:
        job.suggest_file_option(input_text)
    if reading.position is None:
        return 1
    _write_picture(picture, reading)
    return 0 if reading.ok else 1


def _is_png_file(output: str) -> bool:
    """Return True if the name of the output file ends with ``.png``, and False if it ends with ``.svg``.

    Return False for ``-``, because SVG is written to standard output. Raise `click.BadParameter` for any
    other ending.
    """
    if output == STANDARD_STREAM:
        return False
    suffix = PurePath(output).suffix.lower()
    if suffix not in _SUFFIXES:
        raise click.BadParameter(
            f"the file name {output} does not end with .svg or .png; add one of these endings",
            param_hint="'--output'",
        )
    return suffix == ".png"


def _make_still_renderer(is_png: bool, theme: Theme, options: dict[str, Any]) -> Callable[[Any], bytes]:
    """Return a function that draws the position of a reading and returns the bytes of a picture file.

    Args:
        is_png: Whether the file is a PNG. Otherwise it is an SVG.
        theme: The colours around the board.
        options: The other arguments of `forsyth.draw.png` or `forsyth.draw.svg`, such as the arrows.
    """
    if is_png:
        return lambda reading: pictures.png(reading, theme=select_png_theme(theme), **options)
    return lambda reading: pictures.svg(reading, theme=theme, **options).encode()


def _make_animation_renderer(is_png: bool, theme: Theme, options: dict[str, Any]) -> Callable[[Any], bytes]:
    """Return a function that animates moves from the position of a reading and returns the bytes of a file.

    Args:
        is_png: Whether the file is an animated PNG. Otherwise it is an animated SVG.
        theme: The colours around the board.
        options: The other arguments of `forsyth.draw.animation_png` or `forsyth.draw.animation`, such as the
            moves.
    """
    if is_png:
        return lambda reading: pictures.animation_png(reading, theme=select_png_theme(theme), **options)
    return lambda reading: pictures.animation(reading, theme=theme, **options).encode()


def _parse_notes(values: tuple[str, ...]) -> dict[str, str]:
    """Parse the values of ``--note``: ``("e4=a blunder",)`` gives ``{"e4": "a blunder"}``.

    Raise `click.BadParameter` if a value has no equals sign.
    """
    notes = {}
    for value in values:
        square, equals, note = value.partition("=")
        if not equals:
            raise click.BadParameter(
                f"the note {value!r} has no '=', expected SQUARE=TEXT, such as e4=blunder",
                param_hint="'--note'",
            )
        notes[square] = note
    return notes


def _write_picture(picture: Picture, reading: Reading[Any]) -> None:
    """Draw the position of a reading, and write the picture to the file of `picture`.

    Raise `Failure` if a move to animate is illegal. Raise `click.UsageError` if an option has a wrong value,
    such as an arrow from a square that the board does not have.
    """
    try:
        picture.write(reading)
    except MoveError as error:
        raise Failure(str(error)) from error
    except ValueError as error:
        raise click.UsageError(str(error)) from error
