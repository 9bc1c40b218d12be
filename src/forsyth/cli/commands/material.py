"""`forsyth material`: the men of every row's position, as in KRPvKR.

Writes the rows with a column ``material``; null where the text cannot be read."""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=example(
        "forsyth material positions.parquet -o material.parquet",
    )
)
@prefix_option
@rows_command
def material(job: BulkJob, prefix: str) -> int:
    """Add the material of each position: the men of the first side, v, those of the second."""
    return job.tell(job.verb("material", prefix))
