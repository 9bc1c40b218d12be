"""`forsyth features`: add columns of numbers that describe the position of each row.

Adds a column for each feature of the game, such as the side to move. The value is null if the text cannot be
read.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=format_examples(
        "forsyth features positions.parquet -o features.parquet",
    )
)
@prefix_option
@rows_command
def features(job: BulkJob, prefix: str) -> int:
    """Add columns with the features of each position.

    Features are numbers such as the side to move, the material, the phase and the clocks; each game has its
    own.
    """
    return job.print_report(job.run_verb("features", prefix))
