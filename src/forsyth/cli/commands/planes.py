"""`forsyth planes`: every row's position as a tensor for training.

Writes to ``.npy`` one array of bytes (positions, planes, rows, columns), without the rows that cannot be
read; to other formats the rows with a column ``planes``, null for those."""

from __future__ import annotations

import click

from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command
from forsyth.cli.options import example


@click.command(
    epilog=example(
        "forsyth planes positions.parquet -o train.npy",
    )
)
@prefix_option
@rows_command
def planes(job: BulkJob, prefix: str) -> int:
    """Write each position as planes of bytes for training."""
    return job.tell(job.verb("planes", prefix))
