"""`forsyth planes`: write the position of each row as a tensor for training.

To ``.npy`` it writes one array of bytes with the axes positions, planes, rows and columns; rows that cannot
be read are left out. To other formats it writes the rows with a column ``planes``, which is null for such
rows. ``--rows`` also writes the source row number (``row``, from 0) and the columns of each tensor, such as
labels, to another file.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=format_examples(
        "forsyth planes positions.parquet -o train.npy",
        "forsyth planes positions.parquet -o train.npy --rows train.parquet",
    )
)
@click.option(
    "--rows",
    metavar="FILE",
    help="For a .npy TARGET: write the source row number and columns of each tensor to FILE.",
)
@prefix_option
@rows_command
def planes(job: BulkJob, rows: str | None, prefix: str) -> int:
    """Write each position as a tensor (planes of bytes) for training."""
    return job.with_arguments(rows=rows).run_and_report("planes", prefix=prefix)
