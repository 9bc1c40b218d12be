"""`forsyth show`: draw a position, with its findings marked on the board and listed below it.

Writes, per text: the board as the terminal can show it, the canonical text, and the findings. ``--svg`` and
``--png`` write a picture to a file instead (``-`` is standard output), of one text at a time.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import click

from forsyth import draw
from forsyth.abilities import drawn_as, on_board
from forsyth.cli.arguments import example
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import board as drawn_board
from forsyth.cli.output import echo, explain, findings
from forsyth.cli.pictures import Picture, picture_options
from forsyth.diagnostics import Reading
from forsyth.draw.findings import marks, notes
from forsyth.draw.png import ground_of
from forsyth.draw.svg import Theme
from forsyth.game import Game
from forsyth.scene import Scene


@click.command(
    epilog=example(
        "forsyth show 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'",
        "forsyth show --flip --svg board.svg --game chess start",
    )
)
@click.option("--svg", metavar="FILE", help="Write an SVG picture to FILE; - is standard output.")
@click.option("--png", metavar="FILE", help="Write a PNG picture to FILE (needs the extra png).")
@picture_options
@text_command(plays=True, json=False)
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
    """Draw a position, with its findings marked."""
    pictures = _pictures(svg, png, size, theme)
    if not pictures:
        return job.each(lambda item: _show(job, item, flip, look))
    items = list(islice(job.sources, 2))
    if len(items) != 1:
        raise click.UsageError("--svg and --png draw one text; run the command once for each")
    return _draw(job, items[0], flip, look, board, pictures)


def _pictures(svg: str | None, png: str | None, size: int, theme: Theme) -> list[Picture]:
    pictures = []
    if svg is not None:
        pictures.append(Picture(svg, lambda scene: draw.svg(scene, size=size, theme=theme).encode()))
    if png is not None:
        pictures.append(Picture(png, lambda scene: draw.png(scene, size=size, theme=ground_of(theme))))
    return pictures


def _show(job: Job, item: Item, flip: bool, look: str | None) -> bool:
    reading, game = job.reader.check(item.text)
    parts = []
    if game is not None and reading.position is not None:
        drawn = _drawn(game, look)
        shown = drawn_board(drawn, reading.position, marks(reading.diagnostics), flip=flip)
        parts += [shown, str(reading.position)]
    parts.append(findings(reading))
    echo(job.heading(item) + "\n".join(filter(None, parts)))
    return reading.ok


def _draw(
    job: Job, item: Item, flip: bool, look: str | None, board: str | None, pictures: list[Picture]
) -> int:
    reading, game = job.reader.check(item.text)
    explain(reading)
    if not reading.ok:
        job.suggest_file(item)
    if game is None or reading.position is None:
        return 1
    scene = _on_board(game, _scene(_drawn(game, look), reading, flip), board)
    for picture in pictures:
        picture.write(scene)
    return 0 if reading.ok else 1


def _drawn(game: Game, look: str | None) -> Game:
    try:
        return drawn_as(game, look)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--look'") from error


def _on_board(game: Game, scene: Scene, board: str | None) -> Scene:
    try:
        return on_board(game, scene, board)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--board'") from error


def _scene(game: Game, reading: Reading[Any], flip: bool) -> Scene:
    found = reading.diagnostics
    return game.scene(reading.position, marks=marks(found), flip=flip, notes=notes(found))
