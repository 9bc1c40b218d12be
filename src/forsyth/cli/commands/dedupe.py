"""`forsyth dedupe`: each position once.

Writes the rows in their order without those that hold a position that another one holds too. Of those the
first is kept, or the one with the largest value in a column. Needs free space on the disk of the
target: about 50 bytes a row. Standard input is copied into a file first."""

from __future__ import annotations

from typing import Literal

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import BulkJob, rows_command


@click.command(
    epilog=example(
        "forsyth dedupe positions.parquet -o unique.parquet",
        "forsyth dedupe --keep best --by depth evals.parquet -o best.parquet",
        "forsyth dedupe --against train.parquet test.parquet -o unseen.parquet",
    )
)
@click.option(
    "--keep",
    type=click.Choice(["first", "best"]),
    default="first",
    show_default=True,
    help="Which row of a position to keep; best: the one with the largest value in the column of --by.",
)
@click.option("--by", metavar="COLUMN", help="The column of numbers that says which row is best.")
@click.option(
    "--invalid",
    type=click.Choice(["keep", "drop"]),
    default="keep",
    show_default=True,
    help="Whether rows that cannot be read are kept.",
)
@click.option(
    "--against",
    multiple=True,
    metavar="FILE",
    help="Leave out positions of this file too; may be given several times.",
)
@click.option("--count", is_flag=True, help="Add a column count: how many rows hold the position.")
@rows_command
def dedupe(
    job: BulkJob,
    keep: Literal["first", "best"],
    by: str | None,
    invalid: Literal["keep", "drop"],
    against: tuple[str, ...],
    count: bool,
) -> int:
    """Write each position once: the first row that holds it, or the best.

    Rows that cannot be read are kept and counted.
    """
    counted = "count" if count else None
    return job.tell(job.dedupe(keep=keep, by=by, invalid=invalid, against=against, count=counted))
