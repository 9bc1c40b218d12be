"""`forsyth show`: show a position as a board, with its findings marked on the board and listed below it.

Writes for each text the board in characters, the canonical text, and the findings. ``--svg`` and ``--png``
write a picture of one text to a file instead (``-`` is standard output).
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import click

from forsyth import draw
from forsyth.abilities import with_board_colours, with_look
from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, format_findings, print_findings, render_board
from forsyth.cli.pictures import Picture, picture_options
from forsyth.diagnostics import Reading
from forsyth.draw.findings import finding_marks, finding_notes
from forsyth.draw.png import png_theme
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
@text_command(uses_rules=True, writes_json=False)
def show(
    job: Job,
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
        return job.answer_texts(lambda item: _show_text(job, item, flip, look))
    # Two items are enough to notice that there is more than one text.
    items = list(islice(job.sources, 2))
    if len(items) != 1:
        raise click.UsageError("--svg and --png expect exactly one text; run the command once for each text")
    return _write_pictures(job, items[0], flip, look, board, pictures)


def _make_pictures(svg: str | None, png: str | None, size: int, theme: Theme) -> list[Picture]:
    """Return the pictures to write: one for each of the file names `svg` and `png` that is not None.

    `size` is their width in pixels, and `theme` selects the colours around the board.
    """
    pictures = []
    if svg is not None:
        pictures.append(Picture(svg, lambda scene: draw.svg(scene, size=size, theme=theme).encode()))
    if png is not None:
        pictures.append(Picture(png, lambda scene: draw.png(scene, size=size, theme=png_theme(theme))))
    return pictures


def _show_text(job: Job, item: Item, flip: bool, look: str | None) -> bool:
    """Print the board, the canonical text and the errors of a text, and return whether it is legal.

    `flip` shows the board from the other side. `look` is the style of the pieces, or None for the default.
    """
    reading, game = job.reader.check(item.text)
    parts = []
    if game is not None and reading.position is not None:
        game = _apply_look(game, look)
        board = render_board(game, reading.position, finding_marks(reading.diagnostics), flip=flip)
        parts += [board, str(reading.position)]
    parts.append(format_findings(reading))
    echo(job.line_heading(item) + "\n".join(filter(None, parts)))
    return reading.ok


def _write_pictures(
    job: Job, item: Item, flip: bool, look: str | None, board: str | None, pictures: list[Picture]
) -> int:
    """Write the pictures of a text, print its errors to standard error, and return the exit status.

    The status is 1 if the text is not a legal position, else 0.
    """
    reading, game = job.reader.check(item.text)
    print_findings(reading)
    if not reading.ok:
        job.suggest_file_option(item)
    if game is None or reading.position is None:
        return 1
    scene = _make_scene(_apply_look(game, look), reading, flip)
    scene = _apply_board_colours(game, scene, board)
    for picture in pictures:
        picture.write(scene)
    return 0 if reading.ok else 1


def _apply_look(game: Game, look: str | None) -> Game:
    """Return the game with its pieces in the style `look`, such as ``letters``; None is the default.

    Raise `click.BadParameter` if the game has no such style.
    """
    try:
        return with_look(game, look)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--look'") from error


def _apply_board_colours(game: Game, scene: Scene, board: str | None) -> Scene:
    """Return the scene with the board colours `board`, such as ``green``; None is the default.

    Raise `click.BadParameter` if the game has no such colours.
    """
    try:
        return with_board_colours(game, scene, board)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--board'") from error


def _make_scene(game: Game, reading: Reading[Any], flip: bool) -> Scene:
    """Return the scene of a position, in which squares with an error or warning are marked and explained."""
    diagnostics = reading.diagnostics
    return game.scene(
        reading.position, marks=finding_marks(diagnostics), flip=flip, notes=finding_notes(diagnostics)
    )
