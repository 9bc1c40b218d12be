"""`forsyth perft`: count the sequences of legal moves, the usual test of a move generator.

Writes for each text a table of depth, nodes, seconds and nodes per second, row by row. With ``--divide`` it
writes the count after each first move at the full depth. With ``--json`` the fields are ``line text game
nodes``. ``nodes`` has the counts for the depths 1 to D. It is empty if the position is not ok; the findings
then go to standard error.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, print_findings, show_progress, write_json
from forsyth.game import Game
from forsyth.limits import MAX_PERFT_DEPTH


@click.command(
    epilog=format_examples(
        "forsyth perft --depth 4 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
        "forsyth perft --depth 3 --divide --game chess start",
    )
)
@click.option(
    "--depth",
    type=click.IntRange(1, MAX_PERFT_DEPTH),
    required=True,
    metavar="D",
    help=f"Number of moves in a sequence, 1 to {MAX_PERFT_DEPTH}.",
)
@click.option("--divide", is_flag=True, help="Print the count after each first move.")
@text_command(uses_rules=True)
def perft(job: Job, depth: int, divide: bool) -> int:
    """Count the sequences of legal moves (perft)."""
    if divide and job.as_json:
        raise click.UsageError("--divide and --json exclude each other; choose one")
    return job.answer_texts(lambda item: _count_text(job, item, depth, divide))


def _count_text(job: Job, item: Item, depth: int, divide: bool) -> bool:
    """Print the number of sequences of legal moves from a position, and return whether the text is legal.

    Args:
        job: The options of the run.
        item: The text of the position, with its line number.
        depth: Maximum number of moves in a sequence.
        divide: Whether to print the number after each first move, at the full depth.
    """
    reading, game = job.reader.check(item.text)
    is_playable = game is not None and reading.position is not None and reading.ok
    if not is_playable or not job.as_json:
        print_findings(reading, job.line_heading(item))
    if job.as_json:
        nodes = _count_all_depths(game, reading.position, depth) if game is not None and is_playable else []
        write_json({"line": item.line, "text": item.text, "game": reading.game, "nodes": nodes})
    elif game is not None and is_playable:
        echo(job.line_heading(item), end="")
        print_counts = _print_count_per_move if divide else _print_count_per_depth
        print_counts(game, reading.position, depth)
    return reading.ok


def _count_all_depths(game: Game, position: Any, max_depth: int) -> list[int]:
    """Return the number of move sequences of each length from 1 to `max_depth`."""
    return [_count_sequences(game, position, depth) for depth in range(1, max_depth + 1)]


def _count_sequences(game: Game, position: Any, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves."""
    return sum(count for _, count in _count_per_move(game, position, depth))


def _count_per_move(game: Game, position: Any, depth: int) -> Iterator[tuple[str, int]]:
    """Yield each first move and the number of sequences of `depth` moves that begin with it.

    Counting move by move makes it possible to interrupt a compiled game with Ctrl-C between two moves.
    """
    legal_moves = game.moves(position)
    with show_progress(f"depth {depth}", len(legal_moves), unit="moves") as advance:
        for move in legal_moves:
            yield game.write_move(position, move), game.perft(game.play(position, move), depth - 1)
            advance(1)


def _print_count_per_move(game: Game, position: Any, depth: int) -> None:
    """Print the number of sequences of `depth` moves that begin with each legal move, and the total."""
    counts = list(_count_per_move(game, position, depth))
    for move, count in counts:
        echo(f"{move}: {count}")
    echo(f"total: {sum(count for _, count in counts)}")


def _print_count_per_depth(game: Game, position: Any, max_depth: int) -> None:
    """Print a table of the number of sequences, the seconds and the rate at each depth to `max_depth`."""
    echo(f"{'depth':>5}  {'nodes':>18}  {'seconds':>9}  {'nodes/s':>14}")
    for depth in range(1, max_depth + 1):
        started = perf_counter()
        nodes = _count_sequences(game, position, depth)
        seconds = perf_counter() - started
        rate = nodes / seconds if seconds else 0
        echo(f"{depth:>5}  {nodes:>18,}  {seconds:>9.3f}  {rate:>14,.0f}")
