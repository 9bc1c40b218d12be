"""`forsyth split`: every row in one of several sets, for training and testing.

Writes the rows with a column ``split`` that names the set. That is decided by the key of the position and the
seed: one position is never in two sets. Rows that cannot be read are in none: null."""

from __future__ import annotations

import click

from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command
from forsyth.cli.options import example


@click.command(
    epilog=example(
        "forsyth split positions.parquet -o sets.parquet",
        "forsyth split --sets train=0.9,test=0.1 positions.parquet -o sets.parquet",
    )
)
@click.option(
    "--sets",
    metavar="NAME=SHARE,...",
    help="The sets and their shares, 1 together.  [default: train=0.8,valid=0.1,test=0.1]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed divides differently.")
@prefix_option
@rows_command
def split(job: BulkJob, sets: str | None, seed: int, prefix: str) -> int:
    """Divide the positions into sets, so that none is in two."""
    return job.tell(job.verb("split", prefix, sets=sets, seed=seed))
