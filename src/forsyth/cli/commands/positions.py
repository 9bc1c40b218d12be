"""`forsyth positions`: write a table of the positions in files of records.

Each row is a position of the main line of a game. It has the number of the game, the ply, the position as
text, key, packed form or planes, the next move with its clock, the evaluation of the position, and the result
of the game.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.record_options import RecordJob, record_command, split_names


@click.command(
    epilog=format_examples(
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
    help="Forms of the positions, separated by commas: fen, key, packed, planes.",
)
@click.option("--tags", metavar="NAMES", help="Game tags to write as columns, separated by commas.")
@click.option(
    "--every", type=click.IntRange(min=1), default=1, show_default=True, help="Write only every N-th ply."
)
@click.option(
    "--from-ply",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Skip the plies before this number.",
)
@click.option("--unique", is_flag=True, help="Write each position only once, in its first row.")
@record_command
def positions(job: RecordJob, forms: str, tags: str | None, every: int, from_ply: int, unique: bool) -> int:
    """Write a table of the positions in files of records (PGN)."""
    return job.run(
        "positions",
        forms=split_names(forms),
        tags=split_names(tags),
        every=every,
        from_ply=from_ply,
        unique=unique or None,
    )
