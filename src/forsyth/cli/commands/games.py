"""`forsyth games`: a table of the games of files of records.

Writes a row for each game: its tags, result, number of plies, moves, clocks, evaluations, start where it is
not the usual one, the key of its last position, and its first error with the place. Says how many games the
record reader had to read because no kernel takes them."""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.record_options import RecordJob, names, record_command


@click.command(
    epilog=example(
        "forsyth games games.pgn.zst -o games.parquet",
        "forsyth games --tags White,Black,WhiteElo --moves uci 'months/*.pgn.zst' -o games/",
    )
)
@click.option(
    "--tags",
    metavar="NAMES",
    help="The tags that have columns, with commas between them; * puts all others into the column tags. By "
    "default the usual ones and *.",
)
@record_command
def games(job: RecordJob, tags: str | None) -> int:
    """Write a row for each game of files of records (PGN).

    A game with an error has its moves up to there, and the place of the error.
    """
    return job.run("games", tags=names(tags))
