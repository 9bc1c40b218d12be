"""`forsyth material`: add a column with the pieces of the position of each row, such as KRPvKR.

The column ``material`` is null if the text cannot be read.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=format_examples(
        "forsyth material positions.parquet -o material.parquet",
    )
)
@prefix_option
@rows_command
def material(job: BulkJob, prefix: str) -> int:
    """Add a column with the material of each position.

    KRPvKR means: the first side has king, rook and pawn, the second side has king and rook.
    """
    return job.print_report(job.run_verb("material", prefix))
