"""`forsyth planes`: every row's position as a tensor for training.

Writes to ``.npy`` one array of bytes (positions, planes, rows, columns), without the rows that cannot be
read; to other formats the rows with a column ``planes``, null for those. With ``--rows`` the columns of the
rows that are in the array, such as labels, and the number of each (``row``, from 0) go to a file beside it.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=example(
        "forsyth planes positions.parquet -o train.npy",
        "forsyth planes positions.parquet -o train.npy --rows train.parquet",
    )
)
@click.option(
    "--rows",
    metavar="FILE",
    help="Beside a .npy TARGET: the other columns and the number of the row of each tensor, in their order.",
)
@prefix_option
@rows_command
def planes(job: BulkJob, rows: str | None, prefix: str) -> int:
    """Write each position as planes of bytes for training."""
    return job.asking(rows=rows).tell_of("planes", prefix=prefix)
