"""`forsyth dedupe`: write each position once.

Of all rows with the same position it writes the first, or the row with the largest value in a column. The
order of the rows stays the same. The disk of the target needs about 50 bytes of free space per row. Standard
input is copied to a file first.
"""

from __future__ import annotations

from typing import Literal

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import BulkJob, rows_command


@click.command(
    epilog=format_examples(
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
    help="Row to keep of each position; best: the row with the largest number in the column --by.",
)
@click.option("--by", metavar="COLUMN", help="Column of numbers that --keep best compares.")
@click.option(
    "--invalid",
    type=click.Choice(["keep", "drop"]),
    default="keep",
    show_default=True,
    help="Keep or drop rows that cannot be read.",
)
@click.option(
    "--against",
    multiple=True,
    metavar="FILE",
    help="Also remove rows whose position is in FILE. Repeatable.",
)
@click.option("--count", is_flag=True, help="Add a column count: the number of rows with the position.")
@rows_command
def dedupe(
    job: BulkJob,
    keep: Literal["first", "best"],
    by: str | None,
    invalid: Literal["keep", "drop"],
    against: tuple[str, ...],
    count: bool,
) -> int:
    """Remove rows that repeat a position.

    The first row of each position is kept, or the best row (--keep best). Rows that cannot be read are
    counted.
    """
    count_column = "count" if count else None
    report = job.run_dedupe(keep=keep, by=by, invalid=invalid, against=against, count=count_column)
    return job.print_report(report)
