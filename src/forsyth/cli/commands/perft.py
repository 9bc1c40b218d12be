"""`forsyth perft`: count the lines of legal moves, the usual test and measure of a move generator.

Writes, per text: a table of depth, nodes, time and rate, row by row as each is done; with ``--divide`` the
count after each first move at the full depth instead. With ``--json`` the fields ``line text game nodes``,
``nodes`` for the depths 1 to D, and empty when the position is not ok (its findings go to standard error).
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import click

from forsyth.cli.arguments import example
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, explain, progress, write_json
from forsyth.game import Game
from forsyth.limits import MAX_PERFT_DEPTH


@click.command(
    epilog=example(
        "forsyth perft --depth 4 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
        "forsyth perft --depth 3 --divide --game chess start",
    )
)
@click.option(
    "--depth",
    type=click.IntRange(1, MAX_PERFT_DEPTH),
    required=True,
    metavar="D",
    help=f"How many moves deep, 1 to {MAX_PERFT_DEPTH}.",
)
@click.option("--divide", is_flag=True, help="List the count after each first move.")
@text_command(plays=True)
def perft(job: Job, depth: int, divide: bool) -> int:
    """Count the lines of legal moves."""
    if divide and job.as_json:
        raise click.UsageError("--divide is for people and has no JSON: leave out one of --divide and --json")
    return job.each(lambda item: _answer(job, item, depth, divide))


def _answer(job: Job, item: Item, depth: int, divide: bool) -> bool:
    reading, game = job.reader.check(item.text)
    playable = game is not None and reading.position is not None and reading.ok
    if not playable or not job.as_json:
        explain(reading, job.heading(item))
    if job.as_json:
        nodes = _nodes(game, reading.position, depth) if game is not None and playable else []
        write_json({"line": item.line, "text": item.text, "game": reading.game, "nodes": nodes})
    elif game is not None and playable:
        echo(job.heading(item), end="")
        (_list_moves if divide else _list_depths)(game, reading.position, depth)
    return reading.ok


def _nodes(game: Game, position: Any, depth: int) -> list[int]:
    return [sum(count for _, count in _divide(game, position, d)) for d in range(1, depth + 1)]


def _divide(game: Game, position: Any, depth: int) -> Iterator[tuple[str, int]]:
    """Each first move and its count: between two moves Ctrl-C is heard, even by a compiled game."""
    legal = game.moves(position)
    with progress(f"depth {depth}", len(legal), unit="moves") as advance:
        for move in legal:
            yield game.write_move(position, move), game.perft(game.play(position, move), depth - 1)
            advance(1)


def _list_moves(game: Game, position: Any, depth: int) -> None:
    counts = list(_divide(game, position, depth))
    for move, count in counts:
        echo(f"{move}: {count}")
    echo(f"total: {sum(count for _, count in counts)}")


def _list_depths(game: Game, position: Any, depth: int) -> None:
    echo(f"{'depth':>5}  {'nodes':>18}  {'seconds':>9}  {'nodes/s':>14}")
    for d in range(1, depth + 1):
        began = perf_counter()
        nodes = sum(count for _, count in _divide(game, position, d))
        seconds = perf_counter() - began
        rate = nodes / seconds if seconds else 0
        echo(f"{d:>5}  {nodes:>18,}  {seconds:>9.3f}  {rate:>14,.0f}")
