"""`forsyth features`: numbers that say something about every row's position.

Writes the rows with a column for each feature of the game, such as the side to move; null where the text
cannot be read."""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=example(
        "forsyth features positions.parquet -o features.parquet",
    )
)
@prefix_option
@rows_command
def features(job: BulkJob, prefix: str) -> int:
    """Add the features of each position: side, material, phase, clocks, as the game has them."""
    return job.tell(job.verb("features", prefix))
