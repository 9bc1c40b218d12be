"""`forsyth positions`: a table of the positions of files of records.

Writes a row for each position of the main line of each game: the number of the game, the ply, the position as
text, key, packed form or planes, the move that is played next, its clock, the evaluation of the position, and
the result of the game."""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.record_options import RecordJob, names, record_command


@click.command(
    epilog=example(
        "forsyth positions games.pgn.zst -o positions.parquet",
        "forsyth positions --as key --tags WhiteElo --where 'WhiteElo>=2000' games.pgn -o keys.parquet",
    )
)
@click.option(
    "--as",
    "forms",
    metavar="FORMS",
    default="fen",
    show_default=True,
    help="How positions are written: fen, key, packed, planes, or several with commas between them.",
)
@click.option("--tags", metavar="NAMES", help="Tags of the game to repeat in each of its rows.")
@click.option(
    "--every", type=click.IntRange(min=1), default=1, show_default=True, help="Only every N-th ply."
)
@click.option(
    "--from-ply", type=click.IntRange(min=0), default=0, show_default=True, help="Leave out the plies before."
)
@click.option("--unique", is_flag=True, help="Each position once: the first row that holds it.")
@record_command
def positions(job: RecordJob, forms: str, tags: str | None, every: int, from_ply: int, unique: bool) -> int:
    """Write a row for each position of files of records (PGN)."""
    return job.run(
        "positions",
        forms=names(forms),
        tags=names(tags),
        every=every,
        from_ply=from_ply,
        unique=unique or None,
    )
