"""`forsyth show`: show a position as a board, with its findings marked on the board and listed below it.

Writes for each text the board in characters, the canonical text, and the findings. ``--svg`` and ``--png``
write a picture of one text to a file instead (``-`` is standard output).
"""

from __future__ import annotations

from typing import Any

import click

from forsyth import draw
from forsyth.abilities import with_board_colours, with_look
from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import InputText
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import echo, format_findings, print_findings, render_board
from forsyth.cli.pictures import Picture, picture_options
from forsyth.diagnostics import Reading
from forsyth.draw.findings import make_finding_marks, make_finding_notes
from forsyth.draw.png import select_png_theme
from forsyth.draw.svg import Theme
from forsyth.game import Game
from forsyth.scene import Scene


@click.command(
    epilog=format_examples(
        "forsyth show 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'",
        "forsyth show --flip --svg board.svg --game chess start",
    )
)
@click.option("--svg", metavar="FILE", help="Write an SVG picture to FILE; - is standard output.")
@click.option("--png", metavar="FILE", help="Write a PNG picture to FILE (needs the extra png).")
@picture_options
@text_command(writes_json=False)
def show(
    job: TextJob,
    svg: str | None,
    png: str | None,
    size: int,
    theme: Theme,
    flip: bool,
    look: str | None,
    board: str | None,
) -> int:
    """Show positions as boards, with their findings marked."""
    pictures = _make_pictures(svg, png, size, theme)
    if not pictures:
        return job.answer_texts(lambda input_text: _print_board(job, input_text, flip, look))
    input_text = job.read_single_text("--svg and --png expect")
    return _write_pictures(job, input_text, flip, look, board, pictures)


def _make_pictures(svg: str | None, png: str | None, size: int, theme: Theme) -> list[Picture]:
    """Return the pictures to write: an SVG, a PNG, both or none.

    Args:
        svg: The name of the SVG file, or None for no SVG.
        png: The name of the PNG file, or None for no PNG.
        size: Width of the pictures in pixels.
        theme: The colours around the board.
    """
    pictures = []
    if svg is not None:
        pictures.append(Picture(svg, lambda scene: draw.svg(scene, size=size, theme=theme).encode()))
    if png is not None:
        pictures.append(Picture(png, lambda scene: draw.png(scene, size=size, theme=select_png_theme(theme))))
    return pictures


def _print_board(job: TextJob, input_text: InputText, flip: bool, look: str | None) -> bool:
    """Print the position of a text as a board and as text, and its errors. Return True if it is legal.

    `flip` shows the board from the other side. `look` is the style of the pieces, or None for the default.
    """
    reading, game = job.reader.check(input_text.text)
    paragraphs = []
    if game is not None and reading.position is not None:
        styled_game = _apply_look(game, look)
        marks = make_finding_marks(reading.diagnostics)
        board = render_board(styled_game, reading.position, marks, flip=flip)
        canonical_text = str(reading.position)
        paragraphs += [board, canonical_text]
    paragraphs.append(format_findings(reading))
    echo(job.format_line_heading(input_text) + "\n".join(paragraph for paragraph in paragraphs if paragraph))
    return reading.ok


def _write_pictures(
    job: TextJob,
    input_text: InputText,
    flip: bool,
    look: str | None,
    board: str | None,
    pictures: list[Picture],
) -> int:
    """Draw the position of a text, write the pictures of it, and print the errors of the text.

    Return the exit status: 1 if the text is not a legal position, else 0.

    Args:
        job: The options of the run.
        input_text: The text, with its line number.
        flip: Whether to show the board from the other side.
        look: The style of the pieces, such as ``letters``. None is the default.
        board: The colours of the board, such as ``green``. None is the default.
        pictures: The pictures to write, each with its file.
    """
    reading, game = job.reader.check(input_text.text)
    print_findings(reading)
    if not reading.ok:
        job.suggest_file_option(input_text)
    if game is None or reading.position is None:
        return 1
    scene = _make_scene(_apply_look(game, look), reading, flip)
    scene = _apply_board_colours(game, scene, board)
    for picture in pictures:
        picture.write(scene)
    return 0 if reading.ok else 1


def _apply_look(game: Game, look: str | None) -> Game:
    """Return the game with its pieces in the style `look`, such as ``letters``. None is the default style.

    Raise `click.BadParameter` if the game has no such style.
    """
    try:
        return with_look(game, look)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--look'") from error


def _apply_board_colours(game: Game, scene: Scene, board: str | None) -> Scene:
    """Return a scene with the board in other colours.

    `board` is the name of the colours, such as ``green``. None is the default. Raise `click.BadParameter` if
    the game has no such colours.
    """
    try:
        return with_board_colours(game, scene, board)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--board'") from error


def _make_scene(game: Game, reading: Reading[Any], flip: bool) -> Scene:
    """Return the position of a reading as a scene, which is a description of what to draw.

    Each square with an error or warning is marked, and has the message as a note. `flip` shows the board from
    the other side.
    """
    marks = make_finding_marks(reading.diagnostics)
    notes = make_finding_notes(reading.diagnostics)
    return game.scene(reading.position, marks=marks, flip=flip, notes=notes)
