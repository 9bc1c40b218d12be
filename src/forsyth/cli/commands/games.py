"""`forsyth games`: write a table of the games in files of records.

Each row has the tags of a game, its result, number of plies, moves, clocks, evaluations, start position if it
is not the usual one, the key of the last position, and the first error with its place. The summary counts the
games that the slower record reader read because no kernel supports them.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.record_options import RecordJob, record_command, split_names


@click.command(
    epilog=format_examples(
        "forsyth games games.pgn.zst -o games.parquet",
        "forsyth games --tags White,Black,WhiteElo --moves uci 'months/*.pgn.zst' -o games/",
    )
)
@click.option(
    "--tags",
    metavar="NAMES",
    help="Tags to write as columns, separated by commas; * collects all other tags in the column tags.  "
    "[default: the usual tags and *]",
)
@record_command
def games(job: RecordJob, tags: str | None) -> int:
    """Write a table of the games in files of records (PGN).

    The row of a game with an error has the moves before the error, and the place of the error.
    """
    return job.run("games", tags=split_names(tags))
