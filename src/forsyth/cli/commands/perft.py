"""`forsyth perft`: count the sequences of legal moves, the usual test of a move generator.

Writes for each text a table of depth, nodes, seconds and nodes per second, row by row. With ``--divide`` it
writes the count after each first move at the full depth. With ``--json`` the fields are ``line text game
variant nodes``. ``nodes`` has the counts for the depths 1 to D. It is empty if the position is not ok; the
findings then go to standard error.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import InputText
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import echo, make_text_fields, print_findings, show_progress, write_json
from forsyth.cli.reader import get_playable_position
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
@text_command()
def perft(job: TextJob, depth: int, divide: bool) -> int:
    """Count the sequences of legal moves (perft)."""
    if divide and job.as_json:
        raise click.UsageError("--divide and --json exclude each other; choose one")
    return job.answer_texts(lambda input_text: _print_sequence_counts(job, input_text, depth, divide))


def _print_sequence_counts(job: TextJob, input_text: InputText, depth: int, divide: bool) -> bool:
    """Print the numbers of sequences of legal moves from a position. Return True if the position is legal.

    If it is not, its errors are printed.

    Args:
        job: The options of the run.
        input_text: The text of the position, with its line number.
        depth: Maximum number of moves in a sequence.
        divide: Whether to print a number for each first move, instead of one for each depth.
    """
    resolved = job.reader.check(input_text.text)
    reading = resolved.reading
    playable = get_playable_position(resolved)

    # The JSON has no field for the findings about a text that is not legal.
    if playable is None or not job.as_json:
        print_findings(reading, job.format_line_heading(input_text))
    if job.as_json:
        nodes = [] if playable is None else _count_by_depth(playable.game, playable.position, depth)
        write_json({**make_text_fields(input_text, reading), "nodes": nodes})
    elif playable is not None:
        echo(job.format_line_heading(input_text), end="")
        print_counts = _print_counts_per_move if divide else _print_counts_per_depth
        print_counts(playable.game, playable.position, depth)
    return reading.ok


def _count_by_depth(game: Game, position: Any, max_depth: int) -> list[int]:
    """Return the numbers of sequences of 1, 2, … up to `max_depth` legal moves from a position."""
    return [_count_sequences(game, position, depth) for depth in range(1, max_depth + 1)]


def _count_sequences(game: Game, position: Any, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves from a position."""
    return sum(count for _, count in _count_sequences_per_move(game, position, depth))


def _count_sequences_per_move(game: Game, position: Any, depth: int) -> Iterator[tuple[str, int]]:
    """Yield each legal move as text, and the number of sequences of `depth` moves that begin with it.

    Ctrl-C can stop the count between two of these moves. A progress bar is shown in the meantime.
    """
    legal_moves = game.moves(position)
    with show_progress(f"depth {depth}", len(legal_moves), unit="moves") as advance:
        for move in legal_moves:
            position_after = game.play(position, move)
            yield game.write_move(position, move), game.perft(position_after, depth - 1)
            advance(1)


def _print_counts_per_move(game: Game, position: Any, depth: int) -> None:
    """Print the number of sequences of `depth` moves that begin with each legal move, and their total."""
    counts = list(_count_sequences_per_move(game, position, depth))
    for move, count in counts:
        echo(f"{move}: {count}")
    echo(f"total: {sum(count for _, count in counts)}")


def _print_counts_per_depth(game: Game, position: Any, max_depth: int) -> None:
    """Print a table with a row for each depth from 1 to `max_depth`.

    A row has the depth, the number of sequences of that many moves (nodes), the seconds that counting them
    took, and the nodes per second.
    """
    echo(f"{'depth':>5}  {'nodes':>18}  {'seconds':>9}  {'nodes/s':>14}")
    for depth in range(1, max_depth + 1):
        start_time = perf_counter()
        nodes = _count_sequences(game, position, depth)
        seconds = perf_counter() - start_time
        nodes_per_second = nodes / seconds if seconds else 0
        echo(f"{depth:>5}  {nodes:>18,}  {seconds:>9.3f}  {nodes_per_second:>14,.0f}")
